import { type Description, formatId, type Ref } from "../describe/define-resource";
import { classIn } from "../describe/type-token";
import { calledIn, nameInUrn, typeInUrn } from "../describe/urn";
import { ProviderError } from "../base/errors";
import { destroys } from "../engine/command-line";
import { type About } from "../kind/warnings";
import { isSameOwner, type Owner } from "../notes/owner";
import { type Ports } from "../run/session";
import { holdersHere } from "./this-stack";

/** Refuses to delete what another resource has not imported yet: it would be lost before the import. */
export async function refuseBeforeImport(
  { kind, call, id }: About,
  item: Item,
  refs: readonly Ref[],
  owner: Owner | undefined,
): Promise<void> {
  const { owners } = kind.run;
  const [missed] = refs.flatMap((ref) => owners.missedBy(item, ref) ?? []);
  const asker = missed ?? (owner && (await pendingImportOf(kind, item, refs, owner)));
  if (asker === undefined) return;
  const why = missed === undefined ? "this run leaves it out" : "that import has failed";
  const advice = missed === undefined ? ` without \`--target\` and \`--exclude\`` : "";
  throw new ProviderError(
    `delete ${kind.nameOf(call.inputs, id === undefined ? undefined : kind.parseId(id))}: ${asker.name} imports ${refs.length === 1 ? "it" : "what it has"}, and ${why}, so nothing is deleted. Run the command again${advice}`,
    { code: "IMPORT_PENDING" },
  );
}

/** A resource that the state does not have, for which the environment asks for one of some objects, and to which this run does not come. */
async function wisherOf(
  { run }: Pick<Ports, "run">,
  item: Item,
  refs: readonly Ref[],
  owner: Owner,
): Promise<Owner | undefined> {
  const ids = new Set(refs.flatMap((ref) => [formatId(ref), ref.parent]));
  for (const [urn, id] of run.configuration.imports ?? []) {
    const one: Owner = { urn, name: calledIn({ urn }) };
    const type = classIn(typeInUrn(urn)) ?? "";
    const isAsked =
      type === item.type ? ids.has(id) : type.startsWith(item.type) && ids.has(id.split("/")[0]);
    if (!isAsked || isSameOwner(one, owner) || run.owners.hasCome(one.name)) continue;
    const standing = (await run.stack.state())?.standing({ urn, type, name: nameInUrn(urn) });
    if (standing === undefined) return one;
  }
  return undefined;
}

/** A set of whose members an earlier run of the full plugin has read some for an import, and to which this run does not come. A destroy runs no program. */
async function openImportOf(
  ports: Pick<Ports, "run" | "account">,
  item: Item,
  refs: readonly Ref[],
  owner: Owner,
): Promise<Owner | undefined> {
  const { run } = ports;
  if (!run.hasProgram || item.id.parent === undefined) return undefined;
  const holders = await holdersHere(ports);
  return refs
    .flatMap((ref) => holders?.(item.type, formatId(ref)) ?? [])
    .filter(({ isOpen }) => isOpen === true)
    .map(({ urn }): Owner => ({ urn, name: calledIn({ urn }) }))
    .find((one) => !isSameOwner(one, owner) && !run.owners.hasCome(one.name));
}

/** A resource that imports one of some objects, and to which this run does not come. */
const pendingImportOf = async (
  ports: Pick<Ports, "run" | "account">,
  ...asked: [Item, readonly Ref[], Owner]
) =>
  destroys()
    ? undefined
    : (ports.run.owners.askerOf(...asked) ??
      (await wisherOf(ports, ...asked)) ??
      (await openImportOf(ports, ...asked)));

type Item = Pick<Description, "type" | "id">;
