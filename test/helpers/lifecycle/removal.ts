import { valueAt } from "../../../src/provider/base/values";
import { type Field, type Trial } from "./field";
import { type Managed } from "./managed";

const REMOVALS = {
  default: "returns to its documented default when it is removed",
  replace: "replaces the resource when it is removed",
  stays: "keeps its value when it is removed, and the preview says so once",
  forgotten: "sends nothing when it is removed, and setting the same value again requests the action again",
  nothing: "has no effect when it is removed",
  refused: "has no effect when it is removed",
} as const;

/** Tests a program without the input. */
export function testRemoval(field: Field): void {
  if (field.isRequired) {
    testRequired(field);
  } else if (field.isAutonamed) {
    testReturnToAutomaticName(field);
    testAutomaticName(field);
  } else {
    testRemoved(field);
  }
}

function testRequired(field: Field): void {
  const { required } = field.facts;

  test("is required: a program without it is refused", async () => {
    const { resource, unset } = await field.prepare();
    const { failures } = await resource.check(unset);
    const missing = required instanceof RegExp ? required : new RegExp(`^${field.path} is required`);
    expect(failures).toEqual([expect.objectContaining({ reason: expect.stringMatching(missing) })]);
  });
}

/** The form of the automatic name of a resource. */
function automatic({ description }: Field, { name }: Managed): RegExp {
  const base = description.autoname?.plain === true ? name.replace(/[^A-Za-z0-9]/g, "") : `${name}-`;
  return new RegExp(`^${base}[0-9a-f]{7}$`);
}

function testReturnToAutomaticName(field: Field): void {
  const { path } = field;
  const updates = field.facts.change === "updates";

  test(
    updates
      ? "returns to the automatic name when it is removed"
      : "keeps its value when it is removed, because the API cannot change it",
    async () => {
      const { resource, first, unset, values, expectLive } = await field.prepare();
      await resource.up(first);
      expect(await resource.up(unset)).toBe("updated");
      if (updates) expect(resource.outputs[path]).toMatch(automatic(field, resource));
      await expectLive(updates ? resource.outputs[path] : values.first);
      expect(await resource.up(unset)).toBe("same");
      expect(await resource.drifted()).toBe(false);
    },
  );
}

function testAutomaticName(field: Field): void {
  const { path, shown } = field;

  test("has an automatic name from the resource's name when the program omits it", async () => {
    const { unset } = await field.prepare();
    const unnamed = field.newResource();
    await unnamed.up(unset);
    const name = String(unnamed.outputs[path]);
    expect(name).toMatch(automatic(field, unnamed));
    expect(valueAt(await unnamed.live(), shown ?? path)).toBe(name);
    expect(await unnamed.up(unset)).toBe("same");
  });
}

function testRemoved(field: Field): void {
  const { facts, leaf, path, topLevel } = field;
  const removal = "removed" in facts ? "default" : (leaf?.removed ?? "nothing");

  test(REMOVALS[removal], async () => {
    const trial = await field.prepare();
    const { resource, first, unset, values, expectLive } = trial;
    await resource.up(first);
    const preview = await resource.preview(unset);
    const changes = removal !== "nothing" && removal !== "refused";
    expect(preview).toMatchObject({ changes });
    if (changes) expect(preview.row).toEqual([topLevel]);
    if (removal === "default") expect(preview).toMatchObject({ replaces: field.replaces });
    else expect(preview).toMatchObject({ replaces: removal === "replace" ? [topLevel] : [] });
    expect(await resource.up(unset)).toBe(
      preview.replaces.length > 0 ? "replaced" : changes ? "updated" : "same",
    );
    if (removal === "stays") {
      const line = expect.stringContaining(
        `${path} was removed from the program and keeps its value`,
      ) as string;
      expect(await resource.warnings()).toContainEqual(line);
    }
    if (removal === "default") await expectLive(facts.removed);
    else if (removal !== "replace") await expectLive(values.first);
    await expectSettled(trial);
    if (removal === "replace") await expectAsNew(field, trial);
  });
}

/** Expects that nothing is left to do, before and after a refresh. */
async function expectSettled({ resource, unset }: Trial): Promise<void> {
  expect(await resource.preview(unset)).toMatchObject({ changes: false });
  expect(await resource.drifted()).toBe(false);
  await resource.refresh();
  expect(await resource.preview(unset)).toMatchObject({ changes: false });
}

/** Expects the value of a new resource that never had the input. */
async function expectAsNew(field: Field, { resource, unset, values }: Trial): Promise<void> {
  const { shown } = field;
  if (shown === null) return;
  const live = valueAt(await resource.live(), shown);
  await resource.destroy();
  const fresh = field.newResource();
  await fresh.up(unset);
  expect(live).toEqual(valueAt(await fresh.live(), shown));
  expect(live).not.toEqual(field.shows(values.first));
}
