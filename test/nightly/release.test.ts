import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "../helpers/programs";

const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string };
const PLATFORM = `${process.platform}-${process.arch === "x64" ? "amd64" : process.arch}`;

let out: string;
const release = (...args: readonly string[]) =>
  spawnSync(process.execPath, ["scripts/release.mjs", "--out", out, ...args], {
    cwd: ROOT,
    encoding: "utf8",
  });
const read = (name: string) => readFileSync(join(out, name), "utf8");

beforeAll(() => (out = mkdtempSync(join(tmpdir(), "nodecloud-release-"))));
afterAll(() => rmSync(out, { recursive: true }));

test("a release without its tag is refused, and builds nothing", () => {
  const { status, stdout } = release();
  expect({ status, stdout }).toEqual({
    status: 1,
    stdout: expect.stringContaining(`the commit has no tag v${version}`) as string,
  });
  expect(readdirSync(out)).toEqual([]);
});

test("a dry run builds all that is uploaded, and each installs in an empty folder", () => {
  const { status, stdout, stderr } = release("--dry-run", "--only", PLATFORM);
  expect({ status, stderr }).toMatchObject({ status: 0 });
  const tried = [...stdout.matchAll(/^ {2}(.*): it loads$/gm)].map(([, name]) => name);
  expect(tried).toEqual([
    ...["npm install", "pnpm add", "yarn add", "pip install (wheel)", "pip install (sdist)"],
    ...["go vet", "pulumi plugin install"],
  ]);
  const sums = read("SHA256SUMS").trim().split("\n");
  expect(sums.map((line) => line.slice(66))).toEqual([
    `pulumi-nodecloud-${version}.tgz`,
    `pulumi-resource-nodecloud-v${version}-${PLATFORM}.tar.gz`,
    `pulumi_nodecloud-${version}-py3-none-any.whl`,
    `pulumi_nodecloud-${version}.tar.gz`,
    "sbom.cdx.json",
  ]);
  for (const line of sums) {
    const bytes = readFileSync(join(out, line.slice(66)));
    expect(line.slice(0, 64)).toBe(createHash("sha256").update(bytes).digest("hex"));
  }
  const sdist = execFileSync("tar", ["tzf", join(out, `pulumi_nodecloud-${version}.tar.gz`)], {
    encoding: "utf8",
  });
  expect(sdist).toContain(`pulumi_nodecloud-${version}/LICENSE\n`);
  const { components } = JSON.parse(read("sbom.cdx.json")) as {
    components: { name: string; hashes: { alg: string; content: string }[] }[];
  };
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
    dependencies: object;
  };
  expect(components.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(dependencies)));
  const nodes = components.filter(({ name }) => /^node-(?:bin-)?(?:darwin|linux|win)-/.test(name));
  expect(nodes).toHaveLength(6);
  for (const { hashes } of nodes)
    expect(hashes).toEqual([{ alg: "SHA-512", content: expect.stringMatching(/^[0-9a-f]{128}$/) as string }]);
});
