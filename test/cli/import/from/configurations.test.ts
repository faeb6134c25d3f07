import { keyOf } from "../../../../src/cli/account/list-account";
import { type Properties, same, valueAt } from "../../../../src/provider/base/values";
import { inputAt, leavesOf } from "../../../../src/provider/describe/fields";
import { checkInputs } from "../../../../src/provider/inputs/check-inputs";
import { type DeclaredResource } from "../../../helpers/adopting-program";
import {
  CONFIGURATIONS,
  programsForAllTests,
  type Written,
  type WrittenPrograms,
} from "../../../helpers/written-programs";

let programs: WrittenPrograms;
programsForAllTests((all) => (programs = all));

/** The inputs with ids in place of references. */
const withIds = (args: Properties): Properties =>
  Object.fromEntries(
    Object.entries(args).map(([name, value]) => [
      name,
      typeof value === "string" ? value.replace(/^(?:Domain|Image) (?=[\w/]+$)/, "") : value,
    ]),
  );

/** In what an adoption differs from the object: it would fail. */
function differences(
  { type, name, args, imports = "" }: DeclaredResource,
  objects: Written["objects"],
): string[] {
  const live = objects.get(keyOf(type, imports));
  if (live === undefined) return [`${type} ${name} adopts ${imports}, which does not exist`];
  const { description, shown } = live;
  const inputs = withIds(args);
  const { failures } = checkInputs(description, {}, { inputs }, { isAdopted: true });
  const different = leavesOf(description.fields).filter((leaf) => {
    const [wanted, actual] = [inputAt(inputs, leaf), valueAt(shown, leaf.path)];
    return wanted !== undefined && actual !== undefined && !same(leaf.comparison, wanted, actual);
  });
  return [
    ...failures.map(({ property, reason }) => `${name}: ${property} ${reason}`),
    ...different.map(({ path }) => `${name}: ${path} differs`),
  ];
}

test.each(CONFIGURATIONS)(
  "the program of %s adopts what has a counterpart, as the account has it",
  (name) => {
    const { printed, resources, objects, writes, expected } = programs.written.get(name) as Written;
    expect(printed).toMatchObject({ code: 0, stderr: "" });
    expect(writes).toEqual([]);
    expect(resources.map((one) => `${one.type} ${one.name}`).sort()).toEqual([...expected.adopted].sort());
    expect(resources.flatMap((one) => differences(one, objects))).toEqual([]);
    for (const said of expected.says) expect(printed.stdout).toContain(said);
    const leftOut = /^Left out\n((?: {2}.*\n)*)/m.exec(printed.stdout)?.[1] ?? "";
    const unexpected = leftOut
      .split("\n")
      .filter((line) => line !== "" && !expected.says.some((said) => line.includes(said)));
    expect(unexpected).toEqual([]);
  },
);
