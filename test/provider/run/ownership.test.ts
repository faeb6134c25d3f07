import { Ownership } from "../../../src/provider/run/ownership";
import { OwnersOfRun } from "../../../src/provider/notes/owners-of-run";

const owners = () => new Ownership(() => new OwnersOfRun({}, undefined, "https://api.example/v4", Date.now));
const node = { type: "Node" };
const record = { type: "DomainRecord" };
const one = { urn: "urn:one", name: "Node one" };
const two = { urn: "urn:two", name: "Node two" };
const ref = { id: "12" };

test("an object that a resource has taken over is not deleted for another resource, or for itself", () => {
  const run = owners();
  expect(run.take(node, [ref], one)).toEqual([]);
  expect(run.take(node, [ref], two)).toEqual([{ ref, rival: one }]);
  expect(run.release(node, ref, two)).toBe(one);
  expect(run.release(node, ref, one)).toBe(one);
  expect(run.deletedFor(node, ref)).toBeUndefined();
});

test("an object that a resource manages is not deleted for another resource, and is deleted for itself", () => {
  const run = owners();
  expect(run.hold(node, ref, one)).toBeUndefined();
  expect(run.release(node, ref, two)).toBe(one);
  expect(run.release(node, ref, one)).toBeUndefined();
  expect(run.deletedFor(node, ref)).toBe(one);
});

test("an object of another time with the same id is one of another account: it is deleted for its own resource", () => {
  const old = { ...one, created: "2027-02-19T00:00:00" };
  const next = { ...two, created: "2027-03-24T00:00:00" };
  const held = owners();
  expect([held.hold(node, ref, old), held.hold(node, ref, next)]).toEqual([undefined, undefined]);
  expect(held.release(node, ref, old)).toBeUndefined();
  const taken = owners();
  taken.take(node, [ref], two);
  taken.adopts(node, ref, next);
  expect(taken.release(node, ref, one)).toBe(next);
  expect(taken.release(node, ref, { ...old, created: next.created })).toBe(next);
  expect(taken.release(node, ref, old)).toBeUndefined();
});

test("a conflict over an object is found, whichever of the two resources comes first", () => {
  const first = owners();
  first.take(node, [ref], two);
  expect(first.hold(node, ref, one)).toBe(two);
  const second = owners();
  second.hold(node, ref, one);
  expect(second.take(node, [ref], two)).toEqual([{ ref, rival: one }]);
});

test("members of a set and single objects can be the same objects, under the same parent", () => {
  const run = owners();
  const set = { urn: "urn:set", name: "DomainRecordSet set", isSet: true } as const;
  expect(run.holdMany(record, "7", set, () => ["1", "2"])).toBeUndefined();
  expect(run.take(record, [{ parent: "7", id: "2" }], one)).toEqual([
    { ref: { parent: "7", id: "2" }, rival: set },
  ]);
  expect(run.take(record, [{ parent: "8", id: "2" }], one)).toEqual([]);
  const later = owners();
  later.take(record, [{ parent: "7", id: "2" }], one);
  expect(later.holdMany(record, "7", set, () => ["1", "2"])).toEqual({
    ref: { parent: "7", id: "2" },
    rival: one,
  });
});

test("a set gives up a member that another resource has, and deletes its own members", () => {
  const run = owners();
  const set = { urn: "urn:set", name: "DomainRecordSet set" };
  run.take(record, [{ parent: "7", id: "1" }], one);
  run.takeAll(record, [{ parent: "7", id: "2" }], set);
  expect(run.giveUp(record, { parent: "7", id: "1" }, set)).toBe(one);
  expect(run.giveUp(record, { parent: "7", id: "2" }, set)).toBeUndefined();
});

test("a resource without a URN in its state is identified by its name", () => {
  const run = owners();
  run.take(record, [{ parent: "7", id: "1" }], one);
  expect(run.hold(record, { parent: "7", id: "1" }, { name: "Node one" })).toBeUndefined();
  expect(run.release(record, { parent: "7", id: "1" }, { name: "Node two" })?.name).toBe("Node one");
});
