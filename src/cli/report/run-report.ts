import { withCode } from "../../provider/base/codes";
import { listed, printableLine } from "../../api/text";
import { type Context } from "../context";
import { EXIT, type ExitCode, usageError } from "../errors";
import { writeResult } from "../output";
import { readStateFiles } from "../stacks/state-files";
import { coloursOfResult } from "../terminal";
import { buildReport } from "./build-report";
import { type StackReport } from "./changes";
import type * as html from "./html";
import { jsonReport } from "./json";
import { markdownOf } from "./markdown";
import { maskFor } from "./mask";
import { judge, type PolicyVerdict } from "./policy";
import { type PolicyOptions, readPolicy } from "./read-policy";
import { type Preview, readPreview } from "./read-preview";
import { textReport } from "./text";

export type ReportFormat = "markdown" | "html" | "json" | "text";

export interface ReportOptions extends PolicyOptions {
  readonly format: ReportFormat;
  readonly title: string;
  readonly marker: string;
  readonly maxBytes: number;
  readonly output?: string;
  /** Files or folders with the states of other stacks. */
  readonly states?: readonly string[];
}

/** Reports what previews do, and judges it by a policy. */
export async function runReport(
  context: Context,
  named: readonly string[],
  options: ReportOptions,
): Promise<ExitCode> {
  const files = named.length === 0 ? ["-"] : named;
  if (files.filter((file) => file === "-").length > 1)
    throw usageError("stdin can be read only once: name - once");
  const policy = await readPolicy(context, options);
  if (options.states === undefined && policy.rules.some(({ kind }) => kind === "shared"))
    throw usageError("the rule shared needs the states of the other stacks: name them with --states");
  const previews: Preview[] = [];
  for (const file of files) previews.push(await readPreview(context, file));
  const mask = maskFor(context, previews);
  const states = await readStateFiles(context, options.states ?? []);
  const reports = previews.map((preview) => buildReport(preview, mask, states));
  const verdict = judge(
    reports.flatMap(({ changes }) => changes),
    policy.rules,
    policy.allowances,
  );
  await writeResult(context, render(context, reports, verdict, options), options.output);
  for (const note of policy.notes) context.stderr.write(`${mask(printableLine(note))}\n`);
  for (const { kind, type, name, source } of verdict.unused) {
    const what = [kind, ...(type === undefined ? [] : [type]), name].join(":");
    const line = `${source}: ${what} allows nothing: no rule denies such a change`;
    context.stderr.write(`${mask(printableLine(line))}\n`);
  }
  if (verdict.denied.length > 0) {
    const sources = new Set(verdict.denied.map(({ source }) => source));
    const line = `denied: ${verdict.denied.length} by ${listed([...sources], "and")}`;
    context.stderr.write(`${mask(printableLine(line))}\n`);
    return EXIT.findings;
  }
  const incomplete = reports.find((report) => report.incomplete !== undefined);
  if (incomplete === undefined || policy.rules.length === 0) return EXIT.none;
  const line = `the policy cannot be checked for ${incomplete.stack}: ${incomplete.incomplete}`;
  context.stderr.write(`${withCode(line, "INCOMPLETE")}\n`);
  return EXIT.error;
}

function render(
  context: Context,
  reports: readonly StackReport[],
  verdict: PolicyVerdict,
  { format, title, marker, maxBytes, output }: ReportOptions,
): string {
  if (format === "json") return jsonReport(reports, verdict);
  if (format === "text") return textReport(reports, verdict, coloursOfResult(context, output));
  if (format === "html") return load().htmlReport(reports, verdict, title);
  // The encoding keeps the text from ending the HTML comment.
  const line = `<!-- nodecloud-report: ${encodeURIComponent(marker)} -->`;
  return markdownOf(reports, { title: printableLine(title), marker: line, mostBytes: maxBytes, verdict });
}

// eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded when it is used, with the library that it needs
const load = () => require("./html") as typeof html;
