import { restsAgain } from "../../../src/resources/families/rests-again";

/** Whether the action is over at each of these reads. */
const looks = (...statuses: string[]) => {
  const isOver = restsAgain({ before: "running", atRest: ["running", "offline"] });
  return statuses.map((status) => isOver({ status }));
};

test("an action is over when its object has its previous status again", () => {
  expect(looks("restoring", "restoring", "running")).toEqual([false, false, true]);
});

test("an action is not over while the status does not show it yet, because statuses lag", () => {
  expect(looks("running", "running", "restoring", "running")).toEqual([false, false, false, true]);
});

test("an action that is too short to be seen is over after some reads", () => {
  expect(looks("running", "running", "running", "running")).toEqual([false, false, false, true]);
});

test("an action that ends in another resting status is over after some reads", () => {
  expect(looks("restoring", "offline", "offline", "offline", "offline")).toEqual([
    ...[false, false, false, false],
    true,
  ]);
});
