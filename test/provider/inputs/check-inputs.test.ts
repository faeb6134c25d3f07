import { z } from "zod";
import { type AnyDescription } from "../../../src/provider/describe/define-collection";
import { leavesOf } from "../../../src/provider/describe/fields";
import { descriptions } from "../../../src/resources";
import { type ChangeRule } from "../../../src/provider/describe/define-resource";
import { checkInputs } from "../../../src/provider/inputs/check-inputs";
import { replace, update } from "../undocumented";
import { type Properties, setAt, UNKNOWN } from "../../../src/provider/base/values";
import { callIn } from "../../../src/provider/state/handed";
import { fakeDescription } from "../fake-service";

const odd = (value: unknown) => (value === "odd" ? "is odd" : undefined);
const doubtful = (value: unknown) =>
  value === 13 ? ({ reason: "is doubtful", warns: true } as const) : undefined;

const fields = {
  label: update(z.string().max(5), { problem: odd }),
  tags: update(z.array(z.string()), { compare: "set", problem: odd }),
  alerts: { cpu: update(z.int(), { problem: doubtful }) },
  target: update(z.string(), { required: "atCreation" }),
  size: replace(z.int()),
} as const;

const lines = (
  news: Properties,
  olds: Properties = {},
  { rules = [], adopted = false }: { rules?: ChangeRule[]; adopted?: boolean } = {},
) => {
  const description = { ...fakeDescription({ fields }), changeRules: rules };
  const { failures, warnings } = checkInputs(description, olds, callIn({ target: "t", ...news }), {
    isAdopted: adopted,
  });
  const line = ({ property, reason }: { property: string; reason: string }) => `${property} ${reason}`;
  return [...failures.map(line), ...warnings.map((warning) => `warning: ${line(warning)}`)];
};

describe("a text that no program means", () => {
  const OUTPUT = `Calling [toString] on an [Output<T>] is not supported.\n\nTo get the value of an Output<T> as an Output<string> consider either:\n1: o.apply(v => \`prefix\${v}suffix\`)`;
  const encoded = (text: string) => Buffer.from(text).toString("base64");
  const leaves = Object.values(descriptions).flatMap((one: AnyDescription) =>
    leavesOf(one.fields).map((leaf) => ({ one, leaf, name: `${one.type} ${leaf.path}` })),
  );

  test.each(leaves)("is refused in each input: $name", ({ one, leaf: { path } }) => {
    const inputs: Properties = {};
    setAt(inputs, path, `web-${OUTPUT}`);
    const { failures } = checkInputs(one, {}, callIn(inputs), { isAdopted: false });
    expect(failures.filter(({ property }) => property === path)).toEqual([
      expect.objectContaining({
        reason: "contains the text of an Output in place of its value; use pulumi.interpolate`…` or apply",
      }),
    ]);
  });

  test.each([
    ["Calling __str__ on an Output[T] is not supported.", "use pulumi.Output.format"],
    ["a <pulumi.output.Output object at 0x7f1c2a>", "use pulumi.Output.format"],
    ["web-{%!s(*pulumi.OutputState=&{})}", "use pulumi.Sprintf"],
    ["web-[object Object]", "the text of an object"],
    ["web-[object Promise]", "the text of an object"],
  ])("is refused in each language and at any depth: %s", (text, reason) => {
    expect(lines({ target: text })[0]).toContain(reason);
    expect(lines({ tags: ["a", text] })[0]).toMatch(/^tags\[1\] contains /);
  });

  test.each([
    ["a key of a map", { stackscriptData: { [OUTPUT]: "x" } }, "stackscriptData"],
    [
      "base64",
      { metadata: { userData: encoded(`#cloud-config\nruncmd: [${OUTPUT}]`) } },
      "metadata.userData",
    ],
    [
      "base64 in a text",
      { userData: `write_files:\n- {encoding: b64, content: ${encoded(OUTPUT)}}` },
      "userData",
    ],
  ])("is refused in %s", (_, inputs, property) => {
    const { failures } = checkInputs(descriptions.Node, {}, callIn(inputs), { isAdopted: false });
    expect(failures.filter((failure) => failure.property === property)).toEqual([
      expect.objectContaining({
        reason: expect.stringContaining("contains the text of an Output") as string,
      }),
    ]);
  });

  test.each([
    ["Domain", "soaEmail", { soaEmail: "undefined@example.org" }],
    ["DomainRecord", "target", { type: "CNAME", name: "www", target: "undefined.example.org" }],
  ] as const)(
    "is refused in an address or a host name that lacks a part of it: %s",
    (type, property, args) => {
      const whole = type === "Domain" ? { domain: "example.org", type: "master" } : { domainId: "1" };
      const { failures } = checkInputs(descriptions[type], {}, callIn({ ...whole, ...args }), {
        isAdopted: false,
      });
      expect(failures).toEqual([
        {
          property,
          reason: 'contains "undefined" in place of a value; give it a value, or omit the property',
        },
      ]);
    },
  );

  test("is refused in a name that lacks a part of it, and nowhere else", () => {
    const undefinedName =
      'label contains "undefined" in place of a value; give it a value, or omit the property';
    for (const label of ["undefined", "u-undefined", "undefined.a"])
      expect(lines({ label })[0]).toBe(undefinedName);
    expect(lines({ label: "odds", target: "an undefined text" })).toEqual([]);
    expect(lines({ label: "undefinedness" })[0]).not.toContain("in place");
  });

  test.each(leaves.filter(({ leaf: { path } }) => ["label", "domain", "name"].includes(path)))(
    "is refused in a name that lacks a part of it: $name",
    ({ one, leaf: { path } }) => {
      const { failures } = checkInputs(one, {}, callIn({ [path]: "web-undefined" }), { isAdopted: false });
      expect(failures.filter(({ property }) => property === path)).toEqual([
        expect.objectContaining({
          reason: 'contains "undefined" in place of a value; give it a value, or omit the property',
        }),
      ]);
    },
  );

  test("stays if it was there before, or is imported", () => {
    expect(lines({ target: OUTPUT, size: 2 }, { target: OUTPUT, size: 1 })).toEqual([]);
    expect(lines({ target: OUTPUT }, {}, { adopted: true })).toEqual([]);
  });
});

describe("a problem of a value beyond its schema", () => {
  test("is reported for a new or changed value, and not for an unchanged value", () => {
    expect(lines({ label: "odd" })).toEqual(["label is odd"]);
    expect(lines({ label: "odd" }, { label: "even" })).toEqual(["label is odd"]);
    expect(lines({ label: "odd", size: 2 }, { label: "odd", size: 1 })).toEqual([]);
  });

  test("is reported for each new item of a list, with its index", () => {
    expect(lines({ tags: ["a", "odd", "odd"] })).toEqual(["tags[1] is odd", "tags[2] is odd"]);
    expect(lines({ tags: ["b", "odd"] }, { tags: ["odd"] })).toEqual([]);
    expect(lines({ tags: ["odd", "a"] }, { tags: ["a"] })).toEqual(["tags[0] is odd"]);
  });

  test("is not reported for an unknown value or list item", () => {
    expect(lines({ label: UNKNOWN, tags: UNKNOWN })).toEqual([]);
    expect(lines({ tags: [UNKNOWN, "odd"] })).toEqual(["tags[1] is odd"]);
  });

  test("is a warning if the service would accept the value", () => {
    expect(lines({ alerts: { cpu: 13 } })).toEqual(["warning: alerts.cpu is doubtful"]);
    expect(lines({ alerts: { cpu: 13 } }, { alerts: { cpu: 13 } })).toEqual([]);
  });

  test("is not reported for an imported object, because the service has accepted it", () => {
    expect(lines({ label: "odd", alerts: { cpu: 13 } }, {}, { adopted: true })).toEqual([]);
  });

  test("is reported together with schema failures of other inputs", () => {
    expect(lines({ label: "too long", tags: ["odd"], size: 0.5 })).toEqual([
      "label must be at most 5 characters long, not 8",
      "size must be a whole number, not 0.5",
      "tags[0] is odd",
    ]);
  });
});

test("a message does not show the value of an input that the program marks as secret, wholly or in part", () => {
  const wrong = { label: "hunter2", size: "4711", tags: ["a", 4712] };
  expect(lines(wrong)).toEqual([
    "label must be at most 5 characters long, not 7",
    "tags[1] must be a string, not 4712",
    'size must be a number, not "4711"',
  ]);
  expect(lines({ ...wrong, __secrets: ["label", "size", "tags[1]"] })).toEqual([
    "label must be at most 5 characters long",
    "tags[1] must be a string",
    "size must be a number",
  ]);
  expect(lines({ ...wrong, __secrets: ["tags[0]"] })).toContain("tags[1] must be a string, not 4712");
});

test("an input that is required at creation is not required of an existing object without it", () => {
  const target = undefined;
  expect(lines({ target })).toEqual(["target is required"]);
  expect(lines({ target }, {}, { adopted: true })).toEqual([]);
  expect(lines({ target, size: 2 }, { size: 1 })).toEqual([]);
  expect(lines({ target }, { target: "t" })).toEqual(["target is required"]);
  expect(lines({ target: UNKNOWN })).toEqual([]);
});

describe("a rule between inputs", () => {
  const rule = (more: Partial<ChangeRule> = {}): ChangeRule => ({
    about: ["size", "alerts.cpu"],
    check: () => [{ property: "size", reason: "does not fit" }],
    ...more,
  });
  const held = ["size does not fit"];

  test.each<[string, Properties, Properties, string[]]>([
    ["new", { size: 1 }, {}, held],
    ["changed", { size: 2 }, { size: 1 }, held],
    ["removed", {}, { size: 1 }, held],
    ["inside an object and changed", { alerts: { cpu: 2 } }, { alerts: { cpu: 1 } }, held],
    ["as it was", { size: 1, label: "b" }, { size: 1, label: "a" }, []],
    ["not set", { label: "a" }, {}, []],
  ])("is checked only for a new, changed or removed input: one is %s", (_, news, olds, expected) => {
    expect(lines(news, olds, { rules: [rule()] })).toEqual(expected);
  });

  test("about creations is not checked for an existing or imported object", () => {
    const rules = [rule({ creation: true })];
    expect(lines({ size: 1 }, {}, { rules })).toEqual(held);
    expect(lines({ size: 2 }, { size: 1 }, { rules })).toEqual([]);
    expect(lines({ size: 1 }, {}, { rules, adopted: true })).toEqual([]);
  });

  test("is not checked if an input is invalid by itself, and is checked if an input only has a warning", () => {
    expect(lines({ size: 1, label: "odd" }, {}, { rules: [rule()] })).toEqual(["label is odd"]);
    expect(lines({ alerts: { cpu: 13 } }, {}, { rules: [rule()] })).toEqual([
      ...held,
      "warning: alerts.cpu is doubtful",
    ]);
  });

  test("can cause a warning", () => {
    const check = () => [{ property: "size", reason: "is ignored", warns: true } as const];
    expect(lines({ size: 1 }, {}, { rules: [rule({ check })] })).toEqual(["warning: size is ignored"]);
  });
});
