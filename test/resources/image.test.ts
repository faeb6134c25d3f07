import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { derive } from "../../src/provider/inputs/normalise";
import { type Properties, UNKNOWN } from "../../src/provider/base/values";
import { Image } from "../../src/sdk";
import { descriptionOf, rulesOf } from "./describe";

const description = descriptionOf(Image);
const rules = (inputs: Properties) => rulesOf(description, { label: "golden", ...inputs });

test.each<[Properties, string[]]>([
  [{ diskId: 1 }, []],
  [{ source: "disk.img", region: "us-east" }, []],
  [{ source: "disk.img" }, ["region is required with source: it says where to upload to"]],
  [
    { diskId: 1, source: "disk.img", region: "us-east" },
    ["source cannot be set together with diskId: an image is either captured or uploaded; set one of them"],
  ],
  [
    { diskId: 1, region: "us-east" },
    ["region is only for uploads: an image of a disk is in its node's region"],
  ],
  [{ source: UNKNOWN, region: UNKNOWN }, []],
])("%j gives the failures %j", (inputs, complaints) => {
  expect(rules(inputs)).toEqual(complaints);
});

test("an imported image needs no source", () => {
  expect(rules({ __importId: "private/12" })).toEqual([]);
});

test("the derived input depends on the content of a file, not on its path", async () => {
  const folder = mkdtempSync(join(tmpdir(), "image-"));
  try {
    const [one, two, other] = ["one.img", "two.img", "other.img"].map((name) => join(folder, name));
    for (const path of [one, two]) writeFileSync(path ?? "", "a disk");
    writeFileSync(other ?? "", "another disk");
    const derived = async (source: unknown, kept: Properties = {}) => {
      const inputs: Properties = { ...kept, ...(source === undefined ? {} : { source }) };
      await derive(description, inputs);
      return inputs["sourceHash"];
    };
    expect(await derived(one)).toMatch(/^[0-9a-f]{64}$/);
    expect(await derived(two)).toEqual(await derived(one));
    expect(await derived(other)).not.toEqual(await derived(one));
    expect(await derived(UNKNOWN)).toBeUndefined();
    expect(await derived(undefined)).toBeUndefined();
    expect(await derived(join(folder, "gone.img"), { sourceHash: "kept" })).toBe("kept");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("the ids of private and public images have two parts", () => {
  const { pattern } = description.id;
  expect(
    ["private/12", "node/debian12", "12", "private/", "other/12", "private/1/2"].map((id) =>
      pattern.test(id),
    ),
  ).toEqual([true, true, false, false, false, false]);
});
