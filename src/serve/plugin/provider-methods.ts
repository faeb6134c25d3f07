import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { PluginAttach } from "@pulumi/pulumi/proto/plugin_pb";
import type * as messages from "@pulumi/pulumi/proto/provider_pb";
import { type Properties } from "../../provider/base/values";
import { packageVersion } from "../../provider/base/package-version";
import { ProviderError } from "../../provider/base/errors";
import { type Ports } from "../../provider/run/session";
import { checkedAnswer, diffAnswer, filled, unary } from "./answers";
import { changedSettings, configured, failuresIn, leadsElsewhere, settingsByName } from "./configuration";
import type * as functions from "./functions";
import { Empty, PluginInfo, provider } from "./protocol";
import { classIn } from "../../provider/describe/type-token";
import { received, structOf } from "./wire-values";

/** The ports and the engine of the methods about the provider itself. */
export interface Host {
  readonly ports: Ports;
  /** Takes the address of the engine that drives the plugin. A developer may have started the plugin without one. */
  attach(engine: string): void;
}

const ROOT = join(__dirname, "../../..");

// Many runs call no function.
// eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded by the first call
const loadFunctions = () => require("./functions") as typeof functions;

/** The methods about the package: its schema, its version, and how an engine meets it. */
export const packageMethods = (host: Host) => ({
  handshake: unary((request: messages.ProviderHandshakeRequest) => {
    host.attach(request.getEngineAddress());
    const abilities = { AcceptSecrets: true, SupportsAutonamingConfiguration: true };
    return filled(new provider.ProviderHandshakeResponse(), abilities);
  }),

  getSchema: unary(() => {
    const schema = readFileSync(join(ROOT, "schema.json"), "utf8");
    return filled(new provider.GetSchemaResponse(), { Schema: schema });
  }),

  getPluginInfo: unary(() => filled(new PluginInfo(), { Version: packageVersion() })),

  attach: unary((request: PluginAttach) => {
    host.attach(request.getAddress());
    return new Empty();
  }),

  parameterize: unary(() => {
    throw new ProviderError("nodecloud has no parameters: use the package as it is", {
      code: "PLUGIN_MISMATCH",
    });
  }),
});

/** The name of the provider that a program does not make itself: with a version, if the resources ask for one. */
const DEFAULT_NAME = /^default(?:_|$)/;

const settingsOf = new WeakMap<Ports["run"], Properties>();

/** An engine starts a process for each provider. But it attaches all of a program's to the same process, which has one account. */
function refuseOtherSettings(run: Ports["run"], settings: Properties): void {
  const before = settingsOf.get(run);
  if (before !== undefined && changedSettings(before, settings).length > 0)
    throw new ProviderError(
      "the program has providers with different settings, but a plugin that was started without an engine serves only one of them. Unset PULUMI_DEBUG_PROVIDERS, or use one provider",
      { code: "PLUGIN_MISMATCH" },
    );
  settingsOf.set(run, settings);
}

/** The methods about the provider: its configuration, its functions, and the end of its work. */
export const providerMethods = ({ ports }: Host) => ({
  checkConfig: unary((request: messages.CheckRequest) => {
    const news = received(request.getNews());
    const secrets = [...news.secrets, ["token"]];
    ports.run.hasProgram = true;
    return checkedAnswer({ properties: news.properties, secrets }, failuresIn(news.properties));
  }),

  diffConfig: unary(async (request: messages.DiffRequest) => {
    const olds = received(request.getOldInputs() ?? request.getOlds());
    const news = received(request.getNews());
    const changed = changedSettings(olds.properties, news.properties);
    const moves = await leadsElsewhere(
      ports.run,
      request.getUrn(),
      { olds: olds.properties, news: news.properties },
      process.env,
    );
    ports.run.hasMoved ||= moves;
    return diffAnswer({
      changes: changed.length > 0,
      replaces: moves ? ["baseUrl"] : [],
      deleteBeforeReplace: false,
      details: changed.map((path) => ({
        path,
        kind: "update",
        replaces: moves && path === "baseUrl",
      })),
      stables: [],
    });
  }),

  configure: unary((request: messages.ConfigureRequest) => {
    const settings = settingsByName(received(request.getArgs()).properties);
    refuseOtherSettings(ports.run, settings);
    const name = request.getName() ?? "";
    ports.run.settings.configure(configured(settings), name !== "" && !DEFAULT_NAME.test(name));
    const abilities = {
      Acceptsecrets: true,
      Supportspreview: true,
      SupportsAutonamingConfiguration: true,
    };
    return filled(new provider.ConfigureResponse(), abilities);
  }),

  invoke: unary(async (request: messages.InvokeRequest) => {
    const name = classIn(request.getTok()) ?? request.getTok();
    const result = await loadFunctions().call(ports, name, received(request.getArgs()));
    return filled(new provider.InvokeResponse(), { Return: structOf(result) });
  }),

  cancel: unary(() => {
    ports.run.ending.cancel();
    return new Empty();
  }),
});
