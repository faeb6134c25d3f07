import { isNotFound } from "../../../api/errors";
import { announceEarlier } from "../../creation/announce-earlier";
import { attempting, ProviderError } from "../../engine/errors";
import { stackInUrn } from "../../describe/urn";
import { keptOf, LEFT, SET, urnOf } from "../../state/hidden-properties";
import { setInputs } from "../../state/sent";
import { type Properties } from "../../state/values";
import { type Collection } from "../collection";
import { drifted } from "../members/drift";
import { unclaimedOf } from "../members/match-objects";
import { everyMember } from "../members/list";
import { type Held } from "../members/member";
import { heldIn, outputsFor } from "../members/in-state";
import { inParallel, membersAtOnce } from "../members/parallel";

interface Read {
  readonly id: string;
  readonly props: Properties;
  readonly inputs?: Properties;
}

type Objects = ReadonlyMap<string, Properties>;

/** Reads the members of a resource for a refresh, or, without a state, what its id covers. */
export function read(collection: Collection, id: string, props: Properties): Promise<Read> {
  return attempting(`read ${collection.type} ${id}`, async () => {
    announceEarlier(collection.session, stackInUrn(urnOf(props)));
    return typeof props[SET] === "string" ? refresh(collection, id, props) : get(collection, id);
  });
}

/** Reads all that an id covers, without a state. */
async function get(collection: Collection, id: string): Promise<Read> {
  const { description, property, item, type } = collection;
  const scope = { ...description.fromId(id) };
  const parent = collection.parentOf(scope);
  const there = await listSurely(collection, parent);
  if (there === undefined) throw new ProviderError(`get ${type}: there is no ${item.parentName} ${parent}`);
  const covered = unclaimedOf(description, [...there.values()], [], scope);
  return { id, props: { ...scope, [property]: outputsFor(description, covered)[property] }, inputs: {} };
}

/** Reads the members in the state. For an exclusive resource it also reads all others that it covers. */
async function refresh(collection: Collection, id: string, props: Properties): Promise<Read> {
  const { description, property, settings } = collection;
  const there = await listSurely(collection, collection.parentOf(props));
  if (there === undefined) return { id: "", props: {} };
  collection.known.hasRead(id);
  const held = heldIn(description, props);
  const found = await withUnlisted(collection, props, held, there);
  const now = held.flatMap((member) => {
    const reply = found.get(member.id);
    return reply === undefined ? [] : [drifted(description, member, reply)];
  });
  const strangers = collection.isExclusive(props)
    ? unclaimedOf(description, [...there.values()], now, props)
    : [];
  const left = leftIn(props);
  const declared = [...now.filter((member) => !left.has(member.id)), ...strangers].map(({ line }) => line);
  const outputs = outputsFor(description, [...now, ...strangers], declared);
  const inputs = {
    ...Object.fromEntries(setInputs(settings, props)),
    ...keptOf(props),
    [property]: outputs[property],
  };
  return { id, props: { ...collection.settingsOf(props), ...outputs }, inputs };
}

/** Lists the objects. Undefined if the parent does not exist. It asks twice, because one answer may be wrong and a missing resource is created again. */
async function listSurely(collection: Collection, parent: string): Promise<Objects | undefined> {
  const list = () =>
    everyMember(collection, parent).catch((error: unknown) => {
      if (isNotFound(error)) return undefined;
      throw error;
    });
  return (await list()) ?? (await list());
}

/** Adds the members that the list lacks and that can be read: an object may move between the pages of a list. */
async function withUnlisted(
  collection: Collection,
  props: Properties,
  held: readonly Held[],
  there: Objects,
): Promise<Objects> {
  const { session, item } = collection;
  const parent = collection.parentOf(props);
  const missing = held.filter(({ id }) => !there.has(id));
  const found = new Map(there);
  await inParallel(missing, membersAtOnce(session), async ({ id }) => {
    const reply = await item.reads.now({ parent, id });
    if (reply !== undefined) found.set(id, reply);
  });
  return found;
}

/** The ids of members that exist and that the program no longer declares. */
const leftIn = (props: Properties): ReadonlySet<unknown> =>
  new Set(Array.isArray(props[LEFT]) ? props[LEFT].map(([id]: unknown[]) => id) : []);
