import { PLANTED_CELLS } from "../faults/planted/scenarios";

/** `npm run test:faults` runs the other scenarios. */
const QUICK = ["the API repeats every value in its refusals", "an upload is refused", "a proxy refuses"];

test.each(QUICK)("no planted secret appears anywhere when %s", async (name) => {
  expect(await PLANTED_CELLS.get(name)?.()).toEqual([]);
});
