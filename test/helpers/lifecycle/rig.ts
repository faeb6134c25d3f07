import { type ListenOptions } from "../../../src/emulator";
import { AT_ONCE, startTestEmulator } from "../emulator";
import { type FakeClock } from "../../provider/fake-clock";
import { type PluginProcess, type Way } from "../plugin";
import { type InProcessOptions, pluginClock, servePlugin } from "../plugin/in-process";
import { requestsServed } from "../plugin/traffic";
import { type ProgramFolder, programFolder } from "../programs";
import { type ResourceType } from "./description";
import { Managed, type PluginAndAccount } from "./managed";

/** The names of the emulator's control API for the objects of the resources in a test. */
export type Kinds = Partial<Record<ResourceType, string>>;

/** A plugin within this process, and its account. */
export interface Rig extends PluginAndAccount {
  readonly plugin: PluginProcess;
  readonly way: Way;
  /** The time of the plugin. */
  readonly clock: FakeClock;
  /** Stops the time of plugin and account, so that a test can look at a wait. */
  stopTime(): void;
  /** Lets it go on, as it does by itself at first: nothing takes time. */
  runTime(): void;
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

/** Time for the emulator: the plugin's, and a little more with each request. */
const withEachRequest = (clock: FakeClock) => {
  const before = requestsServed();
  return () => clock.now() + requestsServed() - before;
};

export async function startRig(
  kinds: Kinds,
  options: ListenOptions = {},
  way: Way = "dynamic",
  run: Partial<Omit<InProcessOptions, "folder" | "clock" | "way">> & {
    /** Further settings of the provider, by key, which may change before a restart. */
    readonly configuration?: Readonly<Record<string, string>>;
  } = {},
): Promise<Rig> {
  const clock = pluginClock();
  const emulator = await startTestEmulator({ speed: AT_ONCE, realNow: withEachRequest(clock), ...options });
  const folder = programFolder();
  const start = () =>
    servePlugin(
      { "nodecloud:token": emulator.token, "nodecloud:baseUrl": emulator.url, ...run.configuration },
      { folder, way, clock, ...run },
    );
  let plugin = await start();
  let last = 0;
  const serial = () => ++last;
  const rig: Rig = {
    emulator,
    way,
    clock,
    stopTime() {
      emulator.clock.setSpeed(0);
      clock.hold();
    },
    runTime() {
      emulator.clock.setSpeed(AT_ONCE);
      clock.release();
    },
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
      if (kind === undefined) throw new Error(`startRig was not told the kind of ${type}`);
      return `/objects/${kind}`;
    },
    resource: (type, name = `res-${serial()}`) => new Managed(rig, type, name),
    requests: () => emulator.newCounts(),
    async stop() {
      await plugin.stop();
      await emulator.stop();
    },
  };
  return rig;
}
