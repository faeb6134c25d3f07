import { counted } from "../../api/text";
import { isNotFound } from "../../api/errors";
import { connect } from "../../provider/settings/connect";
import { type Configuration } from "../../provider/settings/config";
import { isCollection } from "../../provider/describe/define-collection";
import { parseId } from "../../provider/describe/define-resource";
import { creations, type Creation } from "../../provider/notes/journal";
import { actionNotes } from "../../provider/notes/action-notes";
import { Notes, type Stamp } from "../../provider/notes/notes";
import { isElsewhere, thisRun } from "../../provider/base/runs";
import { descriptionOf } from "../descriptions";
import { type Context } from "../context";
import { type Check, outcomesOf } from "./check";

/** Lists the notes that interrupted runs have left on this machine, and looks the objects up that they name. */
export async function checkNotes(
  { environment, signal }: Context,
  configuration: Configuration | undefined,
  now: number,
): Promise<Check[]> {
  const run = () => thisRun(undefined);
  const created = [...new Notes(environment, creations, run).all(now)].map(([, note]) => note);
  const actions = [...new Notes(environment, actionNotes, run).all(now)].map(([, note]) => note);
  const client = configuration && connect(configuration, { stop: signal });
  const { ok, warning } = outcomesOf("interrupted run");
  const checks = await Promise.all(
    created.map(async (note): Promise<Check> => {
      const what = `${note.called ?? note.type ?? "a resource"}, ${ageOf(note, now)}`;
      if (isElsewhere(note, now)) return ok(`another run is creating ${what}`);
      const became = client === undefined ? "it was not looked up" : await becameOf(note, client);
      return warning(
        `a run was creating ${what}: ${became}`,
        `run \`pulumi up\` of ${note.of === undefined ? "its stack" : `the stack ${note.of}`}, which resumes. If the program no longer declares it, delete or import the object`,
      );
    }),
  );
  const open = actions.filter((note) => !isElsewhere(note, now) && !note.accepted).length;
  if (open > 0) {
    const finding = `${counted(open, "action")} of runs (restores, credential resets, patches) got no answer`;
    const advice = "run `pulumi up` of their stacks: its preview says whether the action was carried out";
    checks.push(warning(finding, advice));
  }
  return checks.length > 0 ? checks : [outcomesOf("interrupted runs").ok("no notes on this machine")];
}

async function becameOf(note: Creation & Stamp, client: ReturnType<typeof connect>): Promise<string> {
  if (!("id" in note)) return "it asked for the object, and the answer was lost";
  const description = descriptionOf(note.type ?? "");
  const ref = description && parseId(description, note.id);
  if (description === undefined || isCollection(description) || ref === undefined)
    return `${note.id} was not looked up`;
  try {
    const found = await description.read(client, ref);
    return found === undefined ? `${note.id} is gone` : `${note.id} exists in this account`;
  } catch (error) {
    return isNotFound(error) ? `this account has no ${note.id}` : `${note.id} could not be read`;
  }
}

function ageOf({ at }: Stamp, now: number): string {
  const minutes = Math.max(0, Math.round((now - at) / 60_000));
  return minutes < 120 ? `${minutes} min ago` : `${Math.round(minutes / 60)} h ago`;
}
