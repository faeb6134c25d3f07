import { counted } from "../../api/text";
import { type Context } from "../context";
import { EXIT, type ExitCode } from "../errors";
import { writeResult } from "../output";
import { withProgress } from "../progress";
import { coloursFor } from "../terminal";
import { type Check, type Status } from "./check";
import { diagnose } from "./doctor";
import { type Examined } from "./stack";

export { type Examined };

/** Runs all checks and prints them. */
export async function runDoctor(context: Context, of: Examined, format: "text" | "json"): Promise<ExitCode> {
  const checks = await withProgress(context, (progress) => diagnose(context, progress, of));
  await writeResult(
    context,
    format === "json" ? JSON.stringify({ version: 1, checks }, null, 2) : textOf(context, checks),
  );
  return checks.some(({ status }) => status === "problem") ? EXIT.findings : EXIT.none;
}

function textOf(context: Context, checks: readonly Check[]): string {
  const { green, yellow, red, dim } = coloursFor(context, context.stdout);
  const signs: Readonly<Record<Status, string>> = {
    ok: green("ok"),
    warning: yellow("warning"),
    problem: red("problem"),
    unknown: dim("unknown"),
  };
  const widest = (texts: readonly string[]) => Math.max(...texts.map(({ length }) => length));
  const [names, statuses] = [widest(checks.map(({ name }) => name)), widest(Object.keys(signs))];
  const lines = checks.flatMap(({ name, status, finding, advice }) => {
    const sign = signs[status] + " ".repeat(statuses - status.length);
    const line = `${sign}  ${name.padEnd(names)}  ${finding}`;
    return advice === undefined ? [line] : [line, `${" ".repeat(statuses + names + 4)}→ ${advice}`];
  });
  const count = (of: Status) => counted(checks.filter(({ status }) => status === of).length, of);
  return [...lines, "", `${count("problem")}, ${count("warning")}`].join("\n");
}
