import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { hermeticEnvironment } from "../../scripts/environment.cjs";
import { type CliCommand } from "../../src/cli/cli-command";
import { commands } from "../../src/cli/commands";
import { completion } from "../../src/cli/completion/command";
import { FORMATS } from "../../src/cli/drift/formats";
import { ListOption } from "../../src/cli/list-option";
import { nodecloud } from "../helpers/command-line";
import { findTool } from "../helpers/debian-tools";
import { programFolder, type ProgramFolder, ROOT } from "../helpers/programs";

/** Names and texts that mean something to a shell. */
const odd: CliCommand = {
  name: "odd",
  declare: (command) => {
    command.description(`costs $HOME: it's \`date\`, "a" \\ b; c`);
    command.addOption(new ListOption("--list <names>", "two: parts")).option("--no-value", "'quoted'");
  },
};

let folder: ProgramFolder;
const shells = ["bash", "zsh", "fish"].flatMap((name) => {
  const program = findTool(name);
  return program === undefined ? [] : [{ name, program }];
});

beforeAll(async () => {
  folder = programFolder({ "infra/Pulumi.yaml": "", "in a file.yaml": "", "infra.txt": "" });
  for (const { name } of shells) {
    const script = await nodecloud(["completion", name], { commands: [...commands, odd] });
    expect(script).toMatchObject({ code: 0, stderr: "" });
    folder.write(`complete.${name}`, script.stdout);
  }
});
afterAll(() => folder.remove());

/** What a shell offers for each line, in the order of the alphabet. */
function offered({ name, program }: (typeof shells)[number], lines: readonly string[]): string[][] {
  const script = join(folder.path, `complete.${name}`);
  const harness = join(ROOT, "test/cli/fixtures", `complete.${name}`);
  const args: Record<string, string[]> = {
    bash: ["--noprofile", "--norc", harness],
    zsh: ["-f", harness],
    fish: ["--no-config", harness],
  };
  const { stdout, stderr, status } = spawnSync(program, [...(args[name] ?? []), script, ...lines], {
    cwd: folder.path,
    env: hermeticEnvironment(join(folder.path, ".home")),
    encoding: "utf8",
    // A shell that waits for a terminal would never end.
    timeout: 300_000,
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  const parts = stdout.trimStart() === "" ? [] : stdout.split(/(?<=^|\n)\n/).slice(0, -1);
  return parts.map((part) => {
    const words = part.split("\n").filter((word) => word !== "");
    // Fish adds descriptions, and repeats the option before its value. Bash and fish repeat the values before a comma.
    const bare = words.map((word) =>
      (word.split("\t")[0] ?? "").replace(/^--[a-z-]+=|\/$/g, "").replace(/^.*,/, ""),
    );
    return [...new Set(bare.map((word) => word.replaceAll("\\ ", " ")))].sort();
  });
}

const formats = Object.keys(FORMATS).sort();

const cases: readonly (readonly [what: string, line: string, expected: readonly string[]])[] = [
  ["commands", "nodecloud dr", ["drift"]],
  ["options", "nodecloud drift --f", ["--fail-on", "--format"]],
  ["values", "nodecloud drift --format ", formats],
  ["a value that has begun", "nodecloud drift --format s", ["sarif"]],
  ["a value after =", "nodecloud drift --format=s", ["sarif"]],
  ["values of arguments", "nodecloud completion ", ["bash", "fish", "zsh"]],
  ["options after the value of an option", "nodecloud drift --format json --f", ["--fail-on", "--format"]],
  ["folders", "nodecloud drift in", ["infra"]],
  ["folders after the value of an option", "nodecloud drift --format json in", ["infra"]],
  ["files and folders", "nodecloud drift --out in", ["in a file.yaml", "infra", "infra.txt"]],
  ["files after other arguments", "nodecloud report infra.txt in", ["in a file.yaml", "infra", "infra.txt"]],
  ["both names of an option", "nodecloud report --o", ["--out", "--output"]],
  ["the value of either name", "nodecloud report --out in", ["in a file.yaml", "infra", "infra.txt"]],
  ["no file for a value that is none", "nodecloud report --title in", []],
  ["no folder in a list of names", "nodecloud drift --stack in", []],
  ["the first value of a list", "nodecloud drift --fail-on un", ["unmanaged"]],
  ["the next value after a comma", "nodecloud drift --fail-on changed,de", ["deleted"]],
  [
    "the values that a list does not have",
    "nodecloud drift --fail-on changed,shared,",
    ["deleted", "unmanaged"],
  ],
  ["the next value of a list after =", "nodecloud drift --fail-on=changed,sh", ["shared"]],
  ["the values of a repeated option", "nodecloud drift --fail-on changed --fail-on sh", ["shared"]],
  [
    "all values of a list after =",
    "nodecloud drift --fail-on=",
    ["changed", "deleted", "shared", "unmanaged"],
  ],
  ["all values after =", "nodecloud drift --format=", formats],
  [
    "the values that a list after = does not have",
    "nodecloud drift --fail-on=changed,shared,",
    ["deleted", "unmanaged"],
  ],
  ["files after =", "nodecloud drift --out=in", ["in a file.yaml", "infra", "infra.txt"]],
  ["options after a value after =", "nodecloud drift --format=json --f", ["--fail-on", "--format"]],
  ["folders after a list after =", "nodecloud drift --stack=prod,staging in", ["infra"]],
  ["no option for a value after =", "nodecloud report --title=in", []],
  ["kinds without regard to upper and lower case", "nodecloud import --only node,im", ["Image"]],
  ["kinds of resources", "nodecloud import --only Node,Im", ["Image"]],
  ["rules", "nodecloud report --deny data-loss,de", ["deletion"]],
  ["the option after a list", "nodecloud drift --stack prod --a", ["--all"]],
  ["folders after a list", "nodecloud drift --stack prod,staging in", ["infra"]],
  ["folders after a list and an option", "nodecloud drift --stack prod --format json in", ["infra"]],
  [
    "codes",
    "nodecloud explain NC110",
    ["NC1101", "NC1102", "NC1103", "NC1104", "NC1105", "NC1106", "NC1107", "NC1108", "NC1109"],
  ],
  ["what has odd characters", "nodecloud odd --l", ["--list"]],
];

describe.each(shells)("$name completes", (shell) => {
  let all: string[][];
  beforeAll(() => {
    all = offered(shell, ["nodecloud ", ...cases.map(([, line]) => line)]);
  });

  test.each(cases)("%s", (_, line, expected) => {
    expect(all[cases.findIndex(([, other]) => other === line) + 1]).toEqual(expected);
  });

  test("all commands", () => {
    const names = [...commands, odd].map(({ name }) => name);
    // Bash has one list for commands and options.
    expect(all[0]?.filter((word) => !word.startsWith("-"))).toEqual(names.sort());
  });
});

test("the help says how to install the script, with a line for each shell", async () => {
  const { stdout } = await nodecloud(["completion", "--help"]);
  for (const shell of ["bash", "zsh", "fish"])
    expect(stdout).toContain(`\n  nodecloud completion ${shell} > ~/`);
});

test("another shell is an error that lists the shells", async () => {
  const { code, stderr } = await nodecloud(["completion", "tcsh"], { commands: [completion] });
  expect(code).toBe(1);
  expect(stderr).toContain("Allowed choices are bash, zsh, fish");
});

test("the page of the command lists each command", () => {
  const page = readFileSync(join(ROOT, "docs/command.md"), "utf8");
  const listed = [...page.matchAll(/^\| \[?`nodecloud (\w+)`/gm)].map(([, name]) => name);
  expect(listed).toEqual(commands.map(({ name }) => name));
});
