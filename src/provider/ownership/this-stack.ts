import { type Description, formatId, type Ref } from "../describe/define-resource";
import { calledIn, lastingUrn } from "../describe/urn";
import { mayLeaveSomeOut } from "../engine/command-line";
import { type Holder, type HoldersOf } from "../engine/holders";
import { type ObjectKind } from "../kind/kind";
import { note, ownerOf, shortened } from "../kind/warnings";
import { isSameOwner, type Owner } from "../notes/owner";
import { type Ports } from "../run/session";
import { type Call } from "../state/call";
import { type StateCall } from "../state/provider-interface";
import { ONE_OWNER } from "./adoption-claims";

/** Finds the resources of this stack that manage an object, as its state says. Undefined if it cannot be read. */
export async function holdersHere(
  { run, account }: Pick<Ports, "run" | "account">,
  read = run.stack.state(),
): Promise<HoldersOf | undefined> {
  const state = await read;
  if (state === undefined) return undefined;
  return (type, id) => state.holdersOf(type, id).filter(({ address }) => account.isHere(address));
}

/** Returns the resources of this stack that manage each object, as its state says. `isOwn`: the resource of the call. No resources if the state cannot be read. */
export async function holdersOf<One extends Ref>(
  ports: Pick<Ports, "run" | "account">,
  { fullUrn, urn }: Pick<Call, "fullUrn" | "urn">,
  { type }: Pick<Description, "type">,
  refs: readonly One[],
): Promise<{ ref: One; holders: (Holder & { readonly isOwn: boolean })[] }[]> {
  const find = refs.length === 0 ? undefined : await holdersHere(ports);
  const own = lastingUrn(fullUrn ?? urn ?? "");
  return refs.map((ref) => {
    const holders = find?.(type, formatId(ref)) ?? [];
    return { ref, holders: holders.map((one) => ({ ...one, isOwn: lastingUrn(one.urn) === own })) };
  });
}

/**
 * Says which resources of this stack manage objects that the command `pulumi import` adds to its state. Undefined if none does. The command runs no program,
 * so the state alone knows the owners.
 */
export async function managedHere(
  ports: Pick<Ports, "run" | "account">,
  { type }: Pick<Description, "type">,
  refs: readonly Ref[],
): Promise<string | undefined> {
  const lines = (await holdersOf(ports, {}, { type }, refs)).flatMap(({ ref, holders: [holder] }) =>
    holder === undefined
      ? []
      : [`${calledIn(holder)} of this stack manages the ${type} ${formatId(ref)} (${holder.urn})`],
  );
  return lines.length === 0
    ? undefined
    : `${shortened(lines).join("; ")}. ${ONE_OWNER}: keep that resource, or first remove it from the state with \`pulumi state delete URN\``;
}

/**
 * The objects that the state of this stack has under several resources, by id with the resources that may keep each: the last one of them deletes it. Looked up only
 * for a resource that the engine has asked about and that stays, because the deletion may be that of the other one, and for those of which the engine may not have
 * asked about the other one: in a replacement, or if a run leaves resources out.
 */
export async function heldTwice(
  ports: Pick<Ports, "run" | "account">,
  kind: Pick<Description, "type">,
  refs: readonly Ref[],
  owner: Owner,
): Promise<ReadonlyMap<string, readonly Owner[]>> {
  const { owners } = ports.run;
  const isOpen = (ref: Ref) => owners.isLeft(kind, ref) || owners.holds(kind, ref, owner);
  const open = mayLeaveSomeOut() ? refs : refs.filter(isOpen);
  const holders = open.length === 0 ? undefined : await holdersHere(ports, ports.run.stack.stateOfCommand());
  const doubles = open.flatMap((ref): [string, Owner[]][] => {
    const id = formatId(ref);
    const urns = new Set((holders?.(kind.type, id) ?? []).map(({ urn }) => lastingUrn(urn)));
    if (urns.size < 2) return [];
    if (owners.holds(kind, ref, owner)) return [[id, [owner]]];
    const all = [...urns].map((urn): Owner => ({ urn, name: calledIn({ urn }) }));
    return [[id, all.filter((one) => !isSameOwner(one, owner))]];
  });
  return new Map(doubles);
}

/** Whether an adopted object stays for the resource of this stack that has created it, which may have another provider. */
export async function isLeftToMaker(kind: ObjectKind, call: StateCall): Promise<boolean> {
  const { run, type } = kind;
  const { id, urn, name = "", state } = call;
  if (state.isAdopted !== true) return false;
  const maker = (await run.stack.state())?.makerOf({ type, id, at: state.at }, { urn, type, name });
  const ref = kind.parseId(id);
  if (maker === undefined || ref === undefined) return false;
  const keeper: Owner = { urn: maker, name: calledIn({ urn: maker }) };
  if (run.owners.hasForgotten(kind.description, ref, keeper)) return false;
  run.owners.release(kind.description, ref, ownerOf(kind.description, call), [keeper]);
  note(
    { kind, call, id },
    `forgets the ${type} ${id} without deleting it: ${calledIn({ urn: maker })} has created and manages it`,
  );
  return true;
}
