import * as pulumi from "@pulumi/pulumi";
import { NodePool, type NodePoolRecord } from "../../src";
import { eventually } from "../helpers/programs";
import { valueOf } from "../helpers/program-run";

const names = new Set<string>();

beforeAll(() =>
  pulumi.runtime.setMocks(
    {
      newResource: ({ name, inputs }) => {
        names.add(name);
        const ipv4 = name.startsWith("bare") ? {} : { ipv4: ["192.0.2.1"] };
        return { id: `${name} id`, state: { ...(inputs as object), ...ipv4 } };
      },
      call: ({ inputs }) => inputs as object,
    },
    "project",
    "stack",
    false,
  ),
);

const poolOf = (name: string, records: readonly NodePoolRecord[]) =>
  new NodePool(name, { size: 1, node: { region: "us-east", type: "g6-nanode-1" }, records });

test("records with one name in two domains are refused without a key, and have their own resources with one", async () => {
  const www = { name: "www" };
  expect(() =>
    poolOf("web", [
      { domainId: 1, ...www },
      { domainId: 2, ...www },
    ]),
  ).toThrow(
    'NodePool web: records[1] would have the same resource names as records[0]: give one of them a key, such as "www-2"',
  );
  const pool = poolOf("app", [
    { domainId: 1, ...www },
    { domainId: 2, ...www, key: "www-2" },
    { domainId: 1, ...www, type: "AAAA" },
  ]);
  await valueOf(pool.addresses);
  const own = () => [...names].filter((name) => name.startsWith("app")).sort();
  await eventually("all are registered", () => (own().length === 5 ? true : undefined));
  expect(own()).toEqual(["app", "app-0", "app-0-www", "app-0-www-2", "app-0-www-ipv6"]);
});

test("a pool of nodes whose mock has no addresses has empty ones", async () => {
  const { addresses } = poolOf("bare", [{ domainId: 1, name: "www" }]);
  expect(await valueOf(addresses)).toEqual([""]);
});
