import * as pulumi from "@pulumi/pulumi";
import { secretPaths } from "../../../src/provider/program/secret-paths";

const { secret, output } = pulumi;

test("inputs without outputs contain no secret, and the search does not wait", () => {
  expect(secretPaths({ a: 1, b: ["x", { c: null }], d: undefined })).toBeUndefined();
});

test("outputs without a secret have no secret paths", async () => {
  expect(await secretPaths({ a: output(1), b: [output("x")], c: Promise.resolve("y") })).toBeUndefined();
});

test("secrets are found at any depth", async () => {
  const paths = await secretPaths({
    description: secret("x"),
    tags: ["plain", secret("y")],
    records: { "a key": { target: secret("z") }, www: secret({ target: "z" }) },
    later: Promise.resolve({ inner: secret("z") }),
    inside: output("x").apply(() => ({ deep: [secret("y")] })),
    joined: pulumi.interpolate`a ${secret("b")}`,
    plain: output({ x: 1 }),
  });
  expect(paths?.sort()).toEqual(
    [
      "description",
      "inside.deep[0]",
      "joined",
      "later.inner",
      'records["a key"].target',
      "records.www",
      "tags[1]",
    ].sort(),
  );
});

test("the option additionalSecretOutputs adds paths", async () => {
  expect(secretPaths({ a: 1 }, ["ipv4"])).toEqual(["ipv4"]);
  expect(await secretPaths({ a: secret(1) }, ["ipv4"])).toEqual(["a", "ipv4"]);
});

test("many paths become one, the path of their input", async () => {
  const records = Array.from({ length: 100 }, () => ({ target: secret("x") }));
  expect(await secretPaths({ records, description: secret("y") })).toEqual(["description", "records"]);
});

test("a failing input is left to the engine", async () => {
  const failing = Promise.reject(new Error("no"));
  expect(await secretPaths({ failing, other: secret("x") })).toEqual(["other"]);
});

test("assets and resources are not searched", () => {
  expect(secretPaths({ source: new pulumi.asset.StringAsset("x") })).toBeUndefined();
});
