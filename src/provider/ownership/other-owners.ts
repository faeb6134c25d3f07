import { counted, listed } from "../../api/text";
import { type Description, formatId, type Ref } from "../describe/define-resource";
import { classIn } from "../describe/type-token";
import { calledIn, partsOfUrn, stackInUrn, typeInUrn } from "../describe/urn";
import { isObject, type Properties, same } from "../base/values";
import { type PendingOperation } from "../engine/stack-state";
import { keptInputs } from "../state/codec";
import { ProviderError } from "../base/errors";
import { type StateCall } from "../state/provider-interface";
import { type About, type Said, shortened, warn } from "../kind/warnings";
import { type ObjectKind, type ServedKind } from "../kind/kind";
import { taggedOwner } from "../run/owner-tags";
import { type CurrentRun } from "../run/current-run";
import { type Screen } from "../run/screen";
import { type Ports } from "../run/session";
import { type Call } from "../state/call";
import { isWatched, refuseDenied, refuseUnknownOwner, type Replacement } from "../object/guard";

/** A resource of another stack, as messages call it. */
interface OtherOwner {
  readonly stack: string;
  readonly resource: string;
}

/** An object that other stacks manage too. */
export interface SharedObject<One extends Ref = Ref> {
  readonly ref: One;
  readonly owners: readonly OtherOwner[];
}

/** Finds those of some objects that other stacks manage. Undefined if there are no objects. */
type Find<One> = () => Promise<readonly One[]>;

/** The advice on an object that two stacks manage. */
export const HOW_TO_SHARE =
  "A deletion by one stack deletes it for the other too: remove it from one of them with `pulumi state delete`, or only read it here with `get`";

/** How to get past the refusal of a deletion. */
export const HOW_TO_LEAVE =
  "To leave it to the other stack, run `pulumi state delete` here, or set the option retainOnDelete and run `pulumi up` first. " +
  "To delete it, first remove it from the other stack in the same way";

/**
 * Finds the objects that other stacks of the backend manage. It reads their states, once per process. What cannot be read is not found: a run does not
 * depend on other stacks.
 */
export async function managedElsewhere<One extends Ref>(
  { run, screen, account }: Pick<Ports, "run" | "screen" | "account">,
  call: Pick<Call, "fullUrn" | "urn">,
  { type }: Pick<Description, "type">,
  refs: readonly One[],
): Promise<SharedObject<One>[]> {
  if (refs.length === 0) return [];
  const own = stackInUrn(call.fullUrn) ?? run.stack.told;
  const { stacks, unread, failed, isUnknown, hasOwn } = await run.stack.others();
  if (isUnknown === true) warnOfUnknown(screen);
  sayUnread(screen, stacks.length, unread, failed);
  return refs.flatMap((ref) => {
    const id = formatId(ref);
    const owners = stacks.flatMap(({ name, holdersOf }): OtherOwner[] => {
      const holder =
        name === own ? undefined : holdersOf(type, id).find(({ address }) => account.isHere(address));
      return holder === undefined ? [] : [{ stack: name, resource: calledIn(holder) }];
    });
    return owners.length > (hasOwn === true ? 1 : 0) ? [{ ref, owners }] : [];
  });
}

/**
 * Why it is not known whether another stack manages something. Ask before something is deleted, taken over or resumed, and before `managedElsewhere`: it reads
 * the stacks for which there was no time.
 */
export async function doubtAboutOthers({ stack }: CurrentRun): Promise<string | undefined> {
  const { unread, failed = [], isUnknown } = await stack.allOthers();
  if (isUnknown === true)
    return "the stacks of the backend could not be listed (does `pulumi stack ls --all` work here?)";
  if (unread === 0) return undefined;
  const named = failed.length === 0 ? "" : ` (${shortened(failed).join(", ")})`;
  return `${counted(unread, "stack")} of the backend could not be read${named}`;
}

/** Separates the objects that other stacks manage from the rest. */
export async function apartFromOthers<One extends Ref>(
  ...asked: Parameters<typeof managedElsewhere<One>>
): Promise<{ own: One[]; shared: readonly SharedObject<One>[] }> {
  const shared = await managedElsewhere(...asked);
  const others = new Set(shared.map(({ ref }) => ref));
  return { own: asked[3].filter((ref) => !others.has(ref)), shared };
}

/** Whether another stack of the backend manages an object. */
export async function isShared(
  kind: ObjectKind,
  call: Pick<Call, "fullUrn" | "urn">,
  id: string,
): Promise<boolean> {
  const ref = kind.parseId(id);
  const shared = ref === undefined ? [] : await managedElsewhere(kind, call, kind.description, [ref]);
  return shared.length > 0;
}

/** Of several objects those that no other stack of the backend manages, if that is known of some. */
export async function withoutShared<One extends { readonly id: string }>(
  kind: ObjectKind,
  call: Call,
  several: readonly One[],
): Promise<readonly One[]> {
  if (several.length < 2) return several;
  const refs = several.map((one) => ({ ...(kind.parseId(one.id) ?? one), one }));
  const { own } = await apartFromOthers(kind, call, kind, refs);
  return own.length === 0 ? several : own.map(({ one }) => one);
}

/** Whether an interrupted creation is that of a stack of this project which was renamed: its state has the creation, and that of this stack, which has its old name now, does not. */
export async function isOfRenamedStack({ stack }: CurrentRun, called: string): Promise<boolean> {
  const [type = "", ...name] = called.split(" ");
  const state = await stack.state();
  const who = { urn: undefined, type, name: name.join(" ") };
  if (state === undefined || state.wasCutOff("creating", who)) return false;
  const [project] = (stack.inProject ?? "").split("/");
  const { stacks } = await stack.others();
  return stacks.some(({ pending }) =>
    pending.some(
      (one) =>
        one.operation === "creating" && calledIn(one) === called && partsOfUrn(one.urn).project === project,
    ),
  );
}

/**
 * Tells which resources of other stacks are being created, or were when a run was interrupted, so that an object with these inputs may be theirs. The states are read
 * anew: another run may have begun since, and its state has the creation before the service has the request. `mayHave`: whether a set with these inputs may have the
 * object, if that is known. What only says something gives the `others` that are known.
 */
export async function rivalsElsewhere(
  kind: ObjectKind,
  call: Pick<Call, "fullUrn" | "urn">,
  mayHave: (set: Properties, inputs: Properties) => boolean = () => true,
  others = kind.run.stack.allOthers({ anew: true }),
): Promise<(inputs: Properties) => string | undefined> {
  const { stack } = kind.run;
  const own = stackInUrn(call.fullUrn) ?? stack.told;
  const { stacks, hasOwn } = await others;
  return (inputs) => {
    const rivals = stacks.flatMap(({ name, pending }) =>
      pending.flatMap((one) =>
        name !== own && mayCreate(kind, one, inputs, mayHave)
          ? [`${calledIn(one)} of the stack ${name}`]
          : [],
      ),
    );
    if (rivals.length <= (hasOwn === true ? 1 : 0)) return undefined;
    return (
      `it may be that of ${listed(rivals, "or")}, which a run is creating, or was when it was interrupted. Run this again when that run has ended. ` +
      "If no run of that stack is going on, run `pulumi refresh --clear-pending-creates` there first"
    );
  };
}

/** Whether an operation of another stack may create an object with these inputs: that of a single resource, or of a set below the same parent. */
function mayCreate(
  { account, type, leaves, description }: ObjectKind,
  one: PendingOperation,
  inputs: Properties,
  mayHave: (set: Properties, inputs: Properties) => boolean,
): boolean {
  const { inputs: asked, askedAt } = keptInputs(one.inputs);
  const { identity, id } = description;
  const other = classIn(typeInUrn(one.urn)) ?? "";
  const isSet = other !== type && id.parent !== undefined && other.startsWith(type);
  const operations = isSet ? ["creating", "updating"] : ["creating"];
  if (!(isSet || other === type) || !operations.includes(String(one.operation))) return false;
  const isSame = (path: string) => {
    const { comparison = "id" } = leaves.find((leaf) => leaf.path === path) ?? {};
    // An encrypted value tells nothing.
    return isObject(asked[path]) || same(comparison, asked[path], inputs[path]);
  };
  const paths = [...(isSet ? [] : identity), ...(id.parent === undefined ? [] : [id.parent])];
  return account.isAt(askedAt) && paths.every(isSame) && (!isSet || mayHave(asked, inputs));
}

/** Warns once that no stack could be read. */
function warnOfUnknown(screen: Screen): void {
  const line =
    "the stacks of the backend could not be listed, so it is not known whether another stack manages what this one imports, takes over or deletes. Does `pulumi stack ls --all` work here?";
  if (screen.isFirst(line)) screen.log.warn(undefined, line, "OWNER_UNKNOWN");
}

/** Says that some stacks were not read, once. */
function sayUnread(screen: Screen, read: number, unread: number, failed: readonly string[] = []): void {
  const late = unread - failed.length;
  const why = [
    ...(failed.length === 0 ? [] : [`${shortened(failed).join(", ")} could not be read`]),
    ...(late > 0 ? ["the others could not be read in time"] : []),
  ];
  const line = `looked for other owners in ${read} of the backend's ${counted(read + unread, "stack")}: ${why.join(", and ")}`;
  if (unread > 0 && screen.isFirst(line)) screen.log.note(undefined, line);
}

/** The other owners of an object: `Node web of the stack shop/prod`. */
export const namesOf = ({ owners }: Pick<SharedObject, "owners">): string =>
  listed(
    owners.map(({ stack, resource }) => `${resource} of the stack ${stack}`),
    "and",
  );

/** The other owners of an object, as the states of the backend say, or its tag. */
async function ownersOf(
  kind: ObjectKind,
  call: Call,
  ref: Ref | undefined,
): Promise<readonly SharedObject[]> {
  if (ref === undefined) return [];
  const { run, description, reads } = kind;
  const shared = await managedElsewhere(kind, call, description, [ref]);
  if (shared.length > 0 || !run.configuration.ownerTags) return shared;
  const own = stackInUrn(call.fullUrn ?? call.urn) ?? run.stack.inProject;
  const stack = taggedOwner((await reads.lately(ref)) ?? {}, own);
  const says = `${stack} (the tag pulumi:${stack} of the object says so; remove it if it is wrong)`;
  return stack === undefined ? [] : [{ ref, owners: [{ stack: says, resource: "a resource" }] }];
}

/** Warns that other stacks manage what a resource imports. Refuses it if the settings deny that. `find` names the owners, and `said` is the warning. */
export async function warnOfShared(
  about: About,
  find: Find<string> | undefined,
  said: (owners: readonly string[]) => Said,
): Promise<void> {
  if (find === undefined) return;
  const doubt = isWatched(about.kind, "shared") ? await doubtAboutOthers(about.kind.run) : undefined;
  const owners = await find();
  if (owners.length > 0) warn(about, said(owners), "OTHER_STACK");
  const shared = owners.length === 0 && doubt !== undefined ? [doubt] : owners;
  if (shared.length > 0) refuseDenied(about, { operation: "import", shared });
}

/** The same for a resource of one object. It also warns of an object that another stack may be creating. */
export async function warnOfOtherOwners(kind: ObjectKind, call: Call, importId: string): Promise<void> {
  const about = { kind, call };
  const what = `imports the ${kind.type} ${importId}`;
  const managing = async () => (await ownersOf(kind, call, kind.parseId(importId))).map(namesOf);
  await warnOfShared(
    about,
    managing,
    ([owners = ""]) => `${what}, which is also managed by ${owners}. ${HOW_TO_SHARE}`,
  );
  if ((await managing()).length > 0) return;
  const creating = async () => {
    const rivalsOf = await rivalsElsewhere(kind, call, undefined, kind.run.stack.others());
    const doubt = rivalsOf(call.inputs);
    return doubt === undefined ? [] : [doubt];
  };
  await warnOfShared(about, creating, ([doubt = ""]) => `${what}, and ${doubt}`);
}

/** Warns that a replacement does not delete the old object. Whether the engine keeps it (`retainOnDelete`) is not known here. */
export async function warnOfKeptObject(kind: ObjectKind, call: StateCall): Promise<void> {
  const [shared] = call.state.isAdopted === true ? await ownersOf(kind, call, kind.parseId(call.id)) : [];
  if (shared === undefined) return;
  const line = `this stack imported the ${kind.type} ${call.id}, and it is managed by ${namesOf(shared)}: the replacement fails when it deletes the old object. ${HOW_TO_LEAVE}`;
  warn({ kind, call, id: call.id }, line, "OTHER_STACK");
}

/** Returns the objects that other stacks manage, each as a line, or the reason why they are not known. Returns nothing unless the settings deny what is shared: the state of the other stack may be a copy. */
export async function orDoubt(kind: ServedKind, find: Find<string> | undefined): Promise<readonly string[]> {
  if (find === undefined || !isWatched(kind, "shared")) return [];
  const doubt = await doubtAboutOthers(kind.run);
  const found = await find();
  return found.length > 0 || doubt === undefined ? found : [doubt];
}

/** The resources of other stacks that manage an object too, for the guard. */
export const sharingWith = (kind: ObjectKind, call: Call, id: string): Promise<readonly string[]> =>
  orDoubt(kind, async () => {
    const shared = await ownersOf(kind, call, kind.parseId(id));
    const below = await ownersBelow(kind, call, id);
    return [...shared.map(namesOf), ...(below === undefined ? [] : [`what ${below} manages goes with it`])];
  });

/** The losses of a creation in place of another object, for the guard. */
export const byCreating = (kind: ObjectKind, call: Call): Replacement => ({
  loss: kind.description.lossOfData ?? kind.description.lostByDeletion,
  sharing: (id) => sharingWith(kind, call, id),
});

/** The resources of other stacks whose objects are below an object. */
async function ownersBelow(
  kind: ObjectKind,
  call: Call,
  id: string,
  { type }: Pick<Description, "type"> = kind.description,
  isMeant = (_owner: string): boolean => true,
): Promise<string | undefined> {
  const [found] = await managedElsewhere(kind, call, { type }, [{ id: `${id}/` }]);
  const owners = found?.owners.filter(({ resource }) => isMeant(resource)) ?? [];
  return owners.length === 0 ? undefined : namesOf({ owners });
}

/** The resources of other stacks whose object a new one takes the place of. If it is not known which objects there are, it may be any below the parent. */
export async function ownersOfOverwritten(
  kind: ObjectKind,
  call: Call,
  refs: readonly Ref[] | undefined,
): Promise<string | undefined> {
  const { id, type } = kind.description;
  if (refs === undefined) {
    const isAlike = (owner: string) => owner.startsWith(`${type} `);
    return ownersBelow(kind, call, kind.parentOf(call.inputs), { type: id.parentType ?? "" }, isAlike);
  }
  const shared = await managedElsewhere(kind, call, kind.description, refs);
  return shared.length === 0 ? undefined : namesOf({ owners: shared.flatMap(({ owners }) => owners) });
}

/** The same for the guard. */
export async function overwrittenElsewhere(
  kind: ObjectKind,
  call: Call,
  refs: readonly Ref[] | undefined,
): Promise<readonly string[]> {
  if (refs?.length === 0) return [];
  return orDoubt(kind, async () => {
    const owners = await ownersOfOverwritten(kind, call, refs);
    return owners === undefined ? [] : [`what ${owners} manages is overwritten`];
  });
}

/** Returns the objects that other stacks manage among those to delete or to take over. Refuses the attempt if they are not known. */
export async function surelyShared<One>(
  about: About,
  attempt: string,
  find: Find<One> | undefined,
): Promise<readonly One[]> {
  if (find === undefined) return [];
  const doubt = await doubtAboutOthers(about.kind.run);
  const found = await find();
  if (found.length === 0) refuseUnknownOwner(about, attempt, doubt);
  return found;
}

/** Refuses to delete an adopted object that another stack manages. */
export async function refuseForOtherOwners(kind: ObjectKind, call: StateCall, ref: Ref): Promise<void> {
  if (call.state.isAdopted !== true) return;
  const attempt = `delete ${kind.nameOf(call.inputs, ref)}`;
  const about = { kind, call, id: call.id };
  const [shared] = await surelyShared(about, attempt, () => ownersOf(kind, call, ref));
  if (shared === undefined) return;
  throw new ProviderError(
    `${attempt}: this stack imported it, and it is managed by ${namesOf(shared)}, so it is not deleted. ${HOW_TO_LEAVE}`,
    { code: "OTHER_STACK" },
  );
}
