import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, isIP } from "node:net";
import { text } from "node:stream/consumers";
import { compressed, expanded, respeltIPv6 } from "./addresses";
import { type TestEmulator } from "./emulator";

type Json = Record<string, unknown>;

/** A service's rewriting of one field. */
type Rewrite = (field: string, value: unknown) => unknown;

/** The domain that a service appends to names or removes from them. */
export const ZONE = "example.org";

/** The steps to which a service may round a time. */
const STEPS = [300, 3600, 7200, 14_400, 86_400, 604_800, 2_419_200];

const TIMES = ["ttl_sec", "refresh_sec", "retry_sec", "expire_sec"];
const NAMES = ["name", "target"];
const CASELESS = [...NAMES, "domain", "soa_email", "label", "service", "protocol"];
const ADDRESSES = ["master_ips", "axfr_ips", "allow_list"];
const LISTS = [...ADDRESSES, "tags"];

const times =
  (step: (seconds: number) => number): Rewrite =>
  (field, value) =>
    TIMES.includes(field) && typeof value === "number" && value !== 0 ? step(value) : value;

const texts =
  (fields: readonly string[], change: (text: string) => string): Rewrite =>
  (field, value) =>
    fields.includes(field) && typeof value === "string" && isIP(value) === 0 ? change(value) : value;

const lists =
  (fields: readonly string[], change: (items: readonly string[]) => string[]): Rewrite =>
  (field, value) =>
    fields.includes(field) && Array.isArray(value) ? change(value as string[]) : value;

const addresses = (respell: (address: string) => string): Rewrite => {
  const change = (text: string) => respeltIPv6(text, respell);
  const listed = lists(ADDRESSES, (items) => items.map(change));
  return (field, value) =>
    field === "target" && typeof value === "string" ? change(value) : listed(field, value);
};

const withoutZone = (name: string): string => name.replace(/\.example\.org\.?$/i, "");

/** The service finds no domain in a text that is not a name, such as that of a CAA record with parameters. */
const inZone = (suffix: string) => (text: string) =>
  /^[\w.-]+$/.test(text) ? `${withoutZone(text)}.${ZONE}${suffix}` : text;

/** The rewrites of a value that a service may make. */
const REWRITES = {
  "times rounded up": times((value) => STEPS.find((step) => step >= value) ?? 2_419_200),
  "times rounded to the nearest": times((value) =>
    STEPS.reduce((best, step) => (Math.abs(step - value) < Math.abs(best - value) ? step : best)),
  ),
  "domain added": texts(NAMES, inZone("")),
  "domain added with a period": texts(NAMES, inZone(".")),
  "domain cut": texts(NAMES, withoutZone),
  "period cut": texts([...NAMES, "domain"], (name) => name.replace(/(?<=.)\.$/, "")),
  "lower case": texts(CASELESS, (text) => text.toLowerCase()),
  "upper case": texts(CASELESS, (text) => text.toUpperCase()),
  "masks added": lists(ADDRESSES, (items) =>
    items.map((item) => (item.includes("/") ? item : `${item}/${item.includes(":") ? "128" : "32"}`)),
  ),
  "masks cut": lists(ADDRESSES, (items) => items.map((item) => item.split("/")[0] ?? item)),
  "IPv6 expanded": addresses(expanded),
  "IPv6 compressed": addresses(compressed),
  "IPv6 in upper case": addresses((address) => address.toUpperCase()),
  "lists reversed": lists(LISTS, (items) => [...items].reverse()),
  "lists sorted, each item once": lists(LISTS, (items) => [...new Set(items)].sort()),
  "empty text for none": (field, value) =>
    value === null && ["service", "protocol"].includes(field) ? "" : value,
} satisfies Record<string, Rewrite>;

/** The values that a service may fill in when a creation omits them, by the end of the path. */
const FILLED: readonly (readonly [path: RegExp, defaults: Json])[] = [
  [
    /\/domains$/,
    {
      description: "a domain",
      group: "ungrouped",
      axfr_ips: ["2001:db8::1"],
      ttl_sec: 86_400,
      refresh_sec: 14_400,
      retry_sec: 3600,
      expire_sec: 604_800,
      tags: ["new"],
    },
  ],
  [/\/records$/, { name: ZONE, ttl_sec: 3600, service: "_http", protocol: "_tcp" }],
  [/\/node\/instances$/, { group: "ungrouped", tags: ["new"], backups_enabled: true, private_ip: true }],
  [
    /\/databases\/\w+\/instances$/,
    { allow_list: ["192.0.2.0/24"], encrypted: true, ssl_connection: false, replication_type: "asynch" },
  ],
  [/\/images$/, { description: "an image" }],
];

const DEFAULTS = "defaults filled in";

export type RewriteName = keyof typeof REWRITES | typeof DEFAULTS;

export const REWRITE_NAMES = [...Object.keys(REWRITES), DEFAULTS] as RewriteName[];

/** A request that is not a read, as the client sent it. */
export interface Write {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

/** A server in front of an emulator that rewrites what it stores. */
export interface RewritingServer {
  /** The API's base URL, which ends in `/v4`. */
  readonly url: string;
  /** Sets the rewrites from now on, in their order. */
  rewrites: readonly RewriteName[];
  /** The writes so far. */
  readonly writes: Write[];
  stop(): Promise<void>;
}

/** Rewrites the bodies of requests, so that the emulator stores and shows the rewritten values. */
export async function startRewriting(emulator: TestEmulator): Promise<RewritingServer> {
  const rewriting = { rewrites: [] as readonly RewriteName[], writes: [] as Write[] };

  async function forward(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = "GET", url: path = "/" } = incoming;
    const sent = await text(incoming);
    const body = sent === "" ? undefined : (JSON.parse(sent) as Json);
    if (method !== "GET") rewriting.writes.push({ method, path, body });
    const answer = await fetch(emulator.origin + path, {
      method,
      headers: { authorization: incoming.headers.authorization ?? "" },
      ...(body !== undefined && { body: JSON.stringify(rewritten(body, rewriting.rewrites, path)) }),
    });
    outgoing.writeHead(answer.status, { "content-type": "application/json" });
    outgoing.end(await answer.text());
  }

  const server = createServer((incoming, outgoing) => {
    forward(incoming, outgoing).catch((error: unknown) => {
      outgoing.writeHead(500, { "content-type": "application/json" });
      outgoing.end(JSON.stringify({ errors: [{ reason: `The rewriting server failed: ${String(error)}` }] }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return Object.assign(rewriting, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v4`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

/** A body as a service with these rewrites stores it. */
function rewritten(body: Json, names: readonly RewriteName[], path: string): Json {
  return names.reduce<Json>((fields, name) => {
    if (name === DEFAULTS) return { ...defaultsOf(fields, path), ...fields };
    return Object.fromEntries(
      Object.entries(fields).map(([field, value]) => [field, REWRITES[name](field, value)]),
    );
  }, body);
}

function defaultsOf({ type }: Json, path: string): Json {
  const filled = FILLED.find(([creation]) => creation.test(path))?.[1] ?? {};
  return type === "MX" ? { ...filled, priority: 10 } : filled;
}
