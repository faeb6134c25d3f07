import { type ObjectKind } from "../kind/kind";
import { isNotFound } from "../../api/errors";
import { type Description, type Failure, type Finding, isNew, refused } from "../describe/define-resource";
import { inputAt, parentNameOf } from "../describe/fields";
import { warn } from "../kind/warnings";
import { type Leftover } from "../creation/strangers";
import { type Call } from "../state/call";
import { isMoved } from "../inputs/check-inputs";
import { doubleNameFailures, takenNameFailures } from "../ownership/unique-names";
import { type Properties, UNKNOWN } from "../base/values";

/** Returns the failures that reads below a parent find. A parent that does not exist is a failure of the input that names it. */
export async function belowParent(
  { id: { parent: property } }: Pick<Description, "id">,
  parent: string,
  find: () => Promise<readonly Failure[]>,
): Promise<readonly Failure[]> {
  try {
    return await find();
  } catch (error) {
    if (property === undefined || !isNotFound(error)) throw error;
    return missingParent(property, parent);
  }
}

/**
 * Looks for the parent of a resource that is created or changed, and at the account even if nothing is known yet that could be compared with it. `compare` compares
 * what is known.
 */
export async function lookedAt(
  { run, description, reads }: Pick<ObjectKind, "run" | "description" | "reads">,
  parent: string,
  compare: () => Promise<readonly Failure[]>,
): Promise<readonly Failure[]> {
  const { validate } = run.configuration;
  const { parent: property } = description.id;
  const isThere =
    property === undefined ||
    parent === UNKNOWN ||
    run.declared.parentWith(parent, description.id)?.isMade === true;
  if (validate && !isThere && (await reads.parentSeen(parent)) === null)
    return missingParent(property, parent);
  const failures = await belowParent(description, parent, compare);
  if (validate) await reads.accountSeen();
  return failures;
}

const missingParent = (property: string, parent: string): Failure[] =>
  refused(property, `names the ${parentNameOf(property)} ${parent}, which does not exist`, "NOT_IN_ACCOUNT");

const ofTakenName = (findings: readonly Finding[]): Finding[] =>
  findings.map((finding) => ({ ...finding, code: "NAME_TAKEN" }));

/**
 * Validates new and changed inputs against the account, unless the settings turn that off: what they name must exist, and a unique name must be free. What the program and the
 * state alone say against a name is always a failure.
 */
export async function validate(
  kind: ObjectKind,
  olds: Properties,
  call: Call,
  left?: Leftover,
): Promise<Failure[]> {
  const { account, description, run } = kind;
  const { inputs } = call;
  const double = isNew(olds) ? ofTakenName(await doubleNameFailures(kind, call)) : [];
  if (double.length > 0 || !run.configuration.validate) return double;
  const validations = (description.validations ?? []).filter(({ about }) =>
    about.some((path) => inputAt(inputs, { path }) !== undefined && isMoved(description, path, olds, inputs)),
  );
  const findings: Finding[][] = await Promise.all([
    ...validations.map((validation) => validation.validate(account.reads, inputs)),
    ...(isNew(olds) ? [takenNameFailures(kind, call, left).then(ofTakenName)] : []),
  ]);
  const failures: Failure[] = [];
  for (const { property, reason, warns, code = "NOT_IN_ACCOUNT" } of findings.flat()) {
    if (warns !== true) failures.push({ property, reason, code });
    else warn({ kind, call }, `${property} ${reason}`, code);
  }
  return failures;
}
