import { hasOrganizations } from "../engine/backend";
import { replacesSome } from "../engine/command-line";
import { ProviderError } from "../base/errors";
import { type ObjectKind } from "../kind/kind";
import { noteOf } from "../creation/creation-note";
import { type Description } from "../describe/define-resource";
import { type Leaf, leavesOf } from "../describe/fields";
import { type Call, isAutomatic, type State } from "../state/call";
import { autoname, autonameOf, type AutonameOptions, isAutoname } from "../inputs/autoname-formula";
import { calledInProgram, warn } from "../kind/warnings";
import { UNKNOWN, valueAt } from "../base/values";
import { doubtAboutOthers, isOfRenamedStack, isShared } from "../ownership/other-owners";
import { holderOf, listed } from "../ownership/unique-names";

/** The inputs with the automatic name, and the mark of it. The mark is unknown if that is not known yet. */
export async function settleName(
  kind: ObjectKind,
  olds: Call | undefined,
  call: Call,
  isAdopted: boolean,
): Promise<Pick<Call, "inputs" | "autonamed">> {
  const { run, description } = kind;
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
  run.names.givesBack(call.urn);
  return named;
}

interface Author {
  readonly resourceName: string;
  readonly isAdopted: boolean;
  readonly naming: Call["naming"];
}

/** The automatic name of a resource. Undefined if the account's own name stays. */
async function automaticName(
  kind: ObjectKind,
  olds: Call | undefined,
  call: Call,
  author: Author,
): Promise<string | undefined> {
  const { description } = kind;
  const options = autonameOf(description);
  if (options === undefined) return undefined;
  if (olds === undefined) {
    if (author.isAdopted || author.naming?.isDisabled === true) return undefined;
    const asked = (await notedName(kind, call)) ?? (await pendingName(kind, call, options, author));
    const holder = asked === undefined ? undefined : await standsAt(kind, options.path, asked);
    const isOthers = (await isOwn(kind, holder)) || (await isTheirs(kind, call, holder));
    if (asked !== undefined && !isOthers && !(await isLater(kind, call, asked, holder))) return asked;
    return author.naming?.proposed ?? derivedName(kind, call, author);
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

/** The name that an interrupted run has asked for, from its note. */
async function notedName(kind: ObjectKind, call: Call): Promise<string | undefined> {
  const name = noteOf(kind, call).recall()?.name;
  if (name === undefined || (await isOfRenamedStack(kind.run, calledInProgram({ kind, call }))))
    return undefined;
  return name;
}

/** The name that an interrupted run has asked for, from the state. This run may derive another one, as it may see the backend under another URL. */
async function pendingName(
  kind: ObjectKind,
  call: Call,
  options: AutonameOptions & { path: string },
  author: Author,
): Promise<string | undefined> {
  const { path } = options;
  if (!(await mayExist(kind, options, author))) return undefined;
  const pending = await kind.known.pendingCreation(call, "check");
  if (pending?.isOpen !== true) return undefined;
  const name = pending.requested.findLast(isAutomatic)?.inputs[path];
  return typeof name === "string" ? name : undefined;
}

/**
 * Whether an object may have an automatic name of this resource. The state is read only then, because that takes a process. With `nodecloud:resume`
 * the object may also appear later.
 */
async function mayExist(
  kind: ObjectKind,
  options: AutonameOptions & { path: string },
  { resourceName, naming }: Author,
): Promise<boolean> {
  const { validate, resume } = kind.run.configuration;
  if (!validate || resume) return validate;
  const there = await listed(kind);
  // A pattern of the user's configuration makes any name.
  if (there === undefined || naming?.proposed !== undefined) return true;
  return there.some((item) => isAutoname(options, resourceName, item[options.path]));
}

/**
 * Whether the suffix of a name is random. The engine does not tell the full plugin the organization of the stack, and two organizations may have
 * stacks of the same name.
 */
const isRandom = (kind: ObjectKind, { naming }: Author): boolean =>
  naming?.proposed !== undefined || (naming !== undefined && hasOrganizations(kind.run.stack.backend));

/**
 * The name derived from the resource's origin and from the object that it replaces. If an object has the name, the resource gets the next one. An
 * object of this stack is replaced without a diff (`--replace`, `state taint`). Any other is somebody else's, or was kept when its resource left a
 * stack: a name is no evidence that an interrupted run has created it.
 */
async function derivedName(kind: ObjectKind, call: Call, author: Author): Promise<string | undefined> {
  const { urn = "" } = call;
  const { run, description } = kind;
  const options = autonameOf(description);
  if (options === undefined) return undefined;
  const { resourceName, naming } = author;
  const organization = isRandom(kind, author) ? (naming?.seed ?? "") : run.stack.organization;
  const origin = { backend: run.stack.backend, organization, urn };
  const next = (after: string | undefined) =>
    autoname(options, resourceName, after === undefined ? origin : { ...origin, after });
  let name = next(run.names.replacedBy(urn));
  const strangers: Stranger[] = [];
  for (;;) {
    const holder = await standsAt(kind, options.path, name);
    if (holder === undefined) break;
    const isAsked = await isEvident(kind, call, options.path, name, holder);
    if (isAsked && !(await isTheirs(kind, call, holder))) break;
    if (await isOwn(kind, holder)) await refuseIfMadeMeanwhile(kind, call, holder);
    else strangers.push({ id: holder, name, isTheirs: isAsked });
    name = next(name);
  }
  if (strangers.length > 0) await warnOfHolders(kind, call, options.path, name, strangers);
  return name;
}

/** The id of the object that has a name. */
async function standsAt(kind: ObjectKind, path: string, name: string): Promise<string | undefined> {
  if (!kind.run.configuration.validate) return undefined;
  return holderOf(kind, path, name);
}

/** An object that has a name which the resource would have got. `isTheirs`: see there. */
interface Stranger {
  readonly id: string;
  readonly name: string;
  readonly isTheirs: boolean;
}

/** Whether an object is another stack's although a run of this one has asked for its name: both derive the same one if this stack was renamed. */
async function isTheirs(kind: ObjectKind, call: Call, holder: string | undefined): Promise<boolean> {
  if (holder === undefined || kind.known.denied.has(holder)) return false;
  const item = (await listed(kind))?.find((one) => kind.description.idOf(one) === holder);
  if (item !== undefined && kind.taggedElsewhere(item, call.inputs) !== undefined) return true;
  // Stacks for which there was no time are read now.
  await doubtAboutOthers(kind.run);
  return isShared(kind, call, holder);
}

/** Whether an object with the noted name was created too late for the noted request, and the state has no other request for the name. */
async function isLater(
  kind: ObjectKind,
  call: Call,
  name: string,
  holder: string | undefined,
): Promise<boolean> {
  if (holder === undefined) return false;
  const item = (await listed(kind))?.find((one) => kind.description.idOf(one) === holder);
  if (item === undefined || !noteOf(kind, call).lateness()(item)) return false;
  return !(await isEvident(kind, call, kind.description.autoname?.path ?? "", name, holder));
}

/** Whether the engine knows an object. */
const isOwn = async (kind: ObjectKind, holder: string | undefined): Promise<boolean> =>
  holder !== undefined && kind.known.isKnown(holder);

/**
 * Refuses a second object of a resource that the engine takes for a new one although its state has it by now: another run has created it since this one began, as it
 * may if the lock of its stack was removed.
 */
async function refuseIfMadeMeanwhile(kind: ObjectKind, call: Call, holder: string): Promise<void> {
  const { known, type } = kind;
  // The engine asks a second time about what it replaces, also for `replacementTrigger` and `replaceWith`.
  if (known.steps.isChecked(call)) return;
  const standing = await kind.standingOf(call);
  const isLeft = standing?.id !== holder || standing.isGone || standing.isTainted === true;
  if (isLeft || replacesSome() !== false) return;
  throw new ProviderError(
    `another run has created the ${type} ${holder} for this resource since this one began. If the lock of the stack was removed, wait until that run has ended. Then run the command again`,
    { code: "INTERRUPTED" },
  );
}

/** Whether the object of a derived name is this resource's: an interrupted run has asked for the name, or a refresh of this run missed the object. */
async function isEvident(
  kind: ObjectKind,
  call: Call,
  path: string,
  name: string,
  holder: string,
): Promise<boolean> {
  if (kind.known.denied.has(holder)) return true;
  const pending = await kind.known.pendingCreation(call, "check");
  return pending?.requested.some((one) => isAutomatic(one) && one.inputs[path] === name) === true;
}

async function warnOfHolders(
  kind: ObjectKind,
  call: Call,
  path: string,
  name: string,
  strangers: readonly Stranger[],
): Promise<void> {
  const { type, run } = kind;
  const isRead = (await run.stack.state()) !== undefined;
  const unclaimed = isRead
    ? "no interrupted run of this stack has asked for it"
    : "the state of this stack could not be read";
  for (const { id, name: taken, isTheirs: theirs } of strangers) {
    const why = theirs ? "it is another stack's" : unclaimed;
    const line = `the ${type} ${id} has the ${path} "${taken}", and ${why}. This resource gets the ${path} "${name}". To manage the ${type} ${id} instead, give this resource the option import: "${id}"`;
    warn({ kind, call }, line, "NAME_TAKEN");
  }
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
