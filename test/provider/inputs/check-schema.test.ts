import { z } from "zod";
import { schemaFailures } from "../../../src/provider/inputs/check-schema";
import { normalise } from "../../../src/provider/inputs/normalise";
import { type FieldTree } from "../../../src/provider/describe/fields";
import { replace, setting, update } from "../undocumented";
import { type Properties, UNKNOWN } from "../../../src/provider/base/values";
import { callIn } from "../../../src/provider/state/handed";
import { fakeDescription } from "../fake-service";

const fields: FieldTree = {
  label: update(z.string().min(3).max(10)),
  region: replace(z.string(), { required: true }),
  parentId: replace(z.string().regex(/^\d+$/, "must be the id of a widget"), { compare: "id" }),
  kind: replace(z.enum(["one", "two"])),
  only: update(z.literal("this")),
  count: update(z.int().min(1).max(9)),
  size: update(z.union([z.literal(1), z.literal(3)])),
  trigger: update(z.union([z.string(), z.number(), z.boolean()])),
  flag: update(z.boolean()),
  tags: update(z.array(z.string()).min(1).max(2), { compare: "set" }),
  email: update(z.email()),
  data: update(z.base64()),
  name: update(z.string().refine((name) => !name.includes(".."), "each part must have a letter")),
  links: update(z.array(z.strictObject({ purpose: z.string(), label: z.string().optional() }))),
  alerts: { cpu: update(z.int()), deep: { networkIn: update(z.int()) } },
  mode: setting(z.enum(["fast", "slow"])),
};
const description = fakeDescription({ fields, autoname: { path: "label", max: 10 } });

const complaints = (inputs: Properties) =>
  schemaFailures(description, callIn({ region: "us-east", ...inputs })).map(
    ({ property, reason }) => `${property} ${reason}`,
  );

test("a deliberately missing property is refused with the reason", () => {
  const absent = {
    reboot: "is not supported: the API has no operation to reboot",
    "alerts.sms": "is only for others",
  };
  const told = schemaFailures(
    { ...description, unsupported: absent },
    { inputs: { region: "us-east", reboot: true, alerts: { sms: 1 }, rebot: 1 } },
  );
  expect(told).toEqual([
    { property: "reboot", reason: absent.reboot },
    { property: "alerts.sms", reason: absent["alerts.sms"] },
    { property: "rebot", reason: "is not a property of this resource" },
  ]);
});

describe("limits", () => {
  test.each<[Properties, string]>([
    [{ label: "ab" }, 'label must be at least 3 characters long, not "ab"'],
    [{ label: "x".repeat(11) }, "label must be at most 10 characters long, not 11"],
    [{ label: "" }, "label must be at least 3 characters long"],
    [{ label: 12 }, "label must be a string, not 12"],
    [{ parentId: "web" }, 'parentId must be the id of a widget, not "web"'],
    [{ kind: "three" }, 'kind must be one or two, not "three"'],
    [{ only: "that" }, 'only must be this, not "that"'],
    [{ count: 0 }, "count must be at least 1, not 0"],
    [{ count: 10 }, "count must be at most 9, not 10"],
    [{ count: 1.5 }, "count must be a whole number, not 1.5"],
    [{ count: "1" }, 'count must be a number, not "1"'],
    [{ size: 2 }, "size must be 1 or 3, not 2"],
    [{ trigger: {} }, "trigger must be a string, a number or true or false, not an object"],
    [{ flag: "yes" }, 'flag must be true or false, not "yes"'],
    [{ tags: [] }, "tags must have at least 1 item, not 0"],
    [{ tags: ["a", "b", "c"] }, "tags must have at most 2 items, not 3"],
    [{ tags: "a" }, "tags must be a list, not a string"],
    [{ tags: ["a", 1] }, "tags[1] must be a string, not 1"],
    [{ email: "nobody" }, 'email must be an email address, not "nobody"'],
    [{ data: "?" }, 'data must be valid base64, not "?"'],
    [{ name: "a..b" }, "name each part must have a letter"],
    [{ links: [{ label: "x" }] }, "links[0].purpose is required"],
    [{ links: [{ purpose: "x", port: 1 }] }, "links[0].port is not a property of this object"],
    [{ alerts: { cpu: "high" } }, 'alerts.cpu must be a number, not "high"'],
    [{ alerts: { deep: { networkIn: 0.5 } } }, "alerts.deep.networkIn must be a whole number, not 0.5"],
    [{ alerts: 5 }, "alerts must be an object"],
    [{ alerts: { deep: [] } }, "alerts.deep must be an object"],
    [{ mode: "soon" }, 'mode must be fast or slow, not "soon"'],
  ])("%j: %s", (inputs, complaint) => {
    expect(complaints(inputs)).toEqual([complaint]);
  });

  test("messages shorten long values and show none of a secret one", () => {
    expect(complaints({ kind: "x".repeat(100) })).toEqual([
      `kind must be one or two, not "${"x".repeat(60)}…"`,
    ]);
    const secret = { kind: "three", links: [{ purpose: 5 }], count: 10, label: "too long a label", tags: [] };
    const told = schemaFailures(description, { inputs: { region: "us-east", ...secret } }, () => true);
    expect(told.map(({ property, reason }) => `${property} ${reason}`)).toEqual([
      "label must be at most 10 characters long",
      "kind must be one or two",
      "count must be at most 9",
      "tags must have at least 1 item",
      "links[0].purpose must be a string",
    ]);
  });

  test("a text in place of a list is not shown, because it may be a private key", () => {
    expect(complaints({ tags: "-----BEGIN PRIVATE KEY-----" })).toEqual([
      "tags must be a list, not a string",
    ]);
  });

  test("one check reports all failures", () => {
    expect(complaints({ count: 0, kind: "three", colour: "red" })).toEqual([
      "colour is not a property of this resource",
      'kind must be one or two, not "three"',
      "count must be at least 1, not 0",
    ]);
  });

  test("values within and at the limits are accepted", () => {
    const fine = {
      label: "abc",
      parentId: "12",
      kind: "two",
      count: 9,
      size: 3,
      trigger: false,
      tags: ["a", "b"],
      email: "dns@example.org",
      data: "YQ==",
      links: [{ purpose: "public" }],
      alerts: { cpu: 90, deep: {} },
      mode: "fast",
    };
    expect(complaints(fine)).toEqual([]);
    expect(complaints({ label: "x".repeat(10), count: 1, tags: ["a"] })).toEqual([]);
  });
});

describe("unknown properties are refused:", () => {
  test.each<[Properties, string]>([
    [{ lable: "abc" }, "lable is not a property of this resource; did you mean label?"],
    [{ LABEL: "abc" }, "LABEL is not a property of this resource; did you mean label?"],
    [{ parent_id: "1" }, "parent_id is not a property of this resource; did you mean parentId?"],
    [{ alerts: { cpus: 1 } }, "alerts.cpus is not a property of this resource; did you mean alerts.cpu?"],
    [
      { alerts: { deep: { networkOut: 1 } } },
      "alerts.deep.networkOut is not a property of this resource; did you mean alerts.deep.networkIn?",
    ],
    [{ temperature: 1 }, "temperature is not a property of this resource"],
  ])("%j: %s", (inputs, complaint) => {
    expect(complaints(inputs)).toEqual([complaint]);
  });

  test("except the provider's hidden ones", () => {
    expect(complaints({ __provider: "text", __urn: "urn" })).toEqual([]);
  });
});

describe("required properties", () => {
  test.each<Properties>([{}, { region: null }])("%j lacks one", (inputs) => {
    expect(schemaFailures(description, { inputs })).toEqual([{ property: "region", reason: "is required" }]);
  });

  test("can be unknown", () => {
    expect(schemaFailures(description, { inputs: { region: UNKNOWN } })).toEqual([]);
  });
});

test.each<Properties>([
  { count: UNKNOWN },
  { tags: ["a", UNKNOWN, "c"] },
  { links: [{ purpose: UNKNOWN, port: 1 }] },
  { alerts: UNKNOWN },
  { alerts: { deep: UNKNOWN } },
])("an unknown value is not checked: %j", (inputs) => {
  expect(complaints(inputs)).toEqual([]);
});

describe("customTimeouts", () => {
  test("must be durations", () => {
    expect(complaints({ __timeouts: { create: "1h30m", update: "soon", delete: "" } })).toEqual([
      'customTimeouts.update "soon" is not a duration such as "90s", "30m" or "1h30m"',
      'customTimeouts.delete "" is not a duration such as "90s", "30m" or "1h30m"',
    ]);
  });

  test("are not checked while they are unknown", () => {
    expect(complaints({ __timeouts: { create: UNKNOWN } })).toEqual([]);
  });
});

describe("the checked inputs", () => {
  test("contain ids as strings, given as strings or numbers, and other numbers as numbers", () => {
    expect(normalise(description, { parentId: 12, count: 3, trigger: 5 })).toEqual({
      parentId: "12",
      count: 3,
      trigger: 5,
    });
    expect(normalise(description, { parentId: "12" })).toEqual({ parentId: "12" });
    expect(normalise(description, { parentId: UNKNOWN })).toEqual({ parentId: UNKNOWN });
  });

  test("omit nulls, and leave the program's objects unchanged", () => {
    const news = { region: "us-east", kind: null, alerts: { cpu: 1 }, parentId: 7 };
    const inputs = normalise(description, news);
    expect(inputs).toStrictEqual({ region: "us-east", alerts: { cpu: 1 }, parentId: "7" });
    expect(inputs["alerts"]).not.toBe(news.alerts);
    expect(news.parentId).toBe(7);
  });
});
