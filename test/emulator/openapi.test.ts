import { z } from "zod";
import { type OperationSpec } from "../../src/api/operation";
import { service } from "../../src/api/service";
import { type TestEmulator, deployedNode, startTestEmulator } from "../helpers/emulator";

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

const operations = Object.entries(service).flatMap(([family, members]) =>
  Object.entries<OperationSpec>(members).map(([name, spec]) => ({ name: `${family}.${name}`, spec })),
);

function described(name: string): Described {
  const all = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const found = all.find(({ operationId }) => operationId === name);
  if (!found) throw new Error(`${name} is not in the document`);
  return found;
}

test("it is OpenAPI 3.1 and says where the API is", () => {
  expect(document).toMatchObject({ openapi: "3.1.0", servers: [{ url: emulator.url }] });
});

test.each(operations)(
  "$name is in it with its path, parameters, body, scopes and answers",
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

test("each operation has a name of its own, and every reference leads somewhere", () => {
  const names = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  );
  expect(new Set(names).size).toBe(names.length);
  const targets = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)];
  expect(targets.length).toBeGreaterThan(names.length);
  for (const [, kind = "", name = ""] of targets) expect(document.components[kind]?.[name]).toBeDefined();
});

/** A schema of the document as something that values can be held to. */
function checkOf(content: Record<string, { schema: object }> | undefined) {
  return z.fromJSONSchema({ ...content?.["application/json"]?.schema });
}

test("what the emulator answers fits the document, and what it refuses does not", async () => {
  const domain = { domain: "example.org", type: "master", soa_email: "dns@example.org" };
  const upload = { label: "golden", region: "us-east" };
  const database = { region: "us-east", type: "g6-nanode-1", engine: "mysql/8.0.30", label: "shop" };
  const steps: [string, string, string, object?][] = [
    ["nodes.create", "POST", "/node/instances", deployedNode],
    ["nodes.list", "GET", "/node/instances"],
    ["domains.create", "POST", "/domains", domain],
    ["domains.list", "GET", "/domains"],
    ["mysql.create", "POST", "/databases/mysql/instances", database],
    ["mysql.list", "GET", "/databases/mysql/instances"],
    ["images.upload", "POST", "/images/upload", upload],
    ["images.list", "GET", "/images"],
    ["regions.list", "GET", "/regions"],
    ["engines.list", "GET", "/databases/engines"],
  ];
  for (const [name, method, path, body] of steps) {
    const { responses, requestBody } = described(name);
    const answer = await emulator.call(method, path, { body });
    expect({ name, status: answer.status }).toEqual({ name, status: 200 });
    expect(checkOf(responses["200"]?.content).safeParse(answer.body).error).toBeUndefined();
    if (!body) continue;
    expect(checkOf(requestBody?.content).safeParse(body).error).toBeUndefined();
    expect(checkOf(requestBody?.content).safeParse({}).success).toBe(false);
    const refused = await emulator.call(method, path, { body: {} });
    expect(checkOf(responses["200"]?.content).safeParse(refused.body).success).toBe(false);
    const envelope = checkOf(document.components["responses"]?.["refused"]?.content);
    expect(envelope.safeParse(refused.body).error).toBeUndefined();
  }
});
