import * as pulumi from "@pulumi/pulumi";
import { isInState, isUrnInState } from "../../../src/provider/program/state-of-resource";
import { HIDDEN } from "../../../src/provider/state/hidden-names";

const urn = (types: string, name: string) => `urn:pulumi:stack::project::${types}::${name}`;

const managed = { [HIDDEN.set]: "label", label: "web" };
const state = {
  [urn("acme:Site$nodecloud:index:Node", "web")]: { outputs: managed },
  [urn("pulumi-nodejs:dynamic/nodecloud:Domain", "zone")]: { outputs: managed },
  [urn("nodecloud:index:Node", "read")]: { outputs: { ...managed, [HIDDEN.set]: "" } },
};

beforeAll(() =>
  pulumi.runtime.setMocks(
    {
      newResource: ({ inputs }) => ({ id: "1", state: inputs as object }),
      call: ({ token }) => (token === "pulumi:pulumi:readStackResourceOutputs" ? { outputs: state } : {}),
    },
    "project",
    "stack",
    false,
    "acme",
  ),
);

test.each([
  ["in a component", "nodecloud:index:Node", "web", true],
  ["that the other way serves", "pulumi-nodejs:dynamic/nodecloud:Node", "web", true],
  ["of another type", "nodecloud:index:Domain", "web", false],
  ["of another name", "nodecloud:index:Domain", "other", false],
  ["that the program only reads", "nodecloud:index:Node", "read", false],
])("a resource %s is in the state by its type and name, or is not", async (_, type, name, isThere) => {
  expect(await isInState(type, name)).toBe(isThere);
});

test("a URN is in the state whichever way serves the resource", async () => {
  expect(await isUrnInState(urn("acme:Site$nodecloud:index:Node", "web"))).toBe(true);
  expect(await isUrnInState(urn("nodecloud:index:Domain", "zone"))).toBe(true);
  expect(await isUrnInState(urn("nodecloud:index:Node", "web"))).toBe(false);
});
