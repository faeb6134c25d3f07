import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { findTool } from "../helpers/debian-tools";
import { accountsFile } from "../../src/emulator";
import { DEFAULT_ACCOUNTS } from "../../src/emulator/operations/accounts";
import { startTestEmulator, type TestEmulator } from "../helpers/emulator";
import { goPlaces, hasPython, languageHosts, runIn } from "../helpers/languages";
import { installedVersion } from "../helpers/packed";
import { expectPicture } from "../helpers/picture";
import { programFolder, ROOT } from "../helpers/programs";
import { commandsIn } from "../helpers/stack";

const run = promisify(execFile);

const go = findTool("go");

/** The examples that begin with `pulumi new`, as docs/examples.md says. Those in other languages are among them only if Go can build the language hosts. */
const EXAMPLES = [
  ...["accounts", "adopt", "automation", "component-package", "from-stack", "from-terraform"],
  ...["image-pipeline", "killed", "postgresql", "quickstart", "restore", "rotate", "self-service"],
  ...["web-server", "zone"],
  ...(go === undefined ? [] : ["go", "yaml", ...(hasPython() ? ["python"] : [])]),
];

/** A port for the server of examples/self-service that no other test uses. */
const PORT = 18_000 + (process.pid % 10_000);

const shop = "http://127.0.0.1:8090/sites/shop";

/** Those of an example that adopts what another tool manages. */
const ADOPTED = [
  ...["pulumi preview", "pulumi up --yes", "pulumi preview --expect-no-changes", "pulumi up --yes"],
  ...["pulumi refresh --preview-only --expect-no-changes", "pulumi destroy --yes"],
  "pulumi stack rm --yes dev",
];

/** The commands that change something or look for changes, by example. */
const STEPS: Readonly<Record<string, readonly string[]>> = {
  any: [
    ...["pulumi up --yes", "pulumi preview", "pulumi up --yes"],
    ...["pulumi refresh --preview-only --expect-no-changes", "pulumi destroy --yes"],
    "pulumi stack rm --yes dev",
  ],
  adopt: [
    ...["pulumi preview", "pulumi up --yes", "pulumi preview", "pulumi up --yes"],
    ...["pulumi refresh --preview-only --expect-no-changes", "pulumi destroy --yes"],
    "pulumi stack rm --yes dev",
  ],
  automation: ["up", "preview 3600", "up 3600", "drift 3600", "destroy"].map(
    (operation) => `npx ts-node index.ts ${operation}`,
  ),
  "from-stack": ADOPTED,
  "from-terraform": ADOPTED,
  killed: [
    "curl -s -X POST 'http://127.0.0.1:8080/_emulator/reset?only=requests'",
    `curl -s http://127.0.0.1:8080/_emulator/faults -d '{"method":"POST","path":"/v4/node/instances","effect":{"delayMs":3000}}'`,
    ...["pulumi up --yes --skip-preview &", "pulumi preview", "pulumi destroy --yes"],
    "pulumi stack rm --yes dev",
  ],
  rotate: [
    ...["pulumi up --yes", "pulumi up --yes", "pulumi preview", "pulumi up --yes"],
    ...["pulumi refresh --preview-only --expect-no-changes", "pulumi destroy --yes"],
    "pulumi stack rm --yes dev",
  ],
  "self-service": [
    ...[`curl -s --retry 9 --retry-connrefused -X PUT ${shop}`, "curl -s http://127.0.0.1:8090/sites"],
    ...["POST", "PUT"].map((method) => `curl -s -X ${method} "${shop}?image=node/ubuntu24.04"`),
    `curl -s -w "%{http_code}\\n" -X PUT "${shop}?image=node/ubuntu99"`,
    `curl -s -X POST "${shop}?image=node/ubuntu24.04"`,
    `curl -s -X DELETE ${shop}`,
  ],
};

const KINDS = ["nodes", "mysql", "postgresql", "domains", "records", "images"];

/** The emulator that docs/examples.md starts, the second one of some READMEs, and one whose nodes have addresses that a file can name. */
type Emulators = readonly [TestEmulator, TestEmulator, TestEmulator];

/** A command of a README, and the lines that it prints there. */
interface Shown {
  readonly command: string;
  readonly lines: readonly string[];
}

function shownIn(readme: string): Shown[] {
  const blocks = [...readme.matchAll(/^```console\n([^]*?)^```$/gm)].map(([, block = ""]) => block).join("");
  return blocks
    .split(/^\$ /m)
    .slice(1)
    .map((shown) => shown.trimEnd().split("\n"))
    .map(([command = "", ...lines]) => ({ command, lines: lines.map((line) => line.trim()) }));
}

/** What a command of a README becomes here. The packages are linked, and the emulators run already. */
function asHere(command: string, [emulator, other, empty]: Emulators): string {
  if (command.startsWith("npx nodecloud-emulator ")) return ":";
  // A workspace of the project is what npm would link too.
  if (command.startsWith("npm install "))
    return "test ! -d site || { mkdir -p node_modules/@example && ln -s ../../site node_modules/@example/site; }";
  return command
    .replaceAll("npx nodecloud ", "node ../pulumi-nodecloud/dist/bin/nodecloud.js ")
    .replace("npx ts-node ", "node ../pulumi-nodecloud/node_modules/ts-node/dist/bin.js ")
    .replaceAll("http://127.0.0.1:8080", emulator.origin)
    .replace("http://127.0.0.1:8081/v4", other.url)
    .replace("http://127.0.0.1:8082/v4", empty.url)
    .replace("127.0.0.1:5300", emulator.dns ?? "")
    .replace(/\b8090\b/, String(PORT));
}

/** The first command of a README that leaves a stack with all that its program declares. */
const DEPLOYS =
  /^(pulumi up --yes|npx ts-node index\.ts up|curl .* -X PUT .*|npx nodecloud recover .* --yes)$/;

/** The stack of an example: only self-service names another one. */
const stackOf = (name: string) => (name === "self-service" ? "shop" : "dev");

/** Runs commands one after the other in one shell, and returns what each prints. The first that fails ends it. */
async function inOneShell(commands: readonly string[], cwd: string, env: NodeJS.ProcessEnv) {
  const mark = "-- next command --";
  const script = commands.flatMap((command) => [`echo "${mark}"`, command]).join("\n");
  const { stdout } = await run(
    "sh",
    ["-e", "-c", `exec 2>&1\ntrap 'kill $! 2>/dev/null || :' EXIT\n${script}`],
    { cwd, env },
  ).catch((error: Error & { readonly stdout: string }) => {
    throw new Error(`${error.message}\n${error.stdout}`);
  });
  return stdout.split(`${mark}\n`).slice(1);
}

/** The first line of a README that the command has not printed after those before it. `…` in it means any text. */
function missing({ lines }: Shown, printed: string): string | undefined {
  let rest = printed.split("\n");
  return lines.find((line) => {
    const parts = line.split("…").map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
    const found = rest.findIndex((text) => new RegExp(parts.join(".*")).test(text));
    rest = rest.slice(found + 1);
    return found === -1;
  });
}

let hosts: string;
let emulators: Emulators;

beforeAll(async () => {
  hosts = mkdtempSync(join(tmpdir(), "nodecloud-yaml-"));
  const module = join(ROOT, "tools/pulumi-language-yaml");
  if (go !== undefined) await runIn(module, go, "build", "-buildvcs=false", "-o", `${hosts}/`, "tool");
});
beforeEach(async () => {
  const accounts = accountsFile.parse(
    JSON.parse(readFileSync(join(ROOT, "examples/rotate/accounts.json"), "utf8")),
  );
  const users = [...DEFAULT_ACCOUNTS.users, ...accounts.users];
  const start = () => startTestEmulator({ speed: 60_000, machines: true, dns: 0, accounts: { users } });
  emulators = [await start(), await start(), await startTestEmulator({ speed: 60_000 })];
});
afterEach(() => Promise.all(emulators.map((emulator) => emulator.stop())));
afterAll(() => rmSync(hosts, { recursive: true, force: true }));

test.each(EXAMPLES)("the commands of examples/%s print what its README shows", async (name) => {
  const shown = shownIn(readFileSync(join(ROOT, "examples", name, "README.md"), "utf8"));
  // The project is a folder in it, so it finds the packages and the plugin there.
  const folder = programFolder();
  symlinkSync(ROOT, join(folder.path, "pulumi-nodecloud"), "junction");
  symlinkSync(join(ROOT, "node_modules/@types"), join(folder.path, "node_modules/@types"), "junction");
  const { env } = commandsIn(folder.path, emulators[0]);
  const others = go === undefined ? [] : [hosts, languageHosts()];
  env["PATH"] = [...others, join(folder.path, "node_modules/.bin"), env["PATH"]].join(delimiter);
  if (name === "go") Object.assign(env, await goPlaces());
  try {
    const commands = shown.map(({ command }) => asHere(command, emulators));
    const deploys = shown.findIndex(({ command }) => DEPLOYS.test(command));
    const state = join(folder.path, "state.json");
    commands[deploys] += `\npulumi stack export --stack ${stackOf(name)} --file ${state}`;
    const printed = await inOneShell(commands, folder.path, env);
    const wrong = shown.flatMap((one, index) => {
      const line = missing(one, printed[index] ?? "");
      return line === undefined ? [] : [`${one.command} did not print "${line}":\n${printed[index]}`];
    });
    expect(wrong).toEqual([]);
    expectPicture(name, readFileSync(state, "utf8"));
    for (const one of emulators)
      for (const kind of KINDS)
        expect([kind, (await one.control("GET", `/objects/${kind}`)).body]).toEqual([kind, { data: [] }]);
  } finally {
    folder.remove();
  }
});

test.each(["blue-green", "web-tier"])("`pulumi new` copies examples/%s too", async (name) => {
  const folder = programFolder();
  const { env } = commandsIn(folder.path, emulators[0]);
  const own = join(folder.path, name);
  try {
    const readme = readFileSync(join(ROOT, "examples", name, "README.md"), "utf8");
    const command = shownIn(readme).find((one) => one.command.startsWith("pulumi new "))?.command ?? "";
    symlinkSync(ROOT, join(folder.path, "pulumi-nodecloud"), "junction");
    mkdirSync(own);
    await inOneShell([command], own, env);
    expect(readFileSync(join(own, "Pulumi.yaml"), "utf8")).toContain(`name: ${name}\n`);
    const program = (at: string) => readFileSync(join(at, "index.ts"), "utf8");
    expect(program(own)).toBe(program(join(ROOT, "examples", name)));
  } finally {
    folder.remove();
  }
});

test.each(EXAMPLES)("examples/%s starts, changes once, checks for drift and ends", (name) => {
  const commands = shownIn(readFileSync(join(ROOT, "examples", name, "README.md"), "utf8")).map(
    ({ command }) => command,
  );
  const start = `pulumi new ../pulumi-nodecloud/examples/${name} --generate-only --yes --name ${name}`;
  const archive = `../pulumi-nodecloud/pulumi-nodecloud-${installedVersion("pulumi-nodecloud")}.tgz`;
  expect(commands.slice(0, 3)).toEqual([`mkdir ${name} && cd ${name}`, start, `npm install ${archive}`]);
  const steps = commands.filter((command) =>
    /^(pulumi (up|preview|refresh|destroy|stack rm)|curl|npx ts-node)\b/.test(command),
  );
  expect(steps).toEqual(STEPS[name] ?? STEPS["any"]);
});
