import { runReview } from "../faults/review/run";

/** `npm run test:faults -- --part reviews` runs chains of ten programs. */
const SEED = 13;

test(`reviews say what the next up does to the account, in both ways (seed ${SEED})`, async () => {
  const verdicts = await runReview(SEED, 4);
  expect(verdicts.flatMap(({ problems }) => problems)).toEqual([]);
  expect(verdicts).toHaveLength(4);
});
