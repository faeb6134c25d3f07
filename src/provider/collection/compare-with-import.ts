import { differencesOf, differenceText, howToImport, mayBeMadeOf } from "../ownership/compare-with-import";
import { ProviderError } from "../base/errors";
import { shortened } from "../kind/warnings";
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
  const there = await membersBelow(collection, attempt, scopeOf(collection, attempt, id, inputs));
  const pool = collection.poolOf(there);
  const guarded = isGuarded(call);
  const problems: string[] = [];
  let areMade = true;
  const held = wantedIn(description, inputs[property])
    .filter((member) => !hasUnknown(member.inputs))
    .flatMap((member) => {
      const reply = pool.take(member.inputs);
      const name = nameOfMember(description, member, guarded);
      if (reply === undefined) {
        areMade = false;
        problems.push(`${name} does not exist`);
        return [];
      }
      const ref = item.refOf(inputs, reply);
      const different = differencesOf(item, ref, reply, member.inputs);
      areMade &&= different.every(({ leaf, wanted, actual }) => mayBeMadeOf(leaf, wanted, actual));
      problems.push(...different.map((one) => `${name}: ${differenceText(one, guarded)}`));
      return [heldFrom(description, member, collection.parentOf(inputs), reply)];
    });
  if (collection.isExclusive(inputs)) {
    const strangers = unclaimedOf(collection, there, held, inputs);
    areMade &&= strangers.length === 0;
    problems.push(...strangers.map(({ line }) => `${line} exists and is not in the program`));
  }
  if (problems.length === 0) return held;
  throw new ProviderError(`${attempt}: ${shortened(problems).join("; ")}. ${howToImport(areMade)}`, {
    code: "IMPORT_DIFFERS",
  });
}

/** All objects that an id covers, as members, and the inputs that the id determines. */
export async function coveredBy(collection: Collection, attempt: string, id: string) {
  const scope = scopeIn(collection, attempt, id);
  const there = await membersBelow(collection, attempt, scope);
  return { scope, held: unclaimedOf(collection, there, [], scope) };
}

function scopeIn({ description }: Collection, attempt: string, id: string): Properties {
  const scope = description.fromId(id);
  if (scope === undefined) throw notAnId(description, attempt, id);
  return scope;
}

/** The inputs that an id determines. Fails if the program has other ones. */
function scopeOf(collection: Collection, attempt: string, id: string, inputs: Properties): Properties {
  const scope = scopeIn(collection, attempt, id);
  for (const path of collection.description.scope) {
    if (hasUnknown(inputs[path]) || (scope[path] ?? "") === (inputs[path] ?? "")) continue;
    throw new ProviderError(
      `${attempt}: ${path} is ${shown(inputs[path])} in the program, and ${shown(scope[path])} in the id`,
      { code: "IMPORT_DIFFERS" },
    );
  }
  return scope;
}

async function membersBelow(
  { item, parentPath }: Collection,
  attempt: string,
  scope: Properties,
): Promise<Properties[]> {
  const parent = String(scope[parentPath]);
  const there = await unlessMissing(() => item.reads.all(parent));
  if (there === undefined)
    throw new ProviderError(`${attempt}: there is no ${item.parentName} ${parent}${HOW_TO_CREATE}`, {
      code: "NO_SUCH_OBJECT",
    });
  return there;
}

const shown = (value: unknown): string => (value === undefined ? "not set" : JSON.stringify(value));
