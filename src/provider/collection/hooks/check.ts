import { type Failure, isNew } from "../../describe/define-resource";
import { attempting } from "../../engine/errors";
import { noteImport } from "../../engine/warnings";
import { normalise } from "../../inputs/normalise";
import { checkInputs } from "../../inputs/check-inputs";
import { isIgnored } from "../../adoption/compare-with-import";
import { identify, type Standing } from "../../inputs/identify";
import { rivalOf } from "../../inputs/unique-names";
import { IMPORTS } from "../../state/hidden-properties";
import { checkConfiguration } from "../../process/connect";
import { type Properties, UNKNOWN } from "../../state/values";
import { checkMembers, entriesIn } from "../check-members";
import { type Collection } from "../collection";
import { compareForImport, textThere } from "../compare-with-import";
import { wantedIn } from "../members/member";
import { formsOf, isGivenAgain, rememberGiven } from "../speed/packed-members";
import { problemInAccount } from "../problem-in-account";
import { hideDeclared, isGuarded } from "../members/secrets";

interface Checked {
  readonly inputs: Properties;
  readonly failures: { readonly property: string; readonly reason: string }[];
}

/** The state keeps the URN: the rows of updates show their progress. */
const KEEPS_URN = true;

/** One check of a resource. Its steps complete the inputs and collect what is wrong with them. */
interface Check {
  readonly collection: Collection;
  readonly olds: Properties;
  /** The inputs as the class hands them over. */
  readonly news: Properties;
  readonly inputs: Properties;
  /** The URN of the resource whose id the parent's is. */
  readonly within: string | undefined;
  readonly standing: Standing | undefined;
  /** The id of what a new resource adopts. */
  readonly importId: string | undefined;
  readonly failures: Failure[];
  readonly warnings: Failure[];
}

/** Checks the inputs of a resource and brings its members into the form that the state keeps. */
export function check(collection: Collection, olds: Properties, handed: Properties): Promise<Checked> {
  return attempting(`check ${collection.nameOf(handed)}`, async () => {
    checkConfiguration(collection.session.configuration);
    collection.session.hasChecked();
    const one = begin(collection, olds, handed);
    examineSettings(one);
    readMembers(one);
    if (!isIgnored(one.inputs, collection.property)) rememberGiven(one.inputs, one.news[collection.property]);
    refuseDoubles(one);
    await compareWithAccount(one);
    warnAbout(one);
    warnOfRivals(one);
    return { inputs: one.inputs, failures: one.failures.map(withoutProperty) };
  });
}

function begin(
  collection: Collection,
  olds: Properties,
  { [IMPORTS]: imports, ...handed }: Properties,
): Check {
  const { session, description, ownership } = collection;
  ownership.announced(imports);
  const { source: within, news, standing } = identify(session, KEEPS_URN, handed);
  if (isNew(olds) && standing !== undefined) ownership.replaces(news);
  const settings = Object.entries(news).filter(([name]) => !description.forms.includes(name));
  const inputs = normalise(description, Object.fromEntries(settings));
  const importId = isNew(olds) ? ownership.idIn(inputs) : undefined;
  return { collection, olds, news, inputs, within, standing, importId, failures: [], warnings: [] };
}

function examineSettings(one: Check): void {
  const { collection, olds, inputs, importId } = one;
  const { failures, warnings } = checkInputs(collection.description, olds, inputs, importId !== undefined);
  one.failures.push(...failures);
  one.warnings.push(...warnings);
}

/** Adds the members as one text, checked unless the state has the same. */
function readMembers(one: Check): void {
  const { collection, olds, news, inputs, importId } = one;
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
    hideDeclared(session, description, inputs, entries.entries);
    const manner = { guarded: isGuarded(inputs), adopted: importId !== undefined };
    const { text, failures, warnings } = checkMembers(description, olds, inputs, entries, manner);
    inputs[property] = text;
    one.failures.push(...failures);
    one.warnings.push(...warnings);
  }
}

/** Whether the members are those of the last time. These were checked against all rules, also those about what the resource covers. */
function areSame({ collection, olds, news, inputs }: Check): boolean {
  const { description, property } = collection;
  return (
    isGivenAgain(property, olds, news[property]) &&
    description.scope.every((path) => olds[path] === inputs[path])
  );
}

/** Refuses members that another resource of the program declares too. */
function refuseDoubles(one: Check): void {
  const { collection, olds, inputs, within, importId, failures } = one;
  if (failures.length > 0) return;
  failures.push(...collection.ownership.doubles(olds, inputs, within, importId !== undefined));
}

/** Compares a new resource with the account: with the objects that it adopts, or those that stand against its creation. */
async function compareWithAccount(one: Check): Promise<void> {
  const { collection, olds, inputs, standing, importId, failures } = one;
  const { ownership, session, property } = collection;
  if (failures.length > 0 || !isNew(olds)) return;
  if (importId !== undefined) await adopt(one, importId);
  else if (standing !== undefined) failures.push(...ownership.replacementFailures(inputs, standing));
  else if (session.configuration.validate && inputs[property] !== UNKNOWN) await refuseExisting(one);
}

async function adopt({ collection, inputs, failures }: Check, importId: string): Promise<void> {
  const { ownership, property } = collection;
  if (isIgnored(inputs, property)) inputs[property] = await textThere(collection, importId);
  else if (inputs[property] !== UNKNOWN) {
    const held = await compareForImport(collection, importId, inputs);
    failures.push(...ownership.claim(inputs, collection.parentOf(inputs), held));
  }
  if (failures.length > 0) return;
  ownership.importing.claimed(inputs);
  noteImport({ kind: collection, inputs }, property);
}

async function refuseExisting({ collection, inputs, failures }: Check): Promise<void> {
  const { description, property } = collection;
  const added = wantedIn(description, inputs[property]);
  const problem = await problemInAccount(collection, { olds: {}, inputs, held: [], added });
  if (problem !== undefined) failures.push({ property, reason: `cannot be created: ${problem}` });
}

function warnAbout({ collection, inputs, warnings }: Check): void {
  if (warnings.length === 0) return;
  collection.warn(
    inputs,
    warnings.map(({ property, reason }) => `${property} ${reason}`),
  );
}

/** Warns of another exclusive resource of the program that covers the same. */
function warnOfRivals({ collection, inputs }: Check): void {
  const { description, property, parentPath, item } = collection;
  const parent = inputs[parentPath];
  if (!collection.isExclusive(inputs) || typeof parent !== "string" || parent === UNKNOWN) return;
  const rival = rivalOf(collection, inputs, `all of ${collection.idFor(inputs)}`);
  if (rival === undefined) return;
  collection.warn(
    inputs,
    `${rival} is also ${description.exclusive} for these ${property} of ${item.parentName} ${parent}: each deletes the ${property} of the other. Keep only one of them`,
  );
}

/** Names the property in the reason only: the engine prints the value of a property that is named to it, also a secret one. */
const withoutProperty = ({ property, reason }: Failure) => ({
  property: "",
  reason: `${property} ${reason}`.trim(),
});
