import { leavesOf } from "../../../src/provider/describe/fields";
import { type Rig } from "./rig";
import { descriptionOf } from "./description";
import { testDrift, testDriftAcrossUpdate } from "./drift";
import { Field, type Fields } from "./field";
import { testChange, testUnknown } from "./change";
import { testRemoval } from "./removal";

/** The same claims for every input of a resource, on real objects in the emulator. */
export function everyField(rig: () => Rig, fields: Fields): void {
  const leaves = new Map(leavesOf(descriptionOf(fields.type).fields).map((leaf) => [leaf.path, leaf]));

  test("every input has its case in this table", () => {
    expect(Object.keys(fields.cases).sort()).toEqual([...leaves.keys()].sort());
  });

  const all = Object.entries(fields.cases).flatMap(([path, facts]) =>
    facts === null ? [] : [new Field(rig, fields, path, facts, leaves.get(path))],
  );
  testDriftAcrossUpdate(all);

  for (const field of all) {
    describe(field.path, () => {
      testChange(field);
      testRemoval(field);
      testDrift(field);
      testUnknown(field);
    });
  }
}
