import { counted, printableLine } from "../../api/text";
import { type Context } from "../context";
import { EXIT, type ExitCode } from "../errors";
import { writeResult } from "../output";
import { withProgress } from "../progress";
import { type Settled, settleProgram } from "./settle";

/** How `nodecloud import --settle` is called. */
interface Options {
  readonly stack?: readonly string[];
  readonly all?: boolean;
}

/** Removes the options `import` of adopted objects from programs, and prints what it removed and what stays. */
export async function runSettle(
  context: Context,
  directories: readonly string[],
  { stack = [], all = false }: Options = {},
): Promise<ExitCode> {
  const settled = await withProgress(context, (progress) =>
    settleProgram(context, progress, { directories, stacks: stack, all }),
  );
  await writeResult(context, textOf(settled));
  return settled.stays.length > 0 ? EXIT.findings : EXIT.none;
}

function textOf({ removed, stays }: Settled): string {
  const lines = [
    ...removed.map(
      ({ file, line, resource, id }) => `${file}:${line}: removed import: "${id}" of ${resource}`,
    ),
    ...stays.map(
      ({ file, line, resource, reason }) =>
        `${file}:${line}: import${resource === undefined ? "" : ` of ${resource}`} stays: ${reason}`,
    ),
  ];
  if (lines.length === 0) return "There are no options import to remove.";
  const files = new Set(removed.map(({ file }) => file)).size;
  const stay =
    stays.length === 0 ? "" : `; ${counted(stays.length, "option")} ${stays.length === 1 ? "stays" : "stay"}`;
  const sum = `Removed ${counted(removed.length, "option")} in ${counted(files, "file")}${stay}.`;
  return [...lines.map(printableLine), sum].join("\n");
}
