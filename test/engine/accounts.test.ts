import { startTestEmulator, type TestEmulator } from "../helpers/emulator";
import { testStack, type TestStack } from "../helpers/stack";

let ours: TestEmulator;
let theirs: TestEmulator;
let stack: TestStack;

const users = (token: string) => ({
  accounts: {
    users: [{ username: "ada", restricted: false, grants: [], tokens: [{ token, scopes: ["*"] }] }],
  },
});

beforeEach(async () => {
  ours = await startTestEmulator({ speed: 60_000 });
  theirs = await startTestEmulator({ speed: 60_000, ...users("their-token") });
  stack = await testStack(ours);
});

afterEach(async () => {
  stack.remove();
  await ours.stop();
  await theirs.stop();
});

const namesIn = async (emulator: TestEmulator) => {
  const { body } = await emulator.control<{ data: { domain: string }[] }>("GET", "/objects/domains");
  return body.data.map(({ domain }) => domain);
};

const program = (provider: string) => `
  const other = new nodecloud.Provider("other", ${provider});
  new nodecloud.Domain("ours", { domain: "ours.example", type: "master", soaEmail: "a@ours.example" });
  new nodecloud.Domain("theirs", { domain: "theirs.example", type: "master", soaEmail: "a@theirs.example" }, { provider: other });
  nodecloud.Domain.get("read", "1", { provider: other });`;

test("an explicit provider uses its own account for its resources, and the other resources stay in the stack's account", async () => {
  await theirs.call("POST", "/domains", {
    token: "their-token",
    body: { domain: "first.example", type: "master", soa_email: "a@first.example" },
  });
  stack.program(program(`{ token: "their-token", baseUrl: "${theirs.url}" }`));
  expect(await stack.up()).toMatchObject({ code: 0, messages: [] });
  expect(await namesIn(ours)).toEqual(["ours.example"]);
  expect(await namesIn(theirs)).toEqual(["first.example", "theirs.example"]);
  expect(stack.rawState()).not.toContain("their-token");
  expect(await stack.destroy()).toMatchObject({ code: 0 });
  expect(await namesIn(theirs)).toEqual(["first.example"]);
});

test("a rotated token updates the provider and no resource", async () => {
  const source = (token: string, variable: string) => `
    const other = new nodecloud.Provider("other", { token: "${token}", baseUrl: "${theirs.url}" });
    new nodecloud.Domain("theirs", { domain: "theirs.example", type: "master", soaEmail: "a@theirs.example" }, { provider: other });
    exports.x = "${variable}";`;
  stack.program(source("their-token", "a"));
  expect(await stack.up()).toMatchObject({ code: 0 });
  stack.program(source("their-new-token", "b"));
  expect(await stack.up()).toMatchObject({ code: 0, steps: { same: 1 } });
});

test("the stack configuration applies to resources, and to settings that an explicit provider omits", async () => {
  delete stack.env["NODECLOUD_TOKEN"];
  delete stack.env["NODECLOUD_BASE_URL"];
  await stack.pulumi("config", "set", "--secret", "nodecloud:token", ours.token);
  await stack.pulumi("config", "set", "nodecloud:baseUrl", ours.url);
  stack.program(program("{}").replace(/nodecloud.Domain.get.*/, ""));
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(await namesIn(ours)).toEqual(expect.arrayContaining(["ours.example", "theirs.example"]));
  expect(stack.rawState()).not.toContain(ours.token);
});
