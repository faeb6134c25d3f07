import { existingBefore } from "../creation/existing-before";
import { leftoverLately } from "../creation/leftover";
import { type Leftover } from "../creation/strangers";
import { type Failure, refused } from "../describe/define-resource";
import { LOSES } from "../describe/effects";
import { type CheckCall, type Checked } from "../state/provider-interface";
import { note, noteImport, ownerOf, warn } from "../kind/warnings";
import { announceMove } from "../object/account-of-object";
import { announceIfGone, warnOfDenied, warnOfReplacement } from "../object/guard";
import { announceReadiness } from "../object/readiness";
import { overwrittenBy } from "../inputs/overwritten";
import { everyOf } from "../run/account-reads";
import { type ObjectKind } from "../kind/kind";
import { type Screen } from "../run/screen";
import { type Ports } from "../run/session";
import { type Call } from "../state/call";
import { isSecretAt, secretPathsOf } from "../state/secret-inputs";
import { type Properties, UNKNOWN } from "../base/values";
import { checkInputs, isMoved } from "../inputs/check-inputs";
import { declaredTwiceFailures } from "../inputs/declared-twice";
import { declareTogether, warnOfCopy, warnTogether } from "../inputs/judge-together";
import { adoptionOf } from "../ownership/adoption-claims";
import { declareBelow } from "../ownership/below";
import { adoptIgnored, compareForImport } from "../ownership/compare-with-import";
import {
  byCreating,
  overwrittenElsewhere,
  ownersOfOverwritten,
  warnOfOtherOwners,
} from "../ownership/other-owners";
import { calledIn } from "../describe/urn";
import { derive, normalise, spelledAsBefore } from "../inputs/normalise";
import { settleName } from "./automatic-name";
import { rivalOf } from "../ownership/unique-names";
import { belowParent, lookedAt, validate } from "./validate";

/** Checks the inputs of a program: by their schemas and rules, by what else the program declares, and against the account. */
export async function check(kind: ObjectKind, handed: CheckCall): Promise<Checked> {
  const { olds } = handed;
  const adoption = adoptionOf(kind);
  const isAgain = olds === undefined && kind.known.steps.isChecked(handed);
  // A replacement that a comparison of this run has decided is not one by the command line.
  const call = await readInputs(kind, isAgain ? { ...handed, replacedByCommand: undefined } : handed);
  kind.known.steps.checks(call);
  declareBelow(kind, kind.description, call);
  if (isAgain) {
    kind.known.replacesAnyway(call);
    adoption.leaves(kind.known.steps.compared(call)?.object ?? "", call);
  }
  const importId = olds === undefined ? adoption.idIn(call) : undefined;
  const earlier = olds?.inputs ?? {};
  const { failures, warnings } = checkInputs(kind.description, earlier, call, {
    isAdopted: importId !== undefined,
  });
  const all = failures.length > 0 ? failures : await checkTogether(kind, call, importId);
  for (const { property, reason } of warnings)
    warn({ kind, call }, `${property} ${reason}`, "QUESTIONABLE_INPUT");
  if (olds === undefined && call.replacedByCommand !== undefined) adoption.announceReplacement(call);
  if (isAgain && !adoption.isReplaced(call)) await announceIfGone({ kind, call });
  if (olds === undefined && importId === undefined)
    await warnOfReplacement(kind, call, byCreating(kind, call), adoption.isReplaced(call));
  warnOfRivals(kind, call);
  if (all.length === 0) await judgeTogether(kind, call, earlier);
  await announceMove(kind, call);
  const isRight = olds === undefined && all.length === 0;
  if (isRight && importId === undefined) announceReadiness(kind, call);
  const isAccountsName = importId !== undefined && nameInInputs(kind, call) !== undefined;
  return {
    inputs: spelledAsBefore(kind.description, call),
    autonamed: isAccountsName ? undefined : call.autonamed,
    before: isRight && importId === undefined ? await existingBefore(kind, call) : undefined,
    askedAt: isRight ? askedAtOf(kind, importId) : undefined,
    failures: withoutProperties(kind.screen, all),
  };
}

const nameInInputs = ({ description: { autoname } }: ObjectKind, { inputs }: Call): unknown =>
  autoname === undefined ? undefined : inputs[autoname.path];

/** Where a new resource is asked for. The full plugin leaves no trace of an import in the inputs that it has read. */
export const askedAtOf = (
  { screen, account }: Pick<Ports, "screen" | "account">,
  importId: string | undefined,
): string | undefined => (importId !== undefined && screen.engineShowsImports ? undefined : account.at);

/** Gives the inputs the form and the name that they keep. */
async function readInputs(kind: ObjectKind, handed: CheckCall): Promise<CheckCall> {
  const adoption = adoptionOf(kind);
  const { olds, replacedByCommand } = handed;
  const call = { ...handed, inputs: normalise(kind.description, handed.inputs) };
  if (olds === undefined && replacedByCommand !== undefined) adoption.replaces(call);
  await adoption.heedStanding(call);
  return { ...call, ...(await settleName(kind, olds, call, adoption.idIn(call) !== undefined)) };
}

/** Checks inputs that are right by themselves: against the other resources of the program first, then against the account. */
async function checkTogether(
  kind: ObjectKind,
  call: CheckCall,
  importId: string | undefined,
): Promise<readonly Failure[]> {
  const { olds, inputs, fullUrn, within } = call;
  await derive(kind.description, inputs);
  const owner = ownerOf(kind.description, { ...call, urn: fullUrn });
  const isAdopted = importId !== undefined;
  const failures = [
    ...(isAdopted ? adoptionOf(kind).claim(importId, owner) : []),
    ...declaredTwiceFailures(kind, olds?.inputs ?? {}, inputs, { owner, within, isAdopted }),
  ];
  if (failures.length > 0) return failures;
  if (!isAdopted) return checkAccount(kind, call);
  await adoptIgnored(kind, importId, call);
  await compareForImport(kind, importId, call);
  await warnOfOtherOwners(kind, call, importId);
  noteImport({ kind, call }, `${kind.type} ${importId}`);
  return [];
}

/** Checks inputs against the account. A new resource needs a parent that exists. */
async function checkAccount(kind: ObjectKind, call: CheckCall): Promise<readonly Failure[]> {
  const parent = kind.parentOf(call.inputs);
  const compare = () => compareWithAccount(kind, call);
  return call.olds === undefined
    ? lookedAt(kind, parent, compare)
    : belowParent(kind.description, parent, compare);
}

/** Checks inputs against the account, and says what an interrupted run has left of a new resource. */
async function compareWithAccount(kind: ObjectKind, call: CheckCall): Promise<readonly Failure[]> {
  const { olds } = call;
  const left = olds === undefined ? await leftoverLately(kind, call) : undefined;
  if (olds === undefined) warnOfCopy(kind, { kind, call });
  const failures = await validate(kind, olds?.inputs ?? {}, call, left);
  if (olds === undefined && failures.length === 0) await warnOfOverwritten(kind, call, left);
  if (left === undefined || failures.length > 0) return failures;
  if (left.isDoubtful === "refuse") return refused("", `cannot be created: ${left.line}`, "EXISTS_ALREADY");
  if (left.isDoubtful === "warn") warn({ kind, call }, left.line, "EXISTS_ALREADY");
  else note({ kind, call }, left.line);
  return [];
}

/** Warns of the object that a creation takes the place of. */
async function warnOfOverwritten(kind: ObjectKind, call: Call, left: Leftover | undefined): Promise<void> {
  const { run, type, reads, parentName, description } = kind;
  if (description.overwrites === undefined || left?.object !== undefined) return;
  const { validate } = run.configuration;
  const seen = (parent: string) => reads.seen(parent, everyOf(type, { name: parentName, id: parent }));
  const { loss, refs } = await overwrittenBy(kind, call, async (parent) =>
    validate ? seen(parent) : undefined,
  );
  const shared = await overwrittenElsewhere(kind, call, refs);
  if (loss !== undefined) {
    const owners = await ownersOfOverwritten(kind, call, refs);
    const managed = owners === undefined ? "" : `. It is managed by ${owners}`;
    warn({ kind, call }, `${LOSES}${loss}${managed}`, "LOSES_DATA");
  }
  warnOfDenied({ kind, call }, { operation: "creation", losses: loss === undefined ? [] : [loss], shared });
}

/** Warns of what cannot be right together with other objects below the parent, and notes the inputs of a parent. */
async function judgeTogether(kind: ObjectKind, call: CheckCall, earlier: Properties): Promise<void> {
  const { run, description, leaves, reads } = kind;
  const { inputs, fullUrn } = call;
  if (fullUrn !== undefined && description.id.parent === undefined)
    run.declared.parents.set(fullUrn, {
      inputs,
      importId: adoptionOf(kind).idIn(call),
      isNew: call.olds === undefined,
    });
  if (description.together === undefined) return;
  const about = { kind, call };
  const secret = secretPathsOf(description, call);
  declareTogether(kind, about, {
    objects: () => [{ path: "", inputs }],
    isNew: leaves.some(({ path }) => isMoved(description, path, earlier, inputs)),
    isSecret: (property) => isSecretAt(secret, property),
  });
  const parent = kind.parentOf(inputs);
  const isChanged = call.olds !== undefined && description.together.concerns(earlier, inputs);
  const isLooked = isChanged && run.configuration.validate && parent !== UNKNOWN;
  const pool = isLooked ? await reads.listed(parent) : undefined;
  const own = pool?.equalTo(earlier)[0];
  const listed = parent === UNKNOWN ? undefined : await reads.alreadyListed(parent);
  await warnTogether(kind, about, { listed, own, isComplete: listed !== undefined });
}

/** Warns of another resource that has the same value of an input which only one should have. */
function warnOfRivals(kind: ObjectKind, call: CheckCall): void {
  const { onlyOnePer } = kind.description;
  const value = onlyOnePer === undefined ? undefined : call.inputs[onlyOnePer.path];
  const isKnown = value !== UNKNOWN;
  const what = isKnown ? value : call.source;
  if (onlyOnePer === undefined || typeof what !== "string") return;
  const rival = rivalOf(kind, call, `${onlyOnePer.path} ${what}`);
  if (rival === undefined) return;
  const shared = isKnown ? what : `(the id of ${calledIn({ urn: what })}, not known yet)`;
  const line = `${rival} has the same ${onlyOnePer.path} ${shared}: ${onlyOnePer.because}. Keep one of the two`;
  // What adopts an object takes the place of none.
  const isMade = call.olds === undefined && adoptionOf(kind).idIn(call) === undefined;
  const isLoss = kind.description.overwrites !== undefined && isMade;
  warn({ kind, call }, isLoss ? `${LOSES}${line}` : line, isLoss ? "LOSES_DATA" : "DECLARED_TWICE");
  if (isLoss) warnOfDenied({ kind, call }, { operation: "creation", losses: [line] });
}

/** Moves the property of each failure into its reason, which shows no secret: the engine prints the value of a named property, even a secret. */
export const withoutProperties = ({ words }: Screen, failures: readonly Failure[]): Checked["failures"] =>
  failures.map(({ property, reason, code }) => ({
    property: "",
    reason: words.line(`${property} ${reason}`.trim()),
    code,
  }));
