import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { selectStacks } from "../../../src/cli/stacks/select-stacks";
import { type Workspaces } from "../../../src/cli/stacks/workspaces";
import { contextIn } from "../../helpers/command-line";

test("a project whose stacks cannot be listed is a gap that says how to find the damaged state", async () => {
  const directory = mkdtempSync(join(tmpdir(), "select-stacks-"));
  for (const name of ["dns", "infra"]) {
    mkdirSync(join(directory, name));
    writeFileSync(join(directory, name, "Pulumi.yaml"), `name: ${name}\nruntime: nodejs\n`);
  }
  const stacksOf: Workspaces["stacksOf"] = ({ name }) =>
    name === "dns"
      ? Promise.reject(new Error("unexpected end of JSON input"))
      : Promise.resolve({ stacks: [{ name: "prod" }], selected: undefined });
  const selection = { directories: ["."], stacks: [], all: true };
  const { stacks, gaps } = await selectStacks(
    contextIn({ directory }),
    { stacksOf } as Workspaces,
    selection,
  );
  rmSync(directory, { recursive: true });
  expect(stacks.map(({ name }) => name)).toEqual(["prod"]);
  expect(gaps).toEqual([
    {
      what: "the stacks of dns",
      reason:
        "unexpected end of JSON input. One damaged state makes the list of all stacks fail: `nodecloud drift --states` with a copy of the backend names its file",
    },
  ]);
});
