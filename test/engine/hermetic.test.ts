import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cleanEnvironment, engineEnvironment, hermeticEnvironment } from "../../scripts/environment.cjs";
import { startTestEmulator } from "../helpers/emulator";
import { userProject } from "../helpers/packed";
import { startPlugin } from "../helpers/plugin";
import { testStack } from "../helpers/stack";

/** Variables of a user's shell that a helper could pass on. No helper sets one of these values itself. */
const HOSTILE = {
  PULUMI_ACCESS_TOKEN: "hostile",
  PULUMI_BACKEND_URL: "https://hostile.invalid",
  PULUMI_CONFIG: '{"program:hostile":"hostile"}',
  PULUMI_CONFIG_PASSPHRASE_FILE: "/hostile/passphrase",
  PULUMI_HOME: "/hostile/home",
  PULUMI_NODECLOUD_ENGINE: "hostile",
  PULUMI_STACK: "hostile",
  pulumi_hostile: "hostile",
  NODECLOUD_BASE_URL: "https://hostile.invalid/v4",
  NODECLOUD_IMPORT: "hostile",
  NODECLOUD_LOG: "hostile.log",
  NODECLOUD_RESUME: "hostile",
  NODECLOUD_TOKEN: "hostile",
  NODE_ENV: "hostile",
  NODE_PATH: "/hostile/modules",
  TS_NODE_PROJECT: "/hostile/tsconfig.json",
} as const;

let directory: string;
/** The home of the hostile user. Nothing may write to it. */
let home: string;
/** Exists if Node was started with the user's `NODE_OPTIONS`. */
let loaded: string;
let before: NodeJS.ProcessEnv;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "nodecloud-user-"));
  home = join(directory, "home-of-the-hostile");
  loaded = join(directory, "loaded");
  const hook = join(directory, "hook.cjs");
  mkdirSync(home);
  writeFileSync(hook, `require("node:fs").writeFileSync(${JSON.stringify(loaded)}, process.argv.join(" "));`);
  before = { ...process.env };
  const homes = { HOME: home, USERPROFILE: home, XDG_CACHE_HOME: home, XDG_CONFIG_HOME: home };
  Object.assign(process.env, HOSTILE, homes, { NODE_OPTIONS: `--require=${hook}` });
});

afterEach(() => {
  for (const name of Object.keys(process.env)) Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, before);
  rmSync(directory, { recursive: true, force: true });
});

/** The variables of a child process that come from the hostile user. */
const hostileIn = (env: Readonly<Record<string, string | undefined>>): string[] =>
  Object.entries(env)
    .filter(([, value]) => value !== undefined && /hostile/.test(value))
    .map(([name, value]) => `${name}=${value}`);

function expectNothingHostile(env: Readonly<Record<string, string | undefined>>): void {
  expect(Object.keys(env)).toContain("PATH");
  expect(hostileIn(env)).toEqual([]);
  expect(existsSync(loaded)).toBe(false);
  expect(readdirSync(home)).toEqual([]);
}

const seen = (folder: string): NodeJS.ProcessEnv =>
  JSON.parse(readFileSync(join(folder, "seen.json"), "utf8")) as NodeJS.ProcessEnv;

test("a program and its engine do not receive the user's environment", async () => {
  const emulator = await startTestEmulator();
  const stack = await testStack(
    emulator,
    `require("node:fs").writeFileSync("seen.json", JSON.stringify(process.env));
     new nodecloud.Domain("zone", { domain: "ours.example", type: "master", soaEmail: "dns@ours.example" });`,
  );
  try {
    expect(await stack.up()).toMatchObject({ code: 0, steps: { create: 1 } });
    expectNothingHostile(seen(stack.folder.path));
  } finally {
    stack.remove();
    await emulator.stop();
  }
});

test("a plugin does not receive the user's environment", async () => {
  const plugin = await startPlugin({}, { way: "dynamic" });
  try {
    const __provider =
      "exports.handler=()=>({check:async()=>({inputs:{seen:JSON.stringify(process.env)},failures:[]})})";
    const { inputs } = await plugin.check({ urn: "" }, { __provider });
    expectNothingHostile(JSON.parse(String(inputs["seen"])) as NodeJS.ProcessEnv);
  } finally {
    await plugin.stop();
  }
});

test("a command in a user's project receives from the user's environment only the home, which has npm's settings", async () => {
  const project = userProject();
  try {
    const printed = await project.run(process.execPath, ["-p", "JSON.stringify(process.env)"]);
    const env = JSON.parse(printed) as NodeJS.ProcessEnv;
    expect(env["HOME"]).toBe(home);
    const others = ["HOME", "USERPROFILE", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"].map((name) => [
      name,
      undefined,
    ]);
    expectNothingHostile({ ...env, ...Object.fromEntries(others) });
  } finally {
    project.remove();
  }
});

describe("scripts/environment.cjs", () => {
  const directories = () => ({ home: join(directory, "h"), backend: join(directory, "b b") });

  test("keeps variables that do not belong to Pulumi, this package or Node", () => {
    process.env["EDITOR"] = "ed";
    expect(cleanEnvironment()).toMatchObject({ EDITOR: "ed", PATH: process.env["PATH"] });
    expect(hermeticEnvironment(directory)).toMatchObject({ EDITOR: "ed", HOME: directory });
  });

  test("removes the user's login, stacks and account", () => {
    const found = engineEnvironment({ ...directories(), passphrase: "p" });
    expectNothingHostile(found);
    expect(
      Object.keys(found)
        .filter((name) => /^(PULUMI|NODECLOUD)_/i.test(name))
        .sort(),
    ).toEqual([
      "PULUMI_BACKEND_URL",
      "PULUMI_CONFIG_PASSPHRASE",
      "PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION",
      "PULUMI_HOME",
      "PULUMI_SKIP_UPDATE_CHECK",
    ]);
  });

  test("creates the home and the backend, with any names", () => {
    const found = engineEnvironment({ ...directories(), passphrase: "p" });
    expect(existsSync(found["PULUMI_HOME"] ?? "")).toBe(true);
    expect(found["PULUMI_BACKEND_URL"]).toMatch(/^file:\/\/\/.*\/b%20b$/);
    expect(existsSync(directories().backend)).toBe(true);
  });
});
