import { RECORD_TYPES } from "../../src/api/records";
import { type Properties, UNKNOWN } from "../../src/provider/base/values";
import { DomainRecord } from "../../src/sdk";
import { descriptionOf, rulesOf } from "./describe";

const description = descriptionOf(DomainRecord);
const rules = (inputs: Properties) => rulesOf(description, { domainId: "12", ...inputs });

const srv = { type: "SRV", priority: 1, weight: 2, port: 3 };
const fitting: Readonly<Record<string, Properties>> = {
  A: { target: "192.0.2.1" },
  AAAA: { target: "2001:db8::1" },
  SRV: srv,
  CAA: { type: "CAA", tag: "issue" },
};

test.each(RECORD_TYPES)("a record of type %s with all its required inputs is valid", (type) => {
  expect(rules({ type, name: "www", target: "x", ...fitting[type] })).toEqual([]);
});

test("a number that the record's type does not have is empty if the service answers 0, and shown otherwise", () => {
  const answer = { id: 1, name: "www", target: "192.0.2.1", tag: null, ttl_sec: 0, created: "", updated: "" };
  const shown = (more: Properties) => description.toOutputs?.({ ...answer, ...more });
  expect(shown({ type: "A", priority: 0, weight: 0, port: 7 })).toMatchObject({
    priority: null,
    weight: null,
    port: 7,
    ttlSec: 0,
  });
  expect(shown({ type: "MX", priority: 0, weight: 0 })).toMatchObject({ priority: 0, weight: null });
});

describe("inputs for only some types", () => {
  const valid: Readonly<Record<string, readonly string[]>> = {
    priority: ["MX", "SRV"],
    weight: ["SRV"],
    port: ["SRV"],
    service: ["SRV"],
    protocol: ["SRV"],
    tag: ["CAA"],
  };
  const cases = Object.entries(valid).flatMap(([property, types]) =>
    RECORD_TYPES.map((type) => ({ property, type, allowed: types.includes(type), types })),
  );

  test.each(cases)("$property for $type is allowed: $allowed", ({ property, type, allowed, types }) => {
    const value = { tag: "issue", service: "_sip", protocol: "_tcp" }[property] ?? 0;
    expect(rules({ type, ...fitting[type], [property]: value })).toEqual(
      allowed
        ? []
        : [`${property} is only for ${types.join(" and ")} records; this record is of type ${type}`],
    );
  });

  test.each(["priority", "weight", "port"])("%s is required for SRV, and 0 is a valid value", (property) => {
    const rest = Object.fromEntries(Object.entries(srv).filter(([name]) => name !== property));
    expect(rules(rest)).toEqual([`${property} is required for a record of type SRV`]);
    expect(rules({ ...srv, [property]: 0 })).toEqual([]);
  });

  test("tag is required for CAA, and priority is optional for MX", () => {
    expect(rules({ type: "CAA", target: "ca.example" })).toEqual([
      "tag is required for a record of type CAA",
    ]);
    expect(rules({ type: "MX", target: "mx.example" })).toEqual([]);
  });
});

describe("a trailing period", () => {
  test.each(["A", "AAAA", "CAA"])("is refused in the target of %s", (type) => {
    expect(rules({ type, ...fitting[type], target: "example.org." })).toEqual([
      `target must not end with a period in a record of type ${type}`,
    ]);
  });

  test.each(["NS", "MX", "CNAME", "TXT", "SRV", "PTR"])("is valid in the target of %s", (type) => {
    expect(rules({ type, target: "example.org.", ...fitting[type] })).toEqual([]);
  });
});

describe("the target of an address record must be an address of its family", () => {
  test.each([
    ["A", "192.0.2.10"],
    ["AAAA", "2001:db8::10"],
    ["AAAA", "2001:0DB8:0:0::10"],
    ["AAAA", "::ffff:192.0.2.10"],
    ["TXT", "192.0.2"],
  ])("%s accepts %s", (type, target) => {
    expect(rules({ type, target })).toEqual([]);
  });

  test.each([
    ["A", "IPv4", "2001:db8::10"],
    ["A", "IPv4", "192.0.2.256"],
    ["A", "IPv4", "192.0.2"],
    ["A", "IPv4", "192.0.2.1/32"],
    ["A", "IPv4", "www.example.org"],
    ["A", "IPv4", ""],
    ["AAAA", "IPv6", "192.0.2.10"],
    ["AAAA", "IPv6", "fe80::1%eth0"],
    ["AAAA", "IPv6", "2001:db8::/64"],
  ])("%s requires %s: %s is refused", (type, family, target) => {
    expect(rules({ type, target })).toEqual([
      `target must be an ${family} address in a record of type ${type}, not "${target}"`,
    ]);
  });
});

test("unknown values break no rule", () => {
  expect(rules({ type: UNKNOWN, weight: 1, tag: "issue" })).toEqual([]);
  expect(rules({ type: "SRV", priority: UNKNOWN, weight: UNKNOWN, port: UNKNOWN })).toEqual([]);
  expect(rules({ type: "A", target: UNKNOWN })).toEqual([]);
});

test("the id of a record consists of its domain's id and its own", () => {
  expect(description.id.pattern.exec("12/345")?.groups).toEqual({ parent: "12", id: "345" });
  for (const id of ["345", "12/", "12/3/4", "a/b", " 12/3"]) {
    expect(description.id.pattern.test(id)).toBe(false);
  }
});
