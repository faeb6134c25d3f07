import {
  type CheckedInputs,
  type CommonDescription,
  type Description,
  type Failure,
  type Outputs,
  type PathOf,
} from "./define-resource";
import { type FieldTree } from "./fields";
import { type Properties } from "../state/values";

/** One of the objects that a collection declares: its inputs without the parent's id. */
export interface Member {
  /** The key that the program gives it, where it gives one. */
  readonly key?: string;
  readonly inputs: Properties;
}

/** A member as the program gives it. */
export interface Entry extends Member {
  /** Its path in the program, for messages: `records[3]`. */
  readonly path: string;
}

/** The members of a program, and what is wrong with them. */
export interface Entries {
  readonly entries: readonly Entry[];
  readonly failures: readonly Failure[];
}

/** What is particular about a resource that holds many objects of one kind, all under one parent. */
export interface CollectionDescription<
  Fields extends FieldTree = FieldTree,
  Outs extends Outputs = Outputs,
> extends CommonDescription<Fields, Outs> {
  /** What is particular about one of the objects. */
  readonly item: Description;
  /** The property that holds them. Messages call the objects by it: `records`. */
  readonly property: PathOf<Fields>;
  /** The inputs by which programs give them, each in its own form. */
  readonly forms: readonly PathOf<Fields>[];
  /** How many of them the service keeps under one parent. */
  readonly most: number;
  /** The fields by which two objects are the same one. */
  readonly sameBy: readonly string[];
  /** The place of a member. Two members at one place may exclude each other, so a removal comes before an addition. */
  place(inputs: Properties): string;
  /** A member as one line of text, which holds all of it, and back. */
  write(member: Member): string;
  parse(line: string): Member;
  /** An existing object as a program would declare it. */
  inputsOf(shown: Properties): Properties;
  /** The members that a program gives, from the form in which the class hands them over. */
  entries(given: unknown): Entries;
  /** The inputs that say which part of the parent it covers, in the order of its id. */
  readonly scope: readonly PathOf<Fields>[];
  /** Those inputs, from an id; undefined where it has another form. */
  fromId(id: string): Properties | undefined;
  /** Whether an object belongs to the part of the parent that the collection covers. */
  covers(inputs: CheckedInputs<Fields>, member: Properties): boolean;
  /** What is wrong with a member that it does not cover. */
  readonly uncovered: string;
  /** The input that makes it own all that it covers: objects that are not declared are deleted. */
  readonly exclusive: PathOf<Fields>;
}

/** Any resource: one object, or many. */
export type AnyDescription = Description | CollectionDescription;

/** Declares a resource that holds many objects. */
export const defineCollection = <const Fields extends FieldTree, const Outs extends Outputs>(
  description: CollectionDescription<NoInfer<Fields>, NoInfer<Outs>> & {
    readonly fields: Fields;
    readonly outputs: Outs;
  },
): CollectionDescription => description as unknown as CollectionDescription;

export const isCollection = (description: AnyDescription): description is CollectionDescription =>
  "item" in description;
