import { isAutomatic, type Call } from "../state/call";
import { lastingUrn } from "../describe/urn";
import { type ObjectKind } from "../kind/kind";
import { type Properties } from "../base/values";
import { lookUp, type Recency } from "../object/look-up";
import { differencesOf } from "../ownership/compare-with-import";
import { holderOf } from "../ownership/unique-names";
import { statusOf } from "../describe/status";

interface TakenBack {
  readonly object?: { readonly id: string; readonly reply: Properties };
  readonly isBack: true;
  readonly line: string;
  readonly isDoubtful?: "refuse";
}

/**
 * The object that this resource had before an earlier run replaced it, if the new one needs its unique name: the program has gone back before the engine
 * deleted it. The engine deletes it after the creation, which would fail for ever.
 */
export async function takenBack(
  kind: ObjectKind,
  call: Call,
  recency: Recency,
): Promise<TakenBack | undefined> {
  const { run, account, type, description } = kind;
  const { unique } = description;
  const name = unique === undefined ? undefined : call.inputs[unique];
  const isSet = typeof name === "string" && !isAutomatic(call);
  if (unique === undefined || !isSet || !run.configuration.validate) return undefined;
  const holder = kind.isPartlyUnknown({ [unique]: name }) ? undefined : await holderOf(kind, unique, name);
  if (holder === undefined) return undefined;
  const own = lastingUrn(call.fullUrn ?? call.urn ?? "");
  const left = (await run.stack.state())?.objects.find(
    (one) => one.isLeaving === true && one.type === type && one.id === holder && one.urn === own,
  );
  if (left === undefined || !account.isAt(left.at)) return undefined;
  const found = await lookUp(kind, holder, recency);
  if (found === undefined) return undefined;
  const { ref, live } = found;
  const what = `the ${type} ${holder}, which an earlier run replaced and has not deleted`;
  const other = differencesOf(kind, ref, live, call.inputs).filter(({ leaf }) => leaf.change === "replace");
  const isGoing = statusOf(live) !== statusOf(left.outputs);
  if (other.length === 0 && !isGoing)
    return { object: { id: holder, reply: live }, isBack: true, line: `takes back ${what}` };
  const why = isGoing
    ? `its status is ${statusOf(live)}`
    : `its ${other.map(({ leaf }) => leaf.path).join(", ")} cannot be changed`;
  return {
    isBack: true,
    line: `${unique} "${name}" is that of ${what}, and ${why}. Run \`pulumi up\` with the program of that run, which deletes it`,
    isDoubtful: "refuse",
  };
}

/**
 * The object with the same content that a replacement of this resource, which was not finished, has given up, as the option `retainOnDelete` keeps it: a second one of
 * this content is made nowhere.
 */
export async function givenUpBy(
  kind: ObjectKind,
  call: Call,
  alike: readonly string[],
  recency: Recency,
): Promise<TakenBack | undefined> {
  const { type } = kind;
  if (alike.length === 0) return undefined;
  const standing = await kind.standingOf(call);
  if (standing?.isGone !== true || !standing.isRetained || !alike.includes(standing.id)) return undefined;
  const found = await lookUp(kind, standing.id, recency);
  if (found === undefined) return undefined;
  kind.known.back.add(standing.id);
  const line = `takes back the ${type} ${standing.id}, which it has given up in a replacement that was not finished`;
  return { object: { id: standing.id, reply: found.live }, isBack: true, line };
}
