import { type TestEmulator } from "../helpers/emulator";
import { type TestStack } from "../helpers/stack";
import { expectSettled, stackForAllTests } from "../helpers/with-stack";
import { recover } from "../faults/recovery";

/** `NODECLOUD_KILLS=60` for more. */
const KILLS = Number(process.env["NODECLOUD_KILLS"] ?? 8);
const SIZE = 3;
const IMAGES = ["node/debian12", "node/ubuntu24.04", "node/alpine3.20"];

let emulator: TestEmulator;
let stack: TestStack;
stackForAllTests(
  async (own) => {
    ({ emulator, stack } = own);
    await emulator.control("PUT", "/machines", [
      { services: [{ port: 8000, protocol: "http", afterSeconds: 300 }] },
    ]);
  },
  { speed: 600, machines: true, zoneDelaySeconds: 600 },
);

const program = (image: string) => {
  stack.program(`
const zone = new nodecloud.Domain("zone", { domain: "pool.example", type: "master", soaEmail: "a@pool.example" });
new nodecloud.NodePool("web", {
  size: ${SIZE},
  node: { region: "us-east", type: "g6-nanode-1", image: "${image}" },
  readyWhen: { http: { port: 8000, interval: 0.2 } },
  records: [{ domainId: zone.id, name: "www" }],
  drainSec: 1,
});`);
};
const list = async (kind: string) =>
  (await emulator.control<{ data: Record<string, unknown>[] }>("GET", `/objects/${kind}`)).body.data;

/** How long a roll has taken at most. */
let longest = 12_000;

test("the pool is there", async () => {
  program(IMAGES[0] ?? "");
  expect(await stack.up()).toMatchObject({ code: 0 });
});

test.each(Array.from({ length: KILLS }, (_, index) => index + 1))(
  `a roll that is killed ends in the wanted pool: %s of ${KILLS}`,
  async (kill) => {
    const image = IMAGES[kill % IMAGES.length] ?? "";
    program(image);
    const { process: running, ended } = stack.start("up", "--yes", "--skip-preview");
    const timer = setTimeout(() => running.kill("SIGKILL"), (kill / KILLS) * longest);
    await ended;
    clearTimeout(timer);
    await recover(stack);
    const began = Date.now();
    expect(await stack.up()).toMatchObject({ code: 0 });
    longest = Math.max(longest, Date.now() - began);
    expect((await list("nodes")).map((node) => node["image"])).toEqual(Array(SIZE).fill(image));
    const addresses = (await list("nodes")).map(({ ipv4 }) => (ipv4 as string[])[0]).sort();
    expect((await list("records")).map(({ target }) => target).sort()).toEqual(addresses);
    await expectSettled(stack);
  },
);
