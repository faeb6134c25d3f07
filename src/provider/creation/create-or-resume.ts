import { formatId, type Ref } from "../describe/define-resource";
import { type ObjectKind } from "../kind/kind";
import { type Call } from "../state/call";
import { isWatched, refuseAsPreviewed, refuseDenied } from "../object/guard";
import { overwrittenBy } from "../inputs/overwritten";
import { overwrittenElsewhere } from "../ownership/other-owners";
import { createWithId } from "./create-with-id";
import { createWithoutId, isCreatedWithoutId } from "./create-without-id";
import { type CreationNote, noteOf } from "./creation-note";
import { type CreatedObject } from "./creation-task";
import { resume } from "./resume";

/** Requests an object, unless the settings deny what it overwrites. */
async function request(kind: ObjectKind, call: Call, note: CreationNote): Promise<CreatedObject> {
  refuseAsPreviewed({ kind, call });
  if (isWatched(kind, "data-loss", "shared")) {
    const { loss, refs } = await overwrittenBy(kind, call, (parent) => kind.reads.all(parent));
    const shared = await overwrittenElsewhere(kind, call, refs);
    refuseDenied({ kind, call }, { operation: "creation", losses: loss === undefined ? [] : [loss], shared });
  }
  return isCreatedWithoutId(kind) ? createWithoutId(kind, call, note) : createWithId(kind, call, note);
}

/** Continues the creation of an interrupted run, or creates the object. `complete` does the rest. */
export async function createOrResume<Result>(
  kind: ObjectKind,
  call: Call,
  complete: (ref: Ref, created: CreatedObject) => Promise<Result>,
): Promise<Result> {
  const { run, screen } = kind;
  const note = noteOf(kind, call);
  await note.free();
  const created = (await resume(kind, call)) ?? (await request(kind, call, note));
  const ref = kind.refOf(call.inputs, created.reply);
  kind.known.taken(ref.parent ?? "").add(ref.id);
  note.made(formatId(ref), created.reply);
  try {
    return await complete(ref, created);
  } finally {
    // If the engine is gone, or a second ctrl-C may end it before it saves the state, the note tells the next run of the object.
    if (!run.ending.signal.aborted && (await screen.log.engineIsAlive())) note.forget();
  }
}
