import { type Field } from "./field";
import { changedPaths } from "./properties";

/** Tests a change of the input outside Pulumi. */
export function testDrift(field: Field): void {
  if (!field.canMove) return;
  if (!field.isRequired && !field.isAutonamed)
    testNoDrift(field, "when the program does not set it", "unset");
  if (field.facts.movesByItself === true) testNoDrift(field, "when the service changes it", "first");
  else testChangedOutside(field);
}

function testNoDrift(field: Field, when: string, program: "unset" | "first"): void {
  test(`does not drift ${when}`, async () => {
    const { resource, [program]: inputs, patch } = await field.prepare();
    await resource.up(inputs);
    await resource.patch(patch);
    expect(await resource.drifted()).toBe(false);
    expect(await resource.refresh()).toEqual([]);
    expect(await resource.preview(inputs)).toMatchObject({ changes: false });
  });
}

function testChangedOutside(field: Field): void {
  const { facts, path, replaces, topLevel } = field;

  test("is the only drift when it changes outside Pulumi", async () => {
    const { resource, first, patch, values, expectLive } = await field.prepare();
    await resource.up(first);
    expect(await resource.drifted()).toBe(false);
    await resource.patch(patch);
    expect(await resource.drifted()).toBe(true);
    const before = resource.inputs;
    expect(await resource.refresh()).toEqual([topLevel]);
    expect(changedPaths(before, resource.inputs)).toEqual([path]);
    expect(await resource.preview(first)).toMatchObject({ changes: true, replaces });
    if (facts.change === "replaces") return;
    expect(await resource.up(first)).toBe("updated");
    await expectLive(values.first);
    expect(await resource.drifted()).toBe(false);
  });
}
