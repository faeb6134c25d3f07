import { type Comparison, UNKNOWN, valueAt } from "../../../src/provider/base/values";
import { type Field } from "./field";
import { withValue, wronglyShown } from "./properties";

const CLAIMS = {
  replaces: "replaces the resource",
  updates: "updates it in place",
  nothing: "has no effect",
} as const;

/** Another value that means the same. */
function otherSpelling(comparison: Comparison, value: unknown): unknown {
  if (comparison === "domain") return `${String(value).toUpperCase()}.`;
  const isList = comparison === "set" || comparison === "addresses";
  return isList && Array.isArray(value) ? [...value, value[0]].reverse() : value;
}

export function testChange(field: Field): void {
  const { change } = field.facts;

  test(`is set at creation, and a change of it ${CLAIMS[change]}`, async () => {
    const { resource, first, then, values, expectLive } = await field.prepare();
    const { replaces, topLevel, path, leaf: { comparison = "value" } = {} } = field;
    await resource.up(first);
    await expectLive(values.first);
    expect(await resource.preview(first)).toMatchObject({ changes: false, replaces: [] });
    expect(await resource.preview(then)).toMatchObject({
      changes: change !== "nothing",
      replaces,
      ...(change === "nothing" ? {} : { row: [topLevel] }),
    });
    if (change === "replaces") return;
    const { id } = resource;
    const shown = await resource.previewOfUpdate(then);
    expect(await resource.up(then)).toBe(change === "updates" ? "updated" : "same");
    expect(resource.id).toBe(id);
    expect(wronglyShown(shown, resource.outputs)).toEqual([]);
    await expectLive(values.then);
    const respelt = withValue(then, path, otherSpelling(comparison, values.then));
    expect(await resource.preview(respelt)).toMatchObject({ changes: false, row: [] });
    expect(await resource.drifted()).toBe(false);
  });
}

export function testUnknown(field: Field): void {
  const { path, replaces, topLevel } = field;

  test("can be unknown in a preview", async () => {
    const { resource, first } = await field.prepare();
    const unknown = withValue(first, path, UNKNOWN);
    const { inputs, failures } = await resource.check(unknown);
    expect(failures).toEqual([]);
    expect(valueAt(inputs, path)).toBe(UNKNOWN);
    await resource.up(first);
    const changes = field.facts.change !== "nothing";
    const row = changes ? { row: [topLevel] } : {};
    expect(await resource.preview(unknown)).toMatchObject({ changes, replaces, ...row });
  });
}
