import { findToImport, type Found } from "../object/look-up";
import { shortened } from "../kind/warnings";
import { type ObjectKind } from "../kind/kind";
import { type Ref } from "../describe/define-resource";
import { ProviderError } from "../base/errors";
import { inputAt, type Leaf } from "../describe/fields";
import { isRespelt } from "../matching/match-object";
import { type Call } from "../state/call";
import { contains, pathsIn } from "../base/property-paths";
import { withoutOwnerTags } from "../run/owner-tags";
import { inputsOfObject } from "./inputs-of-object";
import { isSecretAt, secretPathsOf } from "../state/secret-inputs";
import { compact, hasUnknown, type Properties, same, setAt, valueAt } from "../base/values";

/** Whether `ignoreChanges` names an input of a resource that adopts an object. */
export const isIgnored = ({ ignored: paths }: Call, path: string): boolean =>
  pathsIn(paths).some((ignored) => contains(ignored, path.split(".")));

/** Says why a set does not import all that exists: it would manage and later delete what the program does not name. */
export const ownsUnnamed = (property: string, exclusive: string, count: number): string =>
  `ignoreChanges names ${property}, so this would manage all ${count} of the ${property} that exist, also those that the program does not declare. ` +
  `Remove ${property} from ignoreChanges and declare the ${property} to manage, or set ${exclusive}`;

/** Says what an exclusive set imports. */
export const importsAll = (property: string, count: number): string =>
  `imports all ${count} of the ${property} that exist, because ignoreChanges names ${property}`;

/**
 * Takes the object's values for the inputs that `ignoreChanges` names, as the engine's own import does, also of inputs that the program leaves out. The engine
 * keeps them from then on.
 */
export async function adoptIgnored(kind: ObjectKind, id: string, call: Call): Promise<void> {
  const ignored = kind.leaves.filter(({ path }) => isIgnored(call, path));
  if (ignored.length === 0) return;
  const { ref, live } = await findToImport(kind, id);
  const shown = kind.outputsOf(live, ref);
  const { inputs } = inputsOfObject({ description: kind.description, ref, shown });
  for (const leaf of ignored) {
    const isDeclared = inputAt(call.inputs, leaf) !== undefined;
    const value = isDeclared ? compact(valueAt(shown, leaf.path)) : valueAt(inputs, leaf.path);
    if (value !== undefined) setAt(call.inputs, leaf.path, value);
  }
}

/** Whether the service may have made the object's value from the program's. */
export function mayBeMadeOf({ rewritten }: Leaf, wanted: unknown, actual: unknown): boolean {
  if (rewritten === "rounded") return typeof wanted === "number" && typeof actual === "number";
  return rewritten === "respelt" && isRespelt(wanted, actual);
}

/** An input in which an object differs from the program. */
interface Different {
  readonly leaf: Leaf;
  readonly wanted: unknown;
  readonly actual: unknown;
}

export const differenceText = ({ leaf: { path }, wanted, actual }: Different, isHidden: boolean): string =>
  isHidden
    ? `${path} differs`
    : `${path} is ${JSON.stringify(wanted)} in the program and ${JSON.stringify(actual)} in the account`;

/** The inputs in which an object differs from the program, where both are known. */
export function differencesOf(kind: ObjectKind, ref: Ref, live: Properties, inputs: Properties): Different[] {
  const shown = kind.outputsOf(live, ref);
  return kind.leaves.flatMap((leaf) => {
    const wanted = inputAt(inputs, leaf);
    const actual = valueAt(shown, leaf.path);
    const hidden = wanted === undefined || actual === undefined || hasUnknown(wanted);
    return hidden || same(leaf.comparison, wanted, actual) ? [] : [{ leaf, wanted, actual }];
  });
}

/** The reasons against the import of an object, as lines. */
export interface ImportComparison {
  readonly lines: readonly string[];
  /** Whether the service may have made the object's values from the program's. */
  readonly isMade: boolean;
}

/** Compares the program with an object to adopt. `isHidden`: whether messages must not show the value of an input. */
export function compared(
  kind: ObjectKind,
  { ref, live }: Found,
  inputs: Properties,
  isHidden: (path: string) => boolean,
): ImportComparison {
  // Which stack has tagged the object is no difference. With `ownerTags` a program cannot declare these tags.
  const declared = kind.run.configuration.ownerTags ? {} : inputs;
  const untagged = (values: Properties) => withoutOwnerTags(values, declared);
  const different = differencesOf(kind, ref, untagged(live), untagged(inputs));
  return {
    lines: different.map((one) => differenceText(one, isHidden(one.leaf.path))),
    isMade: different.every(({ leaf, wanted, actual }) => mayBeMadeOf(leaf, wanted, actual)),
  };
}

/** Refuses to import some objects, with all reasons. No difference is ignored, as only an update shows what the service makes of a value. */
export function refuseDifferent(attempt: string, all: readonly ImportComparison[]): void {
  const lines = all.flatMap((one) => one.lines);
  if (lines.length === 0) return;
  const advice = all.every(({ isMade }) => isMade)
    ? "The service may have rewritten the program's value. Only its answer to an update shows that. Write the account's value " +
      "into the program, import, and then write your value again: the update sends it, and later previews show no change"
    : "Write the account's values into the program, import, and change them afterwards";
  throw new ProviderError(`${attempt}: ${shortened(lines).join("; ")}. ${advice}`, {
    code: "IMPORT_DIFFERS",
  });
}

/** Compares the program with the object to adopt, and fails with every difference. */
export async function compareForImport(kind: ObjectKind, id: string, call: Call): Promise<Found> {
  const found = await findToImport(kind, id);
  const secret = secretPathsOf(kind.description, call);
  const isHidden = (path: string) => isSecretAt(secret, path);
  refuseDifferent(`import ${kind.type} ${id}`, [compared(kind, found, call.inputs, isHidden)]);
  return found;
}
