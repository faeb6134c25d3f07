import { Command } from "commander";
import { type CliCommand } from "../../src/cli/cli-command";
import { commands as ownCommands } from "../../src/cli/commands";
import { type Context } from "../../src/cli/context";
import { CliError, EXIT } from "../../src/cli/errors";
import { writeResult } from "../../src/cli/output";
import { nodecloud } from "../helpers/command-line";

const command = (name: string, work: () => Promise<(typeof EXIT)[keyof typeof EXIT]>): CliCommand => ({
  name,
  declare: (declared, _, run) => declared.action(() => run(work)),
});

const commands = [
  command("finds", () => Promise.resolve(EXIT.findings)),
  command("fails", () =>
    Promise.reject(new CliError("the stack prod does not exist\nsecond line", { code: "STACKS_UNREADABLE" })),
  ),
];

test("the exit code is that of the command", async () => {
  expect(await nodecloud(["finds"], { commands })).toEqual({ code: 2, stdout: "", stderr: "" });
});

test("an error is one line", async () => {
  expect(await nodecloud(["fails"], { commands })).toEqual({
    code: 1,
    stdout: "",
    stderr: "error: the stack prod does not exist [NC2006]\n",
  });
});

test("an error is red in a terminal, unless NO_COLOR is set", async () => {
  const red = "\u001b[31merror\u001b[39m: the stack prod does not exist [NC2006]\n";
  expect((await nodecloud(["fails"], { commands, columns: 80 })).stderr).toBe(red);
  const { stderr } = await nodecloud(["fails"], { commands, columns: 80, environment: { NO_COLOR: "1" } });
  expect(stderr).toBe("error: the stack prod does not exist [NC2006]\n");
});

test("an unknown command is an error that names the nearest one", async () => {
  const { code, stdout, stderr } = await nodecloud(["find"], { commands });
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toBe("error: unknown command 'find'\n(Did you mean finds?) [NC2002]\n");
});

test("an interrupted command says that nothing was changed", async () => {
  const stopping = new AbortController();
  const waits = command("waits", () => {
    stopping.abort(new Error("stopped by SIGINT"));
    return Promise.reject(stopping.signal.reason as Error);
  });
  expect(await nodecloud(["waits"], { commands: [waits], signal: stopping.signal })).toMatchObject({
    code: 130,
    stderr: "interrupted; nothing was changed\n",
  });
});

test("a result that cannot be written to a file is an error", async () => {
  const writes: CliCommand = {
    name: "writes",
    declare: (declared, context, run) =>
      declared.action(() => run(() => writeResult(context, "text", "missing/file").then(() => EXIT.none))),
  };
  const { code, stderr } = await nodecloud(["writes"], { commands: [writes] });
  expect(code).toBe(1);
  expect(stderr).toMatch(/^error: cannot write missing\/file: ENOENT: no such file or directory/);
});

test.each(ownCommands)("the help of $name tells in one voice what each option does", ({ name, declare }) => {
  const declared = new Command(name);
  declare(declared, {} as Context, () => Promise.resolve());
  // The description of an option or a command is an order: "Write to a file". That of an argument names a thing.
  for (const { description } of [{ description: declared.description() }, ...declared.options]) {
    expect(description).toMatch(/^[A-Z][a-z]+ .*[^.]$/);
    expect(description).not.toMatch(/^(The|An?|How|What|Whose|Whether|[A-Z][a-z]*[^s]s) /);
  }
  for (const { description } of declared.registeredArguments) expect(description).toMatch(/^[A-Z].*[^.]$/);
});

test.each(ownCommands)("the help of $name ends with examples and the exit codes", async ({ name }) => {
  const { code, stdout } = await nodecloud([name, "--help"]);
  expect(code).toBe(0);
  const [, examples = "", end = ""] = /\n\nExamples:\n((?: {2}.*\n)+)\n([^]*)$/.exec(stdout) ?? [];
  expect(examples).toMatch(new RegExp(`^ {2}nodecloud ${name}\\b`, "m"));
  // An explanation is an order, like that of an option.
  const does = [...examples.matchAll(/(?:\S {2,}(?=[A-Z])|^ {5,})(\S.*)$/gm)].map(([, text]) => text);
  expect(does.length).toBeGreaterThan(0);
  for (const one of does) expect(one).toMatch(/^[A-Z][a-z]*[^s] .*[^.]$/);
  expect(end).toMatch(/(?:^|\n\n)Exit codes: 0 \S.*, 1 \S.*\.\n$/);
});

test("the help lists the commands, and says how to print it", async () => {
  const { code, stdout } = await nodecloud(["--help"]);
  expect(code).toBe(0);
  for (const { name } of ownCommands)
    expect(stdout).toMatch(new RegExp(`^  ${name} .* {2}[A-Z][a-z]*[^s] `, "m"));
  expect(stdout).toMatch(/--help {2,}Print this text\n/);
  expect(stdout).toMatch(/\n\nnodecloud COMMAND --help prints .*\.\n$/);
});
