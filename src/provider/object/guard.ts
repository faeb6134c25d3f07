import { listed } from "../../api/text";
import { DELETED_FIRST, MADE_AGAIN } from "../describe/effects";
import { replacesSome } from "../engine/command-line";
import { nameInUrn, pluginUrn, stackInUrn } from "../describe/urn";
import { type Standing } from "../engine/stack-state";
import { ProviderError } from "../base/errors";
import { type StateCall } from "../state/provider-interface";
import { type About, calledInProgram, note, warn } from "../kind/warnings";
import { SETTINGS } from "../settings/config";
import { type ServedKind } from "../kind/kind";
import { type Deniable, denialsOf, type Effects } from "../settings/policy";
import { type Call } from "../state/call";
import { memberIdsIn, objectIn } from "../state/codec";
import { replacing } from "../state/describe-changes";

/** Refuses a step that the settings deny, in `up` and in `destroy`. Called before the step sends anything. */
export function refuseDenied(about: About, effects: Effects): void {
  const denial = denialIn(about, effects);
  if (denial !== undefined) throw new ProviderError(denial, { code: "DENIED" });
}

/** Refuses what may be another stack's, unless the settings allow it. `doubt`: why it is not known whether it is. */
export function refuseUnknownOwner({ kind, call }: About, attempt: string, doubt: string | undefined): void {
  if (doubt === undefined) return;
  const { type, run } = kind;
  const { name = "*", urn = call.fullUrn } = call;
  const change = { type, name, urn, operation: "sharing", shared: [doubt] };
  const rule = { kind: "shared", source: attempt } as const;
  if (denialsOf(change, [rule], run.configuration.allow).some(({ allowances }) => allowances.length > 0))
    return;
  throw new ProviderError(
    `${attempt}: it is not known whether another stack manages what this deletes or takes over, because ${doubt}. ` +
      `Mend that, or set ${SETTINGS.allow.variable}=shared:${type}:${name} for one run`,
    { code: "OWNER_UNKNOWN" },
  );
}

/** Says in a preview that `up` will refuse a step. */
export function warnOfDenied(about: About, effects: Effects): void {
  const denial = denialIn(about, effects);
  if (denial === undefined) return;
  // An update compares with the account again. `replaceOnChanges` may make a replacement of it, which does nothing of this to an object that is kept.
  if (effects.operation !== "update" || about.id === undefined)
    about.kind.known.steps.denies(about.call, denial);
  warn(about, `\`pulumi up\` refuses this: ${denial}`, "DENIED");
}

/** Refuses what the check of a resource has found to be denied, such as a loss of what another resource of the same run makes. */
export function refuseAsPreviewed({ kind, call }: About): void {
  const denial = kind.known.steps.denial(call);
  if (denial !== undefined) throw new ProviderError(denial, { code: "DENIED" });
}

/** Notes that a replacement which deletes first is denied: what depends on the object goes before it, and may not go in vain. */
export function denyFirst({ kind, call }: About): void {
  const denial = kind.known.steps.denial(call);
  if (denial !== undefined) kind.run.deniedFirst ??= `${calledInProgram({ kind, call })}: ${denial}`;
}

/** The state's entry of an object that is replaced. It is read only if the replacement would be said to lose something, or may be refused. */
export async function replacedObject(
  { kind, call, id }: About,
  loss: string | undefined,
): Promise<Standing | undefined> {
  if (loss === undefined && kind.run.configuration.deny.length === 0) return undefined;
  const standing = await kind.standingOf(call);
  return standing?.id === id ? standing : undefined;
}

/** Says that a replacement only creates, because one that was not finished has given up the old object, and lets it pass. */
export function announceMadeAgain(about: About, { object, isRetained }: Standing): void {
  about.kind.known.steps.replaces(object);
  if (about.kind.known.back.has(object)) return;
  const what = isRetained ? "given up the old object, which retainOnDelete keeps" : "deleted the old object";
  note(about, MADE_AGAIN + what);
}

/** Says so of a resource that the engine replaces although its inputs have not changed. Called if it is checked as a new one after it was checked before. */
export async function announceIfGone({ kind, call }: About): Promise<void> {
  const standing = await kind.standingOf(call);
  if (standing?.isGone !== true) return;
  const { fullUrn: urn = call.urn } = call;
  announceMadeAgain({ kind, call: { ...call, urn }, id: standing.id }, standing);
}

/** The ids that the resource of a call manages, as one text. */
export const objectOf = ({ id, state }: StateCall): string => objectIn(id, state.members?.ids);

/** Whether a setting denies a class of changes of a kind, so that it is worth to find out whether a step is one. */
export const isWatched = ({ run, type }: ServedKind, ...kinds: readonly Deniable[]): boolean =>
  run.configuration.deny.some(
    (rule) => kinds.includes(rule.kind) && (rule.type === undefined || rule.type === type),
  );

function denialIn({ kind, call, id }: About, effects: Effects): string | undefined {
  const { deny, allow } = kind.run.configuration;
  if (deny.length === 0) return undefined;
  const { type } = kind;
  const { name = "*", urn = call.fullUrn } = call;
  const denied = denialsOf({ type, name, urn, ...effects }, deny, allow).filter(
    ({ allowances }) => allowances.length === 0,
  );
  if (denied.length === 0) return undefined;
  const sources = [...new Set(denied.map(({ rule }) => rule.source))];
  const deniedBy = `${listed(sources, "and")} ${sources.length === 1 ? "denies" : "deny"}`;
  const kinds = denied.map(({ rule }) => rule.kind);
  const why = kinds.map((one) => sayingOf(one, effects)).join("; ");
  const { key, variable } = SETTINGS.allow;
  // A name is not enough if the text or another component may have the same.
  const isPlain = /^[^:,*\s]+$/.test(name) && urn?.includes("$") !== true;
  const shown = urn && kind.screen.engineShowsImports ? pluginUrn(urn) : urn;
  const resource = isPlain || call.name === undefined || shown === undefined ? `${type}:${name}` : shown;
  const texts = kinds.map((one) => `${one}:${resource}`);
  const text = texts.some((one) => one.includes(",")) ? JSON.stringify(texts) : texts.join(",");
  const value = /^[\w:,.*/-]+$/.test(text) ? text : `'${text}'`;
  const object = id === undefined ? "" : ` of the ${type} ${id}`;
  return `${deniedBy} ${listed(kinds, "and")}: ${why}. To allow this change${object}, set ${variable}=${value} for one run, or add ${value} to ${key}`;
}

function sayingOf(
  kind: Deniable,
  { operation, losses = [], interruptions = [], deletions = [], shared = [] }: Effects,
): string {
  const own = operation === "deletion" ? ["it is deleted"] : [];
  const lines = {
    "data-loss": losses,
    interruption: interruptions,
    replacement: ["it is replaced"],
    deletion: [...own, ...deletions],
    shared,
  };
  return lines[kind].join("; ");
}

export interface Replacement {
  /** The data that the deletion of the old object loses, as a sentence. */
  readonly loss: string | undefined;
  /** See `Deletion`, by the old object's id. */
  sharing(id: string): Promise<readonly string[]>;
}

/** The old object of a creation in place of another one, and the effects of that. Undefined if there is none. */
async function replacementBy(
  kind: ServedKind,
  call: Call,
  { loss, sharing }: Replacement,
): Promise<{ readonly id: string; readonly isTainted: boolean; readonly effects: Effects } | undefined> {
  const { known } = kind;
  const compared = known.steps.compared(call);
  const standing = await kind.standingOf(call);
  const id = compared?.object.split(" ")[0] ?? (standing?.isGone === true ? undefined : standing?.id);
  const object = compared?.object ?? standing?.object ?? "";
  if (id === undefined || known.denied.has(id) || known.steps.isReplaced(object)) return undefined;
  const lost = compared === undefined ? loss : compared.loss;
  const isKept = standing?.isRetained === true;
  const losses = lost === undefined || isKept ? [] : [lost];
  // The old object of a move is in another account.
  const isHere = compared === undefined || known.managed.has(id);
  const shared = !isKept && isHere ? await sharing(id) : [];
  const isTainted = standing?.isTainted === true;
  return { id, isTainted, effects: { operation: "replacement", losses, shared } };
}

/** Refuses a creation in place of another object, if the settings deny it. */
export async function refuseReplacement(kind: ServedKind, call: Call, by: Replacement): Promise<void> {
  const found = isReplacementWatched(kind) ? await replacementBy(kind, call, by) : undefined;
  if (found === undefined) return;
  refuseDenied({ kind, call, id: found.id }, found.effects);
  kind.known.steps.replaces(found.id);
}

/** Says in a preview what such a creation loses, and whether `up` will refuse it, unless a comparison has said it (`isReplaced`): the engine itself may replace a resource. */
export async function warnOfReplacement(
  kind: ServedKind,
  call: Call,
  by: Replacement,
  isReplaced: boolean,
): Promise<void> {
  const isCompared = kind.known.steps.compared(call) !== undefined;
  if (isReplaced && isCompared) return;
  const isForced = isCompared || replacesSome() === true || isReplacementWatched(kind);
  // The state is read only if a replacement is likely. What has a unique name has read it: the object has the name.
  const mayBeSaid = isForced || (by.loss !== undefined && kind.run.stack.isRead);
  const found = mayBeSaid ? await replacementBy(kind, call, by) : undefined;
  if (found === undefined || !(isForced || found.isTainted)) return;
  const about = { kind, call, id: found.id };
  for (const loss of found.effects.losses ?? [])
    warn(about, replacing("the command or an option of the program asks for it", loss), "LOSES_DATA");
  warnOfDenied(about, found.effects);
}

const isReplacementWatched = (kind: ServedKind): boolean =>
  isWatched(kind, "replacement", "data-loss", "shared");

/**
 * A deletion with the resource as the state names it: a dynamic resource tells the URN of its last write or only a name, which an alias or
 * `pulumi state rename` may have changed since.
 */
async function asInState({ run, account, type }: ServedKind, call: StateCall): Promise<StateCall> {
  if (call.fullUrn !== undefined || run.configuration.deny.length === 0) return call;
  const objects = (await run.stack.state())?.objects ?? [];
  const urns = objects.flatMap((one) =>
    one.type === type && objectIn(one.id, memberIdsIn(one.outputs)) === objectOf(call) && account.isAt(one.at)
      ? [one.urn]
      : [],
  );
  const fullUrn = urns.find((urn) => nameInUrn(urn) === call.name) ?? urns[0];
  if (fullUrn === undefined) return call;
  return { ...call, urn: call.urn && fullUrn, fullUrn, name: nameInUrn(fullUrn) };
}

interface Deletion {
  /** The data that it loses, as a sentence. */
  readonly loss?: string | undefined;
  /** Finds the resources of other stacks that manage the object too, if the settings deny what is shared. */
  sharing(call: StateCall): Promise<readonly string[]>;
}

/** Refuses a deletion, or a replacement that deletes the old object first, if the settings deny it. */
export async function refuseDeletion(
  kind: ServedKind,
  told: StateCall,
  { loss, sharing }: Deletion,
): Promise<void> {
  const { steps } = kind.known;
  await kind.run.hearPolicy(stackInUrn(told.urn));
  const call = await asInState(kind, told);
  const { id } = call;
  const object = objectOf(call);
  const { deniedFirst } = kind.run;
  if (deniedFirst !== undefined)
    throw new ProviderError(`nothing is deleted for a replacement that is refused: ${deniedFirst}`, {
      code: "DENIED",
    });
  if (steps.isReplaced(object)) return;
  const compared = steps.comparedWith(object);
  const lost = compared === undefined ? loss : compared.loss;
  const losses = lost === undefined ? [] : [lost];
  const isFirst = compared !== undefined || (steps.compared(call) === undefined && steps.isChecked(call));
  // What depends on an object goes before the program has declared it again, if it does.
  const isDeclared = steps.isDeclared(call, object);
  const deletions = isDeclared ? [] : ["it is deleted before the program may declare it again"];
  const shared = await sharing(call);
  const effects = isFirst
    ? { operation: "replacement", losses, interruptions: [DELETED_FIRST], deletions, shared }
    : { operation: "deletion", losses, shared };
  refuseDenied({ kind, call, id }, effects);
  // The check of the new object may have found what its creation would delete.
  if (!isFirst) return;
  refuseAsPreviewed({ kind, call });
  steps.replaces(object);
}
