import { chanceOf, drawn } from "./chance";
import { MATRIX, nameOfCell } from "./matrix/cell";
import { runMatrix } from "./matrix/run";
import { runModel } from "./model";
import { type Result } from "./parts";
import { type Kill, nameOfKill, runKill } from "./targeted";
import { SHORT } from "../helpers/whole";

/** `npm run test:faults` runs all cells. This file runs a part that takes a minute. */
const SEED = 13;

test(`operations survive faults, and the next run converges (seed ${SEED})`, async () => {
  const names = drawn(MATRIX.map(nameOfCell), SHORT ? 20 : 40, chanceOf(SEED));
  const results: Result[] = [];
  await runMatrix(names, 1, (result) => results.push(result));
  expect(results).toHaveLength(names.length);
  expect(results.filter(({ problems }) => problems.length > 0)).toEqual([]);
});

test(`a sequence of edits, faults and kills ends with the objects of its program (seed ${SEED})`, async () => {
  expect(await runModel(SEED, 5)).toEqual([]);
});

const KILLS: readonly Kill[] = [
  { kind: "Node", moment: "acted", machine: "same" },
  { kind: "DomainRecord", moment: "waiting", machine: "another" },
];

test.each(KILLS.map((kill) => [nameOfKill(kill), kill] as const))(
  "the next up converges after a kill: %s",
  async (_, kill) => {
    expect(await runKill(kill)).toEqual([]);
  },
);
