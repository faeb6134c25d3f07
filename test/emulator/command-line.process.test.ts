import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Resolver } from "node:dns/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OPTIONS } from "../../src/bin/emulator-help";
import { DEFAULT_SPEED, createEmulator } from "../../src/emulator";
import { deployedNode, withEmulator } from "../helpers/emulator";
import { run, start } from "../helpers/emulator-process";

const directory = mkdtempSync(join(tmpdir(), "nodecloud-emulator-"));
afterAll(() => {
  rmSync(directory, { recursive: true });
});

test.each(["SIGINT", "SIGTERM"] as const)(
  "prints one line when it is ready, and stops at %s",
  async (signal) => {
    const { child, url } = await start();
    expect((await fetch(`${url}/regions`)).status).toBe(200);
    child.kill(signal);
    const [code] = await once(child, "close");
    expect(code).toBe(0);
    expect(child.text().out.split("\n")).toHaveLength(2);
  },
);

test("reads users and tokens from a file", async () => {
  const file = join(directory, "accounts.json");
  writeFileSync(
    file,
    JSON.stringify({ users: [{ username: "ada", tokens: [{ token: "t", scopes: "*" }] }] }),
  );
  const { child, url } = await start("--accounts", file);
  const ask = async (token: string) =>
    (await fetch(`${url}/domains`, { headers: { authorization: `Bearer ${token}` } })).status;
  expect([await ask("t"), await ask("emulator-token")]).toEqual([200, 401]);
  child.kill();
  await once(child, "close");
});

test("--rate accepts so many requests in so many seconds", async () => {
  const { child, url } = await start("--rate", "2/3600");
  const answers = [];
  for (let count = 0; count < 3; count++) answers.push(await fetch(`${url}/regions`));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
  expect(Number(answers[2]?.headers.get("retry-after"))).toBeGreaterThan(1_000);
  child.kill();
  await once(child, "close");
});

test("a port in use prints one line and exits with 1", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const address = taken.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const { code, out, err } = await run("--port", String(port));
  taken.close();
  expect({ code, out, err }).toEqual({
    code: 1,
    out: "",
    err: `nodecloud-emulator: port ${port} is in use: choose another with --port, or a free one with --port 0\n`,
  });
});

test("a port in use for DNS names the option", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const { port } = taken.address() as AddressInfo;
  const { code, err } = await run("--port", "0", "--dns", String(port));
  taken.close();
  expect({ code, err }).toEqual({
    code: 1,
    err: `nodecloud-emulator: port ${port} is in use: choose another with --dns, or a free one with --dns 0\n`,
  });
});

test("unusable accounts print one line and exit with 1", async () => {
  const file = join(directory, "broken.json");
  writeFileSync(file, JSON.stringify({ users: [{ username: "ada" }] }));
  for (const path of [file, join(directory, "missing.json")]) {
    const { code, err } = await run("--accounts", path);
    expect(code).toBe(1);
    expect(err).toMatch(/^nodecloud-emulator: cannot use the accounts in .*\n$/);
  }
});

test("accounts that are not JSON are refused without showing their content", async () => {
  const file = join(directory, "torn.json");
  writeFileSync(file, '{"users": [{"username": "ada", "tokens": [{"token": s3cret-token}]}]}');
  const { code, err } = await run("--accounts", file);
  expect({ code, err }).toEqual({
    code: 1,
    err: `nodecloud-emulator: cannot use the accounts in ${file}: it is not valid JSON\n`,
  });
});

test.each([
  [["--port", "http"], "--port must be an integer from 0 to 65535"],
  [["--port", "65536"], "--port must be an integer from 0 to 65535"],
  [["--speed", "fast"], "--speed must be a number"],
  [["--latency", "-1"], "--latency"],
  [["--dns", "dns"], "--dns must be an integer from 0 to 65535"],
  [["--zone-delay", "1m"], "--zone-delay must be a number from 0 to 31536000"],
  [["--origin", "cloud.example.com"], "--origin must be an origin such as"],
  [["--origin", "https://cloud.example.com/v4"], "--origin must be an origin such as"],
  [["--rate", "0"], "--rate must be N or N/SECONDS, such as 5 or 600/60"],
  [["--rate", "5/0"], "--rate must be N or N/SECONDS"],
  [["--rate", "5/60/2"], "--rate must be N or N/SECONDS"],
  [["--unknown"], "--unknown"],
])("%j prints one line and exits with 2", async (args, text) => {
  const { code, err } = await run(...args);
  expect(code).toBe(2);
  expect(err).toContain(text);
  expect(err.trimEnd().split("\n")).toHaveLength(1);
});

test("with --dns it prints where it answers questions, and answers there from zones with the delay of --zone-delay", async () => {
  const { child, url } = await start("--dns", "0", "--zone-delay", "120", "--speed", "0");
  const [, server] = /^DNS on (127\.0\.0\.1:\d+)$/m.exec(child.text().out) ?? [];
  const resolver = new Resolver();
  resolver.setServers([server ?? ""]);
  const control = new URL("/_emulator/", url);
  expect(await (await fetch(new URL("zones", control))).json()).toEqual({ delaySeconds: 120, waiting: 0 });
  const [headers, body] = [
    { authorization: "Bearer emulator-token" },
    JSON.stringify({ domain: "example.org", type: "master", soa_email: "dns@example.org" }),
  ];
  await fetch(`${url}/domains`, { method: "POST", headers, body });
  await expect(resolver.resolveNs("example.org")).rejects.toMatchObject({ code: "EREFUSED" });
  await fetch(new URL("clock", control), { method: "POST", body: JSON.stringify({ advance: 120 }) });
  expect(await resolver.resolveNs("example.org")).toHaveLength(2);
  child.kill();
  await once(child, "close");
});

test("with --machines a node listens, and one line on stderr names a port where it cannot", async () => {
  const { child, url } = await start("--machines", "--speed", "0");
  const control = new URL("/_emulator/", url);
  const send = (path: URL | string, method: string, value: object) =>
    fetch(path, { method, headers: { authorization: "Bearer emulator-token" }, body: JSON.stringify(value) });
  const created = await send(`${url}/node/instances`, "POST", deployedNode);
  const { ipv4 } = (await created.json()) as { ipv4: string[] };
  const taken = createServer().listen(18_080, ipv4[0]);
  await once(taken, "listening");
  await send(new URL("machines", control), "PUT", [
    { services: [{ port: 18_080 }, { port: 18_081, protocol: "http", body: "here" }] },
  ]);
  await send(new URL("clock", control), "POST", { advance: 1200 });
  expect(await (await fetch(`http://${ipv4[0]}:18081`)).text()).toBe("here");
  taken.close();
  child.kill();
  expect(await once(child, "close")).toEqual([0, null]);
  expect(child.text().err).toBe(
    `nodecloud-emulator: a machine cannot listen on ${ipv4[0]}:18080 (EADDRINUSE); GET /_emulator/machines lists what listens\n`,
  );
});

test("prints its version", async () => {
  expect(await run("--version")).toMatchObject({ code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
});

describe("the help", () => {
  const docs = readFileSync(join(__dirname, "../../docs/emulator.md"), "utf8");
  const section = (title: string) => docs.split(`\n## ${title}\n`)[1]?.split("\n## ")[0] ?? "";
  const names = (text: string, pattern: RegExp) => [
    ...new Set([...text.matchAll(pattern)].map(([, name]) => name)),
  ];
  let help: string;
  beforeAll(async () => {
    const { code, out, err } = await run("--help");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    help = out;
  });

  test("lists the accepted options and their defaults, and so do the docs", () => {
    const accepted = Object.keys(OPTIONS);
    expect(names(help, /^ {2}--([a-z-]+)/gm)).toEqual(accepted);
    const rows = section("From the command line").match(/^\| `--.*$/gm) ?? [];
    expect(names(rows.join("\n"), /`--([a-z-]+)(?= [A-Z[\]/]+`|`)/g)).toEqual(accepted);
    const defaults = { ...OPTIONS, speed: { default: String(DEFAULT_SPEED) } };
    for (const [name, option] of Object.entries(defaults)) {
      if (!("default" in option)) continue;
      const text = help.split(`\n  --${name} `)[1]?.split("\n  --")[0];
      expect(text).toContain(`(default: ${option.default}`);
      expect(rows.find((row) => row.includes(`--${name} `))).toContain(`| ${option.default} |`);
    }
  });

  test("lists the routes of the control API, which the docs list and the emulator serves", async () => {
    const told = names(help, /^ {2}\/([a-z.]+) /gm);
    const rows = section("The control API").match(/^\| `(GET|POST).*$/gm) ?? [];
    expect(told.sort()).toEqual(names(rows.join("\n"), /^\| `.*?\/([a-z.]+)/gm).sort());
    await withEmulator(async ({ origin }) => {
      for (const name of told) {
        const path = name === "objects" ? "objects/nodes" : name;
        const method = name === "reset" ? "POST" : "GET";
        expect((await fetch(`${origin}/_emulator/${path}`, { method })).status).toBe(200);
      }
    });
  });

  test("names the settings that a program needs, and the exit codes", () => {
    expect(help).toContain(`NODECLOUD_BASE_URL=http://${OPTIONS.host.default}:${OPTIONS.port.default}/v4`);
    expect(help).toContain(`NODECLOUD_TOKEN=${createEmulator().token}`);
    expect(names(help, /^ {2}(\d) {2}/gm)).toEqual(["0", "1", "2"]);
    expect(help).toContain("docs/emulator.md");
    expect(Math.max(...help.split("\n").map((line) => line.length))).toBeLessThanOrEqual(100);
  });
});
