import * as pulumi from "@pulumi/pulumi";
import { Domain, getRegions, getRegionsOutput } from "../../../src";

test("a data function names a setting that does not exist", async () => {
  pulumi.runtime.setAllConfig({ "nodecloud:tokn": "secret" });
  const says =
    "the configuration of the stack: nodecloud:tokn is not a setting of the provider; did you mean token?";
  await expect(getRegions()).rejects.toThrow(says);
  expect(() => getRegionsOutput()).toThrow(says);
});

test("a setting that does not exist fails in one line: the language host prints no stack of it", async () => {
  await pulumi.runtime.setMocks(
    { newResource: ({ name, inputs }) => ({ id: name, state: inputs }), call: ({ inputs }) => inputs },
    "project",
    "stack",
    true,
  );
  pulumi.runtime.setAllConfig({ "nodecloud:baseurl": "https://api.invalid/v4" });
  const make = () =>
    new Domain("zone", { domain: "example.org", type: "master", soaEmail: "dns@example.org" });
  expect(make).toThrow("nodecloud:baseurl is not a setting of the provider; did you mean baseUrl?");
  expect(make).toThrow(pulumi.RunError);
});
