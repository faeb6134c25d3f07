import fc from "fast-check";
import { type FaultPlan, Faults } from "../../src/emulator/control/faults";
import { fits, globOf } from "../../src/emulator/control/globs";
import { type TestEmulator, startTestEmulator } from "../helpers/emulator";
import { operations } from "../helpers/every-operation";
import { type RawRequest, sendRaw } from "../helpers/raw-request";
import { cases } from "../helpers/whole";

let emulator: TestEmulator;
beforeEach(async () => {
  emulator = await startTestEmulator();
});
afterEach(() => emulator.stop());

const send = (sent: RawRequest) => sendRaw(emulator.url, sent);
const headers = { authorization: "Bearer emulator-token" };
const example = { domain: "example.org", type: "master", soa_email: "dns@example.org" };

/** Sends a body to each operation, after it creates the objects in their paths, and returns the answers. */
async function sendToAll(body: string): Promise<Map<string, { status: number; text: string }>> {
  const answers = new Map<string, { status: number; text: string }>();
  for (const [name, { method, path }] of operations) {
    const ids: Record<string, string> = {
      regionId: "us-east",
      engineId: "mysql/8.0.30",
      imageId: "private/3",
    };
    const filled = `/v4${path.replace(/\{(\w+)\}/g, (_, id: string) => ids[id] ?? "1")}`;
    answers.set(name, await send({ method, path: filled, headers, body }));
  }
  return answers;
}

const deep = (open: string, close: string) => open.repeat(9000) + close.repeat(9000);
const bottomless: [string, string][] = [
  ["lists in lists", deep("[", "]")],
  ["objects in objects", deep('{"label":', "}").replace(":}", ":1}")],
  ["a field of lists in lists", `{"label": "x", "tags": ${deep("[", "]")}}`],
];

test.each(bottomless)(
  "a body of %s, 9,000 deep, is refused with 400 by every operation with a body",
  async (_, body) => {
    for (const [name, { status, text }] of await sendToAll(body)) {
      const isRead = operations.get(name)?.method === "GET";
      if (isRead) expect({ name, ok: status < 500 }).toEqual({ name, ok: true });
      else {
        expect({ name, status, body: JSON.parse(text) }).toEqual({
          ...{ name, status: 400 },
          body: { errors: [{ reason: "The body is nested more than 100 levels deep." }] },
        });
      }
    }
  },
);

test.each(bottomless)("a body of %s, 9,000 deep, is refused with 400 by the control API", async (_, body) => {
  await emulator.call("POST", "/domains", { body: example });
  for (const [method, path] of [
    ["POST", "/clock"],
    ["POST", "/faults"],
    ["PATCH", "/objects/domains/1"],
  ] as const) {
    const { status, text } = await send({ method, path: `/_emulator${path}`, body });
    expect({ path, status, body: JSON.parse(text) }).toEqual({
      ...{ path, status: 400 },
      body: { errors: [{ reason: "The body is nested more than 100 levels deep." }] },
    });
  }
  const planned = `{"path": "/v4/**", "effect": {"status": 500, "body": ${body}}}`;
  expect((await send({ method: "POST", path: "/_emulator/faults", body: planned })).status).toBe(400);
});

test("a planned answer with deeply nested JSON is logged and shown", async () => {
  const body = `["token", ${"[".repeat(4000)}${"]".repeat(4000)}]`;
  await emulator.control("POST", "/faults", { path: "/v4/**", effect: { status: 200, body } });
  expect(await send({ method: "GET", path: "/v4/domains", headers })).toEqual({ status: 200, text: body });
  expect((await send({ method: "GET", path: "/_emulator/page/requests" })).status).toBe(200);
});

test.each(["__proto__", "constructor", "toString", "hasOwnProperty", "then"])(
  "a field named %s is an unknown field like any other, with null and with an object",
  async (name) => {
    for (const value of ["null", '{"polluted": 1}', '{"prototype": {"polluted": 1}}']) {
      const body = `{"${name}": ${value}, "label": "x", "metadata": {"${name}": ${value}}, "backups": {"${name}": ${value}}}`;
      for (const [operation, { status }] of await sendToAll(body)) {
        expect({ operation, failed: status >= 500 }).toEqual({ operation, failed: false });
      }
    }
    const { status } = await send({
      ...{ method: "POST", path: "/v4/domains", headers },
      body: JSON.stringify({ ...example, domain: "other.example" }).replace("{", `{"${name}": null, `),
    });
    expect(status).toBe(200);
    expect("polluted" in {}).toBe(false);
  },
);

test.each(["9007199254740993", "1e21", "1e400", "-1e400", "1.5"])(
  "an integer field refuses the number %s",
  async (number) => {
    const body = JSON.stringify(example).replace("}", `, "ttl_sec": ${number}}`);
    const { status, text } = await send({ method: "POST", path: "/v4/domains", headers, body });
    expect({ status, body: JSON.parse(text) }).toMatchObject({
      status: 400,
      body: { errors: [{ field: "ttl_sec" }] },
    });
  },
);

describe("the path pattern of a fault", () => {
  const anyGlob = fc
    .array(fc.constantFrom("*", "**", "a", "b", "/", "."), { maxLength: 8 })
    .map((parts) => parts.join(""));
  const anyPath = fc
    .array(fc.constantFrom("a", "b", "/", ".", "é"), { maxLength: 8 })
    .map((parts) => parts.join(""));

  test("matches like the equivalent regular expression", () => {
    const meanings: Record<string, string> = { "**": ".*", "*": "[^/]*", ".": "\\." };
    const expressionOf = (glob: string) =>
      new RegExp(`^${glob.replace(/\*\*|\*|\./g, (part) => meanings[part] ?? "")}$`);
    fc.assert(
      fc.property(anyGlob, anyPath, (glob, path) => {
        expect(fits(globOf(glob), path)).toBe(expressionOf(glob).test(path));
      }),
      { numRuns: cases(2000), seed: 13 },
    );
  });

  test("with hundreds of wildcards does not block the emulator", async () => {
    for (const path of [`/v4/${"*a".repeat(497)}b`, `/v4/${"**a".repeat(331)}b`, `${"*".repeat(999)}b`]) {
      const plan = { path, effect: "reset", times: 1000 };
      expect((await emulator.control("POST", "/faults", plan)).status).toBe(200);
    }
    const { status } = await send({ method: "GET", path: `/v4/${"a".repeat(8000)}`, headers });
    expect(status).toBe(404);
  });

  test("has at most 1,000 characters", async () => {
    const plan = (length: number) => ({ path: "/".padEnd(length, "x"), effect: "reset" });
    expect((await emulator.control("POST", "/faults", plan(1000))).status).toBe(200);
    expect(await emulator.control("POST", "/faults", plan(1001))).toMatchObject({ status: 400 });
  });

  test("belongs to one of at most 1,000 faults: a request that exceeds them is refused as a whole", async () => {
    const plan = { path: "/v4/**", effect: "reset" };
    const post = (count: number) => emulator.control("POST", "/faults", Array<object>(count).fill(plan));
    expect((await post(999)).status).toBe(200);
    expect(await post(2)).toMatchObject({
      status: 400,
      body: { errors: [{ reason: expect.stringMatching(/1000/) }] },
    });
    expect((await emulator.control<{ faults: object[] }>("GET", "/faults")).body.faults).toHaveLength(999);
    expect((await post(1)).status).toBe(200);
  });
});

test("a fault that matches no request does not affect other faults", () => {
  const faults = new Faults();
  const plan = (path: string): FaultPlan => ({ method: "*", path, times: 1, effect: "reset" });
  faults.plan([plan("/v4/nodes"), plan("/v4/domains/*")]);
  expect(faults.take("GET", "/v4/domains/1")).toBe("reset");
  expect(faults.list()).toEqual([plan("/v4/nodes")]);
});

test("no part of the log contains the key of an upload, for any request", async () => {
  for (const [method, path] of [
    ["PUT", "/uploads/1/s3cret-key"],
    ["GET", "/uploads/1/s3cret-key"],
    ["POST", "/uploads/1/s3cret-key/more"],
    ["PUT", "/uploads/one/s3cret-key?x=1"],
  ] as const) {
    await send({ method, path });
  }
  expect(JSON.stringify((await emulator.control("GET", "/requests")).body)).not.toContain("s3cret");
  expect((await send({ method: "GET", path: "/_emulator/page/requests" })).text).not.toContain("s3cret");
});

test("the request log keeps fewer requests if they are large, and always the latest", async () => {
  const description = "x".repeat(99_000);
  for (let count = 0; count < 300; count++) {
    await emulator.call("POST", "/domains", {
      body: { ...example, domain: `d${count}.example`, description },
    });
  }
  const { body } = await emulator.control<{ last: { body: { domain: string } }[] }>("GET", "/requests");
  expect(JSON.stringify(body.last).length).toBeLessThan(20_000_000);
  expect(body.last.length).toBeGreaterThan(50);
  expect(body.last.at(-1)?.body.domain).toBe("d299.example");
});
