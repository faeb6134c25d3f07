import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { root } from "./fakes";

/** The test files that jest runs for a command, by their paths from the root. A file that runs in both ways is there twice. */
function filesOf(set: string): string[] {
  const jest = join(root, "node_modules/jest/bin/jest.js");
  const printed = execFileSync(process.execPath, [jest, "--listTests"], {
    cwd: root,
    encoding: "utf8",
    env: { ...process.env, NODECLOUD_TESTS: set },
  });
  return printed
    .trim()
    .split("\n")
    .map((file) => relative(root, file))
    .sort();
}

const written = readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" })
  .map((file) => join("test", file))
  .filter((file) => file.endsWith(".test.ts") && !file.startsWith("test/matrix/new-family/"))
  .sort();
const isUnit = (file: string) =>
  !/^test\/(engine|stacks|matrix|nightly|faults|consumers|scripts|types)\//.test(file) &&
  !/\.(process|property)\.test\.ts$/.test(file);

test("npm run test:all runs every test file", () => {
  expect(filesOf("all")).toEqual(written);
});

test("npm run test:unit runs every file that starts no program and tries no random ones", () => {
  expect(filesOf("unit")).toEqual(written.filter(isUnit));
});

test("npm test and npm run test:ci leave out only the folders of longer tests", () => {
  expect(filesOf("short")).toEqual(
    written.filter((file) => !/^test\/(stacks|matrix|nightly|consumers)\//.test(file)),
  );
  expect(filesOf("ci")).toEqual(written.filter((file) => !file.startsWith("test/nightly/")));
});
