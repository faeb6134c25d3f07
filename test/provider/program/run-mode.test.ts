import * as pulumi from "@pulumi/pulumi";
import * as nodecloud from "../../../src";
import { KINDS } from "../../matrix/every-kind";
import { type Properties } from "../../../src/provider/base/values";
import { valueOf } from "../../helpers/program-run";

/** The inputs of each resource that the mocks received, by its name. */
const shown = new Map<string, Properties>();

beforeAll(() =>
  pulumi.runtime.setMocks(
    {
      newResource: ({ name, inputs }) => {
        shown.set(name, inputs as Properties);
        return { id: `${name} id`, state: inputs as Properties };
      },
      call: ({ inputs }) => inputs as Properties,
    },
    "project",
    "stack",
    false,
  ),
);

const records = [
  { type: "A", name: "www", target: "192.0.2.1" },
  { type: "MX", target: "mx.example.org", priority: 10 },
] as const;

test("mocks receive only the inputs of the program", async () => {
  const node = new nodecloud.Node("web", { region: "us-east", type: "g6-nanode-1", tags: ["a"] });
  await valueOf(node.id);
  expect(shown.get("web")).toEqual({ region: "us-east", type: "g6-nanode-1", tags: ["a"] });
});

test("mocks receive a set's records as the program sets them, and the set has the records of the mock's answer", async () => {
  const set = new nodecloud.DomainRecordSet("zone", { domainId: 12, records: [...records] });
  await valueOf(set.id);
  expect(shown.get("zone")).toEqual({ domainId: 12, records });
  const file = new nodecloud.DomainRecordSet("file", { domainId: 12, zoneFile: "www A 192.0.2.1" });
  await valueOf(file.id);
  expect(shown.get("file")).toEqual({ domainId: 12, zoneFile: "www A 192.0.2.1" });
});

test("mocks receive records from outputs of other resources", async () => {
  const node = new nodecloud.Node("origin", { region: "us-east", type: "g6-nanode-1" });
  const set = new nodecloud.DomainRecordSet("derived", {
    domainId: 12,
    records: [{ type: "TXT", name: "origin", target: node.region }],
  });
  await valueOf(set.id);
  expect(shown.get("derived")).toEqual({
    domainId: 12,
    records: [{ type: "TXT", name: "origin", target: "us-east" }],
  });
});

test("a transformation sees the program's values, and its changes apply", async () => {
  let seen: unknown;
  const set = new nodecloud.DomainRecordSet(
    "transformed",
    { domainId: 12, records: [...records] },
    {
      transformations: [
        ({ props, opts }) => {
          seen = props["records"];
          const more = [...props["records"], { type: "TXT", name: "note", target: "x" }];
          return { props: { ...props, records: more }, opts };
        },
      ],
    },
  );
  await valueOf(set.id);
  expect(seen).toEqual(records);
  expect(shown.get("transformed")).toMatchObject({ records: [...records, { name: "note" }] });
});

test("a child inherits the transformations of its parent, and none of this package's", async () => {
  const seen: string[] = [];
  const parent = new nodecloud.Node(
    "parent",
    { region: "us-east", type: "g6-nanode-1" },
    { transformations: [({ name }) => void seen.push(name)] },
  );
  const child = new nodecloud.NodeBackupSnapshot("child", { nodeId: parent.id, label: "x" }, { parent });
  await valueOf(child.id);
  expect(seen).toEqual(["parent", "child"]);
  const { __transformations: kept } = child as unknown as { __transformations: unknown[] };
  expect(kept).toHaveLength(1);
});

test("an error in a transformation names the transformation, not the resource", () => {
  const failing = () => {
    throw new Error("not this one");
  };
  const make = () =>
    new nodecloud.Node("failing", { region: "us-east", type: "t" }, { transformations: [failing] });
  expect(make).toThrow(expect.objectContaining({ stack: expect.stringMatching(/at failing/) as string }));
});

test.each(KINDS)("a policy for the class %s receives only its resources", (kind) => {
  const classes = nodecloud as unknown as Record<
    string,
    { isInstance(object: unknown): boolean; readonly __pulumiType: string }
  >;
  // Policy packs use the method without its class.
  const { isInstance, __pulumiType: type } = classes[kind] ?? {};
  expect(type).toBe(`pulumi-nodejs:dynamic/nodecloud:${kind}`);
  expect(isInstance?.({ __pulumiType: type })).toBe(true);
  expect(isInstance?.({ __pulumiType: "aws:ec2/instance:Instance" })).toBe(false);
  expect(isInstance?.(undefined)).toBe(false);
});
