import { ObjectPool } from "../../../src/provider/matching/object-pool";
import { isRespelt } from "../../../src/provider/matching/match-object";
import { domainRecord, sameRecordBy } from "../../../src/resources/domain-record";

const a = (id: number, name: string, target = "192.0.2.1") => ({ id, type: "A", name, target });
const mx = (id: number, priority: number) => ({ id, type: "MX", name: "", target: "mx.example", priority });

describe("a pool of objects", () => {
  test("gives each object once, and nothing for a content that no object has", () => {
    const pool = new ObjectPool(domainRecord, [a(1, "www"), a(2, "www")]);
    const take = () => pool.take({ type: "A", name: "www", target: "192.0.2.1" })?.["id"];
    expect([take(), take(), take()]).toEqual([1, 2, undefined]);
    expect(pool.take({ type: "A", name: "api", target: "192.0.2.1" })).toBeUndefined();
    expect([...pool.ids]).toEqual(["1", "2"]);
  });

  test("prefers an equal object to one that the service may have rewritten", () => {
    const pool = new ObjectPool(domainRecord, [a(1, "WWW"), a(2, "www.example.org"), a(3, "www")]);
    const wanted = { type: "A", name: "www", target: "192.0.2.1" };
    expect([1, 2, 3].map(() => pool.take(wanted)?.["id"])).toEqual([3, 1, 2]);
  });

  test("takes no object that differs in more than its spelling", () => {
    const pool = new ObjectPool(domainRecord, [a(1, "www.example.org", "192.0.2.9"), a(2, "wwww")]);
    expect(pool.take({ type: "A", name: "www", target: "192.0.2.1" })).toBeUndefined();
  });

  test("tells apart what only the further inputs distinguish", () => {
    const pool = new ObjectPool(domainRecord, [mx(1, 10), mx(2, 20)], { by: sameRecordBy });
    const wanted = { type: "MX", target: "MX.example", priority: 20 };
    expect(pool.take(wanted)?.["id"]).toBe(2);
    expect(pool.take(wanted)).toBeUndefined();
  });

  test("lists the equal objects, whatever their case", () => {
    const pool = new ObjectPool(domainRecord, [a(1, "WWW"), a(2, "www"), a(3, "api")]);
    const equal = pool.equalTo({ type: "A", name: "www", target: "192.0.2.1" });
    expect(equal.map(({ id }) => id)).toEqual([1, 2]);
  });
});

test.each<[string, string, boolean]>([
  ["www", "www.example.org", true],
  ["www.example.org.", "www.example.org", true],
  ["2001:DB8::1", "2001:db8:0::1", true],
  ["www", "wwww.example.org", false],
  ["www", "www.dev", false],
  ["", "example.org", false],
])("%p may be spelt %p by the service: %p", (wanted, found, may) => {
  expect(isRespelt(wanted, found)).toBe(may);
  expect(isRespelt(found, wanted)).toBe(may);
});
