import { type Description } from "../../../src/provider/describe/define-resource";
import { type Leaf } from "../../../src/provider/describe/fields";
import { same, setAt, snakePath, valueAt } from "../../../src/provider/base/values";
import { type Properties } from "../plugin";
import { type Rig } from "./rig";
import { descriptionOf, type ResourceType } from "./description";
import { type Managed } from "./managed";
import { type Given, given, withValue } from "./properties";

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

/** A new resource for one test of an input, and the inputs of its programs. */
export interface Trial {
  readonly resource: Managed;
  /** The fields that change the input outside Pulumi. */
  readonly patch: Properties;
  /** A program without the input, and programs with each of its values. */
  readonly unset: Properties;
  readonly first: Properties;
  readonly then: Properties;
  readonly values: { readonly first: unknown; readonly then: unknown };
  /** Expects the account to show what the program sets. */
  expectLive(value: unknown): Promise<void>;
}

/** One input of a resource, with the facts about it. */
export class Field {
  readonly description: Description;
  readonly topLevel: string;
  readonly shown: string | null;

  constructor(
    private readonly rig: () => Rig,
    private readonly fields: Fields,
    readonly path: string,
    readonly facts: FieldCase,
    readonly leaf: Leaf | undefined,
  ) {
    this.description = descriptionOf(fields.type);
    [this.topLevel = path] = path.split(".", 1);
    this.shown = facts.shown === undefined ? snakePath(path) : facts.shown;
  }

  get isRequired(): boolean {
    return this.facts.required !== undefined || this.leaf?.required !== undefined;
  }

  get isAutonamed(): boolean {
    return this.path === this.description.autoname?.path;
  }

  /** Whether a test can change it outside Pulumi. */
  get canMove(): boolean {
    return this.facts.patch !== null && (this.shown !== null || this.facts.patch !== undefined);
  }

  /** The inputs that a preview of its change names as the reason of a replacement. */
  get replaces(): string[] {
    return this.facts.change === "replaces" ? [this.topLevel] : [];
  }

  /** The value in the account for a value of the input. */
  shows(value: unknown): unknown {
    return this.facts.shows === undefined ? value : this.facts.shows(value);
  }

  newResource(): Managed {
    return this.rig().resource(this.fields.type);
  }

  async prepare(): Promise<Trial> {
    const { facts, fields, path, shown, topLevel } = this;
    const args: Properties = { ...(await fields.base()), ...(await given(facts.with)) };
    for (const name of facts.without ?? []) Reflect.deleteProperty(args, name);
    const [first, then] = [await given(facts.first), await given(facts.then)];
    const unset = structuredClone(args);
    Reflect.deleteProperty(unset, topLevel);
    const patch = structuredClone(facts.patch ?? {});
    if (facts.patch === undefined && shown !== null) setAt(patch, shown, this.shows(then));
    const resource = this.newResource();
    return {
      ...{ resource, patch, unset, values: { first, then } },
      first: withValue(args, path, first),
      then: withValue(args, path, then),
      expectLive: (value) => this.#expectLive(resource, value),
    };
  }

  async #expectLive(resource: Managed, value: unknown): Promise<void> {
    if (this.shown === null) return;
    const live = valueAt(await resource.live(), this.shown);
    const equal = same(this.leaf?.comparison ?? "value", live, this.shows(value));
    if (!equal) expect(live).toEqual(this.shows(value));
  }
}
