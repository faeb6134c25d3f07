/**
 * Draws the preview of README.md: deploys the program of README.md on the emulator as it was before its change, previews it with the real engine on a terminal, and
 * writes what the terminal shows at the end to docs/pictures, light and dark. With --check it only compares, and fails if a picture is out of date. It needs the program `script`
 * of Linux, which makes the terminal.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { step } from "./child.mjs";
import { engineEnvironment } from "./environment.cjs";
import { drawTerminal, screenOf, themes } from "./picture/terminal.mjs";
import { languageNamed } from "./quickstart/languages.mjs";
import { root } from "./quickstart/places.mjs";

const { values } = parseArgs({ options: { check: { type: "boolean", default: false } } });
const pictures = join(root, "docs", "pictures");
const command = "pulumi preview";
const columns = 114;

/** The program, and the one that was deployed before: a comment of the program says what a value was. */
function programs() {
  const now = /^```ts\n([^]*?)^```$/m.exec(readFileSync(join(root, "README.md"), "utf8"))?.[1] ?? "";
  const before = now.replace(/"[^"\n]*", \/\/ was ("[^"\n]*")$/m, "$1,");
  if (before === now)
    throw new Error('The first program of README.md has no comment such as // was "us-east"');
  return { before, now };
}

/** The engine's output for the preview, with the codes of a terminal. */
async function preview() {
  const { before, now } = programs();
  const tools = await languageNamed("typescript").prepare();
  const { startEmulator } = createRequire(import.meta.url)("../dist/emulator/index.js");
  const emulator = await startEmulator({ port: 0, speed: 60_000 });
  const directory = mkdtempSync(join(tmpdir(), "nodecloud-picture-"));
  // Inside the checkout, so that the program finds the package.
  const project = join(root, ".cache", "picture");
  const env = {
    ...engineEnvironment({
      home: join(directory, "home"),
      backend: join(directory, "state"),
      passphrase: "x",
    }),
    ...tools.env,
    PULUMI_NODEJS_TRANSPILE_ONLY: "true",
    PULUMI_DISABLE_CI_DETECTION: "true",
    TERM: "xterm-256color",
    SHELL: "/bin/sh",
    NODECLOUD_TOKEN: emulator.token,
    NODECLOUD_BASE_URL: emulator.url,
  };
  /** @type {import("node:child_process").SpawnOptions} */
  const options = { cwd: project, env, stdio: ["ignore", "pipe", "pipe"] };
  const pulumi = (/** @type {string[]} */ ...args) => step("pulumi", [...args, "--non-interactive"], options);
  const onTerminal = `stty cols ${columns} rows 40 && exec ${command} --color always`;
  try {
    rmSync(project, { recursive: true, force: true });
    mkdirSync(project, { recursive: true });
    writeFileSync(join(project, "Pulumi.yaml"), "name: shop\nruntime: nodejs\n");
    writeFileSync(join(project, "package.json"), "{}");
    writeFileSync(join(project, "index.ts"), before);
    await pulumi("stack", "init", "prod");
    await pulumi("up", "--yes", "--skip-preview");
    writeFileSync(join(project, "index.ts"), now);
    return await step("script", ["-qec", onTerminal, "/dev/null"], options);
  } finally {
    await emulator.stop();
    rmSync(directory, { recursive: true, force: true });
    rmSync(project, { recursive: true, force: true });
  }
}

const shown = [`$ ${command}`, ...screenOf(await preview())];
mkdirSync(pictures, { recursive: true });
for (const [name, theme] of Object.entries(themes)) {
  const file = join(pictures, `preview-${name}.svg`);
  const drawn = drawTerminal(shown, columns, theme);
  if (!values.check) writeFileSync(file, drawn);
  else if (readFileSync(file, "utf8") !== drawn) {
    console.log(`${file} is not what the preview prints: run \`npm run picture\``);
    process.exitCode = 1;
  }
}
