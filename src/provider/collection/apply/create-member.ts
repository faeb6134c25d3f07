import { creating } from "../../creation/creation-task";
import { type Wanted } from "../members/member";
import { type PlanRun } from "./plan-run";

/** Creates a member with one request. */
export async function createMember(run: PlanRun, wanted: Wanted): Promise<void> {
  const { session, item, description } = run.collection;
  const { task } = creating(item, run.inputsOf(wanted));
  const reply = await session.writing(() => description.item.create(task));
  if (reply !== undefined) run.created(wanted, reply);
}
