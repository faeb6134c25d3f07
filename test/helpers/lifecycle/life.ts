import { snakePath, valueAt } from "../../../src/provider/base/values";
import { type Rig } from "./rig";
import { outputsOnly } from "./description";
import { testGet, testImport } from "./import";
import { type Life, type Steps, writesIn } from "./steps";

/** Creates, refreshes, updates, adopts, replaces and deletes a resource, and checks state and account after each step. */
export function lifecycle(rig: () => Rig, steps: Steps): void {
  const life = { rig, steps } as Life;

  describe(`the life of a ${steps.type}`, () => {
    beforeAll(async () => {
      life.created = await steps.first();
      life.resource = rig().resource(steps.type);
    });

    testCreation(life);
    testRest(life);
    testUpdate(life);
    testImport(life);
    testGet(life);
    testReplacement(life);
    testDeletion(life);
  });
}

function testCreation(life: Life): void {
  const { rig } = life;

  test("1. it is created, and the state contains what the account shows", async () => {
    const { resource, created } = life;
    await rig().requests();
    expect(await resource.up(created)).toBe("created");
    expect(resource.id).toMatch(resource.description.id.pattern);
    const counts = await rig().requests();
    expect(Object.keys(counts).filter((operation) => operation.startsWith("POST "))).toHaveLength(1);
    await expectOutputs(life);
    for (const [name, value] of Object.entries(created)) {
      expect([name, Object.hasOwn(resource.outputs, name)]).toEqual([name, true]);
      expect([name, resource.inputs[name]]).toEqual([name, value]);
    }
    expect(resource.outputs).toMatchObject(resource.provider);
  });
}

/** Expects each output that only the service sets, with the account's value. */
async function expectOutputs({ resource, steps }: Life): Promise<void> {
  const live = await resource.live();
  for (const output of outputsOnly(resource.description)) {
    if (steps.empty?.includes(output) === true) continue;
    expect([output, resource.outputs[output] ?? null]).not.toEqual([output, null]);
    const shown = valueAt(live, snakePath(output));
    if (shown !== undefined && typeof shown !== "object") {
      expect([output, resource.outputs[output]]).toEqual([output, shown]);
    }
  }
}

function testRest(life: Life): void {
  test("2. a preview, a refresh and a preview after it find no changes", async () => {
    const { resource, created } = life;
    await life.rig().requests();
    expect(await resource.preview(created)).toMatchObject({ changes: false, replaces: [] });
    expect(await resource.drifted()).toBe(false);
    expect(await resource.refresh()).toEqual([]);
    expect(await resource.preview(created)).toMatchObject({ changes: false, replaces: [] });
    expect(await writesIn(life.rig())).toEqual([]);
  });
}

function testUpdate(life: Life): void {
  const { changed } = life.steps;
  if (changed === undefined) return;

  test("3. it is updated in place, and reads back as written", async () => {
    const { resource, created } = life;
    const { id } = resource;
    expect(await resource.up(changed(created))).toBe("updated");
    expect(resource.id).toBe(id);
    expect(await resource.drifted()).toBe(false);
    expect(await resource.refresh()).toEqual([]);
    expect(await resource.up(created)).toBe("updated");
    expect(await resource.refresh()).toEqual([]);
  });
}

function testReplacement(life: Life): void {
  const { rig, steps } = life;

  test("5. it is replaced by another object, and the old one is gone", async () => {
    const { resource, created } = life;
    const { id, outputs } = resource;
    const old = Object.assign(rig().resource(steps.type), { id, outputs });
    expect(await resource.up(await steps.replaced(created))).toBe("replaced");
    expect(resource.id).not.toBe(old.id);
    expect(await resource.live()).toBeDefined();
    if (steps.stays === true) expect(await old.live()).toBeDefined();
    else expect(await old.live()).toBeUndefined();
    expect(await resource.drifted()).toBe(false);
  });
}

function testDeletion(life: Life): void {
  const { stays = false } = life.steps;

  test("6. it is deleted, and a delete of a missing object succeeds", async () => {
    const { resource } = life;
    await resource.destroy();
    if (stays !== false) {
      expect(await resource.live()).toBeDefined();
      return;
    }
    expect(await resource.live()).toBeUndefined();
    expect(await resource.refresh()).toBeUndefined();
    await resource.destroy();
  });
}
