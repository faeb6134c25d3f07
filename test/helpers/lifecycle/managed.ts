import { providerText } from "../../../src/provider/program/provider-text";
import { PROVIDER } from "../../../src/provider/state/hidden-properties";
import { type Description } from "../../../src/provider/describe/define-resource";
import { type TestEmulator } from "../emulator";
import { type Checked, type Diff, type Plugin, PluginError, type Properties } from "../plugin";
import { eventually } from "../programs";
import { registered } from "../registered";
import { descriptionOf, type ResourceType } from "./description";
import { changedPaths } from "./properties";

/** The plugin process and the account of a resource. */
export interface PluginAndAccount {
  readonly emulator: TestEmulator;
  readonly plugin: Plugin;
  /** The path of a resource's objects in the emulator's control API. */
  objects(type: ResourceType): string;
}

/** The resource options that the provider handles. */
export interface Options {
  readonly import?: string;
  readonly customTimeouts?: Readonly<Record<string, string>>;
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
export class Managed {
  id = "";
  inputs: Properties = {};
  outputs: Properties = {};
  /** The last creation or update failed midway, so the next `up` calls `update` whatever `diff` says. */
  initFailed = false;
  readonly description: Description;

  constructor(
    private readonly bench: PluginAndAccount,
    readonly type: ResourceType,
    readonly name: string,
  ) {
    this.description = descriptionOf(type);
  }

  /** The properties of a resource that a program reads by its id. */
  get provider(): Properties {
    return { [PROVIDER]: providerText(this.type) };
  }

  get urn(): string {
    return `urn:pulumi:dev::test::pulumi-nodejs:dynamic/nodecloud:${this.type}::${this.name}`;
  }

  /** The properties that the engine hands to `check`. */
  news(args: Properties, options: Options = {}): Promise<Properties> {
    return registered(this.description, this.name, args, options);
  }

  async check(args: Properties, options?: Options): Promise<Checked> {
    return this.bench.plugin.check(await this.news(args, options), this.inputs);
  }

  async #checked(args: Properties, options?: Options, olds = this.inputs): Promise<Properties> {
    const { inputs, failures } = await this.bench.plugin.check(await this.news(args, options), olds);
    if (failures.length > 0) throw new CheckFailed(failures);
    return inputs;
  }

  /** What this change of the program would do. */
  async preview(args: Properties, options?: Options): Promise<Preview> {
    const inputs = await this.#checked(args, options);
    return { inputs, ...(await this.bench.plugin.diff(this.id, this.outputs, inputs)) };
  }

  async up(args: Properties, options?: Options): Promise<"created" | "updated" | "replaced" | "same"> {
    if (this.id === "") {
      await this.#create(await this.#checked(args, options));
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
    await this.#keeping(inputs, async () => {
      this.outputs = await this.bench.plugin.update(this.id, this.outputs, inputs);
    });
    return "updated";
  }

  async #create(inputs: Properties): Promise<void> {
    await this.#keeping(inputs, async () => {
      const { id, outputs } = await this.bench.plugin.create(inputs);
      this.id = id;
      this.outputs = outputs;
    });
  }

  async #replace(args: Properties, options: Options | undefined, deleteFirst: boolean): Promise<void> {
    const { id, outputs } = this;
    const inputs = await this.#checked(args, options, {});
    if (deleteFirst) await this.bench.plugin.delete(id, outputs);
    await this.#create(inputs);
    if (!deleteFirst) await this.bench.plugin.delete(id, outputs);
  }

  /** Stores the state as the engine does, also after a failure midway. */
  async #keeping(inputs: Properties, step: () => Promise<void>): Promise<void> {
    try {
      await step();
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

  /** Reads it as `refresh` does, and returns the inputs that changed, or undefined if the object is gone. */
  async refresh(): Promise<string[] | undefined> {
    const { id, props, inputs } = await this.bench.plugin.read(this.id, this.outputs);
    if (id === "") return undefined;
    const before = this.inputs;
    this.outputs = props;
    this.inputs = inputs ?? before;
    return [...new Set(changedPaths(before, this.inputs).map((path) => path.split(".", 1)[0] ?? path))];
  }

  /** Whether the fresh outputs differ from the old inputs, as `refresh --preview-only --expect-no-changes` asks. */
  async drifted(): Promise<boolean> {
    const { id, props } = await this.bench.plugin.read(this.id, this.outputs);
    if (id === "") return true;
    return (await this.bench.plugin.diff(this.id, props, this.inputs)).changes;
  }

  destroy(): Promise<void> {
    return this.bench.plugin.delete(this.id, this.outputs);
  }

  /** The object in the account, or undefined if it does not exist. */
  async live(): Promise<Properties | undefined> {
    const { status, body } = await this.bench.emulator.control(
      "GET",
      `${this.bench.objects(this.type)}/${this.id}`,
    );
    return status === 200 ? body : undefined;
  }

  /** Changes the object outside Pulumi. */
  async patch(fields: Properties): Promise<void> {
    const path = `${this.bench.objects(this.type)}/${this.id}`;
    const { status, body } = await this.bench.emulator.control("PATCH", path, fields);
    if (status !== 200) throw new Error(`PATCH ${path}: ${status} ${JSON.stringify(body)}`);
  }

  /** The messages in its row. */
  progress(): string[] {
    return this.#logged(true);
  }

  /** Waits for the first messages about it, and returns them without its name. They arrive beside the answer. */
  warnings(): Promise<string[]> {
    return eventually(`there is a warning about ${this.name}`, () => {
      const named = `${this.type} ${this.name}: `;
      const lines = this.#logged(false).flatMap((line) =>
        line.startsWith(named) ? [line.slice(named.length)] : [],
      );
      return lines.length > 0 ? lines : undefined;
    });
  }

  #logged(ephemeral: boolean): string[] {
    return this.bench.plugin.logs
      .filter((entry) => entry.urn === this.urn && entry.ephemeral === ephemeral)
      .map(({ message }) => message);
  }
}
