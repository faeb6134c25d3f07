import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findTool } from "./debian-tools";

const environment = { ...process.env };
let directory: string;
let notes: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "tools-"));
  notes = join(directory, "notes");
  process.env["PATH"] = directory;
  process.env["NODECLOUD_MISSING_TOOLS"] = notes;
  delete process.env["NODECLOUD_REQUIRE_TOOLS"];
});
afterEach(() => {
  process.env = { ...environment };
  rmSync(directory, { recursive: true });
});

test("an installed program is found, and not noted as missing", () => {
  const program = join(directory, "chromium");
  writeFileSync(program, "");
  chmodSync(program, 0o755);
  expect(findTool("chromium")).toBe(program);
  expect(existsSync(notes)).toBe(false);
});

test("a file that is not executable does not count as a program", () => {
  writeFileSync(join(directory, "chromium"), "");
  chmodSync(join(directory, "chromium"), 0o644);
  expect(findTool("chromium")).toBeUndefined();
});

test("each missing program is noted with its package", () => {
  expect([findTool("kzonecheck"), findTool("chromium")]).toEqual([undefined, undefined]);
  expect(readFileSync(notes, "utf8")).toBe("kzonecheck knot-dnssecutils\nchromium chromium\n");
});

test("a missing program is an error with its package if all programs are required", () => {
  process.env["NODECLOUD_REQUIRE_TOOLS"] = "1";
  expect(() => findTool("kzonecheck")).toThrow(
    "kzonecheck is not installed, and the tests need it: apt-get install knot-dnssecutils",
  );
});
