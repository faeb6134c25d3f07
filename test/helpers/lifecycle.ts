import { type ListenOptions } from "../../src/emulator";
import { type Description } from "../../src/provider/describe/define-resource";
import { leavesOf } from "../../src/provider/describe/fields";
import { providerText } from "../../src/provider/program/provider-text";
import { PROVIDER } from "../../src/provider/state/hidden";
import { isObject, same, setAt, snakePath, UNKNOWN, valueAt } from "../../src/provider/state/values";
import * as resources from "../../src/sdk";
import { AT_ONCE, startTestEmulator, type TestEmulator } from "./emulator";
import { type Checked, type Diff, type Plugin, PluginError, type Properties, startPlugin } from "./plugin";
import { eventually, type ProgramFolder, programFolder } from "./programs";
import { registered } from "./registered";

export type ResourceType = Exclude<keyof typeof resources, `${string}Args`>;

/** The names of the emulator's control API for the objects of the resources in a test. */
export type Kinds = Partial<Record<ResourceType, string>>;

export const descriptionOf = (type: ResourceType): Description => {
  const served: { readonly description: unknown } = resources[type];
  // Each description has its own type of answer. These tests use only the parts that all descriptions share.
  return served.description as Description;
};

export { AT_ONCE };

/** A plugin process and its account. */
export interface Bench {
  readonly emulator: TestEmulator;
  readonly plugin: Plugin;
  /** Kills the plugin, and starts another one with the same notes. The new one does not know what the old one learnt of a program. */
  restart(): Promise<void>;
  readonly folder: ProgramFolder;
  /** The path of a resource's objects in the emulator's control API. */
  objects(type: ResourceType): string;
  /** A resource of a program that is not created yet. By default its name is new. */
  resource(type: ResourceType, name?: string): Managed;
  /** The number of requests of each operation since the last call. */
  requests(): Promise<Record<string, number>>;
  /** A new number, for names that must be unique. */
  serial(): number;
  stop(): Promise<void>;
}

export async function startBench(kinds: Kinds, options: ListenOptions = {}): Promise<Bench> {
  const emulator = await startTestEmulator({ speed: AT_ONCE, ...options });
  const folder = programFolder();
  const start = () =>
    startPlugin({ "nodecloud:token": emulator.token, "nodecloud:baseUrl": emulator.url }, { folder });
  let plugin = await start();
  let last = 0;
  const serial = () => ++last;
  const bench: Bench = {
    emulator,
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
    private readonly bench: Bench,
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

type Given<Value> = Value | (() => Value | Promise<Value>);

/** What the tests of one input need to know. */
export interface FieldCase {
  /** What a change of it does, by the design. */
  readonly change: "replaces" | "updates" | "nothing";
  readonly first: Given<unknown>;
  readonly then: Given<unknown>;
  /** Other inputs that it requires. */
  readonly with?: Given<Properties>;
  /** Inputs of the base that exclude it. */
  readonly without?: readonly string[];
  /** Whether it is required, or the message if it is missing. */
  readonly required?: boolean | RegExp;
  /** The path of the value in the account. By default this is its own path in snake_case, and null means that the account does not show it. */
  readonly shown?: string | null;
  /** The value in the account, if it differs from the input. */
  readonly shows?: (value: unknown) => unknown;
  /** The documented default, which a removed input returns to. Omit it for an input that keeps its value. */
  readonly removed?: unknown;
  /** Changes it outside Pulumi, if setting `then` at `shown` does not. Null means that nothing can. */
  readonly patch?: Properties | null;
  /** The service itself changes it, so a different live value is not drift. */
  readonly movesByItself?: boolean;
}

export interface Fields {
  readonly type: ResourceType;
  /** The least that a program must set. */
  base(): Properties | Promise<Properties>;
  /** A case for every input. Null marks an input that has its own tests. */
  readonly cases: Readonly<Record<string, FieldCase | null>>;
}

/** The same claims for every input of a resource, on real objects in the emulator. */
export function everyField(bench: () => Bench, { type, base, cases }: Fields): void {
  const description = descriptionOf(type);
  const leaves = new Map(leavesOf(description.fields).map((leaf) => [leaf.path, leaf]));

  test("every input has its case in this table", () => {
    expect(Object.keys(cases).sort()).toEqual([...leaves.keys()].sort());
  });

  for (const [path, field] of Object.entries(cases)) {
    if (field === null) continue;
    const [topLevel = path] = path.split(".", 1);
    const shown = field.shown === undefined ? snakePath(path) : field.shown;
    const shows = field.shows ?? ((value: unknown) => value);
    const canMove = field.patch !== null && (shown !== null || field.patch !== undefined);
    const replaces = field.change === "replaces" ? [topLevel] : [];
    const prepare = async () => {
      const args: Properties = { ...(await base()), ...(await given(field.with)) };
      for (const name of field.without ?? []) Reflect.deleteProperty(args, name);
      const [first, then] = [await given(field.first), await given(field.then)];
      const unset = structuredClone(args);
      Reflect.deleteProperty(unset, topLevel);
      const patch = structuredClone(field.patch ?? {});
      if (field.patch === undefined && shown !== null) setAt(patch, shown, shows(then));
      const resource = bench().resource(type);
      return {
        resource,
        patch,
        unset,
        first: withValue(args, path, first),
        then: withValue(args, path, then),
        /** Expects the account to show what the program sets. */
        async expectLive(value: unknown) {
          if (shown === null) return;
          const live = valueAt(await resource.live(), shown);
          const equal = same(leaves.get(path)?.comparison ?? "value", live, shows(value));
          if (!equal) expect(live).toEqual(shows(value));
        },
        values: { first, then },
      };
    };

    describe(path, () => {
      test(`is set at creation, and a change of it ${CLAIMS[field.change]}`, async () => {
        const { resource, first, then, values, expectLive } = await prepare();
        await resource.up(first);
        await expectLive(values.first);
        expect(await resource.preview(first)).toMatchObject({ changes: false, replaces: [] });
        expect(await resource.preview(then)).toMatchObject({ changes: field.change !== "nothing", replaces });
        if (field.change === "replaces") return;
        const { id } = resource;
        expect(await resource.up(then)).toBe(field.change === "updates" ? "updated" : "same");
        expect(resource.id).toBe(id);
        await expectLive(values.then);
        expect(await resource.preview(then)).toMatchObject({ changes: false });
        expect(await resource.drifted()).toBe(false);
      });

      if (field.required !== undefined || leaves.get(path)?.required !== undefined) {
        test("is required: a program without it is refused", async () => {
          const { resource, unset } = await prepare();
          const { failures } = await resource.check(unset);
          const missing =
            field.required instanceof RegExp ? field.required : new RegExp(`^${path} is required`);
          expect(failures).toEqual([expect.objectContaining({ reason: expect.stringMatching(missing) })]);
        });
      } else if (path === description.autoname?.path) {
        const automatic = ({ name }: Managed) => {
          const base = description.autoname?.plain === true ? name.replace(/[^A-Za-z0-9]/g, "") : `${name}-`;
          return new RegExp(`^${base}[0-9a-f]{7}$`);
        };

        test(
          field.change === "updates"
            ? "gives way to the automatic name when it is removed"
            : "keeps the name it has when it is removed, for the API cannot change it",
          async () => {
            const { resource, first, unset, values, expectLive } = await prepare();
            await resource.up(first);
            const updates = field.change === "updates";
            expect(await resource.up(unset)).toBe("updated");
            if (updates) expect(resource.outputs[path]).toMatch(automatic(resource));
            await expectLive(updates ? resource.outputs[path] : values.first);
            expect(await resource.up(unset)).toBe("same");
            expect(await resource.drifted()).toBe(false);
          },
        );

        test("gets a name from the resource's name when it is not set", async () => {
          const { unset } = await prepare();
          const unnamed = bench().resource(type);
          await unnamed.up(unset);
          const name = String(unnamed.outputs[path]);
          expect(name).toMatch(automatic(unnamed));
          expect(valueAt(await unnamed.live(), shown ?? path)).toBe(name);
          expect(await unnamed.up(unset)).toBe("same");
        });
      } else {
        const removal = "removed" in field ? "default" : (leaves.get(path)?.removed ?? "nothing");
        test(REMOVALS[removal], async () => {
          const { resource, first, unset, values, expectLive } = await prepare();
          await resource.up(first);
          const preview = await resource.preview(unset);
          const changes = removal !== "nothing" && removal !== "refused";
          expect(preview).toMatchObject({ changes });
          if (removal === "default") expect(preview).toMatchObject({ replaces });
          else expect(preview).toMatchObject({ replaces: removal === "replace" ? [topLevel] : [] });
          expect(await resource.up(unset)).toBe(
            preview.replaces.length > 0 ? "replaced" : changes ? "updated" : "same",
          );
          if (removal === "stays") {
            const line = expect.stringContaining(
              `removed from the program, ${path} keeps its value`,
            ) as string;
            expect(await resource.warnings()).toContainEqual(line);
          }
          if (removal === "default") await expectLive(field.removed);
          else if (removal !== "replace") await expectLive(values.first);
          expect(await resource.preview(unset)).toMatchObject({ changes: false });
          expect(await resource.drifted()).toBe(false);
          await resource.refresh();
          expect(await resource.preview(unset)).toMatchObject({ changes: false });
          if (removal !== "replace" || shown === null) return;
          const live = valueAt(await resource.live(), shown);
          await resource.destroy();
          const fresh = bench().resource(type);
          await fresh.up(unset);
          expect(live).toEqual(valueAt(await fresh.live(), shown));
          expect(live).not.toEqual(shows(values.first));
        });
        if (canMove) {
          test("does not drift when the program does not set it", async () => {
            const { resource, unset, patch } = await prepare();
            await resource.up(unset);
            await resource.patch(patch);
            expect(await resource.drifted()).toBe(false);
            expect(await resource.refresh()).toEqual([]);
            expect(await resource.preview(unset)).toMatchObject({ changes: false });
          });
        }
      }

      if (canMove && field.movesByItself === true) {
        test("does not drift when the service changes it", async () => {
          const { resource, first, patch } = await prepare();
          await resource.up(first);
          await resource.patch(patch);
          expect(await resource.drifted()).toBe(false);
          expect(await resource.refresh()).toEqual([]);
          expect(await resource.preview(first)).toMatchObject({ changes: false });
        });
      } else if (canMove) {
        test("is the only drift when it changes outside Pulumi", async () => {
          const { resource, first, patch, values, expectLive } = await prepare();
          await resource.up(first);
          expect(await resource.drifted()).toBe(false);
          await resource.patch(patch);
          expect(await resource.drifted()).toBe(true);
          const before = resource.inputs;
          expect(await resource.refresh()).toEqual([topLevel]);
          expect(changedPaths(before, resource.inputs)).toEqual([path]);
          expect(await resource.preview(first)).toMatchObject({ changes: true, replaces });
          if (field.change === "replaces") return;
          expect(await resource.up(first)).toBe("updated");
          await expectLive(values.first);
          expect(await resource.drifted()).toBe(false);
        });
      }

      test("may be unknown in a preview", async () => {
        const { resource, first } = await prepare();
        const { inputs, failures } = await resource.check(withValue(first, path, UNKNOWN));
        expect(failures).toEqual([]);
        expect(valueAt(inputs, path)).toBe(UNKNOWN);
        await resource.up(first);
        expect(await resource.preview(withValue(first, path, UNKNOWN))).toMatchObject({
          changes: field.change !== "nothing",
          replaces,
        });
      });
    });
  }
}

const REMOVALS = {
  default: "goes back to its documented default when it is removed",
  replace: "replaces the resource when it is removed",
  stays: "stays as it is when it is removed, which the preview says once",
  forgotten: "sends nothing when it is removed, after which the same value asks again",
  nothing: "has no effect when it is removed",
  refused: "has no effect when it is removed",
} as const;

const CLAIMS = {
  replaces: "replaces the resource",
  updates: "updates it in place",
  nothing: "touches nothing",
} as const;

const given = async <Value>(value: Given<Value>): Promise<Value> =>
  typeof value === "function" ? (value as () => Value | Promise<Value>)() : value;

function withValue(args: Properties, path: string, value: unknown): Properties {
  const copy = structuredClone(args);
  setAt(copy, path, value);
  return copy;
}

/** The dotted paths of the differences. A list counts as one value. */
function changedPaths(before: unknown, after: unknown, prefix = ""): string[] {
  if (!isObject(before) || !isObject(after)) {
    return JSON.stringify(before) === JSON.stringify(after) ? [] : [prefix];
  }
  // Hidden inputs are internal to the provider.
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (key) => !key.startsWith("__"),
  );
  return keys
    .flatMap((key) => changedPaths(before[key], after[key], prefix === "" ? key : `${prefix}.${key}`))
    .sort();
}

/** The inputs for the steps in the life of a resource. */
export interface Steps {
  readonly type: ResourceType;
  /** Every input that can be read back and set together. */
  first(): Properties | Promise<Properties>;
  /** The first inputs with changes that update in place. Omit it for a resource without updates. */
  changed?(first: Properties): Properties;
  /** The first inputs with a change that replaces. */
  replaced(first: Properties): Properties | Promise<Properties>;
  /** An id of the right form without an object, and an id of another form. */
  readonly ids: { readonly unknown: string; readonly malformed: string };
  /** A property of the program with another value than the account has, so that an import fails. */
  readonly different: { readonly path: string; readonly value: unknown };
  /** Outputs that are empty in these tests. */
  readonly empty?: readonly string[];
  /** The inputs of a program that adopts the object: the first inputs as the service stored them. */
  adopted?(first: Properties): Properties;
  /** Whether a delete leaves the object in the account, and whether the object that takes its place displaces it. */
  readonly stays?: boolean | "unless replaced";
}

/** Creates, refreshes, updates, adopts, replaces and deletes a resource, and checks state and account after each step. */
export function lifecycle(bench: () => Bench, steps: Steps): void {
  const { type, first, changed, replaced, ids, different } = steps;
  let resource: Managed;
  let created: Properties;
  const createPattern = /^POST /;

  describe(`the life of a ${type}`, () => {
    beforeAll(async () => {
      created = await first();
      resource = bench().resource(type);
    });

    test("1. it is created, and the state holds what the account shows", async () => {
      await bench().requests();
      expect(await resource.up(created)).toBe("created");
      expect(resource.id).toMatch(resource.description.id.pattern);
      const counts = await bench().requests();
      expect(Object.entries(counts).filter(([operation]) => createPattern.test(operation))).toHaveLength(1);
      const live = await resource.live();
      for (const output of outputsOnly(resource.description)) {
        if (steps.empty?.includes(output) === true) continue;
        expect([output, resource.outputs[output] ?? null]).not.toEqual([output, null]);
        const shown = valueAt(live, snakePath(output));
        if (shown !== undefined && typeof shown !== "object") {
          expect([output, resource.outputs[output]]).toEqual([output, shown]);
        }
      }
      for (const [name, value] of Object.entries(created)) {
        expect([name, Object.hasOwn(resource.outputs, name)]).toEqual([name, true]);
        expect([name, resource.inputs[name]]).toEqual([name, value]);
      }
      expect(resource.outputs[PROVIDER]).toBe(providerText(type));
    });

    test("2. a preview, a refresh and a preview after it find nothing to do", async () => {
      await bench().requests();
      expect(await resource.preview(created)).toMatchObject({ changes: false, replaces: [] });
      expect(await resource.drifted()).toBe(false);
      expect(await resource.refresh()).toEqual([]);
      expect(await resource.preview(created)).toMatchObject({ changes: false, replaces: [] });
      const counts = await bench().requests();
      expect(Object.keys(counts).filter((operation) => !operation.startsWith("GET "))).toEqual([]);
    });

    if (changed !== undefined) {
      test("3. it is updated in place, and reads back as written", async () => {
        const { id } = resource;
        const then = changed(created);
        expect(await resource.up(then)).toBe("updated");
        expect(resource.id).toBe(id);
        expect(await resource.drifted()).toBe(false);
        expect(await resource.refresh()).toEqual([]);
        expect(await resource.up(created)).toBe("updated");
        expect(await resource.refresh()).toEqual([]);
      });
    }

    test("4. an import by its id adopts it if the program has the same values, and the preview shows no change", async () => {
      await bench().restart();
      const adopted = bench().resource(type);
      const args = steps.adopted?.(created) ?? created;
      await bench().requests();
      expect(await adopted.up(args, { import: resource.id })).toBe("created");
      expect(adopted.id).toBe(resource.id);
      const counts = await bench().requests();
      expect(Object.keys(counts).filter((operation) => !operation.startsWith("GET "))).toEqual([]);
      expect(await adopted.preview(args, { import: resource.id })).toMatchObject({ changes: false });
      // The program may drop the option after the import.
      expect(await adopted.preview(args)).toMatchObject({ changes: false });
      expect(await adopted.drifted()).toBe(false);
      expect(await adopted.refresh()).toEqual([]);
    });

    test("4b. an import lists every difference between program and account", async () => {
      await bench().restart();
      const other = structuredClone(steps.adopted?.(created) ?? created);
      setAt(other, different.path, different.value);
      const adopting = bench().resource(type).up(other, { import: resource.id });
      await expect(adopting).rejects.toThrow(
        new RegExp(
          `^import ${type} ${resource.id}: ${different.path} is .*in the program and .* in the account`,
        ),
      );
    });

    test("4c. an import fails with the reason if nothing has the id, or if the id has another form", async () => {
      const adopt = (id: string) => bench().resource(type).up(created, { import: id });
      await expect(adopt(ids.unknown)).rejects.toThrow(
        `import ${type} ${ids.unknown}: there is no ${type} with the id ${ids.unknown}`,
      );
      await expect(adopt(ids.malformed)).rejects.toThrow(
        `import ${type} ${ids.malformed}: "${ids.malformed}" is not the id of a ${type}; its form is `,
      );
    });

    test("4d. get reads it by its id alone, and does not manage it", async () => {
      await bench().restart();
      const read = await bench().plugin.read(resource.id, resource.provider);
      expect(read.id).toBe(resource.id);
      for (const output of outputsOnly(resource.description)) {
        expect([output, read.props[output]]).toEqual([output, resource.outputs[output]]);
      }
      expect(read.inputs).toEqual(resource.provider);
    });

    test("4e. get fails with the reason if nothing has the id, or if the id has another form", async () => {
      await expect(bench().plugin.read(ids.unknown, resource.provider)).rejects.toThrow(
        `get ${type}: there is no ${type} with the id ${ids.unknown}`,
      );
      await expect(bench().plugin.read(ids.malformed, resource.provider)).rejects.toThrow(
        `get ${type}: "${ids.malformed}" is not the id of a ${type}; its form is `,
      );
    });

    test("5. it is replaced by another object, and the old one is gone", async () => {
      const old = Object.assign(bench().resource(type), { id: resource.id, outputs: resource.outputs });
      expect(await resource.up(await replaced(created))).toBe("replaced");
      expect(resource.id).not.toBe(old.id);
      expect(await resource.live()).toBeDefined();
      if (steps.stays === true) expect(await old.live()).toBeDefined();
      else expect(await old.live()).toBeUndefined();
      expect(await resource.drifted()).toBe(false);
    });

    test("6. it is deleted, and a delete of an object that is gone succeeds", async () => {
      await resource.destroy();
      if (steps.stays !== undefined && steps.stays !== false) {
        expect(await resource.live()).toBeDefined();
        return;
      }
      expect(await resource.live()).toBeUndefined();
      expect(await resource.refresh()).toBeUndefined();
      await resource.destroy();
    });
  });
}

/** How a resource waits. */
export interface Waits {
  readonly type: ResourceType;
  first(): Properties | Promise<Properties>;
  /** The status of a new object, and the status that ends the wait. */
  readonly during: string;
  readonly ready: string;
  /** A status after which it never becomes ready. */
  readonly failed?: string;
  /** The status during a deletion. Omit it if a delete takes effect at once. */
  readonly deleting?: string;
}

/** The claims about waits. The emulator's clock stands still while a test looks at a wait. */
export function waiting(bench: () => Bench, { type, first, during, ready, failed, deleting }: Waits): void {
  describe("waiting", () => {
    afterEach(() => bench().emulator.clock.setSpeed(AT_ONCE));
    const stopClock = () => bench().emulator.clock.setSpeed(0);
    const runClock = () => bench().emulator.clock.setSpeed(AT_ONCE);

    /** Begins a creation that does not end by itself, and returns the object as soon as the provider waits for it. */
    const begin = async (options?: Options) => {
      const resource = bench().resource(type);
      const args = await first();
      stopClock();
      const ids = new Set((await objectsOf(bench(), type)).map(({ id }) => id));
      const created = resource.up(args, options);
      // The test handles a rejection, perhaps later.
      created.catch(() => undefined);
      const id = await eventually(`a ${type} is waited for`, async () => {
        if (resource.progress().length === 0) return undefined;
        return (await objectsOf(bench(), type)).find((object) => !ids.has(object.id))?.id;
      });
      return { resource, args, created, id };
    };

    test(`a creation returns when it is ${ready}, and meanwhile tells its status in its row`, async () => {
      const { resource, created } = await begin();
      expect(resource.progress()[0]).toMatch(new RegExp(`^(15-30 min usually, )?${during}( \\d+ s)?$`));
      expect(resource.id).toBe("");
      runClock();
      await created;
      expect(resource.outputs["status"]).toBe(ready);
      expect((await resource.live())?.["status"]).toBe(ready);
    });

    test("a creation that takes too long stays in the state, and the next up goes on waiting for it", async () => {
      const { resource, args, created } = await begin({ customTimeouts: { create: "1s" } });
      await expect(created).rejects.toThrow(
        new RegExp(
          `^create ${type} .*: after 1 s it is still not .*${ready}.* but ${during}\\. ` +
            "It stays in the state, and the next `pulumi up` goes on waiting\\. " +
            "To wait longer, set customTimeouts\\.create",
        ),
      );
      expect(resource.initFailed).toBe(true);
      expect(resource.outputs).toMatchObject({ ...args, ...resource.provider });
      await bench().requests();
      const before = resource.progress().length;
      let ended = false;
      const resumed = resource.up(args).then((step) => {
        ended = true;
        return step;
      });
      await eventually("the next up waits", () => resource.progress()[before]);
      expect(ended).toBe(false);
      runClock();
      expect(await resumed).toBe("updated");
      const counts = await bench().requests();
      expect(Object.keys(counts).filter((operation) => operation.startsWith("POST "))).toEqual([]);
      expect(resource.outputs["status"]).toBe(ready);
      expect(await resource.preview(args)).toMatchObject({ changes: false });
      expect(await resource.drifted()).toBe(false);
    });

    test("goes on waiting in the next up although the program has changed meanwhile", async () => {
      const { resource, args, created } = await begin({ customTimeouts: { create: "1s" } });
      await expect(created).rejects.toThrow("still not");
      runClock();
      expect(await resource.up(args, { customTimeouts: { create: "2h" } })).toBe("updated");
      expect(resource.outputs["status"]).toBe(ready);
    });

    if (failed !== undefined) {
      test(`a creation that ends in ${failed} fails at once, and stays in the state`, async () => {
        const { resource, created, id } = await begin();
        const path = `${bench().objects(type)}/${String(id)}`;
        await bench().emulator.control("PATCH", path, { status: failed });
        await expect(created).rejects.toThrow(
          new RegExp(`^create ${type} .*: its status is ${failed}, which does not change by itself`),
        );
        expect(resource.id.split("/").at(-1)).toBe(String(id));
        expect(resource.initFailed).toBe(true);
      });
    }

    test("a creation whose object vanishes fails, and says that it is gone", async () => {
      const { created, id } = await begin();
      await bench().emulator.control("DELETE", `${bench().objects(type)}/${String(id)}`);
      await expect(created).rejects.toThrow(new RegExp(`^create ${type} .*: it is gone`));
    });

    if (deleting !== undefined) {
      test("a delete returns when the object is gone", async () => {
        const resource = bench().resource(type);
        await resource.up(await first());
        stopClock();
        let ended = false;
        const deleted = resource.destroy().then(() => (ended = true));
        await eventually("the delete is waited for", () =>
          resource.progress().find((line) => line.startsWith(deleting)),
        );
        expect(ended).toBe(false);
        expect((await resource.live())?.["status"]).toBe(deleting);
        runClock();
        await deleted;
        expect(await resource.live()).toBeUndefined();
      });
    }
  });
}

async function objectsOf(bench: Bench, type: ResourceType): Promise<{ id: unknown }[]> {
  const { body } = await bench.emulator.control<{ data: { id: unknown }[] }>("GET", bench.objects(type));
  return body.data;
}

/** Inputs that `check` refuses, each with the line that the user sees. */
export function refusals(
  bench: () => Bench,
  type: ResourceType,
  base: () => Properties | Promise<Properties>,
  cases: readonly (readonly [inputs: Properties, line: string, options?: Options])[],
): void {
  describe("refuses", () => {
    for (const [inputs, line, options] of cases) {
      test(line, async () => {
        const checked = bench()
          .resource(type)
          .check({ ...(await base()), ...inputs }, options);
        expect((await checked).failures.map(({ reason }) => reason)).toEqual([line]);
      });
    }
  });
}

/** The properties that only the service sets. */
const outputsOnly = ({ fields, outputs }: Description): string[] =>
  Object.keys(outputs).filter((name) => !Object.hasOwn(fields, name));
