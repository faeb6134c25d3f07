import { transformFileSync } from "@swc/core";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { startTestEmulator } from "../helpers/emulator";
import { ROOT } from "../helpers/programs";
import { testStack } from "../helpers/stack";

test.each(["pulumi-nodecloud", "pulumi-nodecloud/plugin"])(
  "examples/automation deploys an inline program with %s from another working directory",
  async (entry) => {
    const emulator = await startTestEmulator({ speed: 60_000 });
    const stack = await testStack(emulator);
    try {
      const { code } = transformFileSync(join(ROOT, "examples/automation/index.ts"), {
        jsc: { parser: { syntax: "typescript" }, target: "es2022" },
        module: { type: "commonjs" },
      });
      stack.folder.write(
        "app/index.js",
        code.replaceAll('require("pulumi-nodecloud")', `require("${entry}")`),
      );
      stack.folder.write("app/package.json", "{}");
      const env = { ...stack.env, PULUMI_STACK: "test" };
      await promisify(execFile)(process.execPath, [join(stack.folder.path, "app/index.js"), "up"], {
        cwd: "/",
        env,
      });
      const { data } = (await emulator.control<{ data: { domain: string }[] }>("GET", "/objects/domains"))
        .body;
      expect(data).toMatchObject([{ domain: "example.org" }]);
    } finally {
      stack.remove();
      await emulator.stop();
    }
  },
);
