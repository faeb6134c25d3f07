import { withEmulator } from "../helpers/emulator";
import { type Called, callEveryOperation } from "../helpers/every-operation";
import { ANSWERS } from "./shapes";

let called: Called[];
beforeAll(async () => {
  called = await withEmulator(callEveryOperation);
});

test("the emulator serves the 60 operations of the reference, and marks all others as assumed", () => {
  const served = new Set(called.map(({ spec }) => `${spec.method} ${spec.path}`));
  const listed = ANSWERS.map(([method, path]) => `${method} ${path}`);
  expect(listed).toHaveLength(60);
  expect(listed.filter((operation) => !served.has(operation))).toEqual([]);
  const others = called.filter(({ spec }) => !listed.includes(`${spec.method} ${spec.path}`));
  const assumed = called.filter(({ spec }) => spec.assumed);
  expect(others).toEqual(assumed);
  expect(assumed.map(({ spec }) => `${spec.method} ${spec.path}`)).toEqual(
    expect.arrayContaining(["GET /node/instances/{nodeId}/disks", "POST /node/instances/{nodeId}/resize"]),
  );
});

test.each(ANSWERS)("%s %s answers %s, with exactly the fields of the reference and their types", (...row) => {
  const [method, path, answer, shape] = row;
  const answers = called.filter(({ spec }) => spec.method === method && spec.path === path);
  expect(answers.length).toBeGreaterThan(0);
  for (const { status, body } of answers) {
    expect({ status, error: shape.safeParse(body).error?.issues }).toEqual({ status: 200 });
  }
  // An empty page would match any shape.
  if (answer.startsWith("a page")) expect(answers.some(({ body }) => body["results"] !== 0)).toBe(true);
});
