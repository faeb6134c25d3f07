import { type Client } from "../../api/client";
import {
  isApiError,
  isNodeCloudError,
  isNotFound,
  type NodeCloudError,
  refusedToReaders,
} from "../../api/errors";
import { hasPages } from "../../api/paginate";
import { type Description, formatId, type Ref } from "../../provider/describe/define-resource";
import { isCollection } from "../../provider/describe/define-collection";
import { type ShownObject } from "../../provider/ownership/inputs-of-object";
import { parentNameOf } from "../../provider/describe/fields";
import { outputsOf } from "../../provider/state/answers";
import { type Properties } from "../../provider/base/values";
import { allDescriptions } from "../descriptions";

/** An object of an account, as a list or a read shows it. */
export interface LiveObject extends ShownObject {
  /** The id with which a program would import it. */
  readonly id: string;
  /** Its type and id. */
  readonly key: string;
  readonly reply: Properties;
  /** Whether a program can manage it. */
  readonly isManageable: boolean;
}

/** A list that could not be read: all objects of a type, or those below one parent. */
export interface Unlisted {
  readonly description: Description;
  readonly parent?: string | undefined;
  readonly reason: string;
  /** The error, if the service failed or refused the token altogether, so that another token says nothing about it. */
  readonly failure?: NodeCloudError | undefined;
  /** The scope of the list, if no token that only reads can have it. */
  readonly writeScope?: string | undefined;
}

/** All objects of an account that its token may list. */
export interface Listing {
  /** By type and id. */
  readonly objects: Map<string, LiveObject>;
  /** The lists that were read: a type, and the parent if objects of the type have one. */
  readonly listed: Set<string>;
  /** The lists whose parent does not exist. */
  readonly gone: Set<string>;
  readonly unlisted: Unlisted[];
}

export const keyOf = (type: string, id: string): string => `${type} ${id}`;

/** The name of a list in `listed` and `gone`. */
export const placeOf = (type: string, parent?: string): string =>
  parent === undefined ? type : `${type} ${parent}`;

/** Objects by their type and parent. */
export const byPlace = (objects: ReadonlyMap<string, LiveObject>): Map<string, LiveObject[]> =>
  Map.groupBy(objects.values(), ({ description, ref }) => placeOf(description.type, ref.parent));

export function liveObject(description: Description, ref: Ref, reply: Properties): LiveObject {
  const id = formatId(ref);
  const key = keyOf(description.type, id);
  const isManageable = description.isManageable?.(reply) ?? true;
  return { description, ref, id, key, reply, isManageable, shown: outputsOf(description, reply, ref) };
}

/**
 * Lists each kind of objects once. `parents` has the parents that states name, by the type of their children: they may not exist any more. `only` has the
 * types to list; those that are above them are listed too.
 */
export async function listAccount(
  client: Client,
  parents: Parents,
  onListed: (objects: number) => void,
  only?: ReadonlySet<string>,
): Promise<Listing> {
  const listing: Listing = { objects: new Map(), listed: new Set(), gone: new Set(), unlisted: [] };
  const lists = new Lists(client, listing, parents, onListed, only);
  const roots = neededFor(only).filter(({ id }) => id.parent === undefined);
  await Promise.all(roots.map((root) => lists.read(root)));
  const [failure] = listing.unlisted.flatMap((one) => one.failure ?? []);
  if (failure !== undefined && listing.listed.size === 0) throw failure;
  return listing;
}

/** Lists what is below these parents, if the listing does not have it yet. */
export async function listBelowParents(
  client: Client,
  listing: Listing,
  parents: Parents,
  only?: ReadonlySet<string>,
): Promise<void> {
  const lists = new Lists(client, listing, parents, () => undefined, only);
  const isRead = (place: string) => listing.listed.has(place) || listing.gone.has(place);
  const missing = neededFor(only).flatMap((one) =>
    [...(parents.get(one.type) ?? [])].flatMap((parent) =>
      isRead(placeOf(one.type, parent)) ? [] : [{ one, parent }],
    ),
  );
  await Promise.all(missing.map(({ one, parent }) => lists.read(one, parent)));
}

/**
 * Whether a token leads to the account of a listing, and sees no more of it: a page of the longest list shows the same objects, and what was refused is refused again. The
 * ids of objects are unique per service.
 */
export async function isAccountOf(client: Client, { objects, unlisted }: Listing): Promise<boolean> {
  const roots = [...byPlace(objects).values()].filter(([first]) => first?.ref.parent === undefined);
  const [longest = []] = roots.sort((one, other) => other.length - one.length);
  const list = longest[0]?.description.list?.(client, "");
  if (list === undefined || !hasPages(list)) return false;
  try {
    const { data, results } = await list.page(1);
    const isKnown = (reply: Properties) =>
      longest.some(({ description, ref }) => description.idOf(reply) === ref.id);
    if (results !== longest.length || !data.every((reply) => isKnown(reply as Properties))) return false;
  } catch {
    // Its own lists say what it may not read.
    return false;
  }
  // A scope is for all lists of a kind. Those below a list that was refused were not asked for.
  const refused = unlisted.filter(
    ({ failure, description: { id }, parent }) =>
      failure === undefined && (id.parent === undefined || parent !== undefined),
  );
  const ofKinds = [...new Map(refused.map((one) => [one.description.type, one])).values()];
  const isRefused = async ({ description, parent }: Unlisted) =>
    listOnce(client, description, parent).then(
      () => false,
      (error: unknown) => isApiError(error, 403),
    );
  return (await Promise.all(ofKinds.map(isRefused))).every(Boolean);
}

/** The ids of parents by the type of their children. */
type Parents = ReadonlyMap<string, ReadonlySet<string>>;

/** The kinds of objects to list: those that are asked for, and those above them. */
function neededFor(only: ReadonlySet<string> | undefined): Description[] {
  const all = allDescriptions().filter((one): one is Description => !isCollection(one));
  const isNeeded = ({ type }: Description): boolean =>
    only?.has(type) !== false || all.some((one) => one.id.parentType === type && isNeeded(one));
  return all.filter(isNeeded);
}

class Lists {
  constructor(
    private readonly client: Client,
    private readonly listing: Listing,
    private readonly parents: Parents,
    private readonly onListed: (objects: number) => void,
    private readonly only: ReadonlySet<string> | undefined,
  ) {}

  /** Lists the objects of a type, below a parent if it has one, and what is below them. */
  async read(description: Description, parent?: string): Promise<void> {
    const found = await this.#listSurely(description, parent);
    this.onListed(this.listing.objects.size);
    const children = neededFor(this.only).filter(({ id }) => id.parentType === description.type);
    await Promise.all(children.map((child) => this.#readBelow(child, found)));
  }

  async #readBelow(child: Description, found: readonly LiveObject[] | undefined): Promise<void> {
    if (found === undefined) {
      const reason = `the ${child.id.parentType ?? "parent"} objects cannot be listed`;
      this.listing.unlisted.push({ description: child, reason });
      return;
    }
    const there = new Set(found.map(({ ref }) => ref.id));
    const inStates = [...(this.parents.get(child.type) ?? [])].filter((id) => !there.has(id));
    await Promise.all([...there, ...inStates].map((parent) => this.read(child, parent)));
  }

  /** Undefined if the token may not list them, or the service does not answer now. */
  async #listSurely(description: Description, parent?: string): Promise<LiveObject[] | undefined> {
    const { objects, listed, gone, unlisted } = this.listing;
    const place = placeOf(description.type, parent);
    const once = () => listOnce(this.client, description, parent);
    try {
      const found = (await once()) ?? (await once());
      (found === undefined ? gone : listed).add(place);
      for (const object of found ?? []) objects.set(object.key, object);
      return found ?? [];
    } catch (error) {
      if (!isNodeCloudError(error)) throw error;
      const isOne = parent !== undefined || description.mayList !== undefined;
      const isRefused =
        isApiError(error, 403) || (isOne && (isApiError(error, 400) || isApiError(error, 401)));
      listed.delete(place);
      unlisted.push({
        ...{ description, reason: error.message, parent },
        writeScope: refusedToReaders(error)?.missingScope,
        failure: isRefused ? undefined : error,
      });
      return undefined;
    }
  }
}

/** The objects of one list. Undefined if the parent does not exist. */
async function listOnce(
  client: Client,
  description: Description,
  parent: string | undefined,
): Promise<LiveObject[] | undefined> {
  const found: LiveObject[] = [];
  try {
    for await (const reply of description.list?.(client, parent ?? "") ?? []) {
      const id = description.idOf(reply);
      found.push(liveObject(description, parent === undefined ? { id } : { parent, id }, reply));
    }
  } catch (error) {
    if (parent !== undefined && isNotFound(error)) return undefined;
    throw error;
  }
  if (!found.some(({ isManageable }) => isManageable))
    await description.mayList?.(client).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
  return found;
}

/** The name of a list for messages: `the DomainRecord objects of domain 12`. */
export const nameOfList = ({ description, parent }: Pick<Unlisted, "description" | "parent">): string =>
  `the ${description.type} objects` +
  (parent === undefined ? "" : ` of ${parentNameOf(description.id.parent ?? "")} ${parent}`);
