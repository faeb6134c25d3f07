import { type Collection, type Collections } from "../control/collections";
import { type Emulation } from "../emulation/emulation";
import { CONTROL_PATH } from "../http/env";
import { type Entity } from "../store/table";

/** The path below which all views are served, except the overview. */
export const PAGE_PATH = `${CONTROL_PATH}/page`;

/** Everything that a view is made from. */
export interface View {
  readonly emulation: Emulation;
  readonly collections: Collections;
  /** The emulated time of the view. */
  readonly now: number;
  /** The origin in the request for the page. */
  readonly origin: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
}

export const collectionPath = ({ name }: Collection): string => `${PAGE_PATH}/${name}`;

export const objectPath = (collection: Collection, { id }: Pick<Entity, "id">): string =>
  `${collectionPath(collection)}/${collection.kind.idPrefix ?? ""}${id}`;
