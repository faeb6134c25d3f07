import { readFileSync } from "node:fs";
import { X509Certificate } from "node:crypto";
import { checkBaseUrl, uncheckedTls } from "../../api/endpoint";
import { checkProxy, hostOfProxy, proxyFor } from "../../api/proxy";
import { type Configuration, readConfiguration, SETTINGS } from "../../provider/process/config";
import { checkConfiguration } from "../../provider/process/connect";
import { type Context } from "../context";
import { lineOf } from "../errors";
import { type Check } from "./check";

/** The settings of a stack by their keys, and what to call their source. */
export interface Configured {
  readonly from: string;
  get(key: string): string | undefined;
}

/** Checks the settings of the provider. The configuration is undefined if they cannot be used. */
export function checkSettings(
  { environment }: Context,
  configured: Configured,
): { readonly checks: Check[]; readonly configuration: Configuration | undefined } {
  const name = "settings";
  try {
    const configuration = readConfiguration((key) => configured.get(key), environment);
    checkConfiguration(configuration);
    const source = (setting: "token" | "baseUrl") =>
      configured.get(SETTINGS[setting].key) === undefined ? SETTINGS[setting].variable : configured.from;
    const finding = `token from ${source("token")}, base URL ${configuration.baseUrl} from ${source("baseUrl")}`;
    return { checks: [{ name, status: "ok", finding }], configuration };
  } catch (error) {
    return { checks: [{ name, ...told(error) }], configuration: undefined };
  }
}

/** Splits a message at its advice. */
function told(error: unknown): Omit<Check, "name"> {
  const line = lineOf(error);
  const at = line.indexOf(": run `");
  return at < 0
    ? { status: "problem", finding: line, advice: "correct the setting" }
    : { status: "problem", finding: line.slice(0, at), advice: line.slice(at + 2) };
}

/** Checks the proxy for requests to the service. */
export function checkProxySettings({ environment }: Context, { baseUrl }: Configuration): Check {
  const name = "proxy";
  const proxy = proxyFor(new URL(checkBaseUrl(baseUrl).href), environment);
  if (proxy === undefined) return { name, status: "ok", finding: "none" };
  try {
    checkProxy(proxy);
    return { name, status: "ok", finding: `${hostOfProxy(proxy)} (${proxy.variable})` };
  } catch (error) {
    const advice = `set ${proxy.variable} to an address such as http://proxy.example.com:3128, or unset it`;
    return { name, status: "problem", finding: lineOf(error), advice };
  }
}

/** Checks the settings for certificates. */
export function checkCertificates({ environment }: Context, { baseUrl }: Configuration, now: number): Check {
  const name = "certificates";
  const warning = uncheckedTls(checkBaseUrl(baseUrl), environment);
  if (warning !== undefined) {
    const advice = "unset NODE_TLS_REJECT_UNAUTHORIZED";
    return { name, status: "problem", finding: warning.split(". ")[0] ?? warning, advice };
  }
  const file = environment["NODE_EXTRA_CA_CERTS"];
  if (file === undefined || file === "") return { name, status: "ok", finding: "no issuers of your own" };
  const advice = "set NODE_EXTRA_CA_CERTS to a file with PEM certificates";
  try {
    const parts = readFileSync(file, "utf8").match(
      /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g,
    );
    const certificates = (parts ?? []).map((part) => new X509Certificate(part));
    if (certificates.length === 0)
      return { name, status: "problem", finding: `${file} has no certificate`, advice };
    const finding = `${certificates.length} of your own issuers (NODE_EXTRA_CA_CERTS)`;
    // A bundle of many issuers usually has some that have expired.
    return certificates.some(({ validTo }) => Date.parse(validTo) > now)
      ? { name, status: "ok", finding }
      : { name, status: "problem", finding: `${finding}, and all have expired`, advice };
  } catch (error) {
    return { name, status: "problem", finding: `NODE_EXTRA_CA_CERTS: ${lineOf(error)}`, advice };
  }
}
