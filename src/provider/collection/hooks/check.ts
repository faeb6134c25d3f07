import { type Entry } from "../../describe/define-collection";
import { type Failure, formatId, refused } from "../../describe/define-resource";
import { type CheckCall, type Checked } from "../../state/provider-interface";
import { noteImport, shortened } from "../../kind/warnings";
import { normalise, spelledAsBefore } from "../../inputs/normalise";
import { checkInputs, type InputsChecked } from "../../inputs/check-inputs";
import { declareTogether, warnOfCopy, warnTogether } from "../../inputs/judge-together";
import { announceIfGone, warnOfReplacement } from "../../object/guard";
import { declareBelow } from "../../ownership/below";
import { importsAll, isIgnored, ownsUnnamed } from "../../ownership/compare-with-import";
import { askedAtOf, withoutProperties } from "../../hooks/check";
import { lookedAt } from "../../hooks/validate";
import { rivalOf } from "../../ownership/unique-names";
import { formsOf, hashOf, isGivenAgain } from "../../state/packed-members";
import { type Properties, UNKNOWN } from "../../base/values";
import { checkMembers, entriesIn } from "../check-members";
import { type Collection } from "../collection";
import { compareForImport, coveredBy } from "../compare-with-import";
import { whoIs } from "../../state/call";
import { storedFor } from "../../state/members";
import { hideDeclared, isGuarded } from "../members/secrets";
import { sharingWith, warnOfOtherOwners } from "../other-owners";
import { alreadyKept, operationOf } from "../prepare";
import { listMembers, problemInAccount, problemOfReplacement, warnOfUnseen } from "../problem-in-account";

/** Checks the inputs of a resource and brings its members into the form that the state keeps. */
export async function check(collection: Collection, handed: CheckCall): Promise<Checked> {
  const { importing } = collection.ownership;
  importing.expect(handed);
  let comparisonFollows = false;
  try {
    const checked = await checkInputsOf(collection, handed);
    comparisonFollows = handed.olds !== undefined && checked.failures.length === 0;
    return checked;
  } finally {
    if (!comparisonFollows) importing.comes(handed);
  }
}

async function checkInputsOf(collection: Collection, handed: CheckCall): Promise<Checked> {
  const { screen, description, ownership, property } = collection;
  const { olds, inputs: news } = handed;
  ownership.announced(handed.imports);
  const isAgain = olds === undefined && collection.known.steps.isChecked(handed);
  // No comparison of this run has decided it, and no run before has deleted the members already.
  const isByCommand =
    olds === undefined &&
    !isAgain &&
    handed.replacedByCommand !== undefined &&
    (await collection.standingOf(handed))?.isGone !== true;
  const replacedByCommand = isByCommand ? handed.replacedByCommand : undefined;
  collection.known.steps.checks(handed);
  if (isAgain && !ownership.isReplaced(handed)) {
    await announceIfGone({ kind: collection, call: handed });
    await noteReplaced(collection, handed);
  }
  if (isByCommand) ownership.replaces(handed);
  await ownership.heedStanding(handed);
  const settings = Object.entries(news).filter(([name]) => !description.forms.includes(name));
  const call = { ...handed, replacedByCommand, inputs: normalise(description, Object.fromEntries(settings)) };
  declareBelow(collection, collection.item.description, call);
  const importId = olds === undefined ? ownership.idIn(handed) : undefined;
  const sharing = async () => sharingWith(collection, call, await collection.heldBy(call));
  if (olds === undefined && importId === undefined)
    await warnOfReplacement(collection, call, { loss: undefined, sharing }, ownership.isReplaced(call));
  const found = checkInputs(description, olds?.inputs ?? {}, call, { isAdopted: importId !== undefined });
  const members = readMembers(collection, call, news, found.failures.length === 0, importId !== undefined);
  const failures = [...found.failures, ...members.failures];
  if (failures.length === 0)
    failures.push(...ownership.declaredElsewhere(olds?.inputs ?? {}, call, importId !== undefined));
  if (failures.length === 0 && olds === undefined)
    failures.push(...(await compareWithAccount(collection, call, importId, isAgain)));
  const warnings = [...found.warnings, ...members.warnings];
  if (warnings.length > 0)
    collection.warn(
      call,
      shortened(warnings.map(({ property: about, reason }) => `${about} ${reason}`)),
      "QUESTIONABLE_INPUT",
    );
  if (collection.mightTakeOver({}, call.inputs)) collection.exclusives.add(whoIs(call));
  warnOfRivalSet(collection, call);
  if (failures.length === 0) await warnOfClashes(collection, call);
  return {
    inputs: spelledAsBefore(description, call),
    // The members of an import that are ignored are not those of the program.
    given: isIgnored(handed, property) ? undefined : hashOf(news[property]),
    askedAt: olds === undefined && failures.length === 0 ? askedAtOf(collection, importId) : undefined,
    failures: withoutProperties(screen, failures),
  };
}

/**
 * Notes that the engine itself replaces a resource that it has compared, as for `replacementTrigger`: the old members are deleted first, unless `retainOnDelete` keeps
 * them.
 */
async function noteReplaced(collection: Collection, handed: CheckCall): Promise<void> {
  const { known, replaced, parentPath, ownership } = collection;
  const [id = "", ...members] = known.steps.compared(handed)?.object.split(" ") ?? [];
  const parent = String(handed.inputs[parentPath]);
  if (id.split("/", 1)[0] !== parent || (await collection.standingOf(handed))?.isRetained === true) return;
  for (const member of members) replaced.add(formatId({ parent, id: member }));
  ownership.leaves(
    handed,
    members.map((member) => ({ parent, id: member })),
  );
}

const RIGHT: InputsChecked = { failures: [], warnings: [] };

/** Adds the members to the inputs as one text, checked unless the state has the same. */
function readMembers(
  collection: Collection,
  call: CheckCall,
  news: Properties,
  areSettingsRight: boolean,
  isAdopted: boolean,
): InputsChecked {
  const { screen, description, property } = collection;
  const { inputs } = call;
  const olds = call.olds?.inputs ?? {};
  const given = news[property];
  // For what is judged of all objects below the parent.
  const declare = (objects: () => readonly Entry[], isNew: boolean) => {
    const isSecret = () => isGuarded(call);
    declareTogether(collection.item, { kind: collection, call }, { objects, isNew, isSecret });
  };
  if (given === UNKNOWN) {
    inputs[property] = UNKNOWN;
    declare(() => description.entries(UNKNOWN).entries, true);
  }
  if (given === UNKNOWN || !areSettingsRight) return RIGHT;
  // The members of the last time were checked against all rules, also those about what the resource covers.
  const isSame = isGivenAgain(property, call.olds, given);
  if (isSame && description.scope.every((path) => olds[path] === inputs[path])) {
    inputs[property] = olds[property];
    declare(() => entriesIn(description, olds[property]).entries, false);
    return RIGHT;
  }
  const isStateText = given !== undefined && given === olds[property];
  const entries = isStateText
    ? entriesIn(description, given)
    : description.entries(formsOf(description, news));
  collection.notesForm(call, entries.form);
  hideDeclared(screen, description, call, entries.entries);
  const { text, ...checked } = checkMembers(description, olds, call, entries, isAdopted);
  inputs[property] = text;
  declare(() => entries.entries, text !== olds[property]);
  return checked;
}

/** Warns of members that cannot be right together. Other objects of the account are read when the members are compared with it. */
function warnOfClashes(collection: Collection, call: CheckCall): Promise<void> {
  const { description, item, parentPath } = collection;
  const isAll =
    collection.isExclusive(call.inputs) &&
    description.scope.every((path) => path === parentPath || call.inputs[path] === undefined);
  return warnTogether(item, { kind: collection, call }, { isComplete: isAll });
}

/** Compares a new resource with the account: with the objects that it adopts, or those that stand against its creation. */
async function compareWithAccount(
  collection: Collection,
  call: CheckCall,
  importId: string | undefined,
  isAgain: boolean,
): Promise<readonly Failure[]> {
  const { ownership, run, property } = collection;
  const { replacedByCommand, inputs } = call;
  if (importId !== undefined) return adopt(collection, call, importId);
  const isExclusive = collection.isExclusive(inputs);
  const failures = replacedByCommand && ownership.replacementFailures(call, replacedByCommand);
  if (failures !== undefined && (failures.length > 0 || !isExclusive)) return failures;
  const problemIn = failures === undefined ? problemInAccount : problemOfReplacement;
  const isReplaced = isAgain || ownership.isReplaced(call);
  const deletesFirst = async () => isReplaced || (await collection.standingOf(call))?.isGone === false;
  const validate = run.configuration.validate || (isExclusive && (await deletesFirst()));
  const operation = { ...operationOf(collection, call), deletesFirst };
  if (!validate) warnOfUnseen(operation);
  if (!isExclusive) warnOfCopy(collection.item, { kind: collection, call });
  return lookedAt(collection.item, collection.parentOf(inputs), async () => {
    if (inputs[property] === UNKNOWN) return [];
    const problem = await (validate ? problemIn(operation) : alreadyKept(operation));
    if (!validate && problem === undefined) listMembers(operation, operation.plan);
    return problem === undefined ? [] : refused(property, `cannot be created: ${problem}`, "EXISTS_ALREADY");
  });
}

/** Claims the members that exist: those of the program, or, if `ignoreChanges` names them, all that an exclusive resource covers. */
async function adopt(collection: Collection, call: CheckCall, importId: string): Promise<readonly Failure[]> {
  const { ownership, property, type, description } = collection;
  const { inputs } = call;
  const isAll = isIgnored(call, property);
  const find = async () => (await coveredBy(collection, `import ${type} ${importId}`, importId)).held;
  if (isAll || inputs[property] !== UNKNOWN) {
    const held = isAll ? await find() : await compareForImport(collection, importId, call);
    if (isAll && !collection.isExclusive(inputs))
      return refused("", ownsUnnamed(property, description.exclusive, held.length), "IMPORT_REFUSED");
    if (isAll) inputs[property] = storedFor(held).text;
    const failures = ownership.claim(call, held);
    if (failures.length > 0) return failures;
    if (isAll) collection.note(call, importsAll(property, held.length));
    await warnOfOtherOwners(collection, call, held);
  }
  noteImport({ kind: collection, call }, property);
  return [];
}

/** Warns of another exclusive resource of the program that covers the same. */
function warnOfRivalSet(collection: Collection, call: CheckCall): void {
  const { description, property, parentPath, item } = collection;
  const parent = call.inputs[parentPath];
  if (!collection.isExclusive(call.inputs) || typeof parent !== "string" || parent === UNKNOWN) return;
  const rival = rivalOf(collection, call, `all of ${collection.idFor(call.inputs)}`);
  if (rival === undefined) return;
  collection.warn(
    call,
    `${rival} is also ${description.exclusive} for these ${property} of ${item.parentName} ${parent}: each deletes the ${property} of the other. Keep only one of them`,
    "TWO_OWNERS",
  );
}
