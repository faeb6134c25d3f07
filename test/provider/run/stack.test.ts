import { type OtherStack, type OtherStacks } from "../../../src/provider/engine/other-stacks";
import { Stack } from "../../../src/provider/run/stack";
import { settle } from "../fake-clock";

/** Another stack of a backend that is too large to be read without patience. */
const prod: OtherStack = { name: "shop/prod", holdersOf: () => [], pending: [] };
const ALL: OtherStacks = { stacks: [prod], unread: 0 };
const PART: OtherStacks = { stacks: [], unread: 1 };

function newStack(quick: OtherStacks, patient: OtherStacks) {
  const asked: (number | undefined)[] = [];
  const stack = new Stack(
    {},
    () => Promise.resolve(undefined),
    (_, __, ___, patienceMs) => {
      asked.push(patienceMs);
      return Promise.resolve(patienceMs === undefined ? quick : patient);
    },
  );
  return { stack, asked };
}

test("a stack for which there was no time is read once before a deletion, and every later question knows it", async () => {
  const { stack, asked } = newStack(PART, ALL);
  expect(await stack.others()).toEqual(PART);
  expect(await Promise.all([stack.allOthers(), stack.allOthers()])).toEqual([ALL, ALL]);
  expect(await stack.others()).toEqual(ALL);
  expect(asked).toEqual([undefined, 180_000]);
});

test("a complete list is read again only if it is asked for anew, and then completely", async () => {
  const { stack, asked } = newStack(ALL, ALL);
  await stack.allOthers();
  await stack.allOthers();
  expect(asked).toEqual([undefined]);
  expect(await stack.allOthers({ anew: true })).toEqual(ALL);
  expect(await stack.others()).toEqual(ALL);
  expect(asked).toEqual([undefined, 180_000]);
});

test("those who ask anew while a reading is under way share the one that follows it", async () => {
  const ends: (() => void)[] = [];
  const read = () => new Promise<OtherStacks>((resolve) => ends.push(() => resolve(ALL)));
  const stack = new Stack({}, () => Promise.resolve(undefined), read);
  const first = [stack.allOthers({ anew: true }), stack.allOthers({ anew: true })];
  await settle();
  expect(ends).toHaveLength(1);
  const later = [1, 2, 3].map(() => stack.allOthers({ anew: true }));
  ends[0]?.();
  await Promise.all(first);
  await settle();
  expect(ends).toHaveLength(2);
  ends[1]?.();
  expect(await Promise.all(later)).toEqual([ALL, ALL, ALL]);
});
