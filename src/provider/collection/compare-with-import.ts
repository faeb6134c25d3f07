import { type ImportComparison, compared, refuseDifferent } from "../ownership/compare-with-import";
import { ProviderError } from "../base/errors";
import { HOW_TO_CREATE, notAnId } from "../object/look-up";
import { type Call } from "../state/call";
import { hasUnknown, type Properties } from "../base/values";
import { type Collection } from "./collection";
import { heldFrom } from "./members/as-objects";
import { unclaimedOf } from "./members/match-objects";
import { nameOfMember } from "./members/names";
import { type Held, wantedIn } from "../state/members";
import { isGuarded } from "./members/secrets";
import { unlessMissing } from "../run/unless-missing";

/** Compares the members that a program declares with the objects that exist, and fails with all differences. */
export async function compareForImport(collection: Collection, id: string, call: Call): Promise<Held[]> {
  const { description, property, item } = collection;
  const { inputs } = call;
  const attempt = `import ${collection.type} ${id}`;
  const { there } = await lookBelow(collection, attempt, id, inputs);
  const pool = collection.poolOf(there);
  const guarded = isGuarded(call);
  const all: ImportComparison[] = [];
  const held = wantedIn(description, inputs[property])
    .filter((member) => !hasUnknown(member.inputs))
    .flatMap((member) => {
      const live = pool.take(member.inputs);
      const name = nameOfMember(description, member, guarded);
      if (live === undefined) {
        all.push({ lines: [`${name} does not exist`], isMade: false });
        return [];
      }
      const found = { ref: item.refOf(inputs, live), live };
      const { lines, isMade } = compared(item, found, member.inputs, () => guarded);
      all.push({ lines: lines.map((line) => `${name}: ${line}`), isMade });
      return [heldFrom(description, member, collection.parentOf(inputs), live)];
    });
  const strangers = collection.isExclusive(inputs) ? unclaimedOf(collection, there, held, inputs) : [];
  for (const { line } of strangers)
    all.push({ lines: [`${line} exists and is not in the program`], isMade: false });
  refuseDifferent(attempt, all);
  return held;
}

/** All objects that an id covers, as members, and the inputs that the id determines. */
export async function coveredBy(collection: Collection, attempt: string, id: string) {
  const { scope, there } = await lookBelow(collection, attempt, id);
  return { scope, held: unclaimedOf(collection, there, [], scope) };
}

/** The inputs that an id determines, and the objects below the parent. Fails if there is no such parent, or the program has other inputs. */
async function lookBelow(
  { description, item, parentPath }: Collection,
  attempt: string,
  id: string,
  inputs?: Properties,
): Promise<{ readonly scope: Properties; readonly there: readonly Properties[] }> {
  const scope = description.fromId(id);
  if (scope === undefined) throw notAnId(description, attempt, id);
  for (const path of inputs === undefined ? [] : description.scope) {
    const [wanted, actual] = [inputs?.[path], scope[path]];
    if (hasUnknown(wanted) || (actual ?? "") === (wanted ?? "")) continue;
    throw new ProviderError(
      `${attempt}: ${path} is ${shown(wanted)} in the program, and ${shown(actual)} in the id`,
      { code: "IMPORT_DIFFERS" },
    );
  }
  const parent = String(scope[parentPath]);
  const there = await unlessMissing(() => item.reads.all(parent));
  if (there === undefined)
    throw new ProviderError(`${attempt}: there is no ${item.parentName} ${parent}${HOW_TO_CREATE}`, {
      code: "NO_SUCH_OBJECT",
    });
  return { scope, there };
}

const shown = (value: unknown): string => (value === undefined ? "not set" : JSON.stringify(value));
