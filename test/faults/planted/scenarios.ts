import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { type Problems } from "../account";
import { killCommand } from "../processes";
import { type Service } from "../service";
import { GENERATED, PLANTED, type Planted } from "./program";
import { openScene, type Scene, TOKEN } from "./scene";
import { echoesOf, leaksIn } from "./spellings";

const UP = ["up", "--yes", "--skip-preview", "--continue-on-error"];
const DESTROY = ["destroy", "--yes", "--skip-preview", "--continue-on-error"];

/** The values that the API could repeat after a request to each path. The first matching path applies. */
const ECHOED: Readonly<Record<string, readonly Planted[]>> = {
  "/v4/domains/*/records**": ["target"],
  "/v4/domains**": ["description"],
  "/v4/images**": ["imageDescription"],
  "/v4/node/instances**": ["rootPass", "userData", "stackscriptData", "tag"],
};

/** Makes the API refuse all requests with a method, and repeat the sent values in its answer. */
async function refuse({ control }: Service, method: string, type: "json" | "html" = "json"): Promise<void> {
  const plans = Object.entries(ECHOED).map(([path, names]) => {
    const texts = [TOKEN, ...names.map((name) => PLANTED[name])].map((value) => echoesOf(value).join(" | "));
    const headers = { "content-type": type === "json" ? "application/json" : "text/html" };
    const body =
      type === "json"
        ? { errors: texts.map((text) => ({ reason: `no: ${text}` })) }
        : `<p>${texts.reverse().join()}</p>`;
    return { method, path, times: 1000, effect: { status: 403, headers, body } };
  });
  await control("POST", "/faults", plans);
}

async function obey({ control }: Service): Promise<void> {
  await control("DELETE", "/faults");
}

/** The outcome of a command is part of the claim: without output, nothing is searched. */
function expectCode(problems: Problems, what: string, code: number, wanted: "success" | "failure"): void {
  if ((code === 0) !== (wanted === "success"))
    problems.push(`${what} ended with ${code}, expected ${wanted}`);
}

function expectSeen(problems: Problems, scene: Scene, what: string): void {
  if (!scene.sees(what)) problems.push(`nothing that was searched contains ${what}`);
}

const SCENARIOS = {
  "all commands succeed": async (scene: Scene, problems: Problems) => {
    const good = async (...args: string[]) =>
      expectCode(problems, args.join(" "), await scene.run(args), "success");
    scene.stack.env["NODECLOUD_LOG"] = "requests.log";
    scene.program(1, GENERATED);
    await good("preview", "--diff");
    await good(...UP, "--diff");
    scene.program(2, GENERATED);
    await good("preview", "--diff");
    await good(...UP, "--diff");
    await good("refresh", "--yes", "--skip-preview", "--diff");
    await good("stack", "export");
    problems.push(...(await scene.leaks()));
    expectSeen(problems, scene, "POST /images/upload 200");
    expectSeen(problems, scene, "dynamic-provider");
    await good(...DESTROY, "--diff");
  },

  "the API repeats every value in its refusals": async (scene: Scene, problems: Problems) => {
    const command = async (wanted: "success" | "failure", ...args: string[]) =>
      expectCode(problems, args.join(" "), await scene.run(args), wanted);
    scene.stack.env["NODECLOUD_LOG"] = "requests.log";
    scene.program(1);
    await refuse(scene.service, "POST");
    await command("failure", ...UP);
    await obey(scene.service);
    await command("success", ...UP);
    await refuse(scene.service, "PUT");
    scene.program(2);
    await command("failure", ...UP);
    await obey(scene.service);
    await refuse(scene.service, "GET", "html");
    await command("failure", "refresh", "--yes", "--skip-preview");
    await obey(scene.service);
    await refuse(scene.service, "DELETE");
    await command("failure", ...DESTROY);
    await obey(scene.service);
    // The log has the answers that this test planned.
    await scene.service.control("POST", "/reset?only=requests");
    problems.push(...(await scene.leaks()));
    await command("success", ...DESTROY);
  },

  "the engine logs everything": async (scene: Scene, problems: Problems) => {
    // The engine also logs the program's values. Ours are only the lines that begin with our name, and the failures.
    const isOurs = (line: string) => /\] nodecloud |^\s*(error|warning):/.test(line);
    const log = ["--logtostderr", "--logflow", "-v=9", "--debug"];
    scene.stack.env["NODECLOUD_LOG"] = "engine";
    scene.program(1);
    await refuse(scene.service, "POST");
    expectCode(problems, "up", await scene.run([...UP, ...log], isOurs), "failure");
    await obey(scene.service);
    expectCode(problems, "up", await scene.run([...UP, ...log], isOurs), "success");
    await scene.service.control("POST", "/reset?only=requests");
    problems.push(...(await scene.leaks()));
    expectCode(problems, "destroy", await scene.run([...DESTROY, ...log], isOurs), "success");
    expectSeen(problems, scene, "] nodecloud POST /node/instances 200");
  },

  "a run is killed during a creation": async (scene: Scene, problems: Problems) => {
    scene.program(1, GENERATED);
    await scene.service.control("POST", "/clock", { speed: 0 });
    const { process, ended } = scene.start(...UP);
    const isAskedForAll = async () => {
      const { body } = await scene.service.control<{ counts: Record<string, number> }>("GET", "/requests");
      return ["POST /v4/node/instances", "POST /v4/databases/mysql/instances"].every(
        (asked) => asked in body.counts,
      );
    };
    while (!(await isAskedForAll()));
    killCommand(process.pid ?? 0, "all");
    await ended;
    await scene.service.control("POST", "/clock", { speed: 3600 });
    problems.push(...(await scene.leaks()));
    expectSeen(problems, scene, "nodecloud/creations/");
    await scene.run(["cancel", "--yes"]);
    expectCode(problems, "up", await scene.run(UP), "success");
    problems.push(...(await scene.leaks()));
    expectCode(problems, "destroy", await scene.run(DESTROY), "success");
  },

  "an upload is refused": async (scene: Scene, problems: Problems) => {
    const { service, stack } = scene;
    const headers = { authorization: `Bearer ${TOKEN}` };
    const asked = JSON.stringify({ label: "another", region: "us-east" });
    const answer = await fetch(`${service.origin}/v4/images/upload`, {
      method: "POST",
      headers,
      body: asked,
    });
    const body = (await answer.json()) as { upload_to: string };
    const echo = [body.upload_to, body.upload_to.split("/").at(-1) ?? ""].flatMap(echoesOf).join(" | ");
    await service.control("POST", "/faults", [
      { method: "POST", path: "/v4/images/upload", times: 1000, effect: { status: 200, body } },
      { method: "PUT", path: "/uploads/**", times: 1000, effect: { status: 403, body: `refused: ${echo}` } },
    ]);
    stack.env["NODECLOUD_LOG"] = "requests.log";
    stack.program(
      'new nodecloud.Image("image", { source: "disk.img", region: "us-east", label: "golden" });',
    );
    expectCode(problems, "up", await scene.run(UP), "failure");
    // The answer can arrive before the upload ends, and then the connection breaks.
    expectSeen(problems, scene, `PUT ${service.origin} `);
    await obey(service);
    await service.control("POST", "/reset?only=requests");
    problems.push(...(await scene.leaks()));
  },

  "an import is refused": async (scene: Scene, problems: Problems) => {
    const headers = { authorization: `Bearer ${TOKEN}` };
    const body = JSON.stringify({
      domain: "theirs.example",
      type: "master",
      soa_email: "dns@theirs.example",
    });
    const made = await fetch(`${scene.service.origin}/v4/domains`, { method: "POST", headers, body });
    const { id } = (await made.json()) as { id: number };
    scene.program(
      1,
      `new nodecloud.Domain("taken", { domain: "theirs.example", type: "master", soaEmail: "dns@theirs.example",
         description: secret("description"), tags: [secret("tag")] }, { import: "${id}" });`,
    );
    for (const args of [["preview", "--diff"], UP]) {
      expectCode(problems, args.join(" "), await scene.run(args), "failure");
    }
    problems.push(...(await scene.leaks()));
  },
} satisfies Record<string, (scene: Scene, problems: Problems) => Promise<void>>;

/** The scenario with the token in the stack configuration. */
const WITH_CONFIGURATION: keyof typeof SCENARIOS = "all commands succeed";

const PROXY_PASSWORD = "planted-proxy/pass&1b2c";
const DOMAIN =
  'new nodecloud.Domain("zone", { domain: "ours.example", type: "master", soaEmail: "dns@ours.example" });';

/** A proxy that refuses and repeats the request. */
async function refusingProxy() {
  const server = createServer((socket) => {
    socket
      .on("error", () => undefined)
      .once("data", (asked) => {
        const text = `${asked.toString()} ${PROXY_PASSWORD}`;
        socket.end(
          `HTTP/1.1 407 ${PROXY_PASSWORD}\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
        );
      });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

/** Runs a command with an unusable proxy that has a password. */
async function proxied(address: (host: string) => string): Promise<Problems> {
  const problems: Problems = [];
  const proxy = await refusingProxy();
  const value = address(proxy.host);
  const scene = await openScene({
    HTTPS_PROXY: value,
    NODECLOUD_BASE_URL: "https://api.planted.example/v4",
    NODECLOUD_LOG: "requests.log",
  });
  try {
    scene.stack.program(DOMAIN);
    const { code, printed } = await scene.stack.pulumi(...UP);
    expectCode(problems, "up", code, "failure");
    if (!printed.includes("HTTPS_PROXY") && !printed.includes("api.planted.example"))
      problems.push(`no message names the proxy: ${printed}`);
    const credentials = { name: "the credentials of the proxy", value: `ada:${PROXY_PASSWORD}` };
    const password = { name: "the password of the proxy", value: PROXY_PASSWORD };
    problems.push(
      ...leaksIn(new Map([["the output", printed]]), [password, credentials]),
      ...(await scene.leaks()),
    );
  } finally {
    await scene.close();
    proxy.close();
  }
  return problems;
}

const user = `ada:${encodeURIComponent(PROXY_PASSWORD)}`;
const PROXIES: Readonly<Record<string, (host: string) => string>> = {
  "a proxy refuses": (host) => `http://${user}@${host}`,
  "a proxy is unreachable": () => `http://${user}@127.0.0.1:1`,
  "the address of a proxy is invalid": () => `http://${user}@proxy:99999`,
};

/** The scenarios in which planted secrets are searched for. */
export const PLANTED_CELLS: ReadonlyMap<string, () => Promise<Problems>> = new Map([
  ...Object.entries(SCENARIOS).map(
    ([name, play]) =>
      [
        name,
        async () => {
          const problems: Problems = [];
          const scene = await openScene({}, name === WITH_CONFIGURATION ? "configuration" : "environment");
          try {
            await play(scene, problems);
            problems.push(...(await scene.leaks()));
          } finally {
            await scene.close();
          }
          return [...new Set(problems)];
        },
      ] as const,
  ),
  ...Object.entries(PROXIES).map(([name, address]) => [name, () => proxied(address)] as const),
]);
