import { Ownership } from "../../../src/provider/process/ownership";
import { RunRecord } from "../../../src/provider/process/run-record";

const owners = () => new Ownership(() => new RunRecord({}, undefined, "https://api.example/v4", Date.now));
const node = { type: "Node" };
const record = { type: "DomainRecord" };
const one = { urn: "urn:one", name: "Node one" };
const two = { urn: "urn:two", name: "Node two" };
const ref = { id: "12" };

test("what a resource has taken over is not deleted for another one, nor for itself", () => {
  const run = owners();
  expect(run.take(node, ref, one)).toBeUndefined();
  expect(run.take(node, ref, two)).toBe(one);
  expect(run.release(node, ref, two)).toBe(one);
  expect(run.release(node, ref, one)).toBe(one);
  expect(run.deletedFor(node, ref)).toBeUndefined();
});

test("what a resource of the program manages is not deleted for another one, and is deleted for itself", () => {
  const run = owners();
  expect(run.hold(node, ref, one, false)).toBeUndefined();
  expect(run.release(node, ref, two)).toBe(one);
  expect(run.release(node, ref, one)).toBeUndefined();
  expect(run.deletedFor(node, ref)).toBe(one);
});

test("a resource that manages what another one asks for is told so, whichever comes first", () => {
  const first = owners();
  first.take(node, ref, two);
  expect(first.hold(node, ref, one, false)).toBe(two);
  const second = owners();
  second.hold(node, ref, one, false);
  expect(second.take(node, ref, two)).toBe(one);
});

test("members of a set and single objects are the same objects, under their own parent", () => {
  const run = owners();
  const set = { urn: "urn:set", name: "DomainRecordSet set", isSet: true } as const;
  expect(run.holdMany(record, "7", set, () => ["1", "2"], false)).toBeUndefined();
  expect(run.take(record, { parent: "7", id: "2" }, one)).toBe(set);
  expect(run.take(record, { parent: "8", id: "2" }, one)).toBeUndefined();
  const later = owners();
  later.take(record, { parent: "7", id: "2" }, one);
  expect(later.holdMany(record, "7", set, () => ["1", "2"], false)).toEqual({
    ref: { parent: "7", id: "2" },
    rival: one,
  });
});

test("a set gives a member up that another resource has, and deletes its own", () => {
  const run = owners();
  const set = { urn: "urn:set", name: "DomainRecordSet set" };
  run.take(record, { parent: "7", id: "1" }, one);
  run.takeAll(record, [{ parent: "7", id: "2" }], set);
  expect(run.giveUp(record, { parent: "7", id: "1" }, set)).toBe(one);
  expect(run.giveUp(record, { parent: "7", id: "2" }, set)).toBeUndefined();
});

test("a resource whose state keeps no URN is known by its name", () => {
  const run = owners();
  run.take(record, { parent: "7", id: "1" }, one);
  expect(run.hold(record, { parent: "7", id: "1" }, { name: "Node one" }, false)).toBeUndefined();
  expect(run.release(record, { parent: "7", id: "1" }, { name: "Node two" })?.name).toBe("Node one");
});
