import { type Failure } from "../../describe/define-resource";
import { type CheckCall, type Checked } from "../../engine/provider-interface";
import { noteImport } from "../../engine/warnings";
import { normalise } from "../../inputs/normalise";
import { checkInputs } from "../../inputs/check-inputs";
import { isIgnored } from "../../adoption/compare-with-import";
import { beginCheck, withoutProperties } from "../../hooks/check";
import { rivalOf } from "../../inputs/unique-names";
import { type Properties, UNKNOWN } from "../../state/values";
import { checkMembers, entriesIn } from "../check-members";
import { type Collection } from "../collection";
import { compareForImport, textThere } from "../compare-with-import";
import { wantedIn } from "../members/member";
import { formsOf, hashOf, isGivenAgain } from "../speed/packed-members";
import { problemInAccount } from "../problem-in-account";
import { planOf } from "../plan";
import { hideDeclared, isGuarded } from "../members/secrets";

/** One check of a resource. Its steps complete the inputs and collect what is wrong with them. */
interface Check {
  readonly collection: Collection;
  /** The inputs as they were checked last. Empty for a new resource. */
  readonly olds: Properties;
  /** The inputs as the class hands them over. */
  readonly news: Properties;
  /** The inputs in the form that the state keeps. */
  readonly inputs: Properties;
  readonly call: CheckCall;
  /** The id of what a new resource adopts. */
  readonly importId: string | undefined;
  readonly failures: Failure[];
  readonly warnings: Failure[];
}

/** Checks the inputs of a resource and brings its members into the form that the state keeps. */
export async function check(collection: Collection, handed: CheckCall): Promise<Checked> {
  beginCheck(collection.session, handed);
  const one = begin(collection, handed);
  examineSettings(one);
  readMembers(one);
  refuseDoubles(one);
  await compareWithAccount(one);
  warnAbout(one);
  warnOfRivals(one);
  return {
    inputs: one.inputs,
    // The members of an import that are ignored are not those of the program.
    given: isIgnored(handed, collection.property) ? undefined : hashOf(one.news[collection.property]),
    failures: withoutProperties(collection.session, one.failures),
  };
}

function begin(collection: Collection, handed: CheckCall): Check {
  const { description, ownership } = collection;
  const { olds, inputs: news, imports, standing } = handed;
  ownership.announced(imports);
  if (olds === undefined && standing !== undefined) ownership.replaces(handed);
  const settings = Object.entries(news).filter(([name]) => !description.forms.includes(name));
  const inputs = normalise(description, Object.fromEntries(settings));
  const importId = olds === undefined ? ownership.idIn(handed) : undefined;
  const call = { ...handed, inputs };
  return { collection, olds: olds?.inputs ?? {}, news, inputs, call, importId, failures: [], warnings: [] };
}

function examineSettings(one: Check): void {
  const { collection, olds, call, importId } = one;
  const { failures, warnings } = checkInputs(collection.description, olds, call, importId !== undefined);
  one.failures.push(...failures);
  one.warnings.push(...warnings);
}

/** Adds the members as one text, checked unless the state has the same. */
function readMembers(one: Check): void {
  const { collection, olds, news, inputs, call, importId } = one;
  const { session, description, property } = collection;
  const given = news[property];
  if (given === UNKNOWN) inputs[property] = UNKNOWN;
  else if (one.failures.length > 0) return;
  else if (areSame(one)) inputs[property] = olds[property];
  else {
    const isStateText = given !== undefined && given === olds[property];
    const entries = isStateText
      ? entriesIn(description, given)
      : description.entries(formsOf(description, news));
    hideDeclared(session, description, call, entries.entries);
    const manner = { guarded: isGuarded(call), adopted: importId !== undefined };
    const { text, failures, warnings } = checkMembers(description, olds, call, entries, manner);
    inputs[property] = text;
    one.failures.push(...failures);
    one.warnings.push(...warnings);
  }
}

/** Whether the members are those of the last time. These were checked against all rules, also those about what the resource covers. */
function areSame({ collection, olds, news, inputs, call }: Check): boolean {
  const { description, property } = collection;
  return (
    isGivenAgain(property, call.olds, news[property]) &&
    description.scope.every((path) => olds[path] === inputs[path])
  );
}

/** Refuses members that another resource of the program declares too. */
function refuseDoubles(one: Check): void {
  const { collection, olds, call, importId, failures } = one;
  if (failures.length > 0) return;
  failures.push(...collection.ownership.doubles(olds, call, importId !== undefined));
}

/** Compares a new resource with the account: with the objects that it adopts, or those that stand against its creation. */
async function compareWithAccount(one: Check): Promise<void> {
  const { collection, inputs, call, importId, failures } = one;
  const { olds, standing } = call;
  const { ownership, session, property } = collection;
  if (failures.length > 0 || olds !== undefined) return;
  if (importId !== undefined) await adopt(one, importId);
  else if (standing !== undefined) failures.push(...ownership.replacementFailures(call, standing));
  else if (session.configuration.validate && inputs[property] !== UNKNOWN) await refuseExisting(one);
}

async function adopt({ collection, inputs, call, failures }: Check, importId: string): Promise<void> {
  const { ownership, property } = collection;
  if (isIgnored(call, property)) inputs[property] = await textThere(collection, importId);
  else if (inputs[property] !== UNKNOWN) {
    const held = await compareForImport(collection, importId, call);
    failures.push(...ownership.claim(call, collection.parentOf(inputs), held));
  }
  if (failures.length > 0) return;
  ownership.importing.claimed(call);
  noteImport({ kind: collection, call }, property);
}

async function refuseExisting({ collection, inputs, call, failures }: Check): Promise<void> {
  const { description, property } = collection;
  const wanted = wantedIn(description, inputs[property]);
  const plan = planOf(description, [], wanted);
  const problem = await problemInAccount(collection, { olds: {}, call, held: [], wanted, plan });
  if (problem !== undefined) failures.push({ property, reason: `cannot be created: ${problem}` });
}

function warnAbout({ collection, call, warnings }: Check): void {
  if (warnings.length === 0) return;
  collection.warn(
    call,
    warnings.map(({ property, reason }) => `${property} ${reason}`),
  );
}

/** Warns of another exclusive resource of the program that covers the same. */
function warnOfRivals({ collection, inputs, call }: Check): void {
  const { description, property, parentPath, item } = collection;
  const parent = inputs[parentPath];
  if (!collection.isExclusive(inputs) || typeof parent !== "string" || parent === UNKNOWN) return;
  const rival = rivalOf(collection, call, `all of ${collection.idFor(inputs)}`);
  if (rival === undefined) return;
  collection.warn(
    call,
    `${rival} is also ${description.exclusive} for these ${property} of ${item.parentName} ${parent}: each deletes the ${property} of the other. Keep only one of them`,
  );
}
