import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type TestEmulator } from "../helpers/emulator";
import { commandsIn, type TestStack } from "../helpers/stack";
import { stackForEachTest } from "../helpers/with-stack";

let emulator: TestEmulator;
let stack: TestStack;
stackForEachTest((own) => ({ emulator, stack } = own));

const nodes = async () =>
  (await emulator.control<{ data: { id: number; label: string }[] }>("GET", "/objects/nodes")).body.data;

/** A stack with its own project file and backend beside the program. Its project and its name are those of each other one. */
async function stackIn(folder: string) {
  const { folder: root, way } = stack;
  const state = join(root.path, `${folder}-state`);
  mkdirSync(state);
  const plugins = "plugins:\n  providers:\n    - name: nodecloud\n      path: ../node_modules/.bin\n";
  root.write(
    `${folder}/Pulumi.yaml`,
    `name: shop\nruntime: nodejs\nmain: ../src\nbackend:\n  url: file://${state}\n${way === "plugin" ? plugins : ""}`,
  );
  const commands = commandsIn(join(root.path, folder), emulator);
  delete commands.env["PULUMI_BACKEND_URL"];
  commands.env["NODECLOUD_RESUME"] = "true";
  expect(await commands.pulumi("stack", "init", "live")).toMatchObject({ code: 0 });
  return commands;
}

test("a stack of the same project and name in another backend neither resumes with nor deletes the other's node", async () => {
  const entry = stack.way === "plugin" ? "pulumi-nodecloud/plugin" : "pulumi-nodecloud";
  stack.folder.write("src/package.json", '{ "main": "index.js" }');
  stack.folder.write(
    "src/index.js",
    `const nodecloud = require("${entry}");
     new nodecloud.Node("web", { region: "us-east", type: "g6-nanode-1", image: "node/debian12" });`,
  );
  const prod = await stackIn("prod");
  const up = ["up", "--yes", "--skip-preview"];
  expect(await prod.pulumi(...up)).toMatchObject({ code: 0 });
  const [first, ...none] = await nodes();
  expect(none).toEqual([]);

  const staging = await stackIn("staging");
  const preview = await staging.pulumi("preview");
  expect(preview).toMatchObject({ code: 0 });
  expect(preview.printed).not.toContain("continues with");
  expect(await staging.pulumi(...up)).toMatchObject({ code: 0 });
  expect(await nodes()).toHaveLength(2);
  expect(await staging.pulumi("destroy", "--yes", "--skip-preview")).toMatchObject({ code: 0 });
  expect(await nodes()).toEqual([first]);
});
