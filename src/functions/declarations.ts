import { type ReadOperation } from "./types";

/** The parent of a list's items or of a view: the argument that holds its id. */
export interface ParentDeclaration {
  readonly property: string;
  /** For messages: `domain` of `domain 12`. */
  readonly noun: string;
  /** The form of its ids, if they are strings. */
  readonly id?: IdForm;
}

/** The form of ids that are strings. */
export interface IdForm {
  /** For messages. */
  readonly form: string;
  readonly pattern: RegExp;
}

/** A function that returns the items of a list. */
export interface ListDeclaration {
  readonly kind: "list";
  readonly name: `get${string}`;
  readonly reads: ReadOperation;
  /** The name of the list in the result. */
  readonly collection: string;
  /** Singular and plural, for messages. */
  readonly nouns: readonly [one: string, many: string];
  readonly parent?: ParentDeclaration;
  /** The form of the ids, if they are strings. */
  readonly id?: IdForm;
  /** The name of the result's type, without `Result`. @default the name of the function that returns one item, without `get` */
  readonly result?: string;
  /** The fields by which users identify an item. */
  readonly by: readonly string[];
  /** The operation that returns one item. Only if the schema of the list does not describe its items. */
  readonly item?: ReadOperation;
  /** Extracts the items of an answer that is not a page. */
  readonly itemsOf?: (answer: never) => readonly object[];
}

/** A function that returns one item, by its id or by its fields in the list. */
export interface ItemDeclaration {
  readonly kind: "item";
  readonly name: `get${string}`;
  readonly list: ListDeclaration;
  /** The operation that reads an item by its id. Without it, the item is searched in the list. */
  readonly reads?: ReadOperation;
}

/** A function that returns the answer of an operation unchanged. */
export interface ViewDeclaration {
  readonly kind: "view";
  readonly name: `get${string}`;
  readonly reads: ReadOperation;
  readonly parent: ParentDeclaration;
  /** Fields that are secret. */
  readonly secrets?: readonly string[];
}

export type FunctionDeclaration = ListDeclaration | ItemDeclaration | ViewDeclaration;

/** Every declared function, by name. The docs' tables are made from it, and a test checks that no operation is missing. */
export const declarations = new Map<string, FunctionDeclaration>();

/** The start of a function's messages: `get DomainRecord`. */
export const attemptOf = ({ name }: Pick<FunctionDeclaration, "name">): string =>
  name.replace(/^get/, "get ");
