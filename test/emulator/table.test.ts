import { createClock } from "../../src/emulator/store/clock";
import { node } from "../../src/emulator/kinds/node";
import { Table } from "../../src/emulator/store/table";

const clock = createClock(0, () => Date.UTC(2026, 0, 1));
let table: Table<{ status: string }>;
beforeEach(() => {
  table = new Table(clock);
  for (const id of [1, 2, 3]) table.insert(id, { status: "running" }, {}, id === 2 ? 20 : 10);
});

const idsOf = (entities: readonly { id: number }[]) => entities.map(({ id }) => id);
const lists = () => ({ all: idsOf(table.all()), ten: idsOf(table.of(10)), twenty: idsOf(table.of(20)) });

test("lists show added and removed objects, oldest first", () => {
  expect(lists()).toEqual({ all: [1, 2, 3], ten: [1, 3], twenty: [2] });
  table.insert(4, { status: "running" }, {}, 20);
  table.remove(1);
  expect(lists()).toEqual({ all: [2, 3, 4], ten: [3], twenty: [2, 4] });
  table.removeOf(20);
  expect(lists()).toEqual({ all: [3], ten: [3], twenty: [] });
  table.clear();
  expect(lists()).toEqual({ all: [], ten: [], twenty: [] });
});

test("a replacement takes the object's place in the lists, and only its own changes happen", () => {
  const old = table.get(1);
  if (old) table.begin(old, node.transitions.delete);
  expect(lists().ten).toEqual([1, 3]);
  table.put({ id: 1, parent: 10, fields: { status: "offline" }, hidden: {}, moves: [] });
  clock.advance(30);
  expect(table.of(10)[0]?.fields).toEqual({ status: "offline" });
});

test("a list includes the changes that are due", () => {
  const [first, last] = [table.get(1), table.get(3)];
  if (first) table.begin(first, node.transitions.delete);
  if (last) table.begin(last, node.transitions.boot);
  expect(table.of(10).map(({ fields }) => fields.status)).toEqual(["deleting", "booting"]);
  clock.advance(29);
  expect(lists()).toEqual({ all: [1, 2, 3], ten: [1, 3], twenty: [2] });
  clock.advance(1);
  expect(lists()).toEqual({ all: [2, 3], ten: [3], twenty: [2] });
  expect(table.all()[1]?.fields).toEqual({ status: "running" });
});

test("the pending changes of an added object happen", () => {
  const moves = [{ at: clock.now() + 1000, gone: true as const }];
  table.put({ id: 4, parent: 10, fields: { status: "deleting" }, hidden: {}, moves });
  expect(lists().ten).toEqual([1, 3, 4]);
  clock.advance(1);
  expect(lists().ten).toEqual([1, 3]);
});

test("a returned list does not change when objects are added or removed", () => {
  const [all, ten] = [table.all(), table.of(10)];
  for (const { id } of ten) {
    table.remove(id);
    table.insert(id + 10, { status: "running" }, {}, 10);
  }
  expect({ all: idsOf(all), ten: idsOf(ten) }).toEqual({ all: [1, 2, 3], ten: [1, 3] });
  expect(lists()).toEqual({ all: [2, 11, 13], ten: [11, 13], twenty: [2] });
});
