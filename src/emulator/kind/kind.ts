import { type z } from "zod";
import { type RandomBytes } from "../store/chance";
import { type Clock } from "../store/clock";
import { type Entity, type Table } from "../store/table";
import { type Transition } from "../store/transitions";

/** The schema of each field of an object. A field without a schema does not compile. */
export type Shape<Fields extends object> = { readonly [Field in keyof Fields]-?: z.ZodType<Fields[Field]> };

/** The type of an object of this shape. */
export type ShapedBy<Fields extends Readonly<Record<string, z.ZodType>>> = z.output<z.ZodObject<Fields>>;

/** A field by its name. A dot leads into an object: `hosts.primary`. */
export type Path<Fields extends object> = object extends Fields
  ? string
  : {
      [Name in keyof Fields & string]: Fields[Name] extends readonly unknown[]
        ? Name
        : Fields[Name] extends object
          ? Name | `${Name}.${keyof Fields[Name] & string}`
          : Name;
    }[keyof Fields & string];

/** The colour and the shape with which the page shows a status. */
export type StatusTone = "good" | "busy" | "idle" | "warn" | "bad";

/** Objects of a kind that the control API and the page know by one name, and how the page shows them. */
export interface CollectionView<Fields extends object = object, Column extends string = string> {
  /** Where it stands in the navigation of the page: lower numbers come first. */
  readonly place: number;
  readonly title: string;
  /** The noun for one object. */
  readonly one: string;
  readonly many: string;
  /** The fields that its table shows, in addition to name, status and id. */
  readonly columns: readonly Column[];
  /** The path in the API: below the base URL, or below the object that these objects belong to. */
  readonly path: string;
  /** A request body that creates an object, and its path if that is not `path`. */
  readonly example: { readonly path?: string; readonly body: object };
  /** Whether a column has a meaning for an object. @default always */
  applies?(fields: Fields, column: Column): boolean;
  /** A change that a program finds as drift, for an example on the page. @default none: no input of a program shows in these objects */
  changedByHand?(fields: Fields): Partial<Fields>;
  /** Tells which objects of the kind are in the collection. @default all */
  has?(fields: Fields): boolean;
}

/** How objects belong to objects of another kind, and disappear with them. */
export interface Belonging {
  readonly kind: ObjectKind;
  /** Whether the table of the parents has a column that counts these objects. */
  readonly isCounted: boolean;
  /** Fields of a parent that follow from its objects. They are shown in place of the stored ones. */
  shownByParent?(store: Store, parent: Entity): object;
}

/** A command of the control API for one object. */
export interface ControlAction<Fields extends object = object, Hidden extends object = object> {
  run(store: Store, entity: Entity<Fields, Hidden>): void;
}

/** Everything that the emulator knows about one kind of objects. A kind that lacks a part does not compile. */
export interface ObjectKind<
  Fields extends object = object,
  Hidden extends object = object,
  Transitions extends Readonly<Record<string, Transition>> = Readonly<Record<string, Transition>>,
> {
  /** The name of the kind in data files. It must not change, so that the emulator can read old files. */
  readonly stored: string;
  /** The fields that the API shows. Data files keep all of them, and the control API can patch them. */
  readonly fields: Shape<Fields>;
  /** The fields that only the emulator knows. Data files keep all of them, and the control API can patch them. */
  readonly hidden: Shape<Hidden>;
  /** How the objects belong to a parent, or null. */
  readonly parent: Belonging | null;
  /** The changes that take time. */
  readonly transitions: Transitions;
  /** The tones of the statuses. A status that is not named here is `busy`. */
  readonly statuses: Readonly<Record<string, StatusTone>>;
  /** Fields whose values are credentials, also those of requests and answers. The request log does not keep them. */
  readonly secrets: readonly string[];
  /** Fields of requests that can contain a program's own secrets. The request log keeps them, and the page does not show them. */
  readonly privateInputs: readonly string[];
  /** How people call an object; an empty text if it has no name. `column` is the title of the names in a table. */
  readonly name: { readonly column: string; of(fields: Fields): string };
  /** The collections of the kind, by their names in the control API. */
  readonly collections: Readonly<Record<string, CollectionView<Fields, Path<Fields>>>>;
  /** The text before the number in the ids of the API. @default none: the id is a number */
  readonly idPrefix?: string;
  /** When the API begins to list an object, and its status until then. @default at once */
  readonly listed?: { readonly before: string; from(hidden: Hidden): number };
  /** The commands of the control API for one object, by name. @default none */
  readonly actions?: Readonly<Record<string, ControlAction<Fields, Hidden>>>;
  /** Makes and removes what the service would have made and removed by now. It runs before objects are listed. @default nothing */
  bringUpToDate?(store: Store): void;
}

/** The parts of a kind that has nothing but fields. */
export const onlyFields = {
  hidden: {},
  parent: null,
  transitions: {},
  statuses: {},
  secrets: [],
  privateInputs: [],
} as const;

/** Receives every change in a store at the moment of the change. */
export interface StoreEvents {
  /** An object of the kind is new, has changed or is gone. */
  changed?(kind: ObjectKind, id: number): void;
  /** The store has given out an id. */
  counted?(): void;
  cleared?(): void;
}

/** All objects of one emulator. */
export interface Store {
  readonly clock: Clock;
  readonly randomBytes: RandomBytes;
  /** All kinds of objects. */
  readonly kinds: readonly ObjectKind[];
  /** The objects of a kind. */
  table<Fields extends object, Hidden extends object>(
    kind: ObjectKind<Fields, Hidden>,
  ): Table<Fields, Hidden>;
  /** The next id. Ids count up from 1 across all kinds. */
  nextId(): number;
  /** The last id that `nextId` returned. */
  lastId(): number;
  /** Continues to count after this id. */
  countFrom(lastId: number): void;
  /** Removes all objects and starts to count from 1 again. */
  clear(): void;
  /** Reports every change from now on. */
  watch(events: StoreEvents): void;
  /** Where the addresses of nodes and databases begin in 127.0.0.0/8. Undefined without machines. */
  readonly loopbackFrom?: number | undefined;
}
