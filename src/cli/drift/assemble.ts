import { listed } from "../../api/text";
import { groupsOf, hiddenNote, namedGroups } from "../account/accounts";
import { byKeys } from "../in-order";
import { keyOf, placeOf } from "../account/list-account";
import { type Coverage, type Drift, type DriftFinding, type ManagedResource, type Shared } from "./findings";
import { type Gap } from "../stacks/names-and-gaps";
import { withoutLocked } from "./settled";
import { type ComparedResource, type ListedObject, type ListedPart, type DriftPart } from "./part";

/** Without a resource, no state says which account to read. */
const NO_ACCOUNT: Gap = {
  what: "the account",
  reason:
    "none of the stacks has resources of pulumi-nodecloud, and NODECLOUD_TOKEN and NODECLOUD_BASE_URL are not both set, so no account was read",
};

/** The objects of an unread stack would seem unmanaged. */
const NO_OWNERS: Gap = {
  what: "objects that no stack manages",
  reason: "not all stacks were read, and those may manage them",
};

type Listed = ListedPart["objects"][number];

/** An account, as all parts together list it. */
interface Whole {
  readonly name: string;
  readonly endpoint: string;
  readonly objects: ReadonlyMap<string, Listed>;
}

/** A resource with its account and its owner, as findings show it. */
interface Owned extends Omit<ComparedResource, "stack"> {
  readonly account: Whole;
  readonly owner: ManagedResource;
}

/** Makes one result of the parts of a comparison. */
export const assemble = (parts: readonly DriftPart[]): Drift =>
  withoutLocked(
    assembled(parts),
    parts.flatMap(({ stacks, locked = [] }) => stacks.filter((_, index) => locked.includes(index))),
  );

function assembled(parts: readonly DriftPart[]): Drift {
  const accounts = accountsOf(parts);
  const resources = parts.flatMap((part, index) =>
    part.resources.flatMap(({ stack, ...resource }): Owned[] => {
      const account = accounts.get(placeInParts(index, resource.listing));
      const name = part.stacks[stack];
      if (account === undefined || name === undefined) return [];
      const { urn, source } = resource;
      return [{ ...resource, account, owner: { stack: name, urn, ...(source && { source }) } }];
    }),
  );
  const owners = Map.groupBy(
    resources.flatMap((resource) => resource.keys.map((key) => ({ resource, key }))),
    ({ resource: { account }, key }) => addressOf(account, key),
  );
  const shownOf = ({ account, ...object }: ListedObject & { readonly account: Whole }, key: string) => {
    const isNameless = (owners.get(addressOf(account, key)) ?? []).some(
      ({ resource }) => resource.hasSecretName === true,
    );
    const { type, id, label, tags } = object;
    return { type, id, account: account.name, ...(isNameless ? {} : { label, tags }) };
  };
  const compared = resources.flatMap((resource) => findingOf(resource, owners, shownOf));
  const added = new Set(compared.flatMap((one) => one.added));
  const distinct = [...new Set(accounts.values())];
  const isOwned = (account: Whole, key: string) => owners.has(addressOf(account, key));
  const unmanaged = distinct.flatMap((account) =>
    [...account.objects].flatMap(([key, object]) =>
      object.isOnlyRead || isOwned(account, key) || added.has(addressOf(account, key))
        ? []
        : [{ isOpen: object.isOpen === true, about: shownOf({ ...object, account }, key) }],
    ),
  );
  const unread = parts.flatMap((part) => part.unread);
  const named = (gap: DriftPart["gaps"][number], index: number): Gap => {
    const account = "listing" in gap ? accounts.get(placeInParts(index, gap.listing)) : undefined;
    return { what: account === undefined ? gap.what : `${gap.what} at ${account.name}`, reason: gap.reason };
  };
  return {
    stacks: parts.flatMap(({ stacks }) => stacks),
    findings: [
      ...compared.map(({ finding }) => finding),
      ...sharedIn([...owners.values()], shownOf),
      ...unmanaged.flatMap(({ isOpen, about }): DriftFinding[] =>
        isOpen || unread.length > 0 ? [] : [{ kind: "unmanaged", ...about }],
      ),
    ],
    coverage: distinct.flatMap((account) => coverageOf(account, (key) => isOwned(account, key))),
    gaps: [
      ...unread,
      ...(unread.length > 0 ? [NO_OWNERS] : []),
      ...unmanaged.flatMap(({ isOpen, about: { type, id, account } }): Gap[] =>
        isOpen
          ? [
              {
                what: `the owner of ${type} ${id} at ${account}`,
                reason: "the state of a stack has a pending creation of such an object",
              },
            ]
          : [],
      ),
      ...(distinct.length === 0 && parts.every(hasNoGap) ? [NO_ACCOUNT] : []),
      ...parts.flatMap(({ gaps }, index) => gaps.map((gap) => named(gap, index))),
    ],
    isPartial: parts.some(({ only, hidden }) => only !== undefined || hidden.length > 0),
    notes: [
      ...parts.flatMap(({ only }) =>
        only === undefined ? [] : [`only ${listed(only, "and")} objects were compared`],
      ),
      ...parts.flatMap(({ notes }) => notes),
      ...parts.flatMap(({ hidden }, index) =>
        hidden.flatMap((one) => {
          const account = accounts.get(placeInParts(index, one.listing));
          return account === undefined ? [] : [hiddenNote(one, account.name)];
        }),
      ),
    ],
  };
}

const hasNoGap = ({ gaps, unread }: DriftPart): boolean => gaps.length === 0 && unread.length === 0;

const placeInParts = (part: number, listing: number): string => `${part} ${listing}`;

const addressOf = ({ endpoint }: Pick<Whole, "endpoint">, key: string): string => `${endpoint} ${key}`;

/** Objects have one parent at most: `12/3` is below 12. */
const placeOfObject = ({ type, id }: ListedObject): string => {
  const [parent = "", own] = id.split("/");
  return placeOf(type, own === undefined ? undefined : parent);
};

/** The accounts of all parts, by the places of their listings. */
function accountsOf(parts: readonly DriftPart[]): ReadonlyMap<string, Whole> {
  const all = parts.flatMap(({ listings }, part) =>
    listings.map((listing, index) => ({ listing, place: placeInParts(part, index) })),
  );
  const ofStates = all.filter(({ listing }) => listing.isOfEnvironment !== true);
  // Listings with a common token show the same, at different times.
  const sameView = groupsOf(ofStates.length > 0 ? ofStates : all, ({ listing }) => listing.tokens);
  const views = sameView.map((view) => ({
    ...{ places: view.map(({ place }) => place), endpoint: view[0]?.listing.endpoint ?? "" },
    objects: objectsOf(view.map(({ listing }) => listing)),
  }));
  const groups = namedGroups(
    views.map((view) => ({
      ...view,
      keys: [...view.objects].flatMap(([key, { isOnlyRead }]) => (isOnlyRead ? [] : [key])),
    })),
  );
  return new Map(
    groups.flatMap(({ name, endpoint, members }) => {
      const whole = { name, endpoint, objects: new Map(members.flatMap(({ objects }) => [...objects])) };
      return members.flatMap(({ places }) => places.map((place) => [place, whole] as const));
    }),
  );
}

/** The objects that each listing of a view shows: others were created or deleted in between, and the part that read their stack may not know it. */
function objectsOf(listings: readonly ListedPart[]): ReadonlyMap<string, Listed> {
  const sides = listings.map(({ places, objects }) => ({
    places: new Set(places),
    objects: new Map(objects.map((object) => [keyOf(object.type, object.id), object])),
  }));
  const merged = new Map<string, Listed>();
  for (const [key, object] of sides.flatMap(({ objects }) => [...objects])) {
    const isEverywhere = sides.every(
      ({ places, objects }) => objects.has(key) || !places.has(placeOfObject(object)),
    );
    const isOpen = merged.get(key)?.isOpen ?? object.isOpen;
    if (isEverywhere) merged.set(key, { ...object, ...(isOpen && { isOpen }) });
  }
  return merged;
}

type Owners = ReadonlyMap<string, readonly { readonly resource: Owned; readonly key: string }[]>;
type ShownOf = (
  object: ListedObject & { readonly account: Whole },
  key: string,
) => Omit<ListedObject, "account"> & { readonly account: string };

/** The finding of a resource, without the members that a resource of another part manages. */
function findingOf(
  { finding, account, owner }: Owned,
  owners: Owners,
  shownOf: ShownOf,
): { readonly finding: DriftFinding; readonly added: readonly string[] }[] {
  if (finding === undefined) return [];
  const { kind, properties = [], members = [], added = [], ...object } = finding;
  const about = { ...shownOf({ ...object, account }, keyOf(object.type, object.id)), resource: owner };
  if (kind === "deleted") return [{ finding: { kind, ...about }, added: [] }];
  const addresses = added.map((key) => addressOf(account, key));
  const news = members.filter(({ change }) => change === "added");
  const isOwned = (index: number) => index >= 0 && owners.has(addresses[index] ?? "");
  const kept = members.filter((member) => !isOwned(news.indexOf(member)));
  if (properties.length === 0 && kept.length === 0) return [];
  const changed = { kind, ...about, properties, ...(finding.members === undefined ? {} : { members: kept }) };
  return [{ finding: changed, added: addresses.filter((address) => !owners.has(address)) }];
}

function coverageOf({ name, objects }: Whole, isOwned: (key: string) => boolean): Coverage[] {
  const those = [...objects].filter(([key, { isOnlyRead }]) => !isOnlyRead || isOwned(key));
  return [...Map.groupBy(those, ([, { type }]) => type)].map(([type, own]) => ({
    ...{ account: name, type, objects: own.length },
    managed: own.filter(([key]) => isOwned(key)).length,
  }));
}

/** The objects that several resources manage. */
function sharedIn(all: readonly (readonly { resource: Owned; key: string }[])[], shownOf: ShownOf): Shared[] {
  return all.flatMap((owners): Shared[] => {
    const staying = owners.filter(({ resource }) => resource.isLeaving !== true);
    const isHere = ({ resource: { owner } }: (typeof owners)[number]) =>
      staying.some(
        ({ resource }) =>
          resource.owner.stack.name === owner.stack.name &&
          resource.owner.stack.directory === owner.stack.directory,
      );
    // What one stack is about to delete may be what another one has imported.
    const [first, ...others] = [
      ...staying,
      ...owners.filter((one) => one.resource.isLeaving === true && staying.length > 0 && !isHere(one)),
    ].sort(
      byKeys(({ resource: { isLeaving = false, owner } }) => [
        ...[isLeaving ? "1" : "0", owner.stack.name, owner.stack.project, owner.stack.directory, owner.urn],
      ]),
    );
    if (first === undefined || others.length === 0) return [];
    const { key, resource } = first;
    const { account, owner } = resource;
    const [type = "", id = ""] = key.split(" ");
    const about = shownOf({ ...(account.objects.get(key) ?? { type, id }), account }, key);
    return [{ kind: "shared", ...about, resource: owner, others: others.map((one) => one.resource.owner) }];
  });
}
