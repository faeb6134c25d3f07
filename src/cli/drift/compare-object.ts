import { type Description } from "../../provider/describe/define-resource";
import { leavesOf } from "../../provider/describe/fields";
import { type State } from "../../provider/state/call";
import { type Path } from "../../provider/state/property-paths";
import { isSecretAt } from "../../provider/state/secret-inputs";
import { withDrift } from "../../provider/state/drift";
import { type Properties, same } from "../../provider/state/values";
import { type ChangedProperty } from "./findings";

/** The inputs whose live values differ from those that the stack set, by the rules of a refresh. */
export function changedProperties(
  { fields }: Pick<Description, "fields">,
  state: State,
  shown: Properties,
  secrets: readonly Path[],
): ChangedProperty[] {
  const leaves = leavesOf(fields);
  const { sent } = state;
  const now = withDrift(leaves, state, shown);
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
