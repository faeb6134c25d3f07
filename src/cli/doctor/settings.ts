import { readFileSync } from "node:fs";
import { X509Certificate } from "node:crypto";
import { checkBaseUrl, uncheckedTls } from "../../api/endpoint";
import { checkProxy, hostOfProxy, proxyFor } from "../../api/proxy";
import { type Configuration, NEW_TOKEN, readConfiguration, SETTINGS } from "../../provider/settings/config";
import { type Context } from "../context";
import { lineOf } from "../errors";
import { type Check, outcomesOf } from "./check";

/** The settings of a stack by their keys, and what to call their source. */
export interface Configured {
  readonly from: string;
  get(key: string): string | undefined;
  /** Whether a setting is not encrypted. */
  isInClear(key: string): boolean;
  /** Says that all resources of the stack have explicit providers, so that none needs the token of the stack. */
  readonly explicit?: string | undefined;
}

/** Checks the settings of the provider. The configuration is undefined if they cannot be used. */
export function checkSettings(
  { environment }: Context,
  configured: Configured,
): { readonly check: Check; readonly configuration?: Configuration } {
  const { ok, warning, problem, unknown } = outcomesOf("settings");
  const { key, variable } = SETTINGS.token;
  if (configured.explicit !== undefined && !configured.get(key)?.trim() && !environment[variable]?.trim())
    return {
      check: unknown(
        `no token of the stack: ${configured.explicit}`,
        "run `nodecloud drift`, which uses the tokens of these providers",
      ),
    };
  try {
    const configuration = readConfiguration((key) => configured.get(key), environment);
    const source = (setting: "token" | "baseUrl") =>
      configured.get(SETTINGS[setting].key) === undefined ? SETTINGS[setting].variable : configured.from;
    const isInClear = configured.isInClear(key);
    const where = `${source("token")}${isInClear ? ", where it is in clear text" : ""}`;
    const finding = `token from ${where}, base URL ${configuration.baseUrl} from ${source("baseUrl")}`;
    return { check: isInClear ? warning(finding, NEW_TOKEN) : ok(finding), configuration };
  } catch (error) {
    const [finding = "", advice = "correct the setting"] = lineOf(error).split(/: (?=run `)/, 2);
    return { check: problem(finding, advice) };
  }
}

/** Checks the proxy for requests to the service. */
export function checkProxySettings({ environment }: Context, { baseUrl }: Configuration): Check {
  const { ok, problem } = outcomesOf("proxy");
  const proxy = proxyFor(new URL(checkBaseUrl(baseUrl).href), environment);
  if (proxy === undefined) return ok("none");
  try {
    checkProxy(proxy);
    return ok(`${hostOfProxy(proxy)} (${proxy.variable})`);
  } catch (error) {
    const advice = `set ${proxy.variable} to an address such as http://proxy.example.com:3128, or unset it`;
    return problem(lineOf(error), advice);
  }
}

/** Checks the settings for certificates. */
export function checkCertificates({ environment }: Context, { baseUrl }: Configuration, now: number): Check {
  const { ok, problem } = outcomesOf("certificates");
  const warning = uncheckedTls(checkBaseUrl(baseUrl), environment);
  if (warning !== undefined)
    return problem(warning.split(". ")[0] ?? warning, "unset NODE_TLS_REJECT_UNAUTHORIZED");
  const file = environment["NODE_EXTRA_CA_CERTS"];
  if (file === undefined || file === "") return ok("no issuers of your own");
  const advice = "set NODE_EXTRA_CA_CERTS to a file with PEM certificates";
  try {
    const parts = readFileSync(file, "utf8").match(
      /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g,
    );
    const certificates = (parts ?? []).map((part) => new X509Certificate(part));
    if (certificates.length === 0) return problem(`${file} has no certificate`, advice);
    const finding = `${certificates.length} of your own issuers (NODE_EXTRA_CA_CERTS)`;
    // A bundle of many issuers usually has some that have expired.
    const isOver = certificates.every(({ validTo }) => Date.parse(validTo) <= now);
    return isOver ? problem(`${finding}, and all have expired`, advice) : ok(finding);
  } catch (error) {
    return problem(`NODE_EXTRA_CA_CERTS: ${lineOf(error)}`, advice);
  }
}
