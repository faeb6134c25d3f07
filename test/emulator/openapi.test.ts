import { z } from "zod";
import { empty } from "../../src/api/schema";
import { zodOf } from "../../src/api/zod-of";
import { type TestEmulator, startTestEmulator } from "../helpers/emulator";
import { callEveryOperation, operations } from "../helpers/every-operation";

interface Described {
  operationId: string;
  security: object[];
  "x-scopes": string[];
  parameters: Record<string, unknown>[];
  requestBody?: { required: boolean; content: Record<string, { schema: object }> };
  responses: Record<string, { $ref?: string; content?: Record<string, { schema: object }> }>;
}

interface Document {
  openapi: string;
  servers: { url: string }[];
  paths: Record<string, Record<string, Described>>;
  components: Record<string, Record<string, { content?: Record<string, { schema: object }> }>>;
}

let emulator: TestEmulator;
let document: Document;
beforeAll(async () => {
  emulator = await startTestEmulator();
  document = (await emulator.control<Document>("GET", "/openapi.json")).body;
});
afterAll(() => emulator.stop());

function described(name: string): Described {
  const all = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const found = all.find(({ operationId }) => operationId === name);
  if (!found) throw new Error(`${name} is not in the document`);
  return found;
}

test("it is OpenAPI 3.1 and has the address of the API", () => {
  expect(document).toMatchObject({ openapi: "3.1.0", servers: [{ url: emulator.url }] });
});

test.each([...operations].map(([name, spec]) => ({ name, spec })))(
  "it has $name with its path, parameters, body, scopes and answers",
  ({ name, spec }) => {
    const operation = document.paths[spec.path]?.[spec.method.toLowerCase()];
    expect(operation).toMatchObject({ operationId: name, "x-scopes": spec.scopes });
    const inPath = operation?.parameters.filter((parameter) => parameter["in"] === "path");
    expect(inPath?.map((parameter) => `{${String(parameter["name"])}}`)).toEqual(
      spec.path.match(/\{\w+\}/g) ?? [],
    );
    expect(operation?.parameters.filter((parameter) => "$ref" in parameter)).toHaveLength(spec.paged ? 2 : 0);
    expect(operation?.requestBody === undefined).toBe(spec.body === undefined);
    expect(Object.keys(operation?.responses ?? {})).toEqual(["200", "4XX"]);
    const needsToken = spec.scopes.length > 0;
    expect(operation?.security[0]).toEqual(needsToken ? { token: [] } : undefined);
    expect(operation?.security.length ?? 0).toBe(needsToken ? (spec.anonymous ? 2 : 1) : 0);
  },
);

test("each operation has a unique id, and every reference resolves", () => {
  const names = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  );
  expect(new Set(names).size).toBe(names.length);
  const targets = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)];
  expect(targets.length).toBeGreaterThan(names.length);
  for (const [, kind = "", name = ""] of targets) expect(document.components[kind]?.[name]).toBeDefined();
});

/** A schema of the document as a validator. */
function checkOf(content: Record<string, { schema: object }> | undefined) {
  return z.fromJSONSchema({ ...content?.["application/json"]?.schema });
}

test("the requests and answers of every operation match the document, and invalid ones do not", async () => {
  const envelope = checkOf(document.components["responses"]?.["refused"]?.content);
  const called = await callEveryOperation(emulator);
  expect(new Set(called.map(({ name }) => name)).size).toBe(operations.size);
  for (const { name, spec, sent, status, body } of called) {
    const { responses, requestBody } = described(name);
    const answers = checkOf(responses["200"]?.content);
    expect({ name, status }).toEqual({ name, status: 200 });
    expect({ name, error: answers.safeParse(body).error }).toEqual({ name });
    if (sent !== undefined) {
      expect({ name, error: checkOf(requestBody?.content).safeParse(sent).error }).toEqual({ name });
    }
    const isEmpty = spec.reply === empty;
    if (!isEmpty) expect({ name, accepts: answers.safeParse({}).success }).toEqual({ name, accepts: false });
  }
  for (const { name, spec } of called.filter(
    ({ spec: { body } }) => body && !zodOf(body).safeParse({}).success,
  )) {
    expect(checkOf(described(name).requestBody?.content).safeParse({}).success).toBe(false);
    const refused = await emulator.call(spec.method, spec.path.replace(/\{\w+\}/g, "1"), { body: {} });
    expect(envelope.safeParse(refused.body).error).toBeUndefined();
  }
});
