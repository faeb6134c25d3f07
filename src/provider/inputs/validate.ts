import { type Kind } from "../process/kind";
import { type Failure, type Finding, isNew } from "../describe/define-resource";
import { inputAt } from "../describe/fields";
import { warn } from "../engine/warnings";
import { type Leftover } from "../creation/leftover";
import { type Call } from "../state/call";
import { isMoved } from "./check-inputs";
import { takenNameFailures } from "./unique-names";
import { type Properties } from "../state/values";

/** Validates new and changed inputs against the account: what they name must exist, and a unique name must be free. */
export async function validate(
  kind: Kind,
  olds: Properties,
  call: Call,
  left?: Leftover,
): Promise<Failure[]> {
  const { session, description } = kind;
  const { inputs } = call;
  const validations = (description.validations ?? []).filter(({ about }) =>
    about.some((path) => inputAt(inputs, { path }) !== undefined && isMoved(description, path, olds, inputs)),
  );
  const findings: Finding[][] = await Promise.all([
    ...validations.map((validation) => validation.validate(session.account, inputs)),
    ...(isNew(olds) ? [takenNameFailures(kind, call, left)] : []),
  ]);
  const failures: Failure[] = [];
  for (const { property, reason, warns } of findings.flat()) {
    if (warns !== true) failures.push({ property, reason });
    else warn({ kind, call }, `${property} ${reason}`);
  }
  return failures;
}
