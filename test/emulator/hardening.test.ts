import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import fc from "fast-check";
import { type OperationSpec } from "../../src/api/operation";
import { service } from "../../src/api/service";
import { anyCharacter } from "../helpers/characters";
import { type TestEmulator, startTestEmulator } from "../helpers/emulator";
import { type RawRequest, sendRaw } from "../helpers/raw-request";
import { cases } from "../helpers/whole";

let emulator: TestEmulator;
beforeEach(async () => {
  emulator = await startTestEmulator();
});
afterEach(() => emulator.stop());

const example = { domain: "example.org", type: "master", soa_email: "dns@example.org" };
const envelope = { errors: expect.arrayContaining([{ reason: expect.any(String) }]) };

const send = (sent: RawRequest) => sendRaw(emulator.url, sent);

const authorization = "Bearer emulator-token";

test.each([true, false])("a body of more than 10 MB gets 413 (announced length: %s)", async (announced) => {
  const body = JSON.stringify({ ...example, description: "x".repeat(10_000_000) });
  const answer = await send({
    method: "POST",
    path: "/v4/domains",
    headers: { authorization },
    body,
    announced,
  });
  expect(answer.status).toBe(413);
  expect(JSON.parse(answer.text)).toEqual(envelope);
  expect((await emulator.call("GET", "/domains")).body["results"]).toBe(0);
});

test("a chunked body is accepted", async () => {
  const body = JSON.stringify(example);
  const headers = { authorization };
  const answer = await send({ method: "POST", path: "/v4/domains", headers, body, announced: false });
  expect(answer.status).toBe(200);
});

test.each([
  ["application/json; charset=utf-8", 200],
  ["application/merge-patch+json", 200],
  ["application/xml", 415],
  ["multipart/form-data; boundary=x", 415],
])("a body of type %s gets %d", async (type, status) => {
  const options = { body: example, headers: { "content-type": type } };
  const answer = await emulator.call("POST", "/domains", options);
  expect(answer.status).toBe(status);
  expect(answer.body).toMatchObject(status === 200 ? { id: 1 } : envelope);
});

test.each(["0", "-1", "1.5", "1e3", "99999999999999999999", "%00", "..%2f", "NaN"])(
  "the id %s gets 404",
  async (id) => {
    const { status, body } = await emulator.call("GET", `/domains/${id}`);
    expect({ status, body }).toEqual({ status: 404, body: { errors: [{ reason: "Not found" }] } });
  },
);

test.each(["page=-1", "page=0", "page_size=-25", "page=", "page=1e9"])(
  "the query %s is refused",
  async (query) => {
    const { status, body } = await emulator.call("GET", `/domains?${query}`);
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { errors: [{ field: expect.stringMatching(/^page/) }] },
    });
  },
);

test("HEAD answers like GET without a body, and OPTIONS lists the methods", async () => {
  const headers = { authorization };
  expect(await send({ method: "HEAD", path: "/v4/domains", headers })).toEqual({ status: 200, text: "" });
  const options = await fetch(`${emulator.url}/domains`, { method: "OPTIONS" });
  expect({ status: options.status, allow: options.headers.get("allow") }).toEqual({
    status: 405,
    allow: "GET, POST",
  });
});

/** Announces a body of `announced` MB, sends `megabytes` of it, and reads the answer only afterwards. */
async function sendBlindly(path: string, announced: number, megabytes: number): Promise<string> {
  const { hostname, port } = new URL(emulator.url);
  const socket = connect(Number(port), hostname);
  const failed = once(socket, "error").then(([error]) => Promise.reject(error));
  const chunk = Buffer.alloc(1_000_000);
  const work = async () => {
    socket.write(`PUT ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n`);
    socket.write(`content-length: ${announced * chunk.length}\r\n\r\n`);
    for (let sent = 0; sent < megabytes; sent++) if (!socket.write(chunk)) await once(socket, "drain");
    return text(socket);
  };
  return Promise.race([work(), failed]);
}

test.each([
  // More than the server reads by itself from a client that it has already answered.
  ["sends much to an unknown upload URL, and reads only then,", 200],
  ["announces much to an unknown upload URL, and waits,", 0],
])("a client that %s gets 404", async (_, megabytes) => {
  const answer = await sendBlindly("/uploads/4711/key", 200, megabytes);
  expect(answer).toMatch(/^HTTP\/1\.1 404 /);
  expect(JSON.parse(answer.split("\r\n\r\n")[1] ?? "")).toEqual(envelope);
});

test("the clock does not move beyond the range of dates", async () => {
  expect((await emulator.control("POST", "/clock", { advance: 1e15 })).status).toBe(400);
  expect((await emulator.call("POST", "/domains", { body: example })).status).toBe(200);
});

const specs: OperationSpec[] = Object.values(service).flatMap((family) =>
  Object.values<OperationSpec>(family),
);

/** The field names of all bodies, so that some of the random bodies are almost valid. */
const fieldNames = [
  ...new Set(specs.flatMap(({ body }) => (body && "shape" in body ? Object.keys(body.shape as object) : []))),
];

const wanted = fc.oneof(
  fc.constantFrom("us-east", "g6-nanode-1", "node/alpine3.20", "mysql/8.0.30", "postgresql/14.6", "master"),
  fc.constantFrom("A", "MX", "SRV", "CAA", "example.org", "dns@example.org", "active", "192.0.2.1", "mine"),
);
const field = fc.oneof(
  { weight: 4, arbitrary: wanted },
  { weight: 2, arbitrary: fc.integer({ min: -1, max: 40 }) },
  { weight: 1, arbitrary: fc.array(wanted, { maxLength: 3 }) },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3, stringUnit: anyCharacter }) },
);
const body = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .dictionary(fc.constantFrom(...fieldNames), field, { maxKeys: 12 })
      .map((sent) => JSON.stringify(sent)),
  },
  { weight: 2, arbitrary: fc.json({ stringUnit: anyCharacter }) },
  { weight: 1, arbitrary: fc.string({ unit: anyCharacter }) },
);
const segment = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 30 }).map(String) },
  {
    weight: 3,
    arbitrary: fc.constantFrom("us-east", "node/debian12", "private/3", "mysql/8.0.30", "..", ""),
  },
  { weight: 2, arbitrary: fc.string().map(encodeURIComponent) },
  { weight: 1, arbitrary: fc.constantFrom("%", "%zz", "%ff", "%00", "constructor", "__proto__") },
);
const anyRequest = fc
  .record({
    spec: fc.constantFrom(...specs),
    method: fc.option(fc.constantFrom("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"), {
      freq: 9,
    }),
    segments: fc.array(segment, { minLength: 3, maxLength: 3 }),
    tail: fc.oneof({ weight: 9, arbitrary: fc.constant("") }, fc.webPath()),
    query: fc.oneof(
      fc.constantFrom("", "?page=2&page_size=25", "?page=-1", "?page[]=1&&="),
      fc.webQueryParameters().map((text) => `?${text}`),
    ),
    token: fc.constantFrom(...Array<string>(9).fill(authorization), "Bearer x", "Basic eDp5"),
    type: fc.constantFrom("application/json", "application/json", "text/plain", "application/xml", ";"),
    body,
  })
  .map(({ spec, method, segments, tail, query, token, type, body: sent }) => {
    let next = 0;
    const path = `/v4${spec.path.replace(/\{\w+\}/g, () => segments[next++] ?? "")}${tail}${query}`;
    const headers = { authorization: token, "content-type": type };
    return { method: method ?? spec.method, path, headers, body: sent };
  });

test("no request makes the emulator fail, and every refusal has the error envelope", async () => {
  const seen = new Set<number>();
  await fc.assert(
    fc.asyncProperty(fc.array(anyRequest, { minLength: 1, maxLength: 10 }), async (requests) => {
      for (const each of requests) {
        const { status, text } = await send(each);
        seen.add(status);
        if (status >= 500) throw new Error(`${JSON.stringify(each)} answers ${status}: ${text}`);
        if (status >= 400 && each.method !== "HEAD")
          expect(JSON.parse(text)).toMatchObject({ errors: expect.any(Array) });
      }
      emulator.clock.advance(60);
    }),
    { numRuns: cases(250), seed: 4 },
  );
  // Some requests passed the checks, and others did not.
  for (const status of [200, 400, 401, 404, 405, 415]) expect(seen).toContain(status);
});
