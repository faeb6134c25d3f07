import { execFile } from "node:child_process";
import { existsSync, readFileSync, readlinkSync } from "node:fs";
import { basename } from "node:path";
import { promisify } from "node:util";
import { type Environment } from "../base/pulumi-home";
import { quietly } from "../../api/quietly";
import { parentOf } from "../base/runs";
import { type Holder } from "./holders";

const MAX_BYTES = 1 << 30;

/** How many processes are looked at above this one. */
const MOST_ABOVE = 10;

/**
 * The command line that runs this process, and its folder: it may not be on the PATH, and a relative URL of a backend leads from there. Only Linux shows
 * it without another process.
 */
export function commandLine(): { readonly file: string; readonly cwd?: string; readonly pid?: number } {
  let pid = process.ppid;
  for (let above = 0; above < MOST_ABOVE && pid > 1; above++) {
    const file = quietly(() => readlinkSync(`/proc/${pid}/exe`));
    const cwd = quietly(() => readlinkSync(`/proc/${pid}/cwd`));
    if (file !== undefined && cwd !== undefined && basename(file) === "pulumi" && existsSync(file))
      return { file, cwd, pid };
    pid = parentOf(pid) ?? 0;
  }
  return { file: "pulumi" };
}

/** The arguments of the command line, as Linux shows them. */
function givenArguments(): readonly string[] | undefined {
  const { pid } = commandLine();
  return pid === undefined
    ? undefined
    : quietly(() => readFileSync(`/proc/${pid}/cmdline`, "utf8"))?.split("\0");
}

/** Whether it leaves resources of the program out. */
export const leavesSomeOut = (): boolean =>
  givenArguments()?.some((arg) => /^(?:--target|-t|--exclude|--exclude-protected)(?:=|$)/.test(arg)) === true;

/** Whether it replaces resources that the program has not changed. Unknown where its arguments are not shown. */
export const replacesSome = (args = givenArguments()): boolean | undefined =>
  args?.some((arg) => /^--(?:target-)?replace(?:=|$)/.test(arg));

/** Whether it may leave some out. Only Linux shows its arguments. */
export const mayLeaveSomeOut = (): boolean => givenArguments() === undefined || leavesSomeOut();

/** Whether it deletes the stack. Then no import of the program is carried out, although `--run-program` runs it. A stack may have the name of a command, so one that updates counts more. */
export function destroys(): boolean {
  const args = givenArguments() ?? [];
  const has = (...commands: string[]) => commands.some((command) => args.includes(command));
  return has("destroy", "down", "dn") && !has("up", "update");
}

/** Whether it only shows what it would do, as a preview with a refresh does. */
export function onlyLooks(args = givenArguments() ?? []): boolean {
  const changes = ["up", "update", "refresh", "destroy"].some((command) => args.includes(command));
  return args.includes("--preview-only") || (!changes && args.some((arg) => /^pre(?:view)?$/.test(arg)));
}

/** Tells whether the command leaves one of the resources of the state out. */
export function leftBy(args = givenArguments() ?? []): (resource: Holder) => boolean {
  const named = (...options: string[]) =>
    args.flatMap((arg, index) => {
      const [option = "", ...value] = arg.split("=");
      return options.includes(option) ? [patternOf(value.join("=") || (args[index + 1] ?? ""))] : [];
    });
  const [targets, excluded] = [named("--target", "-t"), named("--exclude")];
  return ({ urn, isProtected }) =>
    (targets.length > 0 && !targets.some((one) => one.test(urn))) ||
    excluded.some((one) => one.test(urn)) ||
    (isProtected === true && args.includes("--exclude-protected"));
}

/** Whether it also means what depends on its targets. */
export const takesDependents = (): boolean => givenArguments()?.includes("--target-dependents") === true;

/** The resources that an option names: one, or with `*` and `**` some. */
function patternOf(text: string): RegExp {
  const parts = text.split(/(\*+)/).map((part, index) => {
    if (index % 2 === 1) return part.length > 1 ? ".*" : "[^:]*";
    return part.replace(/[\\^$.+?()[\]{}|]/g, "\\$&");
  });
  return new RegExp(`^${parts.join("")}$`);
}

/** The stack that the command line is about: the one that it names, or the selected one. `isKnown` is false on systems that do not show its arguments. */
export function stackOfCommand(): { readonly isKnown: boolean; readonly name?: string | undefined } {
  const args = givenArguments();
  if (args === undefined) return { isKnown: false };
  const at = args.findIndex((arg) => /^(?:--stack|-s)(?:=|$)/.test(arg));
  const [option, ...value] = args[at]?.split("=") ?? [];
  return {
    isKnown: true,
    name: option === undefined ? undefined : value.length > 0 ? value.join("=") : args[at + 1],
  };
}

/** The arguments that name a stack. If only a state names it, it may have been renamed since. */
export function stackArguments(name: string | undefined, isTold: boolean): string[] {
  const command = isTold ? undefined : stackOfCommand();
  const named = command?.isKnown === true ? command.name : name;
  return named === undefined ? [] : ["--stack", named];
}

/** Runs the command line and returns the JSON that it prints. It gets the same environment and folder as the one that runs this process. */
export async function askCommandLine(
  args: readonly string[],
  environment: Environment,
  timeout: number,
): Promise<unknown> {
  const { file, cwd } = commandLine();
  const options = { env: { ...environment }, cwd, timeout, maxBuffer: MAX_BYTES };
  const { stdout } = await promisify(execFile)(file, [...args, "--non-interactive"], options);
  return JSON.parse(stdout);
}
