import { type ListenOptions } from "../../../src/emulator";
import { AT_ONCE, startTestEmulator } from "../emulator";
import { type PluginProcess, startPlugin, WAY, type Way } from "../plugin";
import { type ProgramFolder, programFolder } from "../programs";
import { type ResourceType } from "./description";
import { Managed, type PluginAndAccount } from "./managed";

/** The names of the emulator's control API for the objects of the resources in a test. */
export type Kinds = Partial<Record<ResourceType, string>>;

/** A plugin process and its account. */
export interface Bench extends PluginAndAccount {
  readonly plugin: PluginProcess;
  /** Kills the plugin, and starts another one with the same notes. The new one does not know what the old one learnt of a program. */
  restart(): Promise<void>;
  readonly folder: ProgramFolder;
  /** A resource of a program that is not created yet. By default its name is new. */
  resource(type: ResourceType, name?: string): Managed;
  /** The number of requests of each operation since the last call. */
  requests(): Promise<Record<string, number>>;
  /** A new number, for names that must be unique. */
  serial(): number;
  stop(): Promise<void>;
}

export async function startBench(kinds: Kinds, options: ListenOptions = {}, way: Way = WAY): Promise<Bench> {
  const emulator = await startTestEmulator({ speed: AT_ONCE, ...options });
  const folder = programFolder();
  const start = () =>
    startPlugin({ "nodecloud:token": emulator.token, "nodecloud:baseUrl": emulator.url }, { folder, way });
  let plugin = await start();
  let last = 0;
  const serial = () => ++last;
  const bench: Bench = {
    emulator,
    way,
    get plugin() {
      return plugin;
    },
    async restart() {
      await plugin.kill();
      plugin = await start();
    },
    folder,
    serial,
    objects: (type) => {
      const kind = kinds[type];
      if (kind === undefined) throw new Error(`startBench was not told the kind of ${type}`);
      return `/objects/${kind}`;
    },
    resource: (type, name = `res-${serial()}`) => new Managed(bench, type, name),
    requests: () => emulator.newCounts(),
    async stop() {
      await plugin.stop();
      await emulator.stop();
    },
  };
  return bench;
}
