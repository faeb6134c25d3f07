import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { silentLog } from "../../../src/provider/engine/log";
import { PartialError } from "../../../src/provider/state/partial-error";
import { Session } from "../../../src/provider/run/session";
import { HIDDEN } from "../../../src/provider/state/hidden-names";
import { dynamicOf } from "../../../src/serve/lifecycles";
import { type LogEntry, type Plugin, PluginError, type Properties } from "../../helpers/plugin";
import { type Kind } from "../kinds";

/** A process number that no system assigns. */
const NOBODY = 2 ** 31 - 2;

interface Place {
  readonly token: string;
  readonly baseUrl: string;
  /** The folder for its notes. */
  readonly home: string;
}

/** Stands in for a plugin process: a session within this process, for resources of one kind. */
export function sessionPlugin(kind: Kind, { token, baseUrl, home }: Place): Plugin {
  const logs: LogEntry[] = [];
  const log = (severity: LogEntry["severity"]) => (urn: string | undefined, message: string) => {
    logs.push({ urn: urn ?? "", message, severity, ephemeral: false });
  };
  const session = new Session({
    readOthers: () => Promise.resolve({ stacks: [], unread: 0 }),
    environment: { PULUMI_HOME: home, PULUMI_BACKEND_URL: "file:///state" },
    log: { ...silentLog, warn: log("warning"), note: log("info"), address: `${home}/${Math.random()}` },
  });
  const given = new Map([
    ["nodecloud:token", token],
    ["nodecloud:baseUrl", baseUrl],
  ]);
  const provider = dynamicOf(session, kind);
  provider.configure({ config: { get: (key) => given.get(key) } });

  const read = async (id: string, outputs: Properties) => {
    const { id: found, props, inputs } = await asEngine(() => provider.read(id, copy(outputs)));
    return { id: found, props: withText(props, outputs), inputs };
  };

  return {
    logs,
    printed: () => "",
    check: async ({ inputs = {} }, news) =>
      handedOver(await asEngine(() => provider.check(copy(inputs), copy(news)))),
    diff: async ({ id, outputs }, news) => {
      const found = await asEngine(() => provider.diff(id, copy(outputs), copy(news)));
      return { ...found, stables: [], details: {}, row: [] };
    },
    create: async (_, inputs) => {
      const { id, outs } = await asEngine(() => provider.create(copy(inputs)));
      return { id, outputs: withText(outs, inputs) };
    },
    read: ({ id, outputs }) => read(id, outputs),
    get: (_, id, properties) => read(id, properties),
    readForImport: () => Promise.reject(new Error("the dynamic plugin has no imports")),
    update: async ({ id, outputs }, news) => {
      const { outs } = await asEngine(() => provider.update(id, copy(outputs), copy(news)));
      return withText(outs, news);
    },
    delete: ({ id, outputs }) => asEngine(() => provider.delete(id, copy(outputs))),
    stop: () => Promise.resolve(endNotes(home)),
  };
}

/** Engine and plugin exchange values as JSON. */
const copy = (value: Properties): Properties => structuredClone(value);
const handedOver = <Value>(value: Value): Value => structuredClone(value);
const withText = (outputs: Properties, from: Properties): Properties =>
  handedOver({ ...outputs, [HIDDEN.provider]: from[HIDDEN.provider] });

async function asEngine<Result>(step: () => Promise<Result>): Promise<Result> {
  try {
    return await step();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (!(error instanceof PartialError)) throw new PluginError(message);
    throw new PluginError(message, {
      id: error.id,
      properties: handedOver((error as unknown as { properties: Properties }).properties),
      reasons: error.reasons,
    });
  }
}

/** A stopped plugin's process no longer exists, so its notes must name a process that does not exist. */
function endNotes(home: string): void {
  for (const file of readdirSync(home, { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".json")) continue;
    const path = join(home, file);
    const text = readFileSync(path, "utf8");
    writeFileSync(path, text.replaceAll(`"pid":${process.pid}`, `"pid":${NOBODY}`));
  }
}
