import { type Client, type RequestOptions } from "../../api/client";
import { type OperationSpec, type Schema, type ValueOf } from "../../api/operation";
import { type AccountReads } from "../process/account-reads";
import { type z } from "zod";
import { type Field, type FieldTree } from "./fields";
import { type Properties, type UNKNOWN } from "../state/values";

/** Which object of the service a resource is: its id there, under its parent's where it cannot be read alone. */
export interface Ref {
  readonly parent?: string;
  readonly id: string;
}

/** The dotted paths of inputs, and of the objects that hold them. */
export type PathOf<Fields extends FieldTree> = string extends keyof Fields
  ? string
  : {
      [Name in keyof Fields & string]: Fields[Name] extends Field
        ? Name
        : Fields[Name] extends FieldTree
          ? Name | `${Name}.${PathOf<Fields[Name]>}`
          : never;
    }[keyof Fields & string];

/** Properties that travel with the inputs and that no program sets. */
type Hidden = { readonly [Name in `__${string}`]?: unknown };

/** The values of inputs. `Other` stands beside each value, for those that are not known yet. */
export type InputsOf<Fields extends FieldTree, Other = never> = string extends keyof Fields
  ? Properties
  : Hidden & {
      readonly [Name in keyof Fields]?: Fields[Name] extends Field<infer Schema>
        ? z.output<Schema> | Other
        : Fields[Name] extends FieldTree
          ? InputsOf<Fields[Name], Other> | Other
          : never;
    };

/** The values of inputs in a check or a preview, where some may not be known yet. */
export type CheckedInputs<Fields extends FieldTree> = InputsOf<Fields, typeof UNKNOWN>;

/** The top-level name of a dotted path. */
type Top<Path extends string> = Path extends `${infer Name}.${string}` ? Name : Path;

declare const paths: unique symbol;

/** The inputs that a rule may read, by their dotted paths. */
export type RuleInputs<Path extends string> = Hidden & {
  readonly [Name in Top<Path>]?: unknown;
} & { readonly [paths]?: (path: Path) => void };

/** A property that `check` refuses, with what is wrong and what to do. */
export interface Failure<Path extends string = string> {
  readonly property: Path;
  readonly reason: string;
}

/** The body that an operation takes, in wire names. */
export type BodyOf<Op extends OperationSpec> = Op extends { body: infer Body extends Schema }
  ? ValueOf<Body>
  : undefined;

/** What a validation found: a failure, or a warning if the service would still accept the input. */
export interface Finding<Path extends string = string> extends Failure<Path> {
  readonly warns?: true;
}

/** What a change in place does that users should know of, and the inputs by which it does. */
export interface Warning<Path extends string = string> {
  readonly about: readonly Path[];
  readonly line: string;
}

/** A condition that inputs must meet in the account. The preview validates it, unless `nodecloud:validate` is off. */
export interface Validation<Path extends string = string> {
  /** The inputs that it is about. It runs when one of them is new or changed. */
  readonly about: readonly Path[];
  /** A value that is not known yet is `UNKNOWN`. */
  validate(account: AccountReads, inputs: RuleInputs<Path>): Promise<Finding<Path>[]>;
}

/** What inputs must be like together. It is told from `rules` by when it is held to. */
export interface InputRule<Path extends string = string> {
  /** The inputs that it is about. It is checked when one of them is new, changed or removed. */
  readonly about: readonly Path[];
  /** Whether it is about creations only: an object that exists, or is adopted, has what it was created with. */
  readonly creation?: true;
  /** A value that is not known yet is `UNKNOWN`. */
  check(inputs: RuleInputs<Path>, olds: RuleInputs<Path>): readonly Finding<Path>[];
}

/** What `create` of a description works with. */
export interface CreateTask<Fields extends FieldTree = FieldTree> {
  readonly client: Client;
  readonly inputs: InputsOf<Fields>;
  /** The set inputs that the operation's body takes; what it does not take is written after the creation. */
  body<Op extends OperationSpec>(op: Op): BodyOf<Op>;
  /** The id of the parent object, or of another one that an input names. */
  idAt(path: PathOf<Fields>): string;
  /** Outputs that no answer will show. */
  readonly unshown: Properties;
  /** Hidden values that stay with the resource until its creation is finished. */
  readonly memory: Properties;
}

/** What `update` and `finish` of a description work with. */
export interface UpdateTask<Reply, Fields extends FieldTree = FieldTree> {
  readonly client: Client;
  readonly ref: Ref;
  readonly inputs: InputsOf<Fields>;
  readonly memory: Properties;
  /** The object as it was read last. */
  readonly live: Reply;
  /** Whether an input changed, or any below it. */
  changed(path: PathOf<Fields>): boolean;
  /** Sends the changed inputs that the operation's body takes, if there are any. */
  write<Op extends OperationSpec>(op: Op, send: (body: BodyOf<Op>) => Promise<Reply>): Promise<void>;
  /** Carries out the action of this path, and never twice. */
  act(path: PathOf<Fields>): Promise<Acted>;
  /** Says that changed inputs have been carried out otherwise. */
  done(...paths: PathOf<Fields>[]): void;
  /** Shows in the resource's row how far a long step has come. */
  show(text: string): void;
  /** Waits until the object is as `settled` wants it. */
  until(what: string, settled: (reply: Reply) => boolean | Promise<boolean>): Promise<void>;
}

/** An operation that an input asks for, and which must not be carried out twice. */
export interface Action<Fields extends FieldTree = FieldTree> {
  /** The input, or the object of inputs, whose change asks for it. */
  readonly path: PathOf<Fields>;
  /** What is done, for messages: `restore backup 7 to MysqlDatabase 12`. */
  what(ref: Ref, inputs: InputsOf<Fields>): string;
  send(client: Client, ref: Ref, inputs: InputsOf<Fields>): Promise<unknown>;
  /** Statuses that the object has while it is carried out. */
  readonly during: readonly string[];
  /** Whether nothing else leads to these statuses. */
  readonly isTold?: true;
  /** What it changes for good, where the API shows such a thing. */
  trace?(client: Client, ref: Ref): Promise<string>;
  /** What a repetition does, after "a repetition". */
  readonly harm: string;
  /** What the user should look at, as a sentence. */
  readonly check: string;
}

/** An action that the service took. */
export interface Acted {
  /** Whether what it changes for good is another than before. */
  shows(): Promise<boolean>;
}

/** The statuses by which waits end, as facts. */
export interface Statuses<Fields extends FieldTree = FieldTree> {
  /** A creation is done in any of these. */
  readonly ready: readonly string[] | ((inputs: InputsOf<Fields>) => readonly string[]);
  /** Fields that the service sets at the end of a creation: while one is null, the creation is not done. */
  readonly assigned?: readonly string[];
  /** The object is at work: changes wait until it is not. */
  readonly busy: readonly string[];
  /** A creation that ends here has failed for good. */
  readonly failed?: readonly string[];
  /** The usual time of a creation, for people. */
  readonly usually?: string;
}

/** The parent object of a resource, where that one's status decides what the service accepts. */
export interface ParentObject {
  read(client: Client, id: string): Promise<Properties>;
  /** All of them, so that many that wait for several share a request. */
  list?(client: Client, options?: RequestOptions): AsyncIterable<Properties>;
  /** It is at work, which ends by itself. */
  readonly busy: readonly string[];
  /** It does not get out of these by itself. */
  readonly failed: readonly string[];
}

/** A creation whose answer names no object: the object is listed when it is complete. */
export interface CreatedWithoutId {
  /** How long that takes, for people. */
  readonly usually: string;
  /** How many of them the service keeps, and what to do when it refuses one more. */
  readonly most: number;
  readonly advice: string;
}

/** A property of an object of the service, as programs read it. */
export interface Output {
  /** Its type. A schema that takes undefined says that it may be absent. */
  readonly schema: z.ZodType;
  /** What it means and its unit, as sentences. */
  readonly doc: string;
}

export type Outputs = Readonly<Record<string, Output>>;

/** Declares an output. */
export const output = (schema: z.ZodType, doc: string): Output => ({ schema, doc });

/** An interface that is generated for programs. */
export interface Named {
  readonly name: string;
  readonly doc: string;
}

/** The shapes that the inputs of a resource can have, by the value of one of them. Each becomes an interface of its own. */
export interface Variants<Path extends string = string> {
  /** The input that tells them apart. */
  readonly by: Path;
  /** The interface of what all shapes have. */
  readonly common: Named;
  /** In the order of the union: the compiler names what is missing in the last one that fits. */
  readonly cases: readonly Variant<Path>[];
  /** Inputs that are the same for all shapes and stand in an interface of their own, so that the shapes can be used without them. */
  readonly apart?: Named & { readonly paths: readonly Path[] };
  /** The union of the shapes without the inputs that stand apart. */
  readonly union?: Named;
  /** The shape of a value within an output. */
  readonly value?: Named;
}

/** One shape of inputs. */
export interface Variant<Path extends string = string> extends Named {
  /** The values of the distinguishing input. Left out, it takes any value of its schema, or, with `isOutput`, only outputs. */
  readonly is?: readonly string[];
  readonly isOutput?: true;
  /** Inputs that it requires beside those that are always required. */
  readonly requires?: readonly Path[];
  /** Of the inputs that only some shapes take, those that it takes. */
  readonly takes?: readonly Path[];
}

/** Inputs that `check` derives from other ones, by their paths. */
type Derived<Fields extends FieldTree> =
  string extends PathOf<Fields>
    ? Readonly<Record<string, Derivation<string>>>
    : { readonly [Path in PathOf<Fields>]?: Derivation<PathOf<Fields>> };

type Derivation<Path extends string> = { readonly from: Path; of(value: unknown): Promise<unknown> };

/** What every resource says of itself, whether it is one object or holds many. */
export interface CommonDescription<Fields extends FieldTree = FieldTree, Outs extends Outputs = Outputs> {
  /** The name of its class, and the last part of its type token. */
  readonly type: string;
  /** What messages and docs call one of them: `node`. */
  readonly noun: string;
  /** The text of its class, as sentences. */
  readonly doc: string;
  /** The example of its class: statements of a program that has the package as `nodecloud`. */
  readonly example: string;
  /** More about its inputs as a whole, as sentences. */
  readonly argsDoc?: string;
  readonly fields: Fields;
  /** Inputs that programs give in one of several shapes. */
  readonly variants?: Variants<PathOf<Fields>>;
  /** Properties that only the service sets, and inputs whose output says more than the input. */
  readonly outputs: Outs;
  /** Outputs, besides secret inputs, that are encrypted in the state. */
  readonly secretOutputs?: readonly ((keyof Outs & string) | `__${string}`)[];
  /** The form of its id, for messages, and its pattern with the groups `id` and, where there is one, `parent`. */
  readonly id: { readonly form: string; readonly pattern: RegExp; readonly parent?: PathOf<Fields> };
  /** What people call it, for messages. By default its first identifying text. */
  called?(inputs: CheckedInputs<Fields>): string | undefined;
  /** Inputs that tell one object from another when an answer was lost. */
  readonly identity: readonly PathOf<Fields>[];
  /** How long the operations may take, in minutes, where `customTimeouts` does not say. */
  readonly timeouts: { readonly create: number; readonly update: number; readonly delete: number };
  /** Properties that programs may try to set, and why there are none: mostly since the API shows no operation for them. */
  readonly absent?: Readonly<Record<string, string>>;
  /** Rules between inputs. `olds` are the inputs of before, empty for a new resource. A value that is not known yet is `UNKNOWN`. */
  rules?(inputs: CheckedInputs<Fields>, olds: CheckedInputs<Fields>): Failure<PathOf<Fields>>[];
  /** Rules between new and changed inputs. */
  readonly inputRules?: readonly InputRule<PathOf<Fields>>[];
}

/** What is particular about a resource of one object. Everything else is done the same for all. */
export interface Description<
  Reply extends Properties = Properties,
  Fields extends FieldTree = FieldTree,
  Outs extends Outputs = Outputs,
> extends CommonDescription<Fields, Outs> {
  readonly steady?: {
    readonly outputs: readonly (keyof Outs & string)[];
    readonly unless?: readonly PathOf<Fields>[];
  };
  /** The input that gets the resource's name and a derived suffix when it is not set. `max` is its greatest length, if its schema has none. */
  readonly autoname?: { readonly path: PathOf<Fields>; readonly max?: number; readonly plain?: boolean };
  /** An input whose value the service allows once. */
  readonly unique?: PathOf<Fields>;
  /**
   * An input that only one resource should have a given value of, and what happens to the others. `of` is the type of the resource whose id
   * it is, by which it is known before the id is.
   */
  readonly onePer?: { readonly path: PathOf<Fields>; readonly of: string; readonly because: string };
  /** Of objects without a name of their own: the input with the parent's id, and the inputs by which two of them are the same one. */
  readonly declaredOnce?: {
    readonly within: PathOf<Fields>;
    readonly by: readonly PathOf<Fields>[];
  };
  /** How many creations with the same value of an input the service carries out at a time; others wait for one of them to be done. */
  readonly atOnce?: { readonly path: PathOf<Fields>; readonly most: number };
  /** Whether a replacement deletes the old object first. By default only where a unique value stays the same. */
  readonly deleteFirst?: boolean;
  /** What a replacement or deletion loses, for the warning in a preview. */
  readonly lossOfData?: string;
  readonly statuses?: Statuses<Fields>;
  /** The operations whose status requirements are waited for; with `parent`, those of that object's status. */
  readonly requires?: {
    readonly create?: OperationSpec;
    readonly read?: OperationSpec;
    readonly update?: OperationSpec | ((changed: (path: PathOf<Fields>) => boolean) => OperationSpec);
    readonly delete?: OperationSpec;
  };
  readonly parent?: ParentObject;
  readonly withoutId?: CreatedWithoutId;
  readonly actions?: readonly Action<Fields>[];

  /** The id of an answer. */
  idOf(reply: Reply): string;
  /** The properties of an answer. Absent: not shown by the service; null: empty. By default all its fields but `id`. */
  toOutputs?(reply: Reply): Properties;
  /** Outputs that take requests of their own. `stored` has what may still hold; after a creation or update nothing does. */
  more?(client: Client, ref: Ref, reply: Reply, stored: Properties): Promise<Properties>;
  /** What the inputs name has to be there. That a unique name is free is looked at without a rule. */
  readonly validations?: readonly Validation<PathOf<Fields>>[];
  /** Inputs that `check` makes of another one as soon as that is known. */
  readonly derived?: Derived<Fields>;
  /** What to warn of in a preview of these changes. A value that is not known yet is `UNKNOWN`, and what it may turn out to be counts. */
  warnings?(
    changed: (path: PathOf<Fields>) => boolean,
    inputs: CheckedInputs<Fields>,
  ): Warning<PathOf<Fields>>[];

  /** Undefined where the answer names no object: `withoutId` then says how it is found. */
  create(task: CreateTask<Fields>): Promise<Reply | undefined>;
  /** The rest of a creation that must come before the first wait; called again by the next `up` if it failed. */
  finish?(task: UpdateTask<Reply, Fields>): Promise<void>;
  /** The operation whose answers it is read from. */
  readonly answers: OperationSpec;
  /** Undefined, or the API's own "not found", where there is none. */
  read(client: Client, ref: Ref): Promise<Reply | undefined>;
  /** Its items are what `read` answers. What it lacks is read before it is taken for gone, so it may leave some out. */
  list?(client: Client, parent: string, options?: RequestOptions): AsyncIterable<Reply>;
  /** Whether an object whose creation's answer was lost can be used; otherwise it is deleted and made again. By default it can. */
  isWhole?(reply: Reply): boolean;
  update?(task: UpdateTask<Reply, Fields>): Promise<void>;
  /** Without it, a delete only forgets the resource, and warns with `undeletable`. */
  delete?(client: Client, ref: Ref): Promise<unknown>;
  /** Why there is no delete, for the warning. */
  readonly undeletable?: string;
}

/** What an operation answers, or one item of it where it answers a list. */
export type AnswerOf<Op extends OperationSpec> = ValueOf<Op["reply"]> & Properties;

/** Declares a resource. Its functions know its inputs by their paths and types; what runs them does not. */
export function defineResource<
  const Fields extends FieldTree,
  const Outs extends Outputs,
  Op extends OperationSpec,
>(
  description: Description<AnswerOf<Op>, NoInfer<Fields>, NoInfer<Outs>> & {
    readonly fields: Fields;
    readonly outputs: Outs;
    readonly answers: Op;
  },
): Description {
  return description as unknown as Description;
}

/** A description of what lies below another object whose status counts. */
export type ChildDescription = Description & { readonly parent: ParentObject };

export const hasParentStatus = (description: Description): description is ChildDescription =>
  description.parent !== undefined;

/** Whether something is waited for in its creation or deletion, so that there is progress to show. */
export const isWaitedFor = ({ statuses, parent }: Pick<Description, "statuses" | "parent">): boolean =>
  statuses !== undefined || parent !== undefined;

/** Whether its state keeps the URN: only what is waited for has progress to show in its row, and only a unique name can be another resource's. */
export const keepsUrn = (description: Description): boolean =>
  isWaitedFor(description) || description.unique !== undefined;

/** Whether a resource is new, by its inputs of before: `check` is handed none for it, nor for what takes another's place. */
export const isNew = (olds: Properties): boolean => Object.keys(olds).length === 0;

/** The reference that an id is, or undefined where it has not the form. */
export function parseId(description: Pick<CommonDescription, "id">, id: string): Ref | undefined {
  const groups = description.id.pattern.exec(id)?.groups;
  if (groups?.["id"] === undefined) return undefined;
  return groups["parent"] === undefined
    ? { id: groups["id"] }
    : { parent: groups["parent"], id: groups["id"] };
}

/** The id by which a resource can be read alone. */
export const formatId = ({ parent, id }: Ref): string => (parent === undefined ? id : `${parent}/${id}`);
