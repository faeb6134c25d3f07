import { type Properties } from "../base/values";

/** An object below a parent, with its inputs. A value that is not known yet is `UNKNOWN`. */
export interface Part {
  readonly inputs: Properties;
  /** Whether it is an object of the account, and not one that the program declares. */
  readonly isThere?: boolean;
  /** False for an object that may change or go in this run. It is a reason against a problem, and for none. */
  readonly isSure?: boolean;
}

/** A problem with an object that the service accepts. */
export interface Clash {
  readonly part: Part;
  /** The object with which it cannot be together. */
  readonly with?: Part;
  readonly property: string;
  /** The problem, with the name of the other object in it. */
  readonly reason: string | ((other: string) => string);
}

/** The objects below one parent, which are right or wrong together. */
export interface Whole {
  add(part: Part): void;
  remove(part: Part): void;
  /** The problems of an object. `isComplete`: all objects below the parent were added. */
  problems(part: Part, isComplete: boolean): readonly Clash[];
  /** The objects whose problems an object may be the reason for. */
  related(part: Part): readonly Part[];
}

/** How objects below one parent are judged together, for warnings in a preview. */
export interface Together {
  /** Begins a whole. The name of the parent may not be known. */
  begin(parentName: string | undefined): Whole;
  /** Whether a change of an object may make it clash with others. */
  concerns(before: Properties, after: Properties): boolean;
  /** The name of a parent with these inputs, and whether it has no objects at first. */
  parent(inputs: Properties): { readonly name: unknown; readonly isEmpty: boolean };
}
