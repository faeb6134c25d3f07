import { z } from "zod";
import { zodOf } from "../../src/api/zod-of";
import { accountsFile } from "../../src/emulator";
import { readBody } from "../../src/emulator/operations/validation";
import { type TestEmulator, startTestEmulator } from "../helpers/emulator";
import { operations } from "../helpers/every-operation";

let emulator: TestEmulator;
beforeAll(async () => {
  emulator = await startTestEmulator();
});
afterAll(() => emulator.stop());

const domain = { domain: "example.org", type: "master", soa_email: "dns@example.org" };
const database = { region: "us-east", type: "g6-nanode-1", engine: "mysql/8.0.30", label: "main" };
const node = { region: "us-east", type: "g6-nanode-1" };
const lan = { purpose: "vlan", label: "lan" };
const DOMAINS = "/domains";
const DATABASES = "/databases/mysql/instances";
const NODES = "/node/instances";

/** For each kind of problem that a schema of the API can find: the field with the reason in the answer, and a body. */
const PROBLEMS: readonly (readonly [code: string, line: string, path: string, body: unknown])[] = [
  ["too_small", "label: must be at least 3 characters long", DATABASES, { ...database, label: "ab" }],
  ["too_small", "group: must not be empty", DOMAINS, { ...domain, group: "" }],
  ["too_big", "group: must be at most 50 characters long", DOMAINS, { ...domain, group: "g".repeat(51) }],
  ["too_big", "interfaces: must have at most 3 items", NODES, { ...node, interfaces: [lan, lan, lan, lan] }],
  ["invalid_type", "group: must be a string", DOMAINS, { ...domain, group: 5 }],
  ["invalid_type", "ttl_sec: must be a whole number", DOMAINS, { ...domain, ttl_sec: 1.5 }],
  ["invalid_type", "tags: must be a list", DOMAINS, { ...domain, tags: "web" }],
  ["invalid_type", "tags.1: must be a string", DOMAINS, { ...domain, tags: ["web", 1] }],
  ["invalid_type", "booted: must be true or false", NODES, { ...node, booted: "yes" }],
  ["invalid_type", "metadata: must be an object", NODES, { ...node, metadata: "x" }],
  ["invalid_type", "domain: is required", DOMAINS, { type: "slave", master_ips: ["192.0.2.1"] }],
  ["invalid_type", "The body must be an object.", DOMAINS, []],
  ["invalid_value", "type: must be master or slave", DOMAINS, { ...domain, type: "primary" }],
  ["invalid_format", "soa_email: must be an email address", DOMAINS, { ...domain, soa_email: "dns" }],
  [
    "invalid_format",
    "metadata.user_data: must be valid base64",
    NODES,
    { ...node, metadata: { user_data: "*" } },
  ],
  [
    "invalid_union",
    "cluster_size: is not one of the accepted values",
    DATABASES,
    { ...database, cluster_size: 2 },
  ],
  [
    "custom",
    "axfr_ips: must have at most 1000 characters in total",
    DOMAINS,
    { ...domain, axfr_ips: ["1".repeat(1001)] },
  ],
];

test.each(PROBLEMS)("a body with %s is refused: %s", async (_, line, path, body) => {
  const answer = await emulator.call<{ errors: { field?: string; reason: string }[] }>("POST", path, {
    body,
  });
  expect(answer.status).toBe(400);
  expect(
    answer.body.errors.map(({ field, reason }) => (field === undefined ? reason : `${field}: ${reason}`)),
  ).toContain(line);
});

const WRONG = [
  undefined,
  null,
  true,
  -1,
  1.5,
  1e9,
  1e300,
  "",
  "x",
  "***",
  "x".repeat(70_000),
  [],
  ["x", 1],
  {},
  { x: 1 },
];

const unwrapped = (schema: z.core.$ZodType): z.core.$ZodType =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodNullable ? unwrapped(schema.unwrap()) : schema;

/** Wrong values for a schema, and values with one wrong value in each place inside. */
function wrongFor(wrapped: z.core.$ZodType): unknown[] {
  const schema = unwrapped(wrapped);
  if (schema instanceof z.ZodArray)
    return [...WRONG, ...wrongFor(schema.element).map((item) => [item, item, item, item])];
  if (!(schema instanceof z.ZodObject)) return WRONG;
  const shape = schema.shape as Readonly<Record<string, z.core.$ZodType>>;
  return [
    ...WRONG,
    ...Object.entries(shape).flatMap(([name, field]) => wrongFor(field).map((value) => ({ [name]: value }))),
  ];
}

const bodies = [...operations].flatMap(([name, { body }]) =>
  body === undefined ? [] : [{ name, schema: zodOf(body) }],
);

test.each(bodies)("no answer of $name has the words of the library", ({ schema }) => {
  const reasons = new Set(
    wrongFor(schema).flatMap((body) => readBody(schema, body).reasons.map(({ reason }) => reason)),
  );
  expect(reasons.size).toBeGreaterThan(0);
  expect([...reasons].filter((reason) => !/^(The body )?(must|is|are) /.test(reason))).toEqual([]);
  expect(
    [...reasons].filter((reason) =>
      /Too |[Ii]nvalid|expected|received|[<>]=|option|undefined|NaN/.test(reason),
    ),
  ).toEqual([]);
});

test("every kind of problem that a body of an operation can have is among the examples", () => {
  const codes = bodies.flatMap(({ schema }) =>
    wrongFor(schema).flatMap((body) => schema.safeParse(body).error?.issues.map(({ code }) => code) ?? []),
  );
  expect([...new Set(codes)].sort()).toEqual([...new Set(PROBLEMS.map(([code]) => code))].sort());
});

test.each([
  ["/clock", { speed: -1 }, { field: "speed", reason: "must be at least 0" }],
  ["/clock", { sped: 1, now: 2 }, { reason: "The body must not have sped or now." }],
  ["/clock", [], { reason: "The body must be an object." }],
  ["/faults", { path: "/v4", effect: "explode" }, { reason: "The body is not one of the accepted values." }],
])("the control API refuses %s %j in the same words", async (path, body, reason) => {
  const answer = await emulator.control("POST", path, body);
  expect([answer.status, answer.body]).toEqual([400, { errors: [reason] }]);
});

test("invalid accounts are refused in the same words", () => {
  expect(() => accountsFile.parse({ users: [] })).toThrow("must have at least 1 item");
});
