import { type Description, type Ref } from "../describe/define-resource";
import { ProviderError } from "../base/errors";
import { type StateObject } from "../engine/stack-state";
import { type CheckCall, type Method, type StateCall } from "../state/provider-interface";
import { warn } from "../kind/warnings";
import { SETTINGS } from "../settings/config";
import { type ServedKind, type ObjectKind, kindOf } from "../kind/kind";
import { quietly } from "../../api/quietly";
import { type Account } from "../run/account";
import { type Call } from "../state/call";
import { addressIn, shortAddress } from "../settings/whereabouts";
import { isApiError, isNodeCloudError } from "../../api/errors";
import { listed } from "../../api/text";
import { replacing } from "../state/describe-changes";
import { type Properties, same } from "../base/values";
import { lookUp } from "./look-up";

/** Finds the description of a kind of one object. */
export type Describe = (type: string) => Description | undefined;

/** So many other objects of the stack are looked up at most. */
const MOST_WITNESSES = 8;

const address = (kind: ServedKind): string => addressIn(kind.account.at);

/** Whether the provider has another base URL than the one at which the object of a state was reached. */
const isElsewhere = ({ run, account }: ServedKind, { state: { at } }: StateCall): boolean =>
  at !== undefined && !run.configuration.sameAccount && addressIn(at) !== addressIn(account.at);

/** Why a resource is replaced, if its new provider has another base URL. Its old provider deletes the object. */
export function moveOf(kind: ServedKind, call: StateCall): string | undefined {
  return isElsewhere(kind, call) ? moveFrom(kind, call.state.at) : undefined;
}

const moveFrom = (kind: ServedKind, at = ""): string =>
  `its provider now leads to ${address(kind)}, and the ${kind.type} is at ${addressIn(at)}`;

/** A move creates the new object first, as it is in another account. */
export const lossOfMove = (loss: string | undefined) => loss?.replace("deleted first", "deleted");

/** Says in a preview what is lost if the engine itself replaces a resource because of its new provider, so that nothing compares it. */
export async function announceMove(kind: ObjectKind, call: CheckCall): Promise<void> {
  const { run, account } = kind;
  if (call.olds !== undefined || !run.hasMoved) return;
  const own = (await run.stack.state())?.objects.find(({ urn }) => urn === call.fullUrn);
  if (own?.at === undefined || addressIn(own.at) === addressIn(account.at)) return;
  const line = replacing(moveFrom(kind, own.at), lossOfMove(kind.description.lossOfData));
  warn({ kind, call, id: own.id }, line, "OTHER_ACCOUNT");
}

/**
 * Refuses to compare, read, change or delete an object through a provider that is not known to reach its account. The base URL shows it, and for a
 * changed token that it finds an object which the old one found, and not another one with its id. An earlier version noted nothing: then several
 * missing objects show another account.
 */
export async function refuseOtherAccount(
  kind: ServedKind,
  method: Method,
  call: StateCall,
  describe: Describe,
): Promise<void> {
  const { run, account } = kind;
  const { at } = call.state;
  const { sameAccount, validate } = run.configuration;
  if (!call.state.isManaged || at === account.at || account.reached.has(at)) return;
  if (sameAccount) return method === "diff" ? undefined : refuseAnotherObject(kind, call, describe);
  if (isElsewhere(kind, call)) {
    if (method === "diff" && (await isDeletedElsewhere(kind, call))) return;
    return refuseOtherAddress(kind, call);
  }
  // What a preview compares is read or changed before anything happens to it.
  if (method === "diff" ? !validate || at === undefined : method !== "read" && method !== "delete") return;
  try {
    const finding = await findingOf(kind, call);
    if (!finding.isFound || finding.differsIn !== undefined)
      return await refuseUnknownAccount(kind, call, describe, finding);
    account.reached.add(at);
  } catch (error) {
    // A preview continues if the account cannot be read. The operation itself reports the error.
    if (method !== "diff" || !isNodeCloudError(error)) throw error;
  }
}

/**
 * Whether another process deletes the object if it is replaced: the engine does it through the old provider. That is another one if the program gave
 * the resource this provider, or if a run that failed has replaced the old one and not yet this resource.
 */
async function isDeletedElsewhere(kind: ServedKind, { id, state }: StateCall): Promise<boolean> {
  const { run, type, screen } = kind;
  const { objects = [] } = (await run.stack.state()) ?? {};
  const own = objects.find((one) => one.type === type && one.id === id && one.at === state.at);
  // The engine changes a provider of the full plugin in place if the program has a dynamic one of its name, and deletes through that. The state of an `up` has that one.
  const isOfOtherWay = own?.isOfPlugin === true && !screen.engineShowsImports;
  const isChangedInPlace = isOfOtherWay || quietly(() => shortAddress(own?.baseUrl)) === address(kind);
  if (run.isExplicit && run.settings.hasOwnAddress && !isChangedInPlace) return true;
  return state.at !== undefined && quietly(() => shortAddress(own?.oldBaseUrl)) === addressIn(state.at);
}

function refuseOtherAddress(kind: ServedKind, call: StateCall): void {
  const { type } = kind;
  const { key, variable } = SETTINGS.sameAccount;
  throw new ProviderError(
    `the ${type} ${call.id} is at ${addressIn(call.state.at ?? "")}, and this provider leads to ${address(kind)}, so nothing was done to it. ` +
      `If both lead to one account, set ${key} (or ${variable}=true) for one \`pulumi refresh\`. ` +
      `Otherwise restore the provider that leads to ${addressIn(call.state.at ?? "")}; to move the resource, then give it an explicit Provider with another baseUrl`,
    { code: "OTHER_ACCOUNT" },
  );
}

/** Refuses inputs that the program may have read in another account than its resources are in. */
export function refuseReadsElsewhere({ at }: Account, { readAt = at }: Call): void {
  if (readAt === at) return;
  const [here, there] = [addressIn(at), addressIn(readAt)];
  const { token, baseUrl } = SETTINGS;
  throw new ProviderError(
    `data functions of this program read at ${there}${here === there ? " with another token" : ""}, and its resources are at ${here}: the program runs in a process whose ` +
      `${baseUrl.variable} or ${token.variable} is not that of the workspace. Set ${baseUrl.key} and ${token.key} of the stack instead, or give both an explicit Provider with them`,
    { code: "READ_ELSEWHERE" },
  );
}

/**
 * Refuses the setting that says that it is the same account if what has the ids of the stack's objects is not what the state has. A creation time decides.
 * A name decides if nothing else does: it may have been changed outside Pulumi. An object that is not found is gone.
 */
async function refuseAnotherObject(kind: ServedKind, call: StateCall, describe: Describe): Promise<void> {
  const own: Found = { what: `${kind.type} ${call.id}`, ...(await findingOf(kind, call)) };
  const found = isDecided(own) ? [own] : [own, ...(await othersFound(kind, call, describe))];
  const isSame = ({ isFound, differsIn }: Found) => isFound && differsIn === undefined;
  const decided = found.filter(isDecided);
  if (decided.some(isSame)) return;
  if (decided.length === 0 && found.some(({ isFound }) => isFound)) return;
  const another = (decided.length > 0 ? decided : found).find(({ differsIn }) => differsIn !== undefined);
  if (another?.differsIn === undefined) return;
  const { key, variable } = SETTINGS.sameAccount;
  const undo = isDecided(another)
    ? ""
    : `; if the ${another.differsIn} was changed outside Pulumi, restore it for this run`;
  throw new ProviderError(
    `${key} is set, but the ${another.what} at ${address(kind)} is not the object of the state (${another.differsIn} differs), so this is another account, and nothing was done${undo}. ` +
      `Remove ${key} (or ${variable}); what this run has read before may be of that account too`,
    { code: "OTHER_ACCOUNT" },
  );
}

/** The evidence about the account that the other objects of a stack give. */
async function othersFound(kind: ServedKind, call: StateCall, describe: Describe): Promise<Found[]> {
  const found: Found[] = [];
  for (const { type, id, outputs } of await witnessesOf(kind, call)) {
    const description = describe(type);
    if (description === undefined) continue;
    const other = kindOf(kind, description);
    const there = await unlessBusy(() => lookUp(other, id, "lately"));
    if (there === undefined) continue;
    const differsIn = differenceOf(other, there.ref, there.live, outputs);
    found.push({
      what: `${type} ${id}`,
      isFound: differsIn === undefined,
      differsIn,
      hasTime: hasTime(outputs),
    });
  }
  return found;
}

/** The service does not read an object below one that is busy. */
async function unlessBusy<Result>(look: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await look();
  } catch (error) {
    if (!isApiError(error, 400)) throw error;
    return undefined;
  }
}

/**
 * The result of looking for a resource's object, or for the members of a set: whether one was found that is that of the state, and in what another one
 * with its id differs. Each account counts its own ids.
 */
interface Finding {
  readonly isFound: boolean;
  readonly differsIn: string | undefined;
  /** Whether the state has the time of the creation. */
  readonly hasTime: boolean;
}

type Found = Finding & { readonly what: string };

/** Whether a finding leaves no doubt. */
const isDecided = ({ isFound, differsIn, hasTime }: Finding): boolean =>
  hasTime && (isFound || differsIn !== undefined);

const hasTime = (known: Properties): boolean => typeof known["created"] === "string";

async function findingOf(kind: ServedKind, { id, state }: StateCall): Promise<Finding> {
  let isFound = false;
  let differs: string | undefined;
  const objects = kind.objectsOf(id, state);
  for (const { kind: one, ref, known } of objects) {
    try {
      const live = await one.reads.lately(ref);
      if (live === undefined) continue;
      const differsIn = state.at === undefined ? undefined : differenceOf(one, ref, live, known);
      differs ??= differsIn;
      isFound ||= differsIn === undefined;
    } catch (error) {
      // The service does not read an object below one that is busy.
      if (!isApiError(error, 400)) throw error;
      isFound = true;
    }
  }
  return { isFound, differsIn: differs, hasTime: objects.every(({ known }) => hasTime(known)) };
}

/** The property by which an object is another one than the state has: when it was created, or without that, what identifies it. */
function differenceOf(kind: ObjectKind, ref: Ref, live: Properties, known: Properties): string | undefined {
  const shown = kind.outputsOf(live, ref);
  // An encrypted value tells nothing.
  const tells = (path: string) => typeof known[path] === "string";
  if (hasTime(known)) return known["created"] === shown["created"] ? undefined : "created";
  const identity = kind.leaves.filter(({ path }) => kind.description.identity.includes(path) && tells(path));
  return identity.find(({ path, comparison }) => !same(comparison, known[path], shown[path]))?.path;
}

async function refuseUnknownAccount(
  kind: ServedKind,
  call: StateCall,
  describe: Describe,
  { differsIn }: Finding,
): Promise<void> {
  const { account, type } = kind;
  const { id, state } = call;
  const looked: string[] = [];
  for (const witness of await witnessesOf(kind, call)) {
    const description = describe(witness.type);
    if (description === undefined) continue;
    const other = kindOf(kind, description);
    const found = await lookUp(other, witness.id, "lately").catch((error: unknown) => {
      if (account.hides(error)) return null;
      throw error;
    });
    // Its absence would tell nothing.
    if (found === null) continue;
    if (
      found !== undefined &&
      (state.at === undefined || differenceOf(other, found.ref, found.live, witness.outputs) === undefined)
    ) {
      account.reached.add(state.at);
      return;
    }
    if (isIndependent(witness, kind, call)) looked.push(`${witness.type} ${witness.id}`);
  }
  // A single missing object was probably deleted, unless another token had found it. Of a replacement that was not finished, the stack has deleted it itself.
  const isGone = differsIn === undefined && (await standsGone(kind, call));
  if ((state.at === undefined || isGone) && looked.length === 0) return;
  const { key, variable } = SETTINGS.sameAccount;
  const token = state.at === undefined ? "" : ", and its token is not the one that last found the object";
  const others =
    looked.length === 0
      ? "No other object of the stack tells whether it is the same account"
      : `Nor does it find ${listed(looked, "or")} of this stack`;
  const what =
    differsIn === undefined
      ? `this provider does not find the ${type} ${id} at ${address(kind)}`
      : `this provider finds another ${type} ${id} at ${address(kind)} than that of the state (${differsIn} differs)`;
  throw new ProviderError(
    `${what}${token}. ${others}: it is probably another account, so nothing was done. ` +
      `Restore the token of the account; or, if the objects were deleted outside Pulumi, set ${key} (or ${variable}=true) for one \`pulumi refresh\``,
    { code: "OTHER_ACCOUNT" },
  );
}

const standsGone = async (kind: ServedKind, call: StateCall): Promise<boolean> => {
  const standing = await kind.standingOf(call);
  return standing?.isGone === true && standing.id === call.id;
};

/** Other objects of the stack that were reached where this one was. */
const witnessesOf = async ({ run, type }: ServedKind, { id, state: { at } }: StateCall) =>
  ((await run.stack.state())?.objects ?? [])
    .filter((one) => one.at === at && (one.type !== type || one.id !== id))
    .slice(0, MOST_WITNESSES);

/** Whether an object says something by its absence: neither is below the other, and no parent is above both. */
function isIndependent({ id }: StateObject, kind: ServedKind, call: StateCall): boolean {
  const isBelow =
    id.includes("/") || kind.objectsOf(call.id, call.state).some(({ ref }) => ref.parent !== undefined);
  return !isBelow || rootOf(id) !== rootOf(call.id);
}

const rootOf = (id: string): string => id.split("/", 1)[0] ?? id;
