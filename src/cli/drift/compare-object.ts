import { type Description } from "../../provider/describe/define-resource";
import { leavesOf } from "../../provider/describe/fields";
import { SET } from "../../provider/state/hidden-properties";
import { type Path } from "../../provider/state/property-paths";
import { isSecretAt } from "../../provider/state/secret-inputs";
import { lastSent } from "../../provider/state/sent";
import { withDrift } from "../../provider/state/drift";
import { type Properties, same } from "../../provider/state/values";
import { type ChangedProperty } from "./findings";

/** Whether a state says what the program sent, so that the object can be compared with it. */
export const isComparable = (stored: Properties): boolean => typeof stored[SET] === "string";

/** The inputs whose live values differ from those that the stack set, by the rules of a refresh. */
export function changedProperties(
  { fields }: Pick<Description, "fields">,
  stored: Properties,
  shown: Properties,
  secrets: readonly Path[],
): ChangedProperty[] {
  const leaves = leavesOf(fields);
  const sent = lastSent(stored);
  const now = withDrift(leaves, stored, shown);
  return leaves.flatMap(({ path, comparison }): ChangedProperty[] => {
    if (!sent.has(path)) return [];
    const [expected, live] = [sent.get(path), now.get(path)];
    if (same(comparison, expected, live)) return [];
    if (isSecretAt(secrets, path)) return [{ path, secret: true }];
    return [
      {
        path,
        ...(expected === undefined || expected === null ? {} : { expected }),
        ...(live === undefined || live === null ? {} : { live }),
      },
    ];
  });
}
