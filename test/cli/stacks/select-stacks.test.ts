import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
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

describe("if the engine cannot list the stacks of a project,", () => {
  let directory: string;
  beforeEach(() => (directory = mkdtempSync(join(tmpdir(), "select-stacks-"))));
  afterEach(() => rmSync(directory, { recursive: true }));

  async function selected(settings: string, files: readonly string[], environment = {}) {
    for (const file of files) {
      mkdirSync(dirname(join(directory, file)), { recursive: true });
      writeFileSync(join(directory, file), "{}");
    }
    writeFileSync(join(directory, "Pulumi.yaml"), `name: dns\nruntime: nodejs\n${settings}`);
    const workspaces = { stacksOf: () => Promise.reject(new Error("unexpected end of JSON input")) };
    const selection = { directories: ["."], stacks: [], all: true };
    const context = contextIn({ directory, environment: { PULUMI_HOME: directory, ...environment } });
    const { stacks, gaps } = await selectStacks(context, workspaces as unknown as Workspaces, selection);
    return { names: stacks.map(({ name }) => name), gaps: gaps.map(({ what }) => what) };
  }

  test("all stacks in the folder of the backend are read", async () => {
    const files = ["dns/prod.json", "dns/dev.json.gz", "dns/dev.json.bak", "other/x.json"];
    const found = await selected(
      "",
      [...files.map((file) => `b/.pulumi/stacks/${file}`), "Pulumi.elsewhere.yaml"],
      { PULUMI_BACKEND_URL: `file://${directory}/b` },
    );
    expect({ ...found, names: found.names.sort() }).toEqual({ names: ["dev", "prod"], gaps: [] });
  });

  test("those with a configuration are read from another backend, and others may be missing", async () => {
    const bucket = { PULUMI_BACKEND_URL: "s3://states" };
    const gaps = ["the stacks of . without a Pulumi.STACK.yaml"];
    const files = ["Pulumi.prod.yaml", "Pulumi.dev.json"];
    expect(await selected("", files, bucket)).toEqual({ names: ["dev", "prod"], gaps });
    expect(await selected("stackConfigDir: stacks\n", ["stacks/Pulumi.eu.yml"], bucket)).toEqual({
      names: ["eu"],
      gaps,
    });
  });

  test("and no file names one, it fails", async () => {
    await expect(selected("", [], { PULUMI_BACKEND_URL: "s3://states" })).rejects.toThrow("unexpected end");
  });
});
