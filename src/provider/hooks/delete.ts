import { adoptionOf } from "../ownership/adoption-claims";
import { refuseForOtherOwners, sharingWith } from "../ownership/other-owners";
import { heldTwice, isLeftToMaker } from "../ownership/this-stack";
import { areAlike } from "../notes/journal";
import { refuseAbove } from "../ownership/below";
import { refuseBeforeImport } from "../ownership/pending-imports";
import { formatId, isWaitedFor, type Ref } from "../describe/define-resource";
import { type StateCall } from "../state/provider-interface";
import { ProviderError } from "../base/errors";
import { formatDuration } from "../base/duration";
import { pollUntil } from "../run/watch";
import { ownerOf, warn } from "../kind/warnings";
import { type Kind, type ObjectKind } from "../kind/kind";
import { type Told } from "../state/call";
import { deletePauses, deleteOnce } from "../object/delete-retries";
import { lookUpBelow } from "../object/look-up";
import { ObjectOperation } from "../object/object-operation";
import { refuseDeletion } from "../object/guard";
import { type Properties } from "../base/values";
import { untilNotServed } from "../object/served";
import { forgetPeer, inTurn, leavePeer } from "../object/turns";

/** Deletes an object, or only forgets it where another resource has it or the service has no such operation. */
export async function remove(kind: ObjectKind, call: StateCall): Promise<void> {
  const ref = kind.parseId(call.id);
  if (ref === undefined || (await isLeftToMaker(kind, call))) return;
  const owner = ownerOf(kind.description, call);
  await refuseBeforeImport({ kind, call, id: call.id }, kind.description, [ref], owner);
  const doubles = await heldTwice(kind, kind.description, [ref], owner);
  if (adoptionOf(kind).forgets(ref, call, doubles.get(formatId(ref)))) return;
  kind.run.owners.goes(owner);
  if (kind.description.delete === undefined) return leave(kind, call);
  await refuseAbove(kind, call);
  await refuseForOtherOwners(kind, call, ref);
  const { lossOfData, lostByDeletion = lossOfData } = kind.description;
  const sharing = (told: StateCall) => sharingWith(kind, told, told.id);
  await refuseDeletion(kind, call, { loss: lostByDeletion, sharing });
  if (isWaitedFor(kind.description)) await removeInTurn(kind, ref, call);
  else await deleteOnce(kind, ref, pausesOf(kind, call));
  const about = { kind, call, attempt: attemptOf(kind, call), parent: ref.parent ?? "" };
  await untilNotServed(kind, about, [[call.state.outputs, call.inputs]]);
}

/** Keeps an object for the time that its clients need to forget it. A destruction, which has no program, does not. */
async function drain(
  { description: { readiness }, run, clock, screen }: ObjectKind,
  inputs: Properties,
): Promise<void> {
  const seconds = readiness?.drain === undefined ? 0 : inputs[readiness.drain];
  if (typeof seconds !== "number" || seconds === 0 || run.checks === 0) return;
  const row = () =>
    `waiting ${formatDuration(until - clock.now())} before its deletion, as ${readiness?.drain ?? ""} says`;
  const until = clock.now() + seconds * 1_000;
  await pollUntil({ screen, clock }, { until, pauseMs: 2_000, row }, () => {
    run.ending.signal.throwIfAborted();
    return undefined;
  });
}

const pausesOf = (kind: ObjectKind, told: Told) => deletePauses(kind, kind.allowedTime("delete", told));

const attemptOf = (kind: Kind, { inputs, id }: StateCall) =>
  `delete ${kind.nameOf(inputs, kind.parseId(id))}`;

const find = (kind: ObjectKind, call: StateCall) =>
  lookUpBelow(kind, call.id, { recency: "now", operation: "delete", attempt: attemptOf(kind, call) }, call);

/** Leaves in the account what cannot be deleted. */
async function leave(kind: ObjectKind, call: StateCall): Promise<void> {
  if ((await find(kind, call)) === undefined) return;
  const pending = await kind.known.pendingCreation(call, "check");
  if (pending?.requested.some((one) => areAlike(kind.description, call, one)) === true)
    throw new ProviderError(
      `${attemptOf(kind, call)}: the state still has an interrupted creation of this resource, and the ${kind.type} ${call.id} cannot be deleted: ` +
        "a later creation would take it for its own. Run `pulumi refresh --clear-pending-creates` first",
      { code: "INTERRUPTED" },
    );
  const { undeletable = "", id } = kind.description;
  const parent = kind.parseId(call.id)?.parent;
  const until = parent === undefined ? "" : `, until ${id.parentType ?? ""} ${parent} is deleted`;
  warn(
    { kind, call, id: call.id },
    `stays in the account as ${call.id}${until}: ${undeletable}`,
    "STAYS_IN_ACCOUNT",
  );
}

/** Deletes an object. The predecessor of one that is in a group goes in its turn. What the program says now counts more than what the state has. */
async function removeInTurn(kind: ObjectKind, ref: Ref, call: StateCall): Promise<void> {
  const { known, run, type } = kind;
  const inputs = run.declared.parents.get(`${type} ${ref.id}`)?.inputs ?? call.inputs;
  await drain(kind, inputs);
  const work = () => removeAndWait(kind, ref, call);
  if (!known.steps.isChecked(call)) {
    await work();
    forgetPeer(kind, call);
    return;
  }
  const step = { ref, attempt: attemptOf(kind, call), operation: "delete" } as const;
  await inTurn(kind, { ...call, inputs }, step, async () => {
    await work();
    leavePeer(kind, { ...call, inputs });
  });
}

/** Deletes an object when its status allows it, and waits until it is gone. */
async function removeAndWait(kind: ObjectKind, ref: Ref, call: StateCall): Promise<void> {
  const pauses = pausesOf(kind, call);
  let found = await find(kind, call);
  if (found === undefined) {
    // A single read may be wrong. If the delete succeeds, the object existed.
    const wasThere = await deleteOnce(kind, ref, pauses, { isUnseen: true });
    if (wasThere) found = await find(kind, call);
  }
  if (found === undefined) return;
  const operation = new ObjectOperation(kind, "delete", { ref, call, live: found.live, applied: new Map() });
  await operation.watch.whenAccepted(kind.description.waitsForStatusOf?.delete, () =>
    deleteOnce(kind, ref, pauses, { repeatsRefusals: false }),
  );
  await operation.watch.gone();
}
