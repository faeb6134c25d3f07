import { type Description } from "../describe/define-resource";
import { ProviderError } from "../engine/errors";
import { type StateObject } from "../engine/stack-state";
import { type Method, type StateCall } from "../engine/provider-interface";
import { SETTINGS } from "../process/config";
import { type CommonKind, kindOf } from "../process/kind";
import { addressIn } from "../process/whereabouts";
import { isApiError, isNodeCloudError } from "../../api/errors";
import { listed } from "../../api/text";
import { lookUp } from "./look-up";

/** Finds the description of a kind of one object. */
export type Describe = (type: string) => Description | undefined;

/** So many other objects of the stack are looked up at most. */
const MOST_WITNESSES = 8;

const address = (kind: CommonKind): string => addressIn(kind.session.at);

/** Whether the provider has another base URL than the one at which the object of a state was reached. */
const isElsewhere = ({ session }: CommonKind, { state: { at } }: StateCall): boolean =>
  at !== undefined && !session.configuration.sameAccount && addressIn(at) !== addressIn(session.at);

/** Why a resource is replaced, if its new provider has another base URL. Its old provider deletes the object. */
export function moveOf(kind: CommonKind, call: StateCall): string | undefined {
  if (!isElsewhere(kind, call)) return undefined;
  return `its provider now leads to ${address(kind)}, and the ${kind.type} is at ${addressIn(call.state.at ?? "")}`;
}

/**
 * Refuses to compare, read, change or delete an object through a provider that is not known to reach its account. The base URL shows it, and for a
 * changed token that it finds an object which the old one found. An earlier version noted nothing: then several missing objects show another account.
 */
export async function refuseOtherAccount(
  kind: CommonKind,
  method: Method,
  call: StateCall,
  describe: Describe,
): Promise<void> {
  const { session } = kind;
  const { at } = call.state;
  const { sameAccount, validate } = session.configuration;
  if (!call.state.isManaged || sameAccount || at === session.at || session.reached.has(at)) return;
  if (isElsewhere(kind, call)) return refuseOtherAddress(kind, method, call);
  // What a preview compares is read or changed before anything happens to it.
  if (method === "diff" ? !validate || at === undefined : method !== "read" && method !== "delete") return;
  try {
    if (!(await isReached(kind, call))) return await refuseUnknownAccount(kind, call, describe);
    session.reached.add(at);
  } catch (error) {
    // A preview continues if the account cannot be read. The operation itself reports the error.
    if (method !== "diff" || !isNodeCloudError(error)) throw error;
  }
}

/** The engine deletes a replaced object through its old provider. That is another process only if the program gave it this provider. */
function refuseOtherAddress(kind: CommonKind, method: Method, call: StateCall): void {
  const { session, type } = kind;
  if (method === "diff" && session.isExplicit && session.hasOwnAddress) return;
  const { key, variable } = SETTINGS.sameAccount;
  throw new ProviderError(
    `the ${type} ${call.id} is at ${addressIn(call.state.at ?? "")}, and this provider leads to ${address(kind)}, so nothing was done to it. ` +
      `If both lead to one account, set ${key} (or ${variable}=true) for one \`pulumi refresh\`. ` +
      `Otherwise restore the provider that leads to ${addressIn(call.state.at ?? "")}; to move it, give the resource an explicit Provider with another baseUrl then`,
  );
}

/** Whether an object of the resource is found. */
async function isReached(kind: CommonKind, { id, state }: StateCall): Promise<boolean> {
  for (const { kind: one, ref } of kind.objectsOf(id, state)) {
    try {
      if ((await one.reads.lately(ref)) !== undefined) return true;
    } catch (error) {
      // The service does not read an object below one that is busy.
      if (isApiError(error, 400)) return true;
      throw error;
    }
  }
  return false;
}

async function refuseUnknownAccount(kind: CommonKind, call: StateCall, describe: Describe): Promise<void> {
  const { session, type } = kind;
  const { id, state } = call;
  const witnesses = ((await session.stack.state())?.objects ?? [])
    .filter((one) => one.at === state.at && isIndependent(one, kind, id))
    .slice(0, MOST_WITNESSES);
  const looked: string[] = [];
  for (const { type: other, id: otherId } of witnesses) {
    const description = describe(other);
    if (description === undefined) continue;
    if ((await lookUp(kindOf(session, description), otherId, "lately")) !== undefined) {
      session.reached.add(state.at);
      return;
    }
    looked.push(`${other} ${otherId}`);
  }
  // A single missing object was probably deleted, unless another token had found it.
  if (state.at === undefined && looked.length === 0) return;
  const { key, variable } = SETTINGS.sameAccount;
  const token = state.at === undefined ? "" : ", and its token is not the one that last found the object";
  const others =
    looked.length === 0
      ? "No other object of the stack tells whether it is the same account"
      : `Nor does it find ${listed(looked, "or")} of this stack`;
  throw new ProviderError(
    `this provider does not find the ${type} ${id} at ${address(kind)}${token}. ${others}: it is probably another account, so nothing was done. ` +
      `Restore the token of the account; or, if the objects were deleted outside Pulumi, set ${key} (or ${variable}=true) for one \`pulumi refresh\``,
  );
}

/** Whether an object may exist without that of a call, as neither is below the other and no parent is above both. */
function isIndependent({ type, id }: StateObject, kind: CommonKind, other: string): boolean {
  const isBelow = id.includes("/") || kind.description.id.parent !== undefined;
  return isBelow ? rootOf(id) !== rootOf(other) : type !== kind.type || id !== other;
}

const rootOf = (id: string): string => id.split("/", 1)[0] ?? id;
