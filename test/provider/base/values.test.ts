import * as fc from "fast-check";
import {
  camelKeys,
  camelPath,
  canonicalAddress,
  compact,
  type Comparison,
  hasUnknown,
  isObject,
  type Properties,
  same,
  setAt,
  snakeKeys,
  snakePath,
  stableJson,
  UNKNOWN,
  valueAt,
} from "../../../src/provider/base/values";

// The same values in every run, so that a failure can be repeated.
fc.configureGlobal({ seed: 20_261_121 });

const comparisons: readonly Comparison[] = ["value", "set", "addresses", "id", "domain"];

describe("comparison", () => {
  test.each(comparisons)("as %s: null equals absent, and differs from every value", (kind) => {
    expect(same(kind, null, undefined)).toBe(true);
    for (const value of [0, "", false, [], {}, "x"]) {
      expect(same(kind, value, undefined)).toBe(false);
      expect(same(kind, null, value)).toBe(false);
    }
  });

  test.each(comparisons)("as %s: every value equals itself", (kind) => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(same(kind, value, structuredClone(value))).toBe(true);
      }),
    );
  });

  test("values are compared deeply: the order of lists counts, the order of keys and absent keys do not", () => {
    expect(same("value", ["a", "b"], ["b", "a"])).toBe(false);
    expect(same("value", ["a"], ["a", "a"])).toBe(false);
    expect(same("value", { a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 })).toBe(true);
    expect(same("value", { a: 1, b: null }, { a: 1 })).toBe(true);
    expect(same("value", [{ a: null, b: undefined }], [{}])).toBe(true);
    expect(same("value", 1, "1")).toBe(false);
    expect(same("value", "a", "A")).toBe(false);
    expect(same("value", "null", null)).toBe(false);
  });

  test("a set ignores order and duplicates", () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.array(fc.string()), (a, b) => {
        expect(same("set", a, [...a].reverse())).toBe(true);
        expect(same("set", a, [...a, ...a])).toBe(true);
        const equal = new Set(a).size === new Set(b).size && b.every((item) => a.includes(item));
        expect(same("set", a, b)).toBe(equal);
      }),
    );
    expect(same("set", ["a"], ["A"])).toBe(false);
  });

  test("an id as a number equals the same id as a string", () => {
    expect(same("id", 12, "12")).toBe(true);
    expect(same("id", 12, 13)).toBe(false);
    expect(same("id", "1/2", "1/2")).toBe(true);
    for (const [one, other] of [
      ["12/345", "345"],
      [345, "12/345"],
    ])
      expect(same("id", one, other)).toBe(true);
    for (const other of ["13/345", "45", "12", "12/34"]) expect(same("id", "12/345", other)).toBe(false);
  });

  test("a domain is the same in any case, and with a final period", () => {
    expect(same("domain", "Example.org", "example.ORG.")).toBe(true);
    expect(same("domain", "example.org", "example.com")).toBe(false);
    expect(same("domain", "example.org", "www.example.org")).toBe(false);
  });

  test("addresses are compared by value, in any order and spelling", () => {
    expect(same("addresses", ["10.0.0.1", "2001:DB8::1"], ["2001:db8:0:0::1/128", "10.0.0.1/32"])).toBe(true);
    expect(same("addresses", ["10.0.0.1"], ["10.0.0.2"])).toBe(false);
    expect(same("addresses", ["10.0.0.0/8"], ["10.0.0.0/16"])).toBe(false);
    expect(same("addresses", ["10.0.0.1"], [])).toBe(false);
    expect(same("addresses", [12], [13])).toBe(false);
  });
});

describe("addresses", () => {
  test.each([
    ["10.0.0.1", "10.0.0.1/32"],
    ["10.0.0.1/32", "10.0.0.1/32"],
    [" 10.0.0.0/8 ", "10.0.0.0/8"],
    ["0.0.0.0/0", "0.0.0.0/0"],
    ["::", "::/128"],
    ["::/0", "::/0"],
    ["2001:0DB8:0000:0000:0000:0000:0000:0001", "2001:db8::1/128"],
    ["2001:db8:0:0:1:0:0:1/64", "2001:db8::1:0:0:1/64"],
    ["::FFFF:192.0.2.1", "::ffff:c000:201/128"],
  ])("%s is %s", (text, canonical) => {
    expect(canonicalAddress(text)).toBe(canonical);
  });

  test("other strings stay unchanged, except for their case", () => {
    expect(canonicalAddress("NS1.example.ORG")).toBe("ns1.example.org");
    expect(canonicalAddress("fe80::1%eth0")).toBe("fe80::1%eth0");
    expect(canonicalAddress("300.1.1.1")).toBe("300.1.1.1");
  });

  test("every spelling of an IPv6 address has the same canonical form, which is its own canonical form", () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const canonical = canonicalAddress(address);
        expect(canonicalAddress(canonical)).toBe(canonical);
        expect(canonicalAddress(address.toUpperCase())).toBe(canonical);
        expect(canonicalAddress(`${address}/128`)).toBe(canonical);
      }),
    );
  });

  test("different IPv4 addresses have different canonical forms", () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.ipV4(), (a, b) => {
        expect(canonicalAddress(a) === canonicalAddress(b)).toBe(a === b);
      }),
    );
  });
});

describe("the spelling of keys", () => {
  test.each([
    ["soaEmail", "soa_email"],
    ["ttlSec", "ttl_sec"],
    ["ipv4", "ipv4"],
    ["backups.lastSuccessful", "backups.last_successful"],
    ["hostUuid", "host_uuid"],
  ])("%s is %s in the API, and back", (camel, snake) => {
    expect(snakePath(camel)).toBe(snake);
    expect(camelPath(snake)).toBe(camel);
  });

  test("nested keys are renamed, also in lists, and values stay", () => {
    const program = { networkIn: 1, disks: [{ fileSystem: "ext_4", sizeMb: null }], text: "soa_email" };
    const wire = { network_in: 1, disks: [{ file_system: "ext_4", size_mb: null }], text: "soa_email" };
    expect(snakeKeys(program)).toEqual(wire);
    expect(camelKeys(wire)).toEqual(program);
  });

  test("keys of the API survive the conversion to the program and back", () => {
    const name = fc.stringMatching(/^[a-z]{1,4}(_[a-z]{1,4}){0,2}$/);
    fc.assert(
      fc.property(fc.dictionary(name, fc.dictionary(name, fc.integer())), (wire) => {
        expect(snakeKeys(camelKeys(wire))).toEqual(wire);
      }),
    );
  });
});

describe("unknown values", () => {
  test.each<[unknown, boolean]>([
    [UNKNOWN, true],
    [[["a", UNKNOWN]], true],
    [{ a: { b: [UNKNOWN] } }, true],
    [`x${UNKNOWN}`, false],
    [{ [UNKNOWN]: 1 }, false],
    [null, false],
    [[], false],
  ])("%j: %s", (value, expected) => {
    expect(hasUnknown(value)).toBe(expected);
  });
});

describe("paths", () => {
  test("a value that is set at a path is found there, and other values stay", () => {
    const object: Properties = { a: { b: 1 } };
    setAt(object, "a.c.d", 2);
    setAt(object, "e", 3);
    expect(object).toEqual({ a: { b: 1, c: { d: 2 } }, e: 3 });
    expect(valueAt(object, "a.c.d")).toBe(2);
    expect(valueAt(object, "a.x.y")).toBeUndefined();
    expect(valueAt(object, "a.b.c")).toBeUndefined();
    expect(valueAt(undefined, "a")).toBeUndefined();
  });

  test("setting a path below a value that is not an object creates an object", () => {
    const object: Properties = { a: "text" };
    setAt(object, "a.b", 1);
    expect(object).toEqual({ a: { b: 1 } });
  });
});

describe("text forms and copies", () => {
  test("equal values have equal text forms, in any order of keys", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.integer()), (object) => {
        expect(stableJson(Object.fromEntries(Object.entries(object).reverse()))).toBe(stableJson(object));
      }),
    );
  });

  test("a compact copy omits nulls in objects, and shares no objects", () => {
    const value = { a: null, b: [null, { c: undefined, d: 1 }] };
    expect(compact(value)).toStrictEqual({ b: [null, { d: 1 }] });
    const list = [{ a: 1 }];
    expect((compact(list) as unknown[])[0]).not.toBe(list[0]);
  });

  test("lists and null do not count as objects", () => {
    expect([{}, [], null, "x", 1, undefined].map(isObject)).toEqual([
      true,
      false,
      false,
      false,
      false,
      false,
    ]);
  });
});
