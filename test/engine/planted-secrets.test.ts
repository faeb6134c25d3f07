import { PLANTED_CELLS } from "../faults/planted/scenarios";

/** The others are a part of `npm run test:faults`. */
const QUICK = ["the API repeats all in its refusals", "an upload is refused", "a proxy refuses"];

test.each(QUICK)("no planted secret is seen anywhere when %s", async (name) => {
  expect(await PLANTED_CELLS.get(name)?.()).toEqual([]);
});
