import { runReview } from "../faults/review/run";

/** Its programs have nine kinds and seven of the edits. `npm run test:faults -- --part reviews` runs chains of ten programs. */
const SEED = 6708;

test(`reviews say what the next up does to the account, in both ways (seed ${SEED})`, async () => {
  const verdicts = await runReview(SEED, 4);
  expect(verdicts.flatMap(({ problems }) => problems)).toEqual([]);
  expect(verdicts).toHaveLength(4);
});
