import { hasOrganizations } from "../engine/backend";
import { type Kind } from "../process/kind";
import { noteOf } from "../creation/creation-note";
import { type Description } from "../describe/define-resource";
import { type Leaf, leavesOf, maxLengthOf } from "../describe/fields";
import { type Call, isAutomatic, type State } from "../state/call";
import { autoname, type AutonameOptions, isAutoname } from "./autoname-formula";
import { derive } from "./normalise";
import { type Properties, UNKNOWN, valueAt } from "../state/values";
import { holderOf } from "./unique-names";

/** The inputs with the automatic name, and the mark of it. The mark is unknown if that is not known yet. */
export async function settleName(
  kind: Kind,
  olds: Call | undefined,
  call: Call,
  isAdopted: boolean,
): Promise<Pick<Call, "inputs" | "autonamed">> {
  const { session, description } = kind;
  const { name: resourceName, naming, inputs } = call;
  const path = description.autoname?.path;
  if (path === undefined || resourceName === undefined) return { inputs };
  const label = inputs[path];
  if (label === UNKNOWN) return { inputs, autonamed: UNKNOWN };
  const named = { ...call, autonamed: resourceName };
  if (label === undefined) {
    const author = { resourceName, isAdopted, naming };
    const name = await automaticName(kind, olds, named, author);
    return { inputs: name === undefined ? inputs : { ...inputs, [path]: name }, autonamed: resourceName };
  }
  if (olds === undefined || !isAutomatic(olds) || olds.inputs[path] !== label) return { inputs };
  session.names.givesBack(call.urn);
  return named;
}

/** How automatic names are made. Their greatest length is that of the input. */
function autonameOf({
  autoname: given,
  fields,
}: Description): (AutonameOptions & { path: string }) | undefined {
  const leaf = leavesOf(fields).find(({ path }) => path === given?.path);
  const max = leaf && maxLengthOf(leaf.schema);
  return given === undefined || max === undefined ? given : { ...given, max };
}

interface Author {
  readonly resourceName: string;
  readonly isAdopted: boolean;
  readonly naming: Call["naming"];
}

/** The automatic name of a resource. Undefined if the account's own name stays. */
async function automaticName(
  kind: Kind,
  olds: Call | undefined,
  call: Call,
  author: Author,
): Promise<string | undefined> {
  const { description } = kind;
  const options = autonameOf(description);
  if (options === undefined) return undefined;
  if (olds === undefined) {
    if (author.isAdopted || author.naming?.isDisabled === true) return undefined;
    const noted = await notedName(kind, call, author);
    return noted ?? author.naming?.proposed ?? derivedName(kind, call, author);
  }
  const old = olds.inputs[options.path];
  // An adopted object keeps its own name.
  if (typeof old !== "string") return undefined;
  // A refresh by an earlier version left no mark of an automatic name.
  const stays = isAutomatic(olds) || isAutoname(options, author.resourceName, old);
  const canChange = leavesOf(description.fields).some(
    ({ path, change }) => path === options.path && change === "update",
  );
  return stays || !canChange ? old : derivedName(kind, call, author);
}

/** The name in the note of an interrupted run, if this run would make another one: earlier versions made names in another way. */
async function notedName(kind: Kind, call: Call, author: Author): Promise<string | undefined> {
  if (noteOf(kind, call).recall() === undefined) return undefined;
  const note = noteOf(kind, { ...call, inputs: await withDerived(kind.description, call.inputs) });
  const noted = note.recall();
  if (noted === undefined || note.isOther(noted) || note.isElsewhere(noted)) return undefined;
  return noted.run === undefined || isRandom(kind, author) ? noted.name : undefined;
}

/** The inputs with those that are derived from them, by which a note is compared. */
async function withDerived(description: Description, inputs: Properties): Promise<Properties> {
  const whole = { ...inputs };
  try {
    await derive(description, whole);
  } catch {
    // The check reports it.
  }
  return whole;
}

/**
 * Whether the suffix of a name is random. The engine does not tell the full plugin the organization of the stack, and two organizations may have
 * stacks of the same name.
 */
const isRandom = (kind: Kind, { naming }: Author): boolean =>
  naming?.proposed !== undefined || (naming !== undefined && hasOrganizations(kind.session.stack.backend));

/**
 * The name derived from the resource's origin and from the object that it replaces. If an object of this stack has the name, it is replaced
 * without a diff (`--replace`, `state taint`), and its successor gets the next name. An object that no state has does not count: an
 * interrupted run has probably created it.
 */
async function derivedName(kind: Kind, { urn = "" }: Call, author: Author): Promise<string | undefined> {
  const { session, description } = kind;
  const options = autonameOf(description);
  if (options === undefined) return undefined;
  const { resourceName, naming } = author;
  const organization = isRandom(kind, author) ? (naming?.seed ?? "") : session.stack.organization;
  const origin = { backend: session.stack.backend, organization, urn };
  const next = (after: string | undefined) =>
    autoname(options, resourceName, after === undefined ? origin : { ...origin, after });
  let name = next(session.names.replacedBy(urn));
  while (await isOwn(kind, options.path, name)) name = next(name);
  return name;
}

/** Whether an object that the engine knows has this name. */
async function isOwn(kind: Kind, path: string, name: string): Promise<boolean> {
  const { session } = kind;
  if (!session.configuration.validate) return false;
  const holder = await holderOf(kind, path, name);
  return holder !== undefined && kind.known.isKnown(holder);
}

/** The name input that was removed from the program, if the object keeps the name because a change would replace it. */
export function keptLabel(description: Description, stored: State, call: Call): Leaf | undefined {
  const options = autonameOf(description);
  if (options === undefined || !isAutomatic(call) || isAutomatic(stored)) return undefined;
  if (isAutoname(options, call.autonamed ?? "", call.inputs[options.path])) return undefined;
  return leavesOf(description.fields).find(
    ({ path, change }) => path === options.path && change === "replace" && stored.sent.has(path),
  );
}

/** The name of an object, as it was last sent. */
export const nameIn = ({ autoname }: Description, { sent, outputs }: State): unknown =>
  autoname === undefined ? undefined : (sent.get(autoname.path) ?? valueAt(outputs, autoname.path));
