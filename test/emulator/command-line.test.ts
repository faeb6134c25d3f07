import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const directory = mkdtempSync(join(tmpdir(), "nodecloud-emulator-"));
afterAll(() => {
  rmSync(directory, { recursive: true });
});

const root = join(__dirname, "../..");
const program = join(root, "src/bin/nodecloud-emulator.ts");
const env = { ...process.env, TS_NODE_COMPILER_OPTIONS: JSON.stringify({ rootDir: root }) };

function launch(...args: string[]): ChildProcess & { text(): { out: string; err: string } } {
  const child = spawn(process.execPath, ["-r", "ts-node/register/transpile-only", program, ...args], { env });
  let [out, err] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()));
  return Object.assign(child, { text: () => ({ out, err }) });
}

async function run(...args: string[]) {
  const child = launch(...args);
  const [code] = await once(child, "close");
  return { code: Number(code), ...child.text() };
}

/** Starts it on a free port and waits for the line that it prints. */
async function start(...args: string[]) {
  const child = launch("--port", "0", ...args);
  if (child.stdout) await Promise.race([once(child.stdout, "data"), once(child, "close")]);
  const url = /^nodecloud-emulator listening on (http:\/\/127\.0\.0\.1:\d+\/v4)\n$/.exec(
    child.text().out,
  )?.[1];
  return { child, url: url ?? `no line, but ${child.text().out}` };
}

test.each(["SIGINT", "SIGTERM"] as const)(
  "prints one line when it is ready, and stops on %s",
  async (signal) => {
    const { child, url } = await start();
    expect((await fetch(`${url}/regions`)).status).toBe(200);
    child.kill(signal);
    const [code] = await once(child, "close");
    expect(code).toBe(0);
    expect(child.text().out.split("\n")).toHaveLength(2);
  },
);

test("takes users and tokens from a file", async () => {
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

test("a port that is in use is one clear line and exit code 1", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const address = taken.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const { code, out, err } = await run("--port", String(port));
  taken.close();
  expect({ code, out, err }).toEqual({
    code: 1,
    out: "",
    err: `nodecloud-emulator: port ${port} is in use\n`,
  });
});

test("accounts that cannot be used are one clear line and exit code 1", async () => {
  const file = join(directory, "broken.json");
  writeFileSync(file, JSON.stringify({ users: [{ username: "ada" }] }));
  for (const path of [file, join(directory, "missing.json")]) {
    const { code, err } = await run("--accounts", path);
    expect(code).toBe(1);
    expect(err).toMatch(/^nodecloud-emulator: cannot use the accounts in .*\n$/);
  }
});

test.each([
  [["--port", "http"], "--port must be an integer from 0 to 65535"],
  [["--port", "65536"], "--port must be an integer from 0 to 65535"],
  [["--speed", "fast"], "--speed must be a number"],
  [["--latency", "-1"], "--latency"],
  [["--unknown"], "--unknown"],
])("%j is one clear line and exit code 2", async (args, text) => {
  const { code, err } = await run(...args);
  expect(code).toBe(2);
  expect(err).toContain(text);
  expect(err.trimEnd().split("\n")).toHaveLength(1);
});

test("tells its version and its options", async () => {
  expect(await run("--version")).toMatchObject({ code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  const { code, out } = await run("--help");
  expect(code).toBe(0);
  for (const flag of ["port", "host", "speed", "accounts", "latency"]) expect(out).toContain(`--${flag}`);
});
