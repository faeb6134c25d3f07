import { lastingUrn } from "../../src/provider/describe/urn";
import { stateIn, type StackState } from "../../src/provider/engine/stack-state";
import { type Answering, startAnswering } from "../helpers/answering";
import { type Managed, type Rig, startRig } from "../helpers/lifecycle";
import { inEachWay } from "../helpers/plugin";
import { eventually } from "../helpers/programs";

const NAMES = ["a", "b", "c"] as const;
const LARGER = { type: "g6-standard-1" };

inEachWay((way) => {
  let rig: Rig;
  /** A node, and its service: after a resize it answers as soon as the test mends it. */
  let pool: { readonly node: Managed; readonly site: Answering }[];
  let mended: Set<string>;
  /** What the next start of the provider gets. */
  let run: { state?: StackState };
  /** The services as they go down and come back. */
  let seen: string[];
  beforeEach(async () => {
    run = {};
    rig = await startRig({ Node: "nodes" }, {}, way, run);
    [mended, seen] = [new Set(), []];
    pool = await Promise.all(
      NAMES.map(async (name) => {
        const node = rig.resource("Node", name);
        return { node, site: await startAnswering(() => statusOf(node)) };
      }),
    );
    await Promise.all(
      pool.map(({ node }) => node.up(programOf(node), { customTimeouts: { delete: "90s" } })),
    );
  });
  afterEach(async () => {
    await Promise.all(pool.map(({ site }) => site.stop()));
    await rig.stop();
  });

  async function statusOf(node: Managed): Promise<number> {
    const live = node.id === "" ? undefined : await node.live();
    const isDown = live?.["type"] === LARGER.type && !mended.has(node.name);
    const line = `${node.name} ${isDown ? "down" : "up"}`;
    if (live?.["type"] === LARGER.type && !seen.includes(line)) seen.push(line);
    return isDown ? 503 : 200;
  }

  const programOf = (node: Managed, more: { type?: string; image?: string } = {}) => ({
    ...{ region: "us-east", type: "g6-nanode-1", image: "node/debian12", ...more },
    turn: { group: "web" },
    readyWhen: {
      http: { address: "127.0.0.1", port: pool.find((one) => one.node === node)?.site.port, interval: 1 },
    },
  });
  /** Resizes all of them at once, as the engine does. */
  const resizeAll = (options = {}) =>
    Promise.all(
      pool.map(({ node }) =>
        node.up(programOf(node, LARGER), options).then(
          () => "done",
          (error: unknown) => String(error),
        ),
      ),
    );
  const resizes = async () => (await rig.requests())["POST /v4/node/instances/:id/resize"] ?? 0;
  const isWaiting = (node: Managed) =>
    node.progress().some((line) => line.startsWith("waiting for its turn in the group web"));
  const firstDown = () =>
    eventually("a service is down", () => seen.find((line) => line.endsWith("down"))?.slice(0, 1));

  test("of a group one is resized at a time, and the next when it answers again", async () => {
    const done = resizeAll({ customTimeouts: { update: "72h" } });
    const order: string[] = [];
    while (order.length < NAMES.length) {
      const name = await eventually("the next one is down", () =>
        seen
          .flatMap((line) => (line.endsWith("down") ? [line.slice(0, 1)] : []))
          .find((one) => !mended.has(one)),
      );
      expect(await resizes()).toBe(1);
      order.push(name);
      mended.add(name);
    }
    await expect(done).resolves.toEqual(["done", "done", "done"]);
    expect(seen).toEqual(order.flatMap((name) => [`${name} down`, `${name} up`]));
    const waiting = pool.filter(({ node }) => isWaiting(node));
    expect(waiting.map(({ node }) => node.name)).toHaveLength(2);
  });

  test("a failure stops the rest of the group, and the next run goes on with what is down", async () => {
    const ends = await resizeAll({ customTimeouts: { update: "60s" } });
    const down = await firstDown();
    expect(await resizes()).toBe(1);
    for (const [place, name] of NAMES.entries())
      expect(ends[place]).toContain(
        name === down ? `update Node ${name}` : `it was not begun, because update Node ${down}`,
      );
    await rig.restart();
    const again = resizeAll({ customTimeouts: { update: "72h" } });
    await eventually("the others wait", () =>
      pool.filter(({ node }) => isWaiting(node)).length > 1 ? true : undefined,
    );
    expect(await resizes()).toBe(0);
    NAMES.forEach((name) => mended.add(name));
    await expect(again).resolves.toEqual(["done", "done", "done"]);
    expect(await resizes()).toBe(2);
  });

  test("after a kill, what serves waits for what is down, and not the other way round", async () => {
    void resizeAll({ customTimeouts: { update: "72h" } });
    const down = await firstDown();
    await rig.restart();
    await rig.requests();
    const others = pool.filter(({ node }) => node.name !== down);
    const [broken] = pool.filter(({ node }) => node.name === down);
    const LONG = { customTimeouts: { update: "72h" } };
    // The engine compares all of them.
    await broken?.node.preview(programOf(broken.node, LARGER));
    const again = Promise.all(others.map(({ node }) => node.up(programOf(node, LARGER), LONG)));
    await eventually(
      "they wait for it",
      () =>
        others.every(({ node }) => node.progress().some((line) => line.endsWith("is not ready"))) ||
        undefined,
    );
    expect(await resizes()).toBe(0);
    NAMES.forEach((name) => mended.add(name));
    await Promise.all([again, broken?.node.up(programOf(broken.node, LARGER))]);
    expect(await resizes()).toBe(2);
  });

  test("the preview says that it waits for its turn", async () => {
    const [{ node } = { node: rig.resource("Node") }] = pool;
    await node.preview(programOf(node, LARGER));
    expect(await node.warnings(3)).toContain(
      "waits for its turn: at most 1 of the group web may be interrupted at a time",
    );
  });

  test("the old node of a replacement does not go while another one of the group is down", async () => {
    const [a, b] = pool;
    if (a === undefined || b === undefined) throw new Error("the pool is empty");
    await expect(a.node.up(programOf(a.node, LARGER), { customTimeouts: { update: "60s" } })).rejects.toThrow(
      "it is not ready",
    );
    const old = b.node.id;
    await rig.restart();
    await a.node.preview(programOf(a.node, LARGER));
    const replaced = b.node.up(programOf(b.node, { image: "node/alpine3.20" }), {
      customTimeouts: { delete: "90s" },
    });
    await expect(replaced).rejects.toThrow(
      /^delete Node .*: it was not begun: after 90 s, Node a of the group web is not ready/,
    );
    expect(b.node.id).not.toBe(old);
    const { body } = await rig.emulator.control<{ data: { id: number }[] }>("GET", "/objects/nodes");
    expect(body.data.map(({ id }) => String(id))).toEqual(expect.arrayContaining([old, b.node.id]));
  });

  test("a node that left the program and is not ready holds up the others only until it is deleted", async () => {
    const [a, b, gone] = pool;
    if (a === undefined || b === undefined || gone === undefined) throw new Error("the pool is empty");
    const failed = gone.node.up(programOf(gone.node, LARGER), { customTimeouts: { update: "60s" } });
    await expect(failed).rejects.toThrow("it is not ready");
    const { urn, id, outputs } = gone.node;
    const one = {
      urn: lastingUrn(urn),
      type: "Node",
      id,
      outputs,
      at: undefined,
      provider: "",
      oldBaseUrl: undefined,
    };
    run.state = { ...stateIn({}), objects: [one] };
    await rig.restart();
    await a.node.preview(programOf(a.node));
    const replaced = b.node.up(programOf(b.node, { image: "node/alpine3.20" }));
    await eventually("the old one waits", () =>
      b.node.progress().find((line) => line.endsWith("is not ready")),
    );
    await gone.node.destroy();
    await expect(replaced).resolves.toBe("replaced");
  });

  test("an old node stays for the time of drainSec, and a destruction does not wait", async () => {
    const [one] = pool;
    if (one === undefined) throw new Error("the pool is empty");
    const { node } = one;
    const drained = (image: string) => ({ ...programOf(node, { image }), drainSec: 3_600 });
    await node.up(drained("node/debian12"));
    const before = rig.clock.now();
    await node.up(drained("node/alpine3.20"));
    expect(rig.clock.now() - before).toBeGreaterThanOrEqual(3_600_000);
    expect(
      node.progress().some((line) => /^waiting \d+ min before its deletion, as drainSec says$/.test(line)),
    ).toBe(true);
    await rig.restart();
    const then = rig.clock.now();
    await node.destroy();
    expect(rig.clock.now() - then).toBeLessThan(3_600_000);
  });
});
