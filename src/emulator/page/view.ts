import { CONTROL_PATH } from "../observe";
import { type Emulation } from "../emulation";
import { type Kind, type KindName } from "../kinds";
import { type Entity } from "../store";

/** Below it are all views but the first one. */
export const PAGE_PATH = `${CONTROL_PATH}/page`;

/** What every view is made from. */
export interface View {
  readonly emulation: Emulation;
  readonly kinds: Readonly<Record<KindName, Kind>>;
  /** The emulated time at which it is made. */
  readonly now: number;
  /** Where the page was asked for. */
  readonly origin: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
}

export function kindPath(kind: KindName): string {
  return `${PAGE_PATH}/${kind}`;
}

export function objectPath(kind: KindName, { id }: Pick<Entity, "id">): string {
  return `${kindPath(kind)}/${kind === "images" ? "private/" : ""}${id}`;
}
