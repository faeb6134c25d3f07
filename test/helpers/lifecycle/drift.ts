import { valueAt } from "../../../src/provider/base/values";
import { type Field } from "./field";
import { changedPaths, withValue, wronglyShown } from "./properties";

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

/** Tests updates of one input beside another one that was changed outside Pulumi. */
export function testDriftAcrossUpdate(fields: readonly Field[]): void {
  const able = fields.filter(
    ({ canMove, facts }) =>
      canMove &&
      facts.change === "updates" &&
      facts.movesByItself !== true &&
      facts.with === undefined &&
      facts.without === undefined,
  );
  const [moved, other] = able;
  if (moved !== undefined && other !== undefined) testStaysDrift(moved, other);
  const free = able.find(({ isRequired, isAutonamed }) => !isRequired && !isAutonamed);
  const beside = able.find((one) => one !== free);
  if (free !== undefined && beside !== undefined) testKnownInPreview(free, beside);
}

function testStaysDrift(moved: Field, other: Field): void {
  const { path } = moved;

  test(`${path} that was changed outside Pulumi stays drift after an update of ${other.path}`, async () => {
    const { resource, first, patch, values, expectLive } = await moved.prepare();
    const changed = withValue(first, other.path, (await other.prepare()).values.then);
    await resource.up(first);
    const shown = valueAt(resource.outputs, path);
    await resource.patch(patch);
    const announced = await resource.previewOfUpdate(changed);
    expect(await resource.up(changed)).toBe("updated");
    expect(wronglyShown(announced, resource.outputs)).toEqual([]);
    await expectLive(values.then);
    expect(valueAt(resource.outputs, path)).toEqual(shown);
    expect(await resource.preview(changed)).toMatchObject({ changes: false });
    expect(await resource.refresh()).toEqual([moved.topLevel]);
    expect(await resource.up(changed)).toBe("updated");
    await expectLive(values.first);
    expect(await resource.drifted()).toBe(false);
  });
}

function testKnownInPreview(moved: Field, other: Field): void {
  test(`the preview of an update of ${other.path} knows what was changed outside Pulumi of ${moved.path}, which the program does not set`, async () => {
    const { resource, unset, patch } = await moved.prepare();
    await resource.up(unset);
    await resource.patch(patch);
    const changed = withValue(unset, other.path, (await other.prepare()).values.then);
    const announced = await resource.previewOfUpdate(changed);
    expect(await resource.up(changed)).toBe("updated");
    expect(wronglyShown(announced, resource.outputs)).toEqual([]);
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
