import { startTestEmulator, type TestEmulator } from "../helpers/emulator";
import { type TestStack, testStack } from "../helpers/stack";

const RUNS = 8;
const RECORDS = 50;

let emulator: TestEmulator;
beforeAll(async () => {
  emulator = await startTestEmulator({ rate: { requests: 5, seconds: 1 } });
});
afterAll(() => emulator.stop());

/** The seconds of an `up` that creates a domain and its records. */
async function secondsOf(stack: TestStack): Promise<number> {
  const begun = performance.now();
  expect(await stack.up()).toMatchObject({ code: 0 });
  return (performance.now() - begun) / 1000;
}

test("runs that share a rate limit all succeed, in about the time of one after the other, and none waits much longer", async () => {
  const stacks = await Promise.all(
    Array.from({ length: 2 * RUNS }, (_, index) =>
      testStack(
        emulator,
        `const zone = new nodecloud.Domain("zone", { domain: "stack-${index}.example", type: "master", soaEmail: "dns@example.org" });
         for (let i = 0; i < ${RECORDS}; i++) new nodecloud.DomainRecord("r" + i, { domainId: zone.id, type: "A", name: "r" + i, target: "192.0.2.1" });`,
      ),
    ),
  );
  try {
    let oneByOne = 0;
    for (const stack of stacks.slice(RUNS)) oneByOne += await secondsOf(stack);
    const together = await Promise.all(stacks.slice(0, RUNS).map(secondsOf));
    const sorted = together.sort((one, other) => one - other);
    const [median = 0, slowest = 0] = [sorted[RUNS / 2], sorted.at(-1)];
    expect(slowest / oneByOne).toBeLessThan(1.15);
    expect(slowest / median).toBeLessThan(1.5);
  } finally {
    for (const stack of stacks) stack.remove();
  }
});
