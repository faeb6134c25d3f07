import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const root = resolve(__dirname, "../..");
const FOLDERS = ["src/emulator/kinds", "src/emulator/routes"];

/** A tree with the kinds and routes of the emulator. */
let tree: string;
beforeEach(() => {
  tree = mkdtempSync(join(tmpdir(), "nodecloud-registries-"));
  for (const folder of FOLDERS) cpSync(join(root, folder), join(tree, folder), { recursive: true });
});
afterEach(() => rmSync(tree, { recursive: true }));

function write(file: string, text: string): void {
  mkdirSync(dirname(join(tree, file)), { recursive: true });
  writeFileSync(join(tree, file), text);
}

/** Generates the registries of the tree for families of the API: their contents by file, or the message of the error. */
function generate(families: readonly { readonly name: string; readonly stem: string }[] = []): {
  readonly files: Readonly<Record<string, string>>;
  readonly error: string;
} {
  const script = pathToFileURL(join(root, "scripts/generate/emulator.mjs")).href;
  const text = `
    import { emulatorRegistries } from ${JSON.stringify(script)};
    try {
      const root = new URL(${JSON.stringify(`${pathToFileURL(tree).href}/`)});
      const files = {};
      for (const { file, written } of await emulatorRegistries(${JSON.stringify(families)}, root)) files[file] = await written("");
      console.log(JSON.stringify({ files, error: "" }));
    } catch ({ message }) {
      console.log(JSON.stringify({ files: {}, error: message }));
    }`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", text], {
    encoding: "utf8",
  });
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout) as ReturnType<typeof generate>;
}

test("the registries of the repository match its files", () => {
  const { files } = generate();
  expect(Object.keys(files)).toEqual(FOLDERS.map((folder) => `${folder}/index.ts`));
  for (const [file, content] of Object.entries(files)) {
    expect({ file, content }).toEqual({ file, content: readFileSync(join(root, file), "utf8") });
  }
});

test("the files of a new kind and a new family of routes are enough for the registries", () => {
  write("src/emulator/kinds/ssh-key.ts", "export const sshKey = {};");
  write("src/emulator/routes/ssh-keys.ts", "export const routes = { sshKeys: () => [] };");
  const { files } = generate();
  expect(files["src/emulator/kinds/index.ts"]).toMatch(
    /import \{ sshKey \} from "\.\/ssh-key";[^]*kinds: readonly ObjectKind\[\] = \[[^\]]*\bsshKey\b/,
  );
  expect(files["src/emulator/routes/index.ts"]).toMatch(
    /import \{ routes as sshKeys \} from "\.\/ssh-keys";[^]*\n {2}\.\.\.sshKeys,\n/,
  );
});

describe("a family without routes of its own", () => {
  const sshKeys = { name: "sshKeys", stem: "ssh-keys" };
  const routesOf = (...families: Parameters<typeof generate>) =>
    generate(...families).files["src/emulator/routes/index.ts"];

  test("has the default ones, of the kind with a collection of its name", () => {
    write("src/emulator/kinds/ssh-key.ts", "export const sshKey = { collections: { sshKeys: {} } };");
    const routes = routesOf([sshKeys]);
    expect(routes).toContain('import { sshKeys as sshKeysFamily } from "../../api/ssh-keys";');
    expect(routes).toContain('import { sshKey as sshKeysKind } from "../kinds/ssh-key";');
    expect(routes).toMatch(
      /\n {2}sshKeys: \(store\) =>\s+endpoints\(sshKeysFamily, byId\(store\.table\(sshKeysKind\)\), defaultHandlers\(store, sshKeysKind\)\),\n/,
    );
  });

  test("has none if no kind has such a collection, or if a file has its routes", () => {
    write("src/emulator/kinds/ssh-key.ts", "export const sshKey = { collections: { keys: {} } };");
    expect(routesOf([sshKeys])).not.toContain("sshKeys");
    expect(routesOf([{ name: "domains", stem: "domains" }])).not.toContain("domainsKind");
  });
});

test("a file without its export is refused, and the error names it", () => {
  write("src/emulator/kinds/ssh-key.ts", "export const key = {};");
  expect(generate().error).toBe("src/emulator/kinds/ssh-key.ts must export its kind as the constant sshKey");
  write("src/emulator/kinds/ssh-key.ts", "export const sshKey = {};");
  write("src/emulator/routes/ssh-keys.ts", "const routes = {};");
  expect(generate().error).toBe("src/emulator/routes/ssh-keys.ts must export the constant routes");
});

test("two files for one family are refused", () => {
  write("src/emulator/routes/zones.ts", "export const routes = { domains: () => [] };");
  expect(generate().error).toBe(
    "src/emulator/routes/zones.ts and src/emulator/routes/domains.ts both export routes.domains",
  );
});
