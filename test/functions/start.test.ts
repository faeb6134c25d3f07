import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { ROOT } from "../helpers/programs";

test("a program that imports the functions loads nothing that sends or checks requests", () => {
  const script = `
    require(${JSON.stringify(join(ROOT, "dist/functions/index.js"))});
    console.log(JSON.stringify(Object.keys(require.cache)));`;
  const loaded = JSON.parse(execFileSync(process.execPath, ["-e", script], { encoding: "utf8" })) as string[];
  const ours = loaded.filter((file) => file.startsWith(join(ROOT, "dist")));
  expect(ours.length).toBeGreaterThan(10);
  expect(
    loaded.filter((file) => /node_modules\/(axios|zod|p-retry)\//.test(file.replaceAll("\\", "/"))),
  ).toEqual([]);
  // Errors are told apart by whoever reports them.
  expect(ours.filter((file) => file.startsWith(join(ROOT, "dist/api")))).toEqual([
    join(ROOT, "dist/api/errors.js"),
  ]);
});
