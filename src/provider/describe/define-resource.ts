import { type Code } from "../base/codes";
import { type Warning } from "./effects";
import { type AccountView } from "./account-view";
import { type Client, type RequestOptions } from "../../api/client";
import { type OperationSpec, type Schema, type ValueOf } from "../../api/operation";
import { type z } from "zod";
import { type Field, type FieldTree } from "./fields";
import { type Lookup } from "./lookup";
import { type Readiness, type Rendering } from "./readiness";
import { type Together } from "./together";
import { type Properties, type UNKNOWN } from "../base/values";
import { type Variants } from "./variants";

/** The object of a resource on the service: its id, and its parent's id if it cannot be read without that. */
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

/** The values of inputs. Each value may also be an `Other`, for values that are not known yet. */
export type InputsOf<Fields extends FieldTree, Other = never> = string extends keyof Fields
  ? Properties
  : {
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
export type RuleInputs<Path extends string> = {
  readonly [Name in Top<Path>]?: unknown;
} & { readonly [paths]?: (path: Path) => void };

/** An input that `check` refuses, with the problem and what to do. Without a code, it is not valid. */
export interface Failure<Path extends string = string> {
  readonly property: Path;
  readonly reason: string;
  readonly code?: Code | undefined;
}

/** One input that `check` refuses. */
export const refused = <const P extends string>(property: P, reason: string, code?: Code): [Failure<P>] => [
  { property, reason, code },
];

/** The body that an operation takes, in wire names. */
export type BodyOf<Op extends OperationSpec> = Op extends { body: infer Body extends Schema }
  ? ValueOf<Body>
  : undefined;

/** The finding of a validation: a failure, or a warning if the service would still accept the input. */
export interface Finding<Path extends string = string> extends Failure<Path> {
  readonly warns?: true;
}

/** A condition of the account that inputs must meet. The preview validates it, unless `nodecloud:validate` is off. */
export interface Validation<Path extends string = string> {
  /** The inputs that it validates. It runs when one of them is new or changed. */
  readonly about: readonly Path[];
  /** A value that is not known yet is `UNKNOWN`. */
  validate(account: AccountView, inputs: RuleInputs<Path>): Promise<Finding<Path>[]>;
}

/** A rule between inputs. Unlike `rules`, it is checked only when one of these inputs is new, changed or removed. */
export interface ChangeRule<Path extends string = string> {
  readonly about: readonly Path[];
  /** Whether it applies to creations only, and not to existing or adopted objects. */
  readonly creation?: true;
  /** A value that is not known yet is `UNKNOWN`. */
  check(inputs: RuleInputs<Path>, olds: RuleInputs<Path>): readonly Finding<Path>[];
}

/** The arguments of `create` of a description. */
export interface CreateTask<Fields extends FieldTree = FieldTree> {
  readonly client: Client;
  readonly inputs: InputsOf<Fields>;
  /** The body of the operation, from the inputs that are set. Inputs that it does not take are written after the creation. */
  body<Op extends OperationSpec>(op: Op): BodyOf<Op>;
  /** The id in an input, such as that of the parent object. */
  idAt(path: PathOf<Fields>): string;
  /** Outputs that no answer shows. */
  readonly unshown: Properties;
  /** Hidden values that stay with the resource until its creation is finished. */
  readonly memory: Properties;
}

/** The arguments of `update` and `finishCreation` of a description. */
export interface UpdateTask<Reply, Fields extends FieldTree = FieldTree> {
  readonly client: Client;
  readonly ref: Ref;
  readonly inputs: InputsOf<Fields>;
  readonly memory: Properties;
  /** The object as it was read last. */
  readonly live: Reply;
  /** Whether this input, or an input below it, has changed. */
  changed(path: PathOf<Fields>): boolean;
  /** Sends the changed inputs that the operation's body takes. Sends nothing if there are none. */
  write<Op extends OperationSpec>(op: Op, send: (body: BodyOf<Op>) => Promise<Reply>): Promise<void>;
  /** Carries out the action of this path. It never does so twice. */
  act(path: PathOf<Fields>): Promise<Acted>;
  /** Records that changed inputs have been carried out without `write` and `act`. */
  done(...paths: PathOf<Fields>[]): void;
  /** Shows the progress of a long step in the resource's row. */
  show(text: string): void;
  /** Waits until `settled` returns true. */
  until(what: string, settled: (reply: Reply) => boolean | Promise<boolean>): Promise<void>;
}

/** An operation that an input requests and that must not run twice. */
export interface Action<Fields extends FieldTree = FieldTree> {
  /** The input, or the object of inputs, whose change requests it. */
  readonly path: PathOf<Fields>;
  /** Its name in messages: `restore backup 7 to MysqlDatabase 12`. */
  what(ref: Ref, inputs: InputsOf<Fields>): string;
  send(client: Client, ref: Ref, inputs: InputsOf<Fields>): Promise<unknown>;
  /** Why the inputs cannot be carried out on this object, after the name of the input. Values may be `UNKNOWN`. Without an account, only the inputs tell. */
  problem?(ref: Ref, inputs: InputsOf<Fields>, account?: AccountView): Promise<string | undefined>;
  /** The statuses of the object while the operation runs. */
  readonly statuses: readonly string[];
  /** Whether only this operation leads to these statuses. */
  readonly hasOwnStatus?: true;
  /** A value that the operation changes permanently, if the API shows one. */
  lastingMark?(client: Client, ref: Ref): Promise<string>;
  /** The effect of a repetition: the rest of a sentence that starts with "a repetition". */
  readonly ifRepeated: string;
  /** The check that the user should make, as a sentence. */
  readonly userShouldCheck: string;
}

/** An action that the service accepted. */
export interface Acted {
  /** Whether the value that it changes permanently has changed. */
  shows(): Promise<boolean>;
}

/** The statuses that end waits. */
export interface Statuses<Fields extends FieldTree = FieldTree> {
  /** A creation is complete in any of these. */
  readonly ready: readonly string[] | ((inputs: InputsOf<Fields>) => readonly string[]);
  /** Fields that the service sets at the end of a creation. While one of them is null, the creation is not complete. */
  readonly assigned?: readonly string[];
  /** The service works on the object. Changes wait until it does not. */
  readonly busy: readonly string[];
  /** A creation that ends in one of these has failed permanently. */
  readonly failed?: readonly string[];
  /** The usual duration of a creation, for messages. */
  readonly usually?: string;
}

/** The parent object of a resource. */
export interface ParentObject {
  read(client: Client, id: string): Promise<Properties>;
  /** Lists the parents, so that many resources share a request. */
  list(client: Client, options?: RequestOptions): AsyncIterable<Properties>;
  /** Why a parent with these inputs does not keep the objects below it. */
  readonly drops?: (inputs: Properties) => string | undefined;
  /** Set if its status decides which operations the service accepts. Those of `busy` end by themselves, and those of `failed` do not. */
  readonly statuses?: { readonly busy: readonly string[]; readonly failed: readonly string[] };
}

/** A creation whose answer does not name the object, which is listed when it is complete. */
export interface CreatedWithoutId {
  /** The usual duration, for messages. */
  readonly usually: string;
  /** How many of these objects the service keeps. */
  readonly maxKept: number;
  /** The advice if the service refuses one more: the end of a sentence. */
  readonly advice: string;
}

/** An output. */
export interface Output {
  /** Its type. If the schema allows undefined, the output may be absent. */
  readonly schema: z.ZodType;
  /** Its meaning and unit, as sentences. */
  readonly doc: string;
}

export type Outputs = Readonly<Record<string, Output>>;

/** Declares an output. */
export const output = (schema: z.ZodType, doc: string): Output => ({ schema, doc });

/** Inputs that `check` derives from other inputs, by their paths. */
type Derived<Fields extends FieldTree> =
  string extends PathOf<Fields>
    ? Readonly<Record<string, Derivation<string>>>
    : { readonly [Path in PathOf<Fields>]?: Derivation<PathOf<Fields>> };

type Derivation<Path extends string> = { readonly from: Path; of(value: unknown): Promise<unknown> };

/** An operation that has a timeout. */
export type Operation = "create" | "update" | "delete";

/** The common part of the descriptions of all resources: those of one object and those of many. */
export interface CommonDescription<Fields extends FieldTree = FieldTree, Outs extends Outputs = Outputs> {
  /** The name of its class, and the last part of its type token. */
  readonly type: string;
  /** The noun for it in messages and docs: `node`. */
  readonly noun: string;
  /** The doc comment of its class, as sentences. */
  readonly doc: string;
  /** The example of its class: statements of a program that imports the package as `nodecloud`. */
  readonly example: string;
  /** The data functions that read objects of its kind, if there are any that only pass on. */
  readonly lookup?: Lookup;
  /** More about its inputs as a whole, as sentences. */
  readonly argsDoc?: string;
  readonly fields: Fields;
  /** The shapes of its inputs, if it has several. */
  readonly variants?: Variants<PathOf<Fields>>;
  /** Two inputs of which a resource takes one. A call that writes both does not compile. The type of the inputs still has both, so programs can extend it and compose values of it. */
  readonly notTogether?: readonly [PathOf<Fields>, PathOf<Fields>];
  /** Properties that only the service sets, and inputs whose output differs from the input. */
  readonly outputs: Outs;
  /** Outputs that are encrypted in the state, in addition to secret inputs. */
  readonly secretOutputs?: readonly (keyof Outs & string)[];
  /** The form of its id, for messages, and its pattern with the groups `id` and, if it has a parent, `parent`: the input with the id of an object of `parentType`. */
  readonly id: {
    readonly form: string;
    readonly pattern: RegExp;
    readonly parent?: PathOf<Fields>;
    readonly parentType?: string;
  };
  /** Its name in messages. By default the first input in `identity` that is a text. */
  called?(inputs: CheckedInputs<Fields>): string | undefined;
  /** Inputs that identify an object after a lost answer. */
  readonly identity: readonly PathOf<Fields>[];
  /** The timeouts of its operations in minutes, if `customTimeouts` does not set them. */
  readonly timeouts: Readonly<Record<Operation, number>>;
  /** Properties that programs may try to set but that do not exist, each with the reason. Usually the API shows no operation for them. */
  readonly unsupported?: Readonly<Record<string, string>>;
  /** Rules between inputs. `olds` are the earlier inputs, and are empty for a new resource. A value that is not known yet is `UNKNOWN`. */
  rules?(
    inputs: CheckedInputs<Fields>,
    olds: CheckedInputs<Fields>,
    isAdopted: boolean,
  ): Failure<PathOf<Fields>>[];
  /** Rules between new and changed inputs. */
  readonly changeRules?: readonly ChangeRule<PathOf<Fields>>[];
}

/** The description of a resource of one object. Everything else is the same for all resources. */
export interface Description<
  Reply extends Properties = Properties,
  Fields extends FieldTree = FieldTree,
  Outs extends Outputs = Outputs,
> extends CommonDescription<Fields, Outs> {
  /** Outputs that no update changes, so that a preview of an update still knows them, `unless` one of these inputs changes. */
  readonly steady?: {
    readonly outputs: readonly (keyof Outs & string)[];
    readonly unless?: readonly PathOf<Fields>[];
  };
  /** Outputs that an update changes only together with one of these inputs. */
  readonly changedBy?: Readonly<Partial<Record<keyof Outs & string, readonly PathOf<Fields>[]>>>;
  /** The input that gets an automatic name if it is not set. `max`: the greatest length, if the schema has none. `plain`: only letters and digits. */
  readonly autoname?: { readonly path: PathOf<Fields>; readonly max?: number; readonly plain?: boolean };
  /** An input whose value is unique on the service. */
  readonly unique?: PathOf<Fields>;
  /** Objects of several types, these among them, that share unique values. `noun`: what messages call them all. */
  readonly uniqueAmong?: {
    readonly noun: string;
    list(client: Client, options: RequestOptions): AsyncIterable<Properties>;
    typeOf(item: Properties): string;
  };
  /**
   * An input with a value that only one resource should have. `because` says what happens otherwise. The value is the id of a resource of the
   * type `of`: that resource is known before its id.
   */
  readonly onlyOnePer?: { readonly path: PathOf<Fields>; readonly of: string; readonly because: string };
  /** For objects without a name: the input with the parent's id, and the inputs whose equality makes two objects the same. */
  readonly contentIdentity?: {
    readonly within: PathOf<Fields>;
    readonly by: readonly PathOf<Fields>[];
  };
  /** How objects below one parent are judged together, if some cannot be right together. */
  readonly together?: Together;
  /** How many creations with the same value of an input the service runs at a time. Others wait. */
  readonly atOnce?: { readonly path: PathOf<Fields>; readonly max: number };
  /** Whether a replacement deletes the old object first. By default it does so only if a unique value stays the same. */
  readonly deleteFirst?: boolean;
  /** The losses of a replacement or deletion, for the warning in a preview. */
  readonly lossOfData?: string;
  /** The losses of a deletion, if `lossOfData` does not say them. A replacement is meant to have them, or `lossOfData` says so. */
  readonly lostByDeletion?: string;
  /** Why the service deletes the object that exists under the same parent when it creates another one. */
  readonly overwrites?: string;
  readonly statuses?: Statuses<Fields>;
  /** The operations whose required statuses the provider waits for. If the status of the `parent` counts, these are its statuses. */
  readonly waitsForStatusOf?: {
    readonly create?: OperationSpec;
    readonly read?: OperationSpec;
    readonly update?: OperationSpec | ((changed: (path: PathOf<Fields>) => boolean) => OperationSpec);
    readonly delete?: OperationSpec;
  };
  readonly parent?: ParentObject;
  readonly withoutId?: CreatedWithoutId;
  readonly actions?: readonly Action<Fields>[];
  readonly readiness?: Readiness<PathOf<Fields>>;
  readonly rendering?: Rendering<PathOf<Fields>>;
  /** The id in an answer. */
  idOf(reply: Reply): string;
  /** The properties in an answer. Absent: the service does not show it. Null: it is empty. By default all fields except `id`. */
  toOutputs?(reply: Reply): Properties;
  /** Outputs that take further requests. `stored` has values that may still be current. After a creation or update it is empty. */
  extraOutputs?(client: Client, ref: Ref, reply: Reply, stored: Properties): Promise<Properties>;
  /** Conditions of the account. That a unique name is free needs no validation here. */
  readonly validations?: readonly Validation<PathOf<Fields>>[];
  /** Inputs that `check` derives from another input as soon as that is known. */
  readonly derived?: Derived<Fields>;
  /** The warnings in a preview of these changes. A value that is not known yet is `UNKNOWN`: warn of everything that it may become. */
  warnings?(
    changed: (path: PathOf<Fields>) => boolean,
    inputs: CheckedInputs<Fields>,
  ): Warning<PathOf<Fields>>[];

  /** Creates the object. Returns undefined if the answer does not name it: the provider then finds it with the help of `withoutId`. */
  create(task: CreateTask<Fields>): Promise<Reply | undefined>;
  /** The steps of a creation that must come before the first wait. If they fail, the next `up` calls it again. */
  finishCreation?(task: UpdateTask<Reply, Fields>): Promise<void>;
  /** The operation whose answers it is read from. */
  readonly readOperation: OperationSpec;
  /** Reads the object. If it does not exist, returns undefined or throws the API's "not found". */
  read(client: Client, ref: Ref): Promise<Reply | undefined>;
  /** Lists the objects in the form of `read`. It may omit some: an object that it lacks counts as gone only after a read. */
  list?(client: Client, parent: string, options?: RequestOptions): AsyncIterable<Reply>;
  /** A read that fails if the token lacks the scope for the list. For lists that then omit objects and do not fail. "Not found" is no failure. */
  mayList?(client: Client): Promise<unknown>;
  /** Whether a program can manage a listed object. By default it can. */
  isManageable?(reply: Reply): boolean;
  /** Whether an object is usable if the answer to its creation was lost. If not, it is deleted and created again. By default it is. */
  isWhole?(reply: Reply): boolean;
  update?(task: UpdateTask<Reply, Fields>): Promise<void>;
  /** If omitted, a delete only removes the resource from the state, and warns with `undeletable`. */
  delete?(client: Client, ref: Ref): Promise<unknown>;
  /** The reason why the object cannot be deleted, for the warning. */
  readonly undeletable?: string;
}

/** The answer of an operation, or one item if the answer is a list. */
export type AnswerOf<Op extends OperationSpec> = ValueOf<Op["reply"]> & Properties;

/** Declares a resource. Its functions know the paths and types of its inputs. The code that calls them does not. */
export function defineResource<
  const Fields extends FieldTree,
  const Outs extends Outputs,
  Op extends OperationSpec,
>(
  description: Description<AnswerOf<Op>, NoInfer<Fields>, NoInfer<Outs>> & {
    readonly fields: Fields;
    readonly outputs: Outs;
    readonly readOperation: Op;
  },
): Description {
  return description as unknown as Description;
}

/** Whether its creation or deletion waits, so that there is progress to show. */
export const isWaitedFor = ({ statuses, parent }: Pick<Description, "statuses" | "parent">): boolean =>
  statuses !== undefined || parent?.statuses !== undefined;

/** Whether its state keeps the URN. Progress in its row needs it, and so does a conflict about a unique name. */
export const keepsUrn = (description: Description): boolean =>
  isWaitedFor(description) || description.unique !== undefined;

/** Whether a resource is new, or a replacement: `check` then gets no earlier inputs. */
export const isNew = (olds: Properties): boolean => Object.keys(olds).length === 0;

/** The parts of an id. Undefined if the id has another form. */
export function parseId(description: Pick<CommonDescription, "id">, id: string): Ref | undefined {
  const groups = description.id.pattern.exec(id)?.groups;
  if (groups?.["id"] === undefined) return undefined;
  return groups["parent"] === undefined
    ? { id: groups["id"] }
    : { parent: groups["parent"], id: groups["id"] };
}

/** The id by which a resource can be read alone. */
export const formatId = ({ parent, id }: Ref): string => (parent === undefined ? id : `${parent}/${id}`);
