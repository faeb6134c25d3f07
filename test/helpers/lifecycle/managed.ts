import { type Description } from "../../../src/provider/describe/define-resource";
import { type TestEmulator } from "../emulator";
import {
  type Checked,
  type Diff,
  type Plugin,
  PluginError,
  type Properties,
  type ReadResult,
  type Stored,
} from "../plugin";
import { type Serving, servingOf, WAY, type Way } from "../plugin/way";
import { eventually } from "../programs";
import { descriptionOf, type ResourceType } from "./description";
import { changedPaths } from "./properties";

/** The plugin process and the account of a resource. */
export interface PluginAndAccount {
  readonly emulator: TestEmulator;
  readonly plugin: Plugin;
  /** How the plugin serves resources. By default in the way of this run of the tests. */
  readonly way?: Way;
  /** The path of a resource's objects in the emulator's control API. */
  objects(type: ResourceType): string;
}

/** The resource options in these tests. */
export interface Options {
  /** The names of inputs. The engine hands their values in the state to `check`. */
  readonly ignoreChanges?: string[];
  /** The paths of inputs. Only dynamic resources are told. */
  readonly replaceOnChanges?: string[];
  readonly import?: string;
  readonly dependsOn?: [];
  readonly customTimeouts?: Readonly<Record<string, string>>;
  /** An error hook of the option `hooks`: whether a creation or an update that failed midway is to be repeated. */
  readonly onError?: () => Promise<boolean>;
}

export interface Preview extends Diff {
  readonly inputs: Properties;
}

/** A check that failed. The message holds the reasons. */
export class CheckFailed extends Error {
  constructor(readonly failures: Checked["failures"]) {
    super(failures.map(({ reason }) => reason).join("; "));
    this.name = "CheckFailed";
  }
}

/** One resource of a program with its state. It calls the plugin as the engine does: check, diff, then create, update or replace. */
export class Managed implements Stored {
  id = "";
  inputs: Properties = {};
  outputs: Properties = {};
  /** The last creation or update failed midway, so the next `up` calls `update` whatever `diff` says. */
  initFailed = false;
  readonly description: Description;
  readonly #serving: Serving;
  /** The timeouts in the state, which a deletion uses. */
  #timeouts: Options["customTimeouts"] = {};
  #onError: Options["onError"];

  constructor(
    private readonly rig: PluginAndAccount,
    readonly type: ResourceType,
    readonly name: string,
  ) {
    this.description = descriptionOf(type);
    this.#serving = servingOf(rig.way ?? WAY);
  }

  /** The properties of a resource that a program reads by its id. */
  get provider(): Properties {
    return this.#serving.ofReading(this.type);
  }

  get urn(): string {
    return `urn:pulumi:dev::test::${this.#serving.typePrefix}${this.type}::${this.name}`;
  }

  /** The properties that the engine hands to `check`. */
  async news(args: Properties, options: Options = {}): Promise<Properties> {
    const news = await this.#serving.news(this.description, this.name, args, options);
    const ignored = this.id === "" ? [] : (options.ignoreChanges ?? []);
    for (const name of ignored) news[name] = this.inputs[name];
    return news;
  }

  async check(args: Properties, options?: Options): Promise<Checked> {
    return this.rig.plugin.check(this, await this.news(args, options));
  }

  async #checked(args: Properties, options?: Options, inputs = this.inputs): Promise<Properties> {
    const { urn } = this;
    const checked = await this.rig.plugin.check({ urn, inputs }, await this.news(args, options));
    if (checked.failures.length > 0) throw new CheckFailed(checked.failures);
    return checked.inputs;
  }

  /** Reads an object by its id, as `get` of the class does. */
  get(id: string): Promise<ReadResult> {
    return this.rig.plugin.get(this, id, this.provider);
  }

  /** What this change of the program would do. */
  async preview(args: Properties, options?: Options): Promise<Preview> {
    const inputs = await this.#checked(args, options);
    return { inputs, ...(await this.rig.plugin.diff(this, inputs)) };
  }

  /** The outputs that the preview of an update shows. Dynamic resources show none. */
  async previewOfUpdate(args: Properties): Promise<Properties> {
    const { inputs } = await this.preview(args);
    if (!this.#serving.engineHandlesOptions) return {};
    return this.rig.plugin.update(this, inputs, { isPreview: true });
  }

  async up(args: Properties, options: Options = {}): Promise<"created" | "updated" | "replaced" | "same"> {
    this.#timeouts = options.customTimeouts ?? {};
    this.#onError = options.onError;
    if (this.id === "") {
      const isEngines = this.#serving.engineHandlesOptions && options.import !== undefined;
      if (isEngines) await this.#import(options.import, args, options.ignoreChanges);
      else await this.#create(await this.#checked(args, options));
      return "created";
    }
    const { inputs, changes, replaces, deleteBeforeReplace } = await this.preview(args, options);
    if (replaces.length > 0) {
      await this.#replace(args, options, deleteBeforeReplace);
      return "replaced";
    }
    if (!changes && !this.initFailed) {
      this.inputs = inputs;
      return "same";
    }
    await this.#update(inputs);
    return "updated";
  }

  async #update(inputs: Properties): Promise<void> {
    await this.#keeping(inputs, async () => {
      this.outputs = await this.rig.plugin.update(this, inputs, this.#manner("update"));
    });
  }

  /** Imports an object as the engine does: it reads the object, and compares it with the program. A preview that fails leaves no state. */
  async #import(importId: string, args: Properties, ignored: readonly string[] = []): Promise<void> {
    const { urn } = this;
    const { id, props, inputs: read } = await this.rig.plugin.readForImport(this, importId);
    if (read === undefined) throw new Error("the plugin does not support imports");
    const stored = { urn, id, outputs: props, inputs: read };
    const kept = Object.fromEntries(ignored.map((name) => [name, read[name]]));
    const inputs = await this.#checked({ ...args, ...kept }, {}, read);
    const { changes, replaces } = await this.rig.plugin.diff(stored, inputs, ignored);
    if (replaces.length > 0) throw new Error(`the import would replace ${id}: ${replaces.join()}`);
    Object.assign(this, { id, outputs: props, inputs });
    if (changes) await this.#update(inputs);
  }

  /** What the engine tells about an operation of this resource. */
  #manner(operation: string): { readonly timeoutSec?: number } {
    const text = this.#timeouts?.[operation];
    return this.#serving.engineHandlesOptions && text !== undefined ? { timeoutSec: secondsIn(text) } : {};
  }

  async #create(inputs: Properties): Promise<void> {
    await this.#keeping(inputs, async () => {
      const { id, outputs } = await this.rig.plugin.create(this, inputs, this.#manner("create"));
      this.id = id;
      this.outputs = outputs;
    });
  }

  async #replace(args: Properties, options: Options | undefined, deleteFirst: boolean): Promise<void> {
    const { urn, id, inputs: before, outputs } = this;
    const old = { urn, id, inputs: before, outputs };
    const inputs = await this.#checked(args, options, {});
    if (deleteFirst) await this.rig.plugin.delete(old, this.#manner("delete"));
    await this.#create(inputs);
    if (!deleteFirst) await this.rig.plugin.delete(old, this.#manner("delete"));
  }

  /** Stores the state as the engine does, also after a failure midway. */
  async #keeping(inputs: Properties, step: () => Promise<void>): Promise<void> {
    try {
      await this.#repeating(step);
      this.inputs = inputs;
      this.initFailed = false;
    } catch (error) {
      if (error instanceof PluginError && error.partial !== undefined) {
        this.id = error.partial.id;
        this.outputs = error.partial.properties;
        this.inputs = inputs;
        this.initFailed = true;
      }
      throw error;
    }
  }

  /** Asks again with the state before, as the engine does for an error hook. */
  async #repeating(step: () => Promise<void>): Promise<void> {
    try {
      await step();
    } catch (error) {
      const mayRepeat = error instanceof PluginError && error.partial !== undefined;
      if (!mayRepeat || (await this.#onError?.()) !== true) throw error;
      await this.#repeating(step);
    }
  }

  /** Reads it as `refresh` does, and returns the inputs that changed, or undefined if the object is gone. */
  async refresh(): Promise<string[] | undefined> {
    const { id, props, inputs } = await this.rig.plugin.read(this);
    if (id === "") return undefined;
    const before = this.inputs;
    this.outputs = props;
    this.inputs = inputs ?? before;
    return [...new Set(changedPaths(before, this.inputs).map((path) => path.split(".", 1)[0] ?? path))];
  }

  /** Whether the fresh outputs differ from the old inputs, as `refresh --preview-only --expect-no-changes` asks. */
  async drifted(): Promise<boolean> {
    const { id, props, inputs = this.inputs } = await this.rig.plugin.read(this);
    if (id === "") return true;
    const read = { urn: this.urn, id, outputs: props, inputs };
    return (await this.rig.plugin.diff(read, this.inputs)).changes;
  }

  destroy(): Promise<void> {
    return this.rig.plugin.delete(this, this.#manner("delete"));
  }

  /** The object in the account, or undefined if it does not exist. */
  async live(): Promise<Properties | undefined> {
    const { status, body } = await this.rig.emulator.control(
      "GET",
      `${this.rig.objects(this.type)}/${this.id}`,
    );
    return status === 200 ? body : undefined;
  }

  /** Changes the object outside Pulumi. */
  async patch(fields: Properties): Promise<void> {
    const path = `${this.rig.objects(this.type)}/${this.id}`;
    const { status, body } = await this.rig.emulator.control("PATCH", path, fields);
    if (status !== 200) throw new Error(`PATCH ${path}: ${status} ${JSON.stringify(body)}`);
  }

  /** The messages in its row. */
  progress(): string[] {
    return this.#logged(true);
  }

  /** Waits for messages about it, at least this many, and returns them without its name. They arrive beside the answer. */
  warnings(least = 1): Promise<string[]> {
    return eventually(`there is a warning about ${this.name}`, () => {
      const named = `${this.type} ${this.name}: `;
      const lines = this.#logged(false).flatMap((line) =>
        line.startsWith(named) ? [line.slice(named.length)] : [],
      );
      return lines.length >= least ? lines : undefined;
    });
  }

  #logged(ephemeral: boolean): string[] {
    return this.rig.plugin.logs
      .filter((entry) => entry.urn === this.urn && entry.ephemeral === ephemeral)
      .map(({ message }) => message);
  }
}

/** The seconds in a duration such as "90s" or "3m". */
function secondsIn(text: string): number {
  const { count, unit = "" } = /^(?<count>\d+)(?<unit>[smh])$/.exec(text)?.groups ?? {};
  if (count === undefined) throw new Error(`${text} is not a duration`);
  return Number(count) * (unit === "h" ? 3600 : unit === "m" ? 60 : 1);
}
