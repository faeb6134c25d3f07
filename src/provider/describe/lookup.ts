import { type OperationSpec } from "../../api/operation";

/** The documentation of a data function. */
interface FunctionText {
  /** Its result, as sentences. @default made from the nouns */
  readonly doc?: string;
  /** Statements of a program that imports the package as `nodecloud`. */
  readonly example: string;
}

/** The data functions of one kind of objects. They are generated: what they read follows from the operation of its description. */
export interface Lookup {
  /** The noun for one object in the messages and docs of functions. @default the noun of the description */
  readonly noun?: string;
  /** The fields by which users identify one. */
  readonly by: readonly string[];
  /** The form of the ids, if they are strings. */
  readonly id?: { readonly form: string; readonly pattern: RegExp };
  /** The name of the type of a result, without `Result`, if other kinds have the same. @default the type of the description */
  readonly result?: string;
  readonly list: FunctionText;
  /** The function for one object, if there is one. */
  readonly item?: FunctionText;
  /** Functions that return another answer about one object, by the end of their names. */
  readonly views?: Readonly<
    Record<
      string,
      FunctionText & {
        readonly doc: string;
        readonly reads: OperationSpec;
        /** Fields that are secret. */
        readonly secrets?: readonly string[];
      }
    >
  >;
}
