import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { readStateFiles } from "../../../src/cli/stacks/state-files";
import { contextIn } from "../../helpers/command-line";

let directory: string;
beforeEach(() => (directory = mkdtempSync(join(tmpdir(), "nodecloud-states-"))));
afterEach(() => rmSync(directory, { recursive: true }));

function write(file: string, content: string | Buffer | object): void {
  const path = join(directory, file);
  mkdirSync(dirname(path), { recursive: true });
  const isWritten = typeof content === "string" || Buffer.isBuffer(content);
  writeFileSync(path, isWritten ? content : JSON.stringify(content));
}

const deployment = (project: string, stack: string) => ({
  resources: [{ urn: `urn:pulumi:${stack}::${project}::pulumi:pulumi:Stack::${project}-${stack}` }],
});
const checkpoint = (project: string, stack: string) => ({
  version: 3,
  checkpoint: { stack, latest: deployment(project, stack) },
});
const read = (...paths: string[]) => readStateFiles(contextIn({ directory }), paths);
const namesIn = async (...paths: string[]) => (await read(...paths)).map(({ name }) => name);

test("the folder of a backend gives its stacks, packed ones too, without copies and history", async () => {
  write("backend/.pulumi/stacks/shop/prod.json", checkpoint("shop", "prod"));
  write("backend/.pulumi/stacks/shop/prod.json.bak", "a copy");
  write("backend/.pulumi/stacks/shop/prod.json.attrs", "");
  write("backend/.pulumi/stacks/blog/dev.json.gz", gzipSync(JSON.stringify(checkpoint("blog", "dev"))));
  write("backend/.pulumi/history/shop/prod/prod-1.checkpoint.json", checkpoint("shop", "history"));
  write("backend/.pulumi/meta.yaml", "version: 1");
  for (const path of ["backend", "backend/.pulumi", "backend/.pulumi/stacks"])
    expect(await namesIn(path)).toEqual(["blog/dev", "shop/prod"]);
});

test("outputs of stack export are read from a folder and by their names, each once", async () => {
  write("states/one.json", { version: 3, deployment: deployment("shop", "prod") });
  write("states/two.json", { version: 3, deployment: deployment("shop", "dev") });
  expect(await namesIn("states", "states/one.json")).toEqual(["shop/prod", "shop/dev"]);
});

test("a stack without resources is left out", async () => {
  write("none.json", { version: 3, checkpoint: { stack: "prod" } });
  write("empty.json", { version: 3, deployment: { resources: [] } });
  write("new.json", { version: 3, deployment: null });
  expect(await namesIn("none.json", "empty.json", "new.json")).toEqual([]);
});

test.each([
  ["no JSON", "secret: planted-secret", "state.json is no state of a stack"],
  ["other JSON", { steps: [], planted: "planted-secret" }, "state.json is no state of a stack"],
  ["a damaged archive", Buffer.from([0x1f, 0x8b, 1, 2]), "state.json is no state of a stack"],
  ["nothing", "", "state.json is no state of a stack"],
])("%s is refused by the name of its file, which may hold a secret", async (_, content, reason) => {
  write("states/state.json", content);
  const error = await read("states").catch((thrown: Error) => thrown.message);
  expect(error).toContain(`states/${reason}`);
  expect(error).not.toContain("planted");
});

test("a missing file and a folder without states are refused", async () => {
  await expect(read("missing.json")).rejects.toThrow("cannot read missing.json: ENOENT");
  mkdirSync(join(directory, "empty"));
  await expect(read("empty")).rejects.toThrow("empty contains no states");
});
