import { setAt } from "../../../src/provider/base/values";
import { outputsOnly } from "./description";
import { type Life, writesIn } from "./steps";

/** Tests the option `import` with the object of the resource. */
export function testImport(life: Life): void {
  testAdoption(life);
  testDifference(life);
  testUnknownId(life);
}

/** The inputs of a program that adopts the object. */
const adopting = ({ steps, created }: Life) => steps.adopted?.(created) ?? created;

function testAdoption(life: Life): void {
  const { rig, steps } = life;

  test("4. an import by its id adopts it if the program has the same values, and the preview shows no change", async () => {
    const { resource } = life;
    await rig().restart();
    const adopted = rig().resource(steps.type);
    const args = adopting(life);
    await rig().requests();
    expect(await adopted.up(args, { import: resource.id })).toBe("created");
    expect(adopted.id).toBe(resource.id);
    expect(await writesIn(rig())).toEqual([]);
    expect(await adopted.preview(args, { import: resource.id })).toMatchObject({ changes: false });
    // The program may drop the option after the import.
    expect(await adopted.preview(args)).toMatchObject({ changes: false });
    expect(await adopted.drifted()).toBe(false);
    expect(await adopted.refresh()).toEqual([]);
  });
}

function testDifference(life: Life): void {
  const { rig, steps } = life;
  const { type, different } = steps;

  test("4b. an import lists every difference between program and account", async () => {
    await rig().restart();
    const { id } = life.resource;
    const other = structuredClone(adopting(life));
    setAt(other, different.path, different.value);
    await expect(rig().resource(type).up(other, { import: id })).rejects.toThrow(
      new RegExp(`^import ${type} ${id}: ${different.path} is .*in the program and .* in the account`),
    );
  });
}

function testUnknownId(life: Life): void {
  const { rig, steps } = life;
  const { type, ids } = steps;

  test("4c. an import fails with the reason if nothing has the id, or if the id has another form", async () => {
    const adopt = (id: string) => rig().resource(type).up(life.created, { import: id });
    await expect(adopt(ids.unknown)).rejects.toThrow(
      `import ${type} ${ids.unknown}: there is no ${type} with the id ${ids.unknown}`,
    );
    await expect(adopt(ids.malformed)).rejects.toThrow(
      `import ${type} ${ids.malformed}: "${ids.malformed}" is not the id of a ${type}; the id has the form `,
    );
  });
}

/** Tests reading the object by its id, as `get` of the class does. */
export function testGet(life: Life): void {
  const { rig, steps } = life;
  const { type, ids } = steps;

  test("4d. get reads it by its id alone, and does not manage it", async () => {
    const { resource } = life;
    await rig().restart();
    const read = await rig().resource(steps.type).get(resource.id);
    expect(read.id).toBe(resource.id);
    for (const output of outputsOnly(resource.description)) {
      expect([output, read.props[output]]).toEqual([output, resource.outputs[output]]);
    }
    expect(read.inputs).toEqual(resource.provider);
  });

  test("4e. get fails with the reason if nothing has the id, or if the id has another form", async () => {
    const get = (id: string) => rig().resource(type).get(id);
    await expect(get(ids.unknown)).rejects.toThrow(
      `get ${type}: there is no ${type} with the id ${ids.unknown}`,
    );
    await expect(get(ids.malformed)).rejects.toThrow(
      `get ${type}: "${ids.malformed}" is not the id of a ${type}; the id has the form `,
    );
  });
}
