import { type ReadOperation } from "./types";

/** What the items of a list, or the answer of a view, belong to: the argument with its id. */
export interface ParentDeclaration<Property extends string = string> {
  readonly property: Property;
  /** For messages: `domain` of `domain 12`. */
  readonly noun: string;
  /** Its ids, where they are texts. */
  readonly id?: IdForm;
}

/** The form of ids that are texts. */
export interface IdForm {
  /** For messages. */
  readonly form: string;
  readonly pattern: RegExp;
}

/** A function that gives the items of a list. */
export interface ListDeclaration<
  Listed extends ReadOperation = ReadOperation,
  Collection extends string = string,
  Parent extends string = string,
  Item extends ReadOperation = ReadOperation,
  By extends string = string,
> {
  readonly kind: "list";
  readonly name: `get${string}`;
  readonly reads: Listed;
  /** The name of the list in the result. */
  readonly collection: Collection;
  /** One and many, for messages. */
  readonly nouns: readonly [one: string, many: string];
  readonly parent?: ParentDeclaration<Parent>;
  /** The form of the ids, where they are texts. */
  readonly id?: IdForm;
  /** The fields by which people know an item. */
  readonly by: readonly By[];
  /** The operation that answers one item, where the list does not say what its items are. */
  readonly item?: Item;
  /** The items in an answer that is not a page. */
  readonly itemsOf?: (answer: never) => readonly object[];
}

/** A function that gives one item, by its id or by what it is in its list. */
export interface ItemDeclaration {
  readonly kind: "item";
  readonly name: `get${string}`;
  readonly list: ListDeclaration;
  /** The operation that reads one by its id; where there is none it is looked for in the list. */
  readonly reads?: ReadOperation;
}

/** A function that gives the answer of an operation as it is. */
export interface ViewDeclaration {
  readonly kind: "view";
  readonly name: `get${string}`;
  readonly reads: ReadOperation;
  readonly parent: ParentDeclaration;
  /** Fields that are secret. */
  readonly secrets?: readonly string[];
}

export type Declaration = ListDeclaration | ItemDeclaration | ViewDeclaration;

/** Every function that has been declared, by name: for the tables of the docs, and to prove that no operation is left out. */
export const declarations = new Map<string, Declaration>();

/** What a function is about, as messages begin: `get DomainRecord`. */
export const attemptOf = ({ name }: Pick<Declaration, "name">): string => name.replace(/^get/, "get ");
