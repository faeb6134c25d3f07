import { type OperationSpec } from "../../api/operation";
import { type Properties } from "../base/values";

/** The status in an answer. Empty if it shows none. */
export const statusOf = (reply: Properties): string =>
  typeof reply["status"] === "string" ? reply["status"] : "";

/** Whether the service accepts an operation on an object with this status. */
export function takes(op: OperationSpec | undefined, status: string): boolean {
  const { only, not = [] } = op?.status ?? {};
  return (only === undefined || only.includes(status)) && !not.includes(status);
}
