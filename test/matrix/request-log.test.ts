import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type TestEmulator } from "../helpers/emulator";
import { type TestStack } from "../helpers/stack";
import { stackForEachTest } from "../helpers/with-stack";

let emulator: TestEmulator;
let stack: TestStack;
const token = "planted-token-of-the-account";
const planted = [token, "planted-password", "planted-user-data", "planted-domain-text"];
const tokens = [{ token, scopes: ["*"] }];
stackForEachTest(
  (own) => {
    ({ emulator, stack } = own);
    stack.env["NODECLOUD_TOKEN"] = token;
    stack.folder.write("disk.img", "a disk");
    stack.program(program);
  },
  {
    speed: 60_000,
    accounts: { users: [{ username: "ada", restricted: false, grants: [], tokens }] },
  },
);

const program = `
module.exports = async () => {
  await nodecloud.getRegions();
  new nodecloud.Node("web", { region: "us-east", type: "g6-nanode-1", image: "node/debian12",
    rootPass: "planted-password", userData: "planted-user-data" });
  new nodecloud.Domain("zone", { domain: "example.org", type: "master", soaEmail: "dns@example.org",
    description: "planted-domain-text" });
  new nodecloud.Image("image", { source: "disk.img", region: "us-east" });
};`;

test("the file contains the requests of the program and the plugin, for each run, and no secret", async () => {
  const file = join(stack.folder.path, "requests.log");
  stack.env["NODECLOUD_LOG"] = "requests.log";
  const fault = {
    method: "POST",
    path: "/v4/domains",
    times: 1,
    effect: { status: 503, headers: { "retry-after": "0" } },
  };
  await emulator.control("POST", "/faults", fault);
  expect(await stack.up()).toMatchObject({ code: 0, messages: [] });
  expect(await stack.destroy()).toMatchObject({ code: 0, messages: [] });

  const text = readFileSync(file, "utf8");
  const lines = text.trim().split("\n");
  const form =
    /^\S+Z run=(\d+) (program|plugin)=(\d+) (GET|POST|PUT|DELETE) \S+ (\d+|[A-Z_]+) \d+ms attempt=\d+ waited=\d+ms$/;
  expect(lines.filter((line) => !form.test(line))).toEqual([]);
  const runs = new Set(lines.map((line) => form.exec(line)?.[1]));
  expect(runs.size).toBe(2);
  expect(text).toMatch(/ program=\d+ GET \/regions\?page=1&page_size=500 200 /);
  expect(text).toMatch(/ plugin=\d+ POST \/domains 503 \d+ms attempt=1 /);
  expect(text).toMatch(/ plugin=\d+ POST \/domains 200 \d+ms attempt=2 /);
  expect(text).toMatch(/ plugin=\d+ PUT http:\/\/127\.0\.0\.1:\d+ 200 /);
  expect(text).toMatch(/ plugin=\d+ DELETE \/domains\/\d+ 200 /);
  expect(planted.filter((secret) => text.includes(secret))).toEqual([]);
  expect(text).not.toMatch(/signature|bearer/i);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("a file that cannot be written causes one warning, and the run succeeds", async () => {
  stack.env["NODECLOUD_LOG"] = "no/such/folder.log";
  stack.program(
    'new nodecloud.Domain("zone", { domain: "example.org", type: "master", soaEmail: "a@example.org" });',
  );
  const { code, messages } = await stack.up();
  expect(code).toBe(0);
  expect(messages).toEqual([expect.stringContaining("NODECLOUD_LOG: the requests are not logged: ENOENT")]);
});

test("`engine` adds the requests to the engine's log, which -v=3 prints, and to nothing else", async () => {
  stack.env["NODECLOUD_LOG"] = "engine";
  expect((await stack.pulumi("up", "--yes", "--skip-preview")).printed).not.toMatch(/POST \/domains/);
  const { printed } = await stack.pulumi("destroy", "--yes", "--skip-preview", "--logtostderr", "-v=3");
  expect(printed).toMatch(/\] nodecloud DELETE \/domains\/\d+ 200 \d+ms attempt=1 waited=\d+ms/);
  expect(planted.filter((secret) => printed.match(new RegExp(`nodecloud .*${secret}`)))).toEqual([]);
});

test("--logflow logs the requests of resources without the setting, and rows still show progress", async () => {
  const { printed } = await stack.pulumi(
    "up",
    "--yes",
    "--skip-preview",
    "--logflow",
    "--logtostderr",
    "-v=3",
  );
  expect(printed).toMatch(/\] nodecloud POST \/node\/instances 200 /);
  expect(printed).toMatch(/Node web creat\w+ \(\S+\) (provisioning|booting|pending)|Node web created/);
});

test("without the setting, nothing is written to a file or to the engine's log", async () => {
  const { printed } = await stack.pulumi("up", "--yes", "--skip-preview", "--logtostderr", "-v=3");
  expect(printed).not.toMatch(/nodecloud (GET|POST)/);
});
