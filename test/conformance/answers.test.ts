import { withEmulator } from "../helpers/emulator";
import { type Called, callEveryOperation } from "../helpers/every-operation";
import { ANSWERS } from "./shapes";

let called: Called[];
beforeAll(async () => {
  called = await withEmulator(callEveryOperation);
});

test("the reference has 60 operations, and no others are served but resize and a node's disks", () => {
  const served = new Set(called.map(({ spec }) => `${spec.method} ${spec.path}`));
  const listed = ANSWERS.map(([method, path]) => `${method} ${path}`);
  expect(listed).toHaveLength(60);
  expect(listed.filter((operation) => !served.has(operation))).toEqual([]);
  expect([...served].filter((operation) => !listed.includes(operation)).sort()).toEqual([
    "GET /node/instances/{nodeId}/disks",
    "POST /node/instances/{nodeId}/resize",
  ]);
});

test.each(ANSWERS)("%s %s answers %s, with every field of the stated type and no other", (...row) => {
  const [method, path, answer, shape] = row;
  const answers = called.filter(({ spec }) => spec.method === method && spec.path === path);
  expect(answers.length).toBeGreaterThan(0);
  for (const { status, body } of answers) {
    expect({ status, error: shape.safeParse(body).error?.issues }).toEqual({ status: 200 });
  }
  // A page that is always empty would have any shape.
  if (answer.startsWith("a page")) expect(answers.some(({ body }) => body["results"] !== 0)).toBe(true);
});
