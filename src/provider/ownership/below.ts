import { listed } from "../../api/text";
import { ProviderError } from "../base/errors";
import { type Description } from "../describe/define-resource";
import { classIn } from "../describe/type-token";
import { calledIn, lastingUrn, typeInUrn } from "../describe/urn";
import { destroys, leavesSomeOut, leftBy, takesDependents } from "../engine/command-line";
import { type ObjectKind, type ServedKind } from "../kind/kind";
import { ownerOf, shortened } from "../kind/warnings";
import { type Owner } from "../notes/owner";
import { objectOf } from "../object/guard";
import { type CheckCall, type StateCall } from "../state/provider-interface";
import { UNKNOWN } from "../base/values";
import { holdersHere } from "./this-stack";

/** Notes below which object a resource of the program is. */
export function declareBelow(
  kind: ServedKind,
  { id: { parent = "", parentType } }: Pick<Description, "id">,
  call: CheckCall,
): void {
  const id = call.inputs[parent];
  if (parentType === undefined || typeof id !== "string" || id === UNKNOWN) return;
  const owner = ownerOf(kind.description, { ...call, urn: call.fullUrn ?? call.urn });
  kind.run.declared.declareBelow(`${parentType} ${id}`, owner);
}

/**
 * Refuses to delete an object while resources that stay are below it: the service would delete them too. The engine does not know this of an id that the program
 * writes as a text.
 */
export async function refuseAbove(kind: ObjectKind, call: StateCall): Promise<void> {
  // A program that a deletion runs declares what is deleted too.
  const declared = destroys() ? [] : kind.run.declared.below(`${kind.type} ${call.id}`);
  const names = (declared.length > 0 ? declared : await standingBelow(kind, call)).map(({ name }) => name);
  if (names.length === 0) return;
  const [them, would] = names.length === 1 ? ["it", "would"] : ["them", "would all"];
  const whose = declared.length > 0 ? "this program declares" : "the state has";
  throw new ProviderError(
    `delete ${kind.nameOf(call.inputs, kind.parseId(call.id))}: ${whose} ${listed(shortened(names), "and")} below it, which ${would} be deleted with it, so nothing is deleted. ` +
      `Remove ${them} first, or keep this resource`,
    { code: "DELETED_WITH_PARENT" },
  );
}

/**
 * The resources of the state below an object, where the engine has not asked about all of the program: before the object is replaced, or if the command leaves some
 * out.
 */
async function standingBelow(kind: ObjectKind, call: StateCall): Promise<Owner[]> {
  const { run, known, description } = kind;
  const { steps } = known;
  const isDestroyed = destroys();
  if (description.id.parent !== undefined) return [];
  const isReplaced = !isDestroyed && steps.isDeclared(call, objectOf(call)) && !known.isCreated(call);
  if (!isReplaced && !leavesSomeOut()) return [];
  const standing = await heldBelow(kind, call, isDestroyed ? leftBy() : () => true);
  return standing.filter((one) => !run.declared.hasPlace(one) && !run.owners.hasGone(one));
}

/** The resources of the state below an object. */
async function heldBelow(
  kind: ObjectKind,
  { id }: StateCall,
  isMeant: ReturnType<typeof leftBy>,
): Promise<Owner[]> {
  const holders = (await holdersHere(kind))?.(kind.type, `${id}/`) ?? [];
  return holders
    .filter((one) => classIn(typeInUrn(one.urn)) !== kind.type && isMeant(one))
    .map(({ urn }): Owner => ({ urn: lastingUrn(urn), name: calledIn({ urn }) }));
}

/**
 * Refuses to replace an object while the command leaves resources below it out: they would be deleted with it, and the engine would ask for them again below the
 * old object.
 */
export async function refuseLeftBelow(kind: ObjectKind, call: StateCall): Promise<void> {
  const { description, type } = kind;
  if (description.id.parent !== undefined || !leavesSomeOut() || takesDependents()) return;
  const names = (await heldBelow(kind, call, leftBy())).map(({ name }) => name);
  if (names.length === 0) return;
  const them = names.length === 1 ? "it" : "them";
  throw new ProviderError(
    `replace ${kind.nameOf(call.inputs, kind.parseId(call.id))}: this command leaves out ${listed(shortened(names), "and")} below the old ${type}, and would not make ${them} again below the new one. ` +
      `Add ${them} to the targets, or run \`pulumi up\` without \`--target\` and \`--exclude\``,
    { code: "DELETED_WITH_PARENT" },
  );
}
