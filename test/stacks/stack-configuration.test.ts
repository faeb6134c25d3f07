import { testStack, type TestStack } from "../helpers/stack";

const TOKEN = "planted-token-5b2d";
const WARNING =
  "nodecloud:token is in clear text in the stack's configuration. With dynamic resources it is in clear text in the state too, and backends keep old states. " +
  "To mend it, make a new token, and set it with `pulumi config set --secret nodecloud:token` [NC1603]";

let stack: TestStack;
beforeAll(async () => {
  stack = await testStack({ token: "", url: "https://api.invalid/v4" });
  delete stack.env["NODECLOUD_TOKEN"];
  stack.env["NODECLOUD_VALIDATE"] = "false";
  const zones = ["one", "two"].map(
    (name) =>
      `new nodecloud.Domain("${name}", { domain: "${name}.example", type: "master", soaEmail: "dns@${name}.example" });`,
  );
  stack.program(zones.join("\n"));
});
afterAll(() => stack.remove());

const set = (...args: string[]) => stack.pulumi("config", "set", ...args);

test("a preview warns once of a token that the configuration does not encrypt, without showing it", async () => {
  await set("nodecloud:token", TOKEN, "--plaintext");
  const { code, messages, said } = await stack.preview();
  expect({ code, messages }).toEqual({ code: 0, messages: [WARNING] });
  expect(said.join()).not.toContain(TOKEN);
});

test("a preview does not warn of a token for a service on this machine", async () => {
  await set("nodecloud:token", TOKEN, "--plaintext");
  await set("nodecloud:baseUrl", "http://127.0.0.1:9/v4");
  expect(await stack.preview()).toMatchObject({ code: 0, messages: [] });
  await stack.pulumi("config", "rm", "nodecloud:baseUrl");
});

test("a preview does not warn of a token that is secret, or that is in the environment", async () => {
  await set("nodecloud:token", TOKEN, "--secret");
  expect(await stack.preview()).toMatchObject({ code: 0, messages: [] });
  await stack.pulumi("config", "rm", "nodecloud:token");
  stack.env["NODECLOUD_TOKEN"] = TOKEN;
  expect(await stack.preview()).toMatchObject({ code: 0, messages: [] });
});

test("a setting that does not exist fails the preview, with the one that is meant", async () => {
  await set("nodecloud:baseurl", "https://api.invalid/v4");
  const { code, messages } = await stack.preview();
  expect(code).not.toBe(0);
  expect(messages.join()).toMatch(
    /nodecloud:baseurl is not a setting of the provider; did you mean baseUrl\?/,
  );
  await stack.pulumi("config", "rm", "nodecloud:baseurl");
});

describe("200 resources", () => {
  const zones = (count: number) =>
    Array.from(
      { length: count },
      (_, index) =>
        `new nodecloud.Domain("zone${index}", { domain: "zone${index}.example", type: "master", soaEmail: "dns@example.org" });`,
    ).join("\n");
  /** The program's idea of the backend: the engine itself reads the file. */
  const inBucket = 'process.env.PULUMI_BACKEND_URL = "s3://states";\n';

  beforeAll(() => {
    stack.env["NODECLOUD_TOKEN"] = TOKEN;
  });

  test("whose state is in a bucket make a preview warn once, with the page that helps", async () => {
    stack.program(inBucket + zones(201));
    const { code, messages } = await stack.preview();
    expect({ code, messages }).toEqual({
      code: 0,
      messages: [expect.stringMatching(/^the program has 200 resources .*s3:\/\/.*docs\/performance\.md/)],
    });
  });

  test.each([
    ["fewer", inBucket + zones(199)],
    ["on this machine", zones(200)],
  ])("%s are no reason for a warning", async (_, program) => {
    stack.program(program);
    expect(await stack.preview()).toMatchObject({ code: 0, messages: [] });
  });
});
