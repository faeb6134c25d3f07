import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestStack, testStack } from "../../helpers/stack";
import { type Service, startService } from "../service";
import { PLANTED, PLANTED_FILE, plantedProgram } from "./program";
import { leaksIn, type Secret } from "./spellings";

export const TOKEN = 'planted-"token"/&7c1e9b';

/** A stack with planted values, and all places where one of them could appear. */
export interface Scene {
  readonly stack: TestStack;
  readonly service: Service;
  program(version: 1 | 2, more?: string): void;
  /** Runs a command of the CLI, and searches its output, or the lines that `heard` selects. */
  run(args: readonly string[], heard?: (line: string) => boolean): Promise<number>;
  /** Starts a command, and searches its output at the end. */
  start(...args: string[]): ReturnType<TestStack["start"]>;
  /** Whether the name or the content of a searched place contains this text. Otherwise the search proves nothing. */
  sees(what: string): boolean;
  /** The places of each planted or generated secret. */
  leaks(): Promise<string[]>;
  close(): Promise<void>;
}

const SAMPLED_EVERY_MS = 50;

/** The contents of all files in a folder, by their paths. Links are not followed. */
function filesIn(folder: string): [string, string][] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return filesIn(path);
      return entry.isFile() ? [[path, readFileSync(path, "utf8")] as [string, string]] : [];
    });
  } catch {
    // The folder no longer exists.
    return [];
  }
}

/** The number of looks at each process, because its arguments change when it becomes another program. */
const LOOKS = 3;

/** Collects the arguments of all processes of this machine. */
function argumentsSeen() {
  const looked = new Map<string, number>();
  const seen = new Set<string>();
  return {
    seen,
    look() {
      for (const pid of readdirSync("/proc")) {
        const looks = looked.get(pid) ?? 0;
        if (!/^\d+$/.test(pid) || looks >= LOOKS) continue;
        looked.set(pid, looks + 1);
        try {
          seen.add(readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " "));
        } catch {
          // The process has ended.
        }
      }
    },
  };
}

/** Where the commands read the token. */
export type TokenIn = "environment" | "configuration";

export async function openScene(
  environment: Readonly<Record<string, string>> = {},
  tokenIn: TokenIn = "environment",
): Promise<Scene> {
  const service = await startService({
    users: [{ username: "ada", tokens: [{ token: TOKEN, scopes: "*" }] }],
  });
  const stack = await testStack({ token: TOKEN, url: `${service.origin}/v4` });
  const own = mkdtempSync(join(tmpdir(), "nodecloud-planted-"));
  const [temporary, file] = [join(own, "tmp"), join(own, "planted.json")];
  mkdirSync(temporary);
  writeFileSync(file, JSON.stringify(PLANTED));
  stack.folder.write("disk.img", "a disk");
  Object.assign(stack.env, { TMPDIR: temporary, [PLANTED_FILE]: file }, environment);

  if (tokenIn === "configuration") {
    // Here the token is an argument. A user would type it at a prompt.
    await stack.pulumi("config", "set", "--secret", "nodecloud:token", TOKEN);
    delete stack.env["NODECLOUD_TOKEN"];
  }

  const places = new Map<string, string>();
  const processes = argumentsSeen();
  const sampler = setInterval(() => {
    processes.look();
    for (const [name, text] of filesIn(temporary)) places.set(`the temporary file ${name}`, text);
  }, SAMPLED_EVERY_MS);

  let commands = 0;
  const heardFrom = (args: readonly string[], printed: string) =>
    places.set(`the output of command ${++commands}, ${args.join(" ")}`, printed);

  /** The secrets that the service and the provider generated, from the emulator and the decrypted state. */
  const madeUp = async (): Promise<Secret[]> => {
    const objects = async (kind: string) =>
      (await service.control<{ data: Record<string, unknown>[] }>("GET", `/objects/${kind}`)).body.data;
    const [databases, images] = [await objects("mysql"), await objects("images")];
    const state = await stack.state();
    rmSync(join(stack.folder.path, ".export.json"), { force: true });
    return [
      ...databases.map(({ root_password }) => ({
        name: "the password of the database",
        value: String(root_password),
      })),
      ...images.map(({ upload_key }) => ({ name: "the key of the upload", value: String(upload_key) })),
      ...Object.values(state).flatMap(({ outputs }) =>
        typeof outputs["rootPass"] === "string"
          ? [{ name: "the root password", value: outputs["rootPass"] }]
          : [],
      ),
    ];
  };
  const known = new Map<string, Secret>();
  const learn = async () => {
    for (const secret of await madeUp()) known.set(secret.value, secret);
  };

  const run: Scene["run"] = async (args, heard = () => true) => {
    const { code, printed } = await stack.pulumi(...args);
    heardFrom(args, printed.split("\n").filter(heard).join("\n"));
    for (const [name, text] of filesIn(stack.folder.path))
      places.set(`the file ${name} after command ${commands}`, text);
    return code;
  };

  return {
    ...{ stack, service, run },
    program: (version, more) => stack.program(plantedProgram(version, more)),
    start: (...args) => {
      const started = stack.start(...args);
      const ended = started.ended.then((outcome) => {
        heardFrom(args, outcome.printed);
        return outcome;
      });
      return { ...started, ended };
    },
    sees: (what) => [...places].some(([place, text]) => place.includes(what) || text.includes(what)),
    async leaks() {
      await learn();
      for (const [name, text] of filesIn(stack.folder.path)) places.set(`the file ${name}`, text);
      places.set("the arguments of a process", [...processes.seen].join("\n"));
      const planted = Object.entries(PLANTED).map(([name, value]) => ({ name, value }));
      const token = { name: "the token", value: TOKEN };
      const all = [token, ...planted, ...known.values()];
      return [...leaksIn(places, all), ...(await leaksOf(service, all))];
    },
    async close() {
      clearInterval(sampler);
      stack.remove();
      await service.stop();
      rmSync(own, { recursive: true });
    },
  };
}

/** The values that the service knows to be secret. A description is not one of them. */
const KNOWN_TO_SERVICE = /^the |^rootPass$/;
/** The values that only the control API shows, because tests need them. */
const NOT_SHOWN = /^(userData|stackscriptData)$/;
const KINDS = ["nodes", "mysql", "domains", "records", "images"];

/** The places where the emulator prints, logs or shows a secret: its page with each object, and the requests of the control API. */
async function leaksOf(service: Service, all: readonly Secret[]): Promise<string[]> {
  const look = async (path: string) =>
    [`the emulator's ${path}`, await (await fetch(service.origin + path)).text()] as const;
  const objects = async (kind: string) =>
    (await service.control<{ data: { id: string | number }[] }>("GET", `/objects/${kind}`)).body.data;
  const views = ["/", "/_emulator/page/requests", "/_emulator/page/faults", "/_emulator/page/catalogue"];
  for (const kind of KINDS) {
    views.push(
      `/_emulator/page/${kind}`,
      ...(await objects(kind)).map(({ id }) => `/_emulator/page/${kind}/${id}`),
    );
  }
  const secrets = all.filter(({ name }) => KNOWN_TO_SERVICE.test(name));
  const shown = new Map(await Promise.all(views.map(look)));
  return [
    ...leaksIn(shown, [...secrets, ...all.filter(({ name }) => NOT_SHOWN.test(name))]),
    ...leaksIn(
      new Map([await look("/_emulator/requests"), ["the emulator's output", service.printed()]]),
      secrets,
    ),
  ];
}
