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
