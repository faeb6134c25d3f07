import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { deployedNode, startTestEmulator, type TestEmulator } from "../helpers/emulator";
import { testStack, type TestStack } from "../helpers/stack";

const THEIR_TOKEN = "planted-token-3f8a";

let ours: TestEmulator;
let theirs: TestEmulator;
let stack: TestStack;

beforeAll(async () => {
  ours = await startTestEmulator({ speed: 60_000 });
  theirs = await startTestEmulator({
    speed: 60_000,
    accounts: { users: [{ username: "eve", tokens: [{ token: THEIR_TOKEN, scopes: "*" }] }] },
  });
  stack = await testStack(ours);
});

afterAll(async () => {
  stack.remove();
  await ours.stop();
  await theirs.stop();
});

test("inline programs in one process do not share results", async () => {
  stack.folder.write(
    "inline.js",
    `const { LocalWorkspace } = require("@pulumi/pulumi/automation");
     const nodecloud = require("pulumi-nodecloud");
     const program = async () => {
       const [one, two] = await Promise.all([nodecloud.getNodes(), nodecloud.getNodes()]);
       return { counts: [one.nodes.length, two.nodes.length] };
     };
     async function run(stackName, config) {
       const stack = await LocalWorkspace.createOrSelectStack({ stackName, projectName: "inline", program });
       await stack.setAllConfig(config);
       const { outputs } = await stack.up();
       return outputs.counts.value;
     }
     const account = (token, baseUrl) => ({ "nodecloud:token": { value: token, secret: true }, "nodecloud:baseUrl": { value: baseUrl } });
     (async () => {
       const [ours, theirs] = JSON.parse(process.argv[2]).map(({ token, url }) => account(token, url));
       const results = [await run("ours", ours)];
       await fetch(process.argv[3], JSON.parse(process.argv[4]));
       results.push(await run("ours", ours));
       results.push(...(await Promise.all([run("ours", ours), run("theirs", theirs)])));
       console.log(JSON.stringify(results));
     })();`,
  );
  const creation = {
    method: "POST",
    headers: { authorization: `Bearer ${ours.token}` },
    body: JSON.stringify(deployedNode),
  };
  const accounts = [
    { token: ours.token, url: ours.url },
    { token: THEIR_TOKEN, url: theirs.url },
  ];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      join(stack.folder.path, "inline.js"),
      JSON.stringify(accounts),
      `${ours.url}/node/instances`,
      JSON.stringify(creation),
    ],
    { cwd: stack.folder.path, env: stack.env },
  );
  expect(JSON.parse(stdout)).toEqual([
    [0, 0],
    [1, 1],
    [1, 1],
    [0, 0],
  ]);
  expect(await ours.newCounts()).toMatchObject({ "GET /v4/node/instances": 3 });
});

test("an error hook that has the engine try again makes no second object", async () => {
  const { data } = (await ours.control<{ data: { id: number }[] }>("GET", "/objects/nodes")).body;
  const before = data.map(({ id }) => id);
  // The service refuses what the creation sends after the node is there.
  await ours.control("POST", "/faults", {
    ...{ method: "PUT", path: "/v4/node/instances/*" },
    effect: { status: 400, body: { errors: [{ reason: "not now", field: "watchdog_enabled" }] } },
  });
  stack.folder.write(
    "hooked.js",
    `const { LocalWorkspace } = require("@pulumi/pulumi/automation");
     const pulumi = require("@pulumi/pulumi");
     const nodecloud = require("pulumi-nodecloud");
     const program = async () => {
       const onError = [new pulumi.ErrorHook("again", ({ errors }) => errors.length < 3)];
       const args = { region: "us-east", type: "g6-nanode-1", image: "node/debian12", watchdogEnabled: false };
       return { id: new nodecloud.Node("hooked", args, { hooks: { onError } }).id };
     };
     (async () => {
       const stack = await LocalWorkspace.createOrSelectStack({ stackName: "hooked", projectName: "inline", program });
       await stack.setConfig("nodecloud:baseUrl", { value: process.argv[2] });
       await stack.setConfig("nodecloud:token", { value: process.argv[3], secret: true });
       const { outputs, stdout } = await stack.up();
       console.log(JSON.stringify({ id: outputs.id.value, stdout }));
     })();`,
  );
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(stack.folder.path, "hooked.js"), ours.url, ours.token],
    { cwd: stack.folder.path, env: stack.env },
  );
  const up = JSON.parse(stdout) as { id: string; stdout: string };
  expect(up.stdout).toContain("retrying create due to on-error hook request (1/100)");
  const { body } = await ours.control<{ data: { id: number }[] }>("GET", "/objects/nodes");
  expect(body.data.map(({ id }) => String(id))).toEqual([...before.map(String), up.id]);
});
