import { isLoopback } from "./endpoint";
import { ConfigurationError } from "./errors";
import { bounded, printableLine } from "./text";

type Environment = Readonly<Record<string, string | undefined>>;

/** A proxy from the environment. */
export interface Proxy {
  /** The variable that names it. */
  readonly variable: string;
  readonly value: string;
}

/** The proxy for requests to an address. The HTTP library reads the same variables in the same order. */
export function proxyFor(target: URL, environment: Environment = process.env): Proxy | undefined {
  if (isLoopback(target) || isExcluded(target, environment)) return undefined;
  const names = [`${target.protocol.slice(0, -1)}_proxy`, "all_proxy"];
  for (const variable of names.flatMap((name) => [name, name.toUpperCase()])) {
    const value = environment[variable];
    if (value) return { variable, value };
  }
  return undefined;
}

function isExcluded({ hostname, port, protocol }: URL, environment: Environment): boolean {
  const excluded = environment["no_proxy"] || environment["NO_PROXY"] || "";
  const actualPort = port || (protocol === "https:" ? "443" : "80");
  return excluded
    .toLowerCase()
    .split(/[,\s]+/)
    .filter(Boolean)
    .some((entry) => {
      const [, name = entry, itsPort = actualPort] = /^(.+):(\d+)$/.exec(entry) ?? [];
      if (itsPort !== actualPort) return false;
      return /^[.*]/.test(name) ? hostname.endsWith(name.replace(/^\*/, "")) : hostname === name;
    });
}

/** The host of a proxy, with its port. */
export const hostOfProxy = ({ value }: Proxy): string => new URL(withScheme(value)).host;

/** @throws ConfigurationError if the environment names a proxy by something that is not an address */
export function checkProxy(proxy: Proxy | undefined): void {
  if (proxy === undefined || isAddressOfProxy(proxy.value)) return;
  throw new ConfigurationError(
    proxy.variable,
    `"${shown(proxy.value)}" is not the address of a proxy; set it to one such as http://proxy.example.com:3128, or unset it`,
  );
}

const withScheme = (value: string) => (value.includes("://") ? value : `http://${value}`);

function isAddressOfProxy(value: string): boolean {
  const address = withScheme(value);
  if (!URL.canParse(address)) return false;
  const { protocol, pathname, search } = new URL(address);
  // A bare number is a port without a host, but a URL reads it as an IPv4 address.
  const isNumber = /^\d+$/.test(value.trim());
  return ["http:", "https:"].includes(protocol) && pathname === "/" && search === "" && !isNumber;
}

/** Hides the user name and password, also in a value that is not a URL. */
const shown = (value: string): string =>
  bounded(printableLine(value.replace(/^([a-z0-9+.-]*:\/\/)?.*@/is, "$1…@")), 100);
