import { chmodSync } from "node:fs";
import { join } from "node:path";
import { descriptions } from "../../src/resources";
import { type TestEmulator } from "./emulator";
import { ROOT } from "./programs";
import { testStack, type TestStack } from "./stack";

const EXECUTABLE = "plugin/pulumi-resource-nodecloud";

/** The settings of a project whose resources the full plugin of this checkout serves. */
export const PLUGIN_PROJECT = `name: program
runtime: nodejs
plugins:
  providers:
    - name: nodecloud
      path: plugin
`;

const CLASSES = `
const nodecloud = { Provider: class extends pulumi.ProviderResource {
  constructor(name, args, opts) { super("nodecloud", name, args, opts); }
} };
for (const type of ${JSON.stringify(Object.keys(descriptions))}) {
  nodecloud[type] = class extends pulumi.CustomResource {
    constructor(name, args, opts) { super("nodecloud:index:" + type, name, args, opts); }
  };
}
`;

/** Writes the executable of the full plugin into a folder, for the path of {@link PLUGIN_PROJECT}. */
export function writePlugin(folder: TestStack["folder"]): void {
  const file = join(ROOT, "dist/bin/pulumi-resource-nodecloud.js");
  folder.write(EXECUTABLE, `#!/bin/sh\nexec "${process.execPath}" "${file}" "$@"\n`);
  chmodSync(join(folder.path, EXECUTABLE), 0o755);
}

/** Makes a stack whose resources the full plugin serves. Its program has the classes of this package as `nodecloud`, without anything that they do. */
export async function pluginStack(emulator: Pick<TestEmulator, "token" | "url">): Promise<TestStack> {
  const stack = await testStack(emulator);
  stack.folder.write("Pulumi.yaml", PLUGIN_PROJECT);
  writePlugin(stack.folder);
  return {
    ...stack,
    program: (text) =>
      stack.folder.write("index.js", `const pulumi = require("@pulumi/pulumi");${CLASSES}${text}`),
  };
}
