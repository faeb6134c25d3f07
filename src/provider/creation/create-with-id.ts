import { ProviderError } from "../base/errors";
import { note as tell, warn } from "../kind/warnings";
import { ownerElsewhere, withHolder } from "../ownership/unique-names";
import { type ObjectKind } from "../kind/kind";
import { type Call, isAutomatic } from "../state/call";
import { type Properties } from "../base/values";
import { type CreationNote } from "./creation-note";
import { type CreatedObject } from "./creation-task";
import { createdTwice, Creations, outcomeUnknown } from "./creations-with-lost-answers";

/** Creates an object. The answer names it. */
export async function createWithId(kind: ObjectKind, call: Call, note: CreationNote): Promise<CreatedObject> {
  const { description, type } = kind;
  const attempt = `create ${kind.nameOf(call.inputs)}`;
  const parent = kind.parentOf(call.inputs);
  const there = await kind.reads.existing(parent).catch(() => undefined);
  const alike = there?.equalTo(call.inputs).map((item) => description.idOf(item)) ?? [];
  let done: CreatedObject | undefined;
  const creations = new Creations<Call>(kind, parent, {
    before: there?.ids,
    inputsOf: ({ inputs }) => inputs,
    // Noted before the request, so that a later run knows of it if this one is interrupted.
    asks: () => {
      note.asked(alike);
    },
    found: (_, reply) => {
      const id = kind.idBelow(parent, reply);
      tell(
        { kind, call, id },
        `the answer to its creation was lost: it is the ${type} ${id}, which has appeared with the same content`,
      );
    },
    created: (_, created) => {
      done = created;
    },
    unknown: (_, saying, cause) => {
      // The note stays: the next run looks first.
      const by = `, by ${howItIsKnown(kind, call)}, and requests it again only if it does not exist`;
      throw outcomeUnknown(attempt, saying, cause, by);
    },
    doubled: (_, twins) => {
      warn({ kind, call }, `it ${createdTwice("is", twins)}`, "CREATED_TWICE");
    },
  });
  try {
    await creations.request(call);
  } catch (error) {
    note.forget();
    throw await withHolder(error, kind, call, attempt);
  }
  // Without a lost answer, it is created by now.
  if (done !== undefined) return done;
  await creations.settle();
  if (done === undefined) throw new TypeError(`${attempt}: nothing was created`);
  await refuseOthers(kind, call, attempt, (done as CreatedObject).reply, note);
  return done;
}

/** After a lost answer, an object with a unique name may be one that another stack has created meanwhile. */
async function refuseOthers(
  kind: ObjectKind,
  call: Call,
  attempt: string,
  reply: Properties,
  note: CreationNote,
): Promise<void> {
  const { unique } = kind.description;
  if (unique === undefined) return;
  const id = kind.description.idOf(reply);
  const elsewhere = await ownerElsewhere(kind, call, id);
  if (elsewhere === undefined) return;
  note.forget();
  throw new ProviderError(
    `${attempt}: the answer was lost, and the ${kind.type} ${id} has the ${unique}, ${elsewhere}`,
    { code: "NAME_TAKEN" },
  );
}

/** The inputs that identify an object, for messages: `label "web-4fe9fba"`. */
function howItIsKnown({ description: { identity } }: ObjectKind, call: Call): string {
  const { inputs } = call;
  const paths = identity.filter((path) => inputs[path] !== undefined);
  const called = paths.map((path) => `${path} ${JSON.stringify(inputs[path])}`).join(", ");
  return isAutomatic(call) ? `its ${called}` : called;
}
