import { restsAgain } from "../../../src/resources/families/rest";

/** Whether the action is over at each of these looks. */
const looks = (...statuses: string[]) => {
  const isOver = restsAgain({ before: "running", atRest: ["running", "offline"] });
  return statuses.map((status) => isOver({ status }));
};

test("an action is over when its object is again as it was before", () => {
  expect(looks("restoring", "restoring", "running")).toEqual([false, false, true]);
});

test("being at rest before the work shows says nothing, for statuses lag", () => {
  expect(looks("running", "running", "restoring", "running")).toEqual([false, false, false, true]);
});

test("an action so short that no look caught it is over after some looks", () => {
  expect(looks("running", "running", "running", "running")).toEqual([false, false, false, true]);
});

test("an action that leaves its object at rest in another way is over after some looks", () => {
  expect(looks("restoring", "offline", "offline", "offline", "offline")).toEqual([
    ...[false, false, false, false],
    true,
  ]);
});
