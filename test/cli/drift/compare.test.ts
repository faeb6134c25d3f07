import { changedMembers } from "../../../src/cli/drift/compare-members";
import { changedProperties } from "../../../src/cli/drift/compare-object";
import { stateIn } from "../../../src/provider/state/codec";
import { toldIn } from "../../../src/provider/state/handed";
import { descriptions } from "../../../src/resources";

const stored = { label: "a", ttlSec: 300, tags: ["x"], __set: "ttlSec,tags", __sent: { ttlSec: 310 } };

const changes = (live: Readonly<Record<string, unknown>>, secrets: string[][] = []) =>
  changedProperties(descriptions.Domain, stateIn(stored), live, secrets);

test("only inputs that the program set can have changed, and rounded values have not", () => {
  expect(changes({ label: "b", ttlSec: 300, tags: ["x"] })).toEqual([]);
  expect(changes({ ttlSec: 310, tags: ["x"] })).toEqual([]);
  expect(changes({ ttlSec: 3600, tags: ["y"] })).toEqual([
    { path: "ttlSec", expected: 310, live: 3600 },
    { path: "tags", expected: ["x"], live: ["y"] },
  ]);
});

test("a cleared value has no live value, and a value that the service does not show has not changed", () => {
  expect(changes({ ttlSec: null })).toEqual([{ path: "ttlSec", expected: 310 }]);
});

test("a secret property is named without its values", () => {
  expect(changes({ tags: ["y"] }, [["tags", "0"]])).toEqual([{ path: "tags", secret: true }]);
});

const set = descriptions.DomainRecordSet;
const lines = "@ A 192.0.2.1\nwww A 192.0.2.2\n";
const sets = { domainId: "1", records: lines, __ids: "10,11", __set: "domainId,records" };
const record = (id: number, name: string, target: string) => ({ id, type: "A", name, target, ttl_sec: 0 });

const there = new Map([
  ["11", record(11, "www", "192.0.2.9")],
  ["12", record(12, "new", "192.0.2.3")],
  ["13", record(13, "other", "192.0.2.4")],
]);

const members = (more: Readonly<Record<string, unknown>>, stored = { ...sets, ...more }) =>
  changedMembers(set, stateIn(stored, toldIn(stored)), { there, managed: new Set(["10", "11", "13"]) }, []);

test("members of a set are changed or deleted, and records of others are no additions", () => {
  const own = [
    { change: "deleted", expected: "@ A 192.0.2.1" },
    { change: "changed", expected: "www A 192.0.2.2", live: "www A 192.0.2.9" },
  ];
  expect(members({})).toEqual({ members: own, added: [] });
  expect(members({ exclusive: true })).toEqual({
    members: [...own, { change: "added", live: "new A 192.0.2.3" }],
    added: ["12"],
  });
});

test("members that may hold secrets are shown without their lines", () => {
  expect(members({ __guarded: true }).members).toEqual([{ change: "deleted" }, { change: "changed" }]);
});

test("a member that exists and is no longer declared has not changed", () => {
  const left = { records: "www A 192.0.2.9\n", __ids: "11", __left: [["10", "@ A 192.0.2.1"]] };
  expect(members(left).members).toEqual([]);
});
