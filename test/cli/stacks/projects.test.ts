import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findProjects } from "../../../src/cli/stacks/projects";
import { contextIn } from "../../helpers/command-line";

let directory: string;

beforeAll(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), "nodecloud-projects-")));
  const project = (folder: string, text: string) => {
    mkdirSync(join(directory, folder), { recursive: true });
    writeFileSync(join(directory, folder, "Pulumi.yaml"), text);
  };
  project("one", "name: first\nruntime: nodejs\n");
  project("deep/er/two", "name: second\n");
  project("deep/node_modules/not", "name: not\n");
  project("deep/.hidden", "name: not\n");
  project("broken", "runtime: nodejs\n");
  mkdirSync(join(directory, "one/src"));
  mkdirSync(join(directory, "empty"));
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

const found = (folders: readonly string[], from = directory) =>
  findProjects(contextIn({ directory: from }), folders).map(({ name, directory: shown }) => [name, shown]);

test("a folder stands for its project, for those below it, or for the one that contains it", () => {
  expect(found(["one"])).toEqual([["first", "one"]]);
  expect(found(["deep"])).toEqual([["second", "deep/er/two"]]);
  expect(found(["one/src"])).toEqual([["first", "one"]]);
  expect(found([], join(directory, "one"))).toEqual([["first", "."]]);
});

test("a project that is named twice is read once", () => {
  expect(found(["one", "one/src", "./one"])).toEqual([["first", "one"]]);
});

test("a folder without a project is an error that names it", () => {
  expect(() => found(["missing"])).toThrow("missing is not a folder");
  expect(() => found(["empty"])).toThrow("there is no Pulumi.yaml in empty or below it");
  expect(() => found(["broken"])).toThrow(/broken.Pulumi\.yaml has no name/);
});
