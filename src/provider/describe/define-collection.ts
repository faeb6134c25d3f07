import {
  type CheckedInputs,
  type CommonDescription,
  type Description,
  type Failure,
  type Outputs,
  type PathOf,
} from "./define-resource";
import { type FieldTree } from "./fields";
import { type Properties } from "../base/values";

/** One of the objects that a collection declares: its inputs without the parent's id. */
export interface Member {
  /** Its key, if the program gives keys. */
  readonly key?: string;
  readonly inputs: Properties;
}

/** A member as the program gives it. */
export interface Entry extends Member {
  /** Its path in the program, for messages: `records[3]`. */
  readonly path: string;
}

/** The members of a program, and their problems. */
export interface Entries {
  readonly entries: readonly Entry[];
  readonly failures: readonly Failure[];
  /** The input in which the program gives them, if it is not the property that holds them. */
  readonly form?: string;
}

/** The description of a resource of many objects of one kind, all under one parent. */
export interface CollectionDescription<
  Fields extends FieldTree = FieldTree,
  Outs extends Outputs = Outputs,
> extends CommonDescription<Fields, Outs> {
  /** The description of one of the objects. */
  readonly item: Description;
  /** The property that contains them. Messages use it as their name: `records`. */
  readonly property: PathOf<Fields>;
  /** The inputs in which programs give them, each in its own form. */
  readonly forms: readonly PathOf<Fields>[];
  /** How many of them the service keeps under one parent. */
  readonly maxMembers: number;
  /** Two objects are the same if these fields are equal. */
  readonly sameBy: readonly string[];
  /** The place of a member. Two members at one place may conflict, so a removal comes before an addition. */
  place(inputs: Properties): string;
  /** Writes a member as one line of text. */
  write(member: Member): string;
  /** Reads that line. */
  parse(line: string): Member;
  /** The inputs with which a program would declare an existing object. */
  inputsOf(shown: Properties): Properties;
  /** The members of a program, from the form in which the class hands them over. */
  entries(given: unknown): Entries;
  /** The inputs that determine the covered part of the parent, in the order of the id. */
  readonly scope: readonly PathOf<Fields>[];
  /** Those inputs, from an id. Undefined if the id has another form. */
  fromId(id: string): Properties | undefined;
  /** Whether the collection covers an object. */
  covers(inputs: CheckedInputs<Fields>, member: Properties): boolean;
  /** The problem of a member that it does not cover: the rest of a sentence that starts with the member. */
  uncovered(inputs: CheckedInputs<Fields>, member: Properties): string;
  /** The input that makes the collection own all objects that it covers: it deletes undeclared ones. */
  readonly exclusive: PathOf<Fields>;
}

/** The description of any resource. */
export type AnyDescription = Description | CollectionDescription;

/** Declares a resource of many objects. */
export const defineCollection = <const Fields extends FieldTree, const Outs extends Outputs>(
  description: CollectionDescription<NoInfer<Fields>, NoInfer<Outs>> & {
    readonly fields: Fields;
    readonly outputs: Outs;
  },
): CollectionDescription => description as unknown as CollectionDescription;

export const isCollection = (description: AnyDescription): description is CollectionDescription =>
  "item" in description;
