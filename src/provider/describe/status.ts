import { type OperationSpec } from "../../api/operation";
import { type Properties } from "../state/values";

/** The status of an answer; empty where it shows none. */
export const statusOf = (reply: Properties): string =>
  typeof reply["status"] === "string" ? reply["status"] : "";

/** Whether the service takes an operation on an object of this status. */
export function takes(op: OperationSpec | undefined, status: string): boolean {
  const { only, not = [] } = op?.status ?? {};
  return (only === undefined || only.includes(status)) && !not.includes(status);
}
