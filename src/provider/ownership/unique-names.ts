import { isApiError } from "../../api/errors";
import { differencesOf, differenceText, mayBeMadeOf } from "./compare-with-import";
import { managedElsewhere, namesOf } from "./other-owners";
import { type Finding, type Ref, refused } from "../describe/define-resource";
import { calledIn, nameInUrn } from "../describe/urn";
import { ProviderError } from "../base/errors";
import { type StateCall } from "../state/provider-interface";
import { warn } from "../kind/warnings";
import { isEncrypted } from "../notes/journal";
import { lookUp } from "../object/look-up";
import { everyOf } from "../run/account-reads";
import { SETTINGS } from "../settings/config";
import { type ServedKind, knownOf, type ObjectKind } from "../kind/kind";
import { isSecretAt, secretPathsOf } from "../state/secret-inputs";
import { type ChangedInput } from "../state/update-or-replace";
import { type Call, isAutomatic } from "../state/call";
import { canonical, isObject, type Properties, same, UNKNOWN } from "../base/values";

/** The advice on a unique name that another resource of the program has. The engine runs independent resources in any order. */
export const HOW_TO_PASS_ON =
  "If another resource of this program gives up the name in the same run, add that resource to the option dependsOn; " +
  "to swap two names, first give one resource a third name in a separate run";

/** One text for all spellings of a unique name. */
export function uniqueNameIn(
  { leaves, description: { unique } }: Pick<ObjectKind, "leaves" | "description">,
  value: unknown,
): unknown {
  const { comparison = "value" } = leaves.find(({ path }) => path === unique) ?? {};
  return value === undefined || value === UNKNOWN ? value : canonical(comparison, value);
}

/** The unique name that the program sets, and its input. */
function nameSetIn({ description }: ObjectKind, call: Call): { unique: string; wanted: string } | undefined {
  const { unique, autoname } = description;
  const wanted = unique === undefined ? undefined : call.inputs[unique];
  if (unique === undefined || typeof wanted !== "string" || wanted === UNKNOWN) return undefined;
  return autoname?.path === unique && isAutomatic(call) ? undefined : { unique, wanted };
}

/** Fails if another resource of the program has the unique name of a new one, or the object that it replaces keeps it, as the state says. This sends no request. */
export async function doubleNameFailures(kind: ObjectKind, call: Call): Promise<Finding[]> {
  const name = nameSetIn(kind, call);
  if (name === undefined) return [];
  const { unique, wanted } = name;
  const { description, run, type } = kind;
  const rival = rivalOf(kind, call, `${unique} ${uniqueNameIn(kind, wanted)}`, description.uniqueAmong?.noun);
  if (rival !== undefined)
    return refused(
      unique,
      `"${wanted}" is also the ${unique} of ${rival} in this program, and must be unique`,
    );
  // The account says better who has the name.
  if (run.configuration.validate) return [];
  const old = await kind.inState(call);
  if (old?.isHere !== true) return [];
  const isSameName = uniqueNameIn(kind, old.outputs[unique]) === uniqueNameIn(kind, wanted);
  const kept = isSameName ? await keptByRetaining(kind, call, old.id) : undefined;
  return kept === undefined ? [] : refused(unique, `"${wanted}" is taken by the ${type} ${kept}`);
}

/** Fails if the unique name of a new resource belongs to an existing object that this program neither manages nor continues with. */
export async function takenNameFailures(
  kind: ObjectKind,
  call: Call,
  left: { readonly object?: Ref | undefined } | undefined,
): Promise<Finding[]> {
  const { replacedByCommand } = call;
  const { type } = kind;
  const name = nameSetIn(kind, call);
  if (name === undefined) return [];
  const { unique, wanted } = name;
  const holder = await holderOf(kind, unique, wanted);
  const retained = holder === undefined ? undefined : await retainedHolder(kind, call, holder);
  if (retained !== undefined) return refused(unique, `"${wanted}" is taken by the ${type} ${retained}`);
  const finding = await takenInProgram(kind, holder, unique, wanted);
  if (holder === undefined || kind.known.keeping(holder, uniqueNameIn(kind, wanted)) === "goes")
    return finding;
  // The object of another run, or of an interrupted one, is the resource's own.
  if (left !== undefined && (left.object === undefined || left.object.id === holder)) return [];
  if (finding.length > 0) return finding;
  // The engine itself decides a replacement by the command, or because of a new provider.
  const replaced = await kind.inState(call);
  const isElsewhere = replaced !== undefined && !(replaced.isHere && replaced.id === holder);
  // The engine checks a replacement by the command line as a new resource.
  if (replacedByCommand !== undefined && holder === call.importId && !isElsewhere) {
    if (replacedByCommand.goesFirst) return [];
    const reason = `"${wanted}" is taken by the ${type} ${holder}, which this resource replaces. To delete the ${type} ${holder} first, set the option deleteBeforeReplace`;
    return refused(unique, reason);
  }
  if (holder === call.importId)
    return refused(
      unique,
      `"${wanted}" is taken by the ${type} ${holder}, and the option import is ignored, because this resource replaces another ${type}. ` +
        `To manage the existing ${type}, first remove the other one from the state with \`pulumi state delete\``,
    );
  const elsewhere = await ownerElsewhere(kind, call, holder);
  if (elsewhere !== undefined)
    return refused(unique, `"${wanted}" is taken by the ${type} ${holder}, ${elsewhere}`);
  const mayResume = isElsewhere || !kind.run.configuration.resume;
  const orImport = isElsewhere ? "" : `, or give this resource the option import: "${holder}"`;
  const requested = mayResume ? await requestedBefore(kind, call, holder, orImport) : undefined;
  if (requested !== undefined)
    return refused(unique, `"${wanted}" is taken by the ${type} ${holder}, ${requested}`);
  if (isElsewhere)
    return refused(
      unique,
      `"${wanted}" is taken by the ${type} ${holder}, and a resource that replaces another ${type} imports none. ` +
        `To manage the existing ${type}, first remove the other one from the state with \`pulumi state delete\`, and give this resource the option import: "${holder}"`,
    );
  return refused(
    unique,
    `"${wanted}" is taken by the ${type} ${holder}. To manage the existing ${type}, give this resource the option import: "${holder}"; ` +
      "if this stack already manages it, use dependsOn (its name changes in this run), aliases (its resource was renamed) " +
      // With --replace the engine checks a resource as a new one, without a diff: nothing distinguishes it from a new one.
      `or the option deleteBeforeReplace and ${SETTINGS.validate.variable}=false (a run with --replace)`,
  );
}

/**
 * Says of the object with the name that an interrupted creation of this resource has requested it, and what to do, as the rest of a sentence. Undefined if it was
 * requested with other inputs than the object has.
 */
async function requestedBefore(
  kind: ObjectKind,
  call: Call,
  holder: string,
  orImport: string,
): Promise<string | undefined> {
  const { known, description, type } = kind;
  const pending = await known.pendingCreation(call, "check");
  const isDoubtful = pending?.isOpen !== true || (await known.isOfOtherToken(call, "check"));
  const found =
    isDoubtful || (await known.isKnown(holder)) ? undefined : await lookUp(kind, holder, "lately");
  if (isDoubtful || found === undefined) return undefined;
  const othersThan = (inputs: Properties) =>
    differencesOf(kind, found.ref, found.live, inputs).filter(
      ({ leaf, wanted, actual }) => !isEncrypted(wanted) && !mayBeMadeOf(leaf, wanted, actual),
    );
  if (!pending.requested.some(({ inputs }) => othersThan(inputs).length === 0)) return undefined;
  const { key, variable } = SETTINGS.resume;
  const set = `set ${key} (or ${variable}=true)${orImport}`;
  const secret = secretPathsOf(description, call);
  const others = othersThan(call.inputs).map((one) => differenceText(one, isSecretAt(secret, one.leaf.path)));
  const what = "which an interrupted run has requested for this resource";
  return others.length === 0
    ? `${what}. To continue with it, ${set}`
    : `${what} with other inputs (${others.join("; ")}). To continue with it, restore those inputs and ${set}. To create a new one, delete the ${type} ${holder} first`;
}

/** Says of the object that a resource replaces that it keeps the name, and what to do, as the rest of a sentence. Undefined if it goes, or if it is another resource's. */
const retainedHolder = async (kind: ObjectKind, call: Call, holder: string): Promise<string | undefined> =>
  // Only of a resource that is replaced, the state is worth to be read.
  kind.known.kept.has(holder) || call.replacedByCommand !== undefined
    ? keptByRetaining(kind, call, holder)
    : undefined;

async function keptByRetaining(kind: ObjectKind, call: Call, holder: string): Promise<string | undefined> {
  const { description } = kind;
  const old = await kind.standingOf(call);
  if (old?.id !== holder || !old.isRetained) return undefined;
  const is = `${holder}, which this resource replaces and the option retainOnDelete keeps`;
  const another = `Choose another ${description.unique ?? "name"}`;
  return old.isGone
    ? `${is}: an earlier replacement has given it up. ${another}, or, to manage it again, remove the resource from the state ` +
        `with \`pulumi state delete\` and give it the option import: "${holder}"`
    : `${is}. ${another}, or, to have it deleted, remove retainOnDelete and run \`pulumi up\` before this change`;
}

/** Refuses an update in the preview if its unique name belongs to an object that this program does not manage. */
export async function refuseTakenName(
  kind: ObjectKind,
  call: StateCall,
  changed: readonly ChangedInput[],
): Promise<void> {
  const { description } = kind;
  const { unique, type } = description;
  const { id } = call;
  const wanted = changed.find(({ leaf, change }) => leaf.path === unique && change === "update")?.value;
  if (unique === undefined || typeof wanted !== "string" || wanted === UNKNOWN) return;
  const holder = await holderOf(kind, unique, wanted);
  if (holder === id) return;
  const [finding] = await takenInProgram(kind, holder, unique, wanted);
  if (finding?.warns === true) warn({ kind, call, id }, `${unique} ${finding.reason}`, "NAME_TAKEN");
  else if (finding !== undefined)
    throw new ProviderError(`update ${type} ${id}: ${unique} ${finding.reason}`, { code: "NAME_TAKEN" });
  else if (holder !== undefined && kind.known.keeping(holder, uniqueNameIn(kind, wanted)) === undefined)
    throw new ProviderError(
      `update ${type} ${id}: ${unique} "${wanted}" is taken by the ${type} ${holder}. ${HOW_TO_PASS_ON}`,
      { code: "NAME_TAKEN" },
    );
}

/** The findings for a resource whose name another object has: one of this program, or one of another type. `holder`: the object of this kind that has it. */
async function takenInProgram(
  kind: ObjectKind,
  holder: string | undefined,
  path: string,
  wanted: string,
): Promise<Finding[]> {
  const { account, description, known } = kind;
  const { uniqueAmong: namesakes, type } = description;
  const isShared = holder === undefined && namesakes !== undefined;
  const items = isShared
    ? await account.reads.all(`the ${namesakes.noun}`, (client, options) => namesakes.list(client, options))
    : [];
  const item = items.find((one) => one[path] === wanted);
  const other = item && { type: namesakes?.typeOf(item) ?? type, id: description.idOf(item) };
  // The lists were not read at once.
  if (holder === undefined && (other === undefined || other.type === type)) return [];
  const id = other?.id ?? holder ?? "";
  const taken = `"${wanted}" is taken by the ${other?.type ?? type} ${id}`;
  switch (
    (other === undefined ? known : knownOf(kind, other.type))?.keeping(id, uniqueNameIn(kind, wanted))
  ) {
    case "goes":
      return [];
    case "stays":
      return refused(
        path,
        `${taken} of this program, which keeps it, by its inputs or by retainOnDelete: choose another ${path}`,
      );
    case "may go": {
      const reason = `${taken} of this program, which is replaced: it is free only if that resource has deleteBeforeReplace, and not retainOnDelete`;
      return [{ property: path, reason, warns: true }];
    }
    case undefined:
      return other === undefined
        ? []
        : refused(
            path,
            `${taken}, and must be unique among the ${namesakes?.noun}. ${HOW_TO_PASS_ON}; ` +
              "what this program deletes has its name until the end of the run",
          );
  }
}

/** The id of an object with this name. */
export async function holderOf(kind: ObjectKind, path: string, wanted: string): Promise<string | undefined> {
  const { comparison = "value" } = kind.leaves.find((leaf) => leaf.path === path) ?? {};
  const isSame = (value: unknown) => same(comparison, value, wanted);
  const holder = (await listed(kind))?.find((item) => isObject(item) && isSame(item[path]));
  return holder === undefined ? undefined : kind.description.idOf(holder);
}

/** All objects of a kind, listed once for each process. Undefined if they can only be listed below their parents, or not at all. */
export async function listed({
  account,
  description,
}: ObjectKind): Promise<readonly Properties[] | undefined> {
  const { list, type } = description;
  if (list === undefined || description.id.parent !== undefined) return undefined;
  return account.reads.all(everyOf(type), (client, options) => list.call(description, client, "", options));
}

/** Another resource of this program that has claimed the same value. `among`: what messages call the objects of several types that share it. */
export function rivalOf(
  { run, type }: ServedKind,
  { urn }: Call,
  what: string,
  among = type,
): string | undefined {
  const rival = urn === undefined ? undefined : run.claim(`${among} ${what}`, urn);
  if (rival === undefined) return undefined;
  return among === type ? `${type} ${nameInUrn(rival)}` : calledIn({ urn: rival });
}

/** Adds to the refusal of a unique name which object has it and what to do. Returns any other error unchanged. */
export async function withHolder(
  error: unknown,
  kind: ObjectKind,
  call: Call,
  attempt: string,
): Promise<unknown> {
  const { inputs } = call;
  const { account, description } = kind;
  const { unique } = description;
  const isRefused =
    isApiError(error) && error.status < 500 && error.reasons.some(({ field }) => field === unique);
  if (!isRefused || unique === undefined || description.list === undefined) return error;
  try {
    for await (const item of description.list(account.client, kind.parentOf(inputs))) {
      if (String(item[unique]).toLowerCase() !== String(inputs[unique]).toLowerCase()) continue;
      const reasons = error.reasons.map(({ reason }) => reason).join("; ");
      const id = description.idOf(item);
      const elsewhere = await ownerElsewhere(kind, call, id);
      const advice =
        elsewhere === undefined ? whatToDo(kind, id) : `The ${kind.type} ${id} has it, ${elsewhere}`;
      return new ProviderError(`${attempt}: ${unique}: ${reasons} (${error.status}). ${advice}`, {
        code: "NAME_TAKEN",
        cause: error,
      });
    }
  } catch {
    // Without the hint, the refusal itself is reported.
  }
  return error;
}

/** Which other stack manages an object, and what to do, as the rest of a sentence. Undefined if none does. */
export async function ownerElsewhere(kind: ObjectKind, call: Call, id: string): Promise<string | undefined> {
  const [shared] = await managedElsewhere(kind, call, kind.description, [{ id }]);
  if (shared === undefined) return undefined;
  return (
    `which is managed by ${namesOf(shared)}. Choose another ${kind.description.unique ?? "name"}, or remove it from that stack ` +
    `with \`pulumi state delete\` and give this resource the option import: "${id}"`
  );
}

const whatToDo = (kind: ObjectKind, id: string): string =>
  kind.known.kept.has(id)
    ? `The ${kind.type} ${id} of this program has this name. ${HOW_TO_PASS_ON}. ` +
      `If this resource replaces the ${kind.type} ${id}, set its option deleteBeforeReplace`
    : `To manage the existing ${kind.type}, give this resource the option import: "${id}"`;
