import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run, start } from "../helpers/emulator-process";

const directory = mkdtempSync(join(tmpdir(), "nodecloud-emulator-"));
afterAll(() => {
  rmSync(directory, { recursive: true });
});

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
  for (const flag of ["port", "host", "speed", "accounts", "data", "latency"])
    expect(out).toContain(`--${flag}`);
});
