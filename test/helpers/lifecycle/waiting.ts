import { type Properties } from "../plugin";
import { eventually } from "../programs";
import { type Rig } from "./rig";
import { type ResourceType } from "./description";
import { type Managed, type Options } from "./managed";

/** How a resource waits. */
export interface Waits {
  readonly type: ResourceType;
  first(): Properties | Promise<Properties>;
  /** The status of a new object, and the status that ends the wait. */
  readonly during: string;
  readonly ready: string;
  /** A status after which it never becomes ready. */
  readonly failed?: string;
  /** The status during a deletion. Omit it if a delete takes effect at once. */
  readonly deleting?: string;
}

/** A creation that waits. */
interface Pending {
  readonly resource: Managed;
  readonly args: Properties;
  readonly created: Promise<unknown>;
  /** The id of the object in the account. */
  readonly id: unknown;
}

/** The parts that the tests of waits share. */
interface Scene extends Waits {
  readonly rig: () => Rig;
  stopClock(): void;
  runClock(): void;
  /** Begins a creation that does not end by itself, and returns when the provider waits for the object. */
  begin(options?: Options): Promise<Pending>;
}

/** The claims about waits. Time stands still while a test looks at a wait. */
export function waiting(rig: () => Rig, waits: Waits): void {
  const scene: Scene = {
    ...waits,
    rig,
    stopClock: () => rig().stopTime(),
    runClock: () => rig().runTime(),
    begin: (options) => begin(scene, options),
  };
  describe("waiting", () => {
    afterEach(() => scene.runClock());
    testCreation(scene);
    testTimeout(scene);
    testChangedProgram(scene);
    testFailedStatus(scene);
    testVanished(scene);
    testDeletion(scene);
  });
}

async function begin({ rig, type, first, stopClock }: Scene, options?: Options): Promise<Pending> {
  const resource = rig().resource(type);
  const args = await first();
  stopClock();
  const ids = new Set((await objectsOf(rig(), type)).map(({ id }) => id));
  const created = resource.up(args, options);
  // The test handles a rejection, perhaps later.
  created.catch(() => undefined);
  const id = await eventually(`the provider waits for a ${type}`, async () => {
    if (resource.progress().length === 0) return undefined;
    return (await objectsOf(rig(), type)).find((object) => !ids.has(object.id))?.id;
  });
  return { resource, args, created, id };
}

async function objectsOf(rig: Rig, type: ResourceType): Promise<{ id: unknown }[]> {
  const { body } = await rig.emulator.control<{ data: { id: unknown }[] }>("GET", rig.objects(type));
  return body.data;
}

function testCreation({ ready, during, runClock, begin }: Scene): void {
  test(`a creation returns when it is ${ready}, and its row shows the status during the wait`, async () => {
    const { resource, created } = await begin();
    expect(resource.progress()[0]).toMatch(new RegExp(`^${during}( \\d+ s)?( of 15-30 min)?$`));
    expect(resource.id).toBe("");
    runClock();
    await created;
    expect(resource.outputs["status"]).toBe(ready);
    expect((await resource.live())?.["status"]).toBe(ready);
  });
}

const SHORT: Options = { customTimeouts: { create: "1s" } };

function testTimeout({ rig, type, ready, during, stopClock, runClock, begin }: Scene): void {
  const message =
    `^create ${type} .*: after 1 s it is not .*${ready}.* yet; its status is ${during}\\. ` +
    "It stays in the state, and the next `pulumi up` continues to wait\\. " +
    "To wait longer, set customTimeouts\\.create";

  test("a creation that times out stays in the state, and the next up continues the wait", async () => {
    const { resource, args, created } = await begin(SHORT);
    // The time of the account stands still.
    rig().clock.release();
    await expect(created).rejects.toThrow(new RegExp(message));
    expect(resource.initFailed).toBe(true);
    stopClock();
    expect(resource.outputs).toMatchObject({ ...args, ...resource.provider });
    expect(await resource.preview(args)).toMatchObject({ changes: true });
    expect(await resource.warnings()).toContainEqual(
      expect.stringMatching(`continues its creation, which was not finished: its status was ${during}`),
    );
    await rig().requests();
    const before = resource.progress().length;
    let ended = false;
    const resumed = resource.up(args).then((step) => {
      ended = true;
      return step;
    });
    await eventually("the next up waits", () => resource.progress()[before]);
    expect(ended).toBe(false);
    runClock();
    expect(await resumed).toBe("updated");
    const counts = await rig().requests();
    expect(Object.keys(counts).filter((operation) => operation.startsWith("POST "))).toEqual([]);
    expect(resource.outputs["status"]).toBe(ready);
    expect(await resource.preview(args)).toMatchObject({ changes: false });
    expect(await resource.drifted()).toBe(false);
  });
}

function testChangedProgram({ rig, ready, runClock, begin }: Scene): void {
  test("the next up continues the wait even if the program has changed", async () => {
    const { resource, args, created } = await begin(SHORT);
    rig().clock.release();
    await expect(created).rejects.toThrow("after 1 s it is not");
    runClock();
    expect(await resource.up(args, { customTimeouts: { create: "2h" } })).toBe("updated");
    expect(resource.outputs["status"]).toBe(ready);
  });
}

function testFailedStatus({ rig, type, failed, runClock, begin }: Scene): void {
  if (failed === undefined) return;

  test(`a creation that ends in ${failed} fails at once, and stays in the state`, async () => {
    const { resource, created, id } = await begin();
    const path = `${rig().objects(type)}/${String(id)}`;
    await rig().emulator.control("PATCH", path, { status: failed });
    runClock();
    await expect(created).rejects.toThrow(
      new RegExp(`^create ${type} .*: its status is ${failed}, which does not change by itself`),
    );
    expect(resource.id.split("/").at(-1)).toBe(String(id));
    expect(resource.initFailed).toBe(true);
  });
}

function testVanished({ rig, type, runClock, begin }: Scene): void {
  test("a creation whose object vanishes fails, and says that it is gone", async () => {
    const { created, id } = await begin();
    await rig().emulator.control("DELETE", `${rig().objects(type)}/${String(id)}`);
    runClock();
    await expect(created).rejects.toThrow(new RegExp(`^create ${type} .*: it no longer exists`));
  });
}

function testDeletion({ rig, type, first, deleting, stopClock, runClock }: Scene): void {
  if (deleting === undefined) return;

  test("a delete returns when the object is gone", async () => {
    const resource = rig().resource(type);
    await resource.up(await first());
    stopClock();
    let ended = false;
    const deleted = resource.destroy().then(() => (ended = true));
    await eventually("the provider waits for the delete", () =>
      resource.progress().find((line) => line.startsWith(deleting)),
    );
    expect(ended).toBe(false);
    expect((await resource.live())?.["status"]).toBe(deleting);
    runClock();
    await deleted;
    expect(await resource.live()).toBeUndefined();
  });
}
