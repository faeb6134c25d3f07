import { withCode } from "../../provider/base/codes";
import { printableLine } from "../../api/text";
import { type Context } from "../context";
import { typesOfOnly } from "../descriptions";
import { EXIT, type ExitCode, usageError } from "../errors";
import { writeResult } from "../output";
import { withProgress } from "../progress";
import { coloursFor, coloursOfResult, widthOf } from "../terminal";
import { assemble } from "./assemble";
import { collectDrift, collectPart } from "./collect";
import { FORMATS, type DriftFormat } from "./formats";
import { ignoring, readIgnoreFile } from "./ignore/ignore";
import { partFile, readParts, shardIn } from "./part-files";
import { KINDS, type FindingKind, type Report, reportOf } from "./report";

export interface DriftOptions {
  readonly stack?: readonly string[];
  readonly all?: boolean;
  readonly states?: readonly string[];
  readonly sync?: string;
  readonly shard?: string;
  readonly merge?: boolean;
  readonly only?: readonly string[];
  readonly format: DriftFormat;
  readonly failOn?: readonly FindingKind[];
  readonly ignoreFile?: string;
  readonly out?: string;
}

/** The functions that the command uses. */
export interface Uses {
  readonly collect: typeof collectDrift;
  now(): Date;
}

/** Compares stacks with their accounts, and prints the findings. With `shard`, writes a part of them, which `merge` reads. */
export async function runDrift(
  context: Context,
  given: readonly string[],
  { stack = [], all = false, states, failOn = KINDS, format, merge = false, ...options }: DriftOptions,
  { collect = collectDrift, now = () => new Date() }: Partial<Uses> = {},
): Promise<ExitCode> {
  const out = options.out === "-" ? undefined : options.out;
  const shard = options.shard === undefined ? undefined : shardIn(options.shard);
  const directories = given.length > 0 || states !== undefined ? given : ["."];
  const only = typesOfOnly(options.only, given);
  const { sync } = options;
  if (sync !== undefined && states === undefined)
    throw usageError("--sync: name the folder that the command fills with --states");
  const selection = { directories, stacks: stack, all, states, sync, shard };
  if (shard !== undefined) {
    const part = await withProgress(context, (progress) => collectPart(context, progress, selection, only));
    context.signal.throwIfAborted();
    await writeResult(context, partFile(shard, part), out);
    return EXIT.none;
  }
  const entries = await readIgnoreFile(context, options.ignoreFile);
  const found = merge
    ? assemble(await readParts(context, given))
    : await withProgress(context, (progress) => collect(context, progress, selection, only));
  context.signal.throwIfAborted();
  const ignored = ignoring(entries, found, now());
  const report = reportOf(found, { failOn, ...ignored });
  const colours = coloursOfResult(context, out);
  const width = out === undefined ? widthOf(context.stdout) : undefined;
  await writeResult(context, FORMATS[format](report, { colours, width }), out);
  if (out !== undefined || !context.stdout.isTTY) tell(context, report);
  return exitCodeOf(report);
}

/** Says on stderr what is missing in the report, for a person who does not see the report itself. */
function tell(context: Context, { gaps, notes }: Report): void {
  const { yellow } = coloursFor(context, context.stderr);
  const print = (start: string, text: string) =>
    void context.stderr.write(`${start}: ${printableLine(text)}\n`);
  for (const { what, reason } of gaps)
    print(yellow("warning"), withCode(`could not look at ${what}: ${reason}`, "INCOMPLETE"));
  for (const note of notes) print("note", note);
}

/** An incomplete comparison never ends like one that found nothing. */
function exitCodeOf({ findings, failOn, gaps }: Report): ExitCode {
  if (findings.some(({ kind }) => failOn.includes(kind))) return EXIT.findings;
  return gaps.length > 0 ? EXIT.error : EXIT.none;
}
