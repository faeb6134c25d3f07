import { type CliCommand } from "../../src/cli/cli-command";
import { CliError, EXIT } from "../../src/cli/errors";
import { writeResult } from "../../src/cli/output";
import { nodecloud } from "../helpers/command-line";

const command = (name: string, work: () => Promise<(typeof EXIT)[keyof typeof EXIT]>): CliCommand => ({
  name,
  declare: (declared, _, run) => declared.action(() => run(work)),
});

const commands = [
  command("finds", () => Promise.resolve(EXIT.findings)),
  command("fails", () => Promise.reject(new CliError("the stack prod does not exist\nsecond line"))),
];

test("the exit code is that of the command", async () => {
  expect(await nodecloud(["finds"], { commands })).toEqual({ code: 2, stdout: "", stderr: "" });
});

test("an error is one line", async () => {
  expect(await nodecloud(["fails"], { commands })).toEqual({
    code: 1,
    stdout: "",
    stderr: "error: the stack prod does not exist\n",
  });
});

test("an error is red in a terminal, unless NO_COLOR is set", async () => {
  const red = "\u001b[31merror\u001b[39m: the stack prod does not exist\n";
  expect((await nodecloud(["fails"], { commands, columns: 80 })).stderr).toBe(red);
  const { stderr } = await nodecloud(["fails"], { commands, columns: 80, environment: { NO_COLOR: "1" } });
  expect(stderr).toBe("error: the stack prod does not exist\n");
});

test("an unknown command is an error that names the nearest one", async () => {
  const { code, stdout, stderr } = await nodecloud(["find"], { commands });
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toBe("error: unknown command 'find'\n(Did you mean finds?)\n");
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
