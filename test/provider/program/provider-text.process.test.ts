import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { providerText } from "../../../src/provider/program/provider-text";
import { type Plugin, type Properties, startPlugin } from "../../helpers/plugin";
import { eventually, type ProgramFolder, ROOT } from "../../helpers/programs";

const SEARCHING = providerText("Domain", false);
const zone = { domain: "example.org", type: "master", soaEmail: "dns@example.org" };

// The test sends no request to the service.
const settings = {
  "nodecloud:token": "token",
  "nodecloud:baseUrl": "https://api.invalid/v4",
  "nodecloud:validate": "false",
};

const about = { urn: "urn:pulumi:dev::test::pulumi-nodejs:dynamic/nodecloud:Domain::zone" };
const stored = (properties: Properties) => ({ ...about, id: "1", inputs: properties, outputs: properties });

/** A folder without packages. */
function emptyFolder(): ProgramFolder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "nodecloud-layout-")));
  return {
    path,
    write: (file, content) => {
      mkdirSync(dirname(join(path, file)), { recursive: true });
      writeFileSync(join(path, file), content);
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

describe("the longer text finds the package", () => {
  let folder: ProgramFolder;
  let plugin: Plugin | undefined;

  beforeEach(() => {
    folder = emptyFolder();
  });
  afterEach(async () => {
    await plugin?.stop();
    plugin = undefined;
    folder.remove();
  });

  const write = (file: string, content: object) => folder.write(file, JSON.stringify(content));

  function link(target: string, place: string): void {
    mkdirSync(dirname(join(folder.path, place)), { recursive: true });
    symlinkSync(target, join(folder.path, place), "junction");
  }

  async function finds(): Promise<void> {
    plugin = await startPlugin(settings, { folder, way: "dynamic" });
    const { failures } = await plugin.check(about, { ...zone, __provider: SEARCHING });
    expect(failures).toEqual([]);
  }

  test("where the short text finds it", async () => {
    link(ROOT, "node_modules/pulumi-nodecloud");
    await finds();
  });

  test.each(["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"])(
    "in a package in the program's %s",
    async (kind) => {
      write("package.json", { [kind]: { absent: "1", "@acme/components": "1" } });
      write("node_modules/@acme/components/package.json", { name: "@acme/components" });
      link(ROOT, "node_modules/@acme/components/node_modules/pulumi-nodecloud");
      await finds();
    },
  );

  test("in an indirect dependency that is linked from a store", async () => {
    write("package.json", { dependencies: { outer: "1" } });
    write("store/outer/node_modules/outer/package.json", { dependencies: { inner: "1" } });
    write("store/inner/node_modules/inner/package.json", { exports: { import: "./no-main.mjs" } });
    link(join(folder.path, "store/outer/node_modules/outer"), "node_modules/outer");
    link(join(folder.path, "store/inner/node_modules/inner"), "store/outer/node_modules/inner");
    link(ROOT, "store/inner/node_modules/pulumi-nodecloud");
    await finds();
  });

  test("where packages depend on each other, and one has an unreadable manifest", async () => {
    write("package.json", { dependencies: { one: "1", broken: "1", two: "1" } });
    write("node_modules/one/package.json", { dependencies: { two: "1" } });
    write("node_modules/two/package.json", { dependencies: { one: "1" } });
    folder.write("node_modules/broken/package.json", "{");
    link(ROOT, "node_modules/two/node_modules/pulumi-nodecloud");
    await finds();
  });
});

describe("without the package, the longer text fails with one line that says what to do", () => {
  let empty: ProgramFolder;
  let running: Plugin;

  beforeAll(async () => {
    empty = emptyFolder();
    running = await startPlugin(settings, { folder: empty, way: "dynamic" });
  });
  afterAll(async () => {
    await running.stop();
    empty.remove();
  });

  test.each<[string, (properties: Record<string, unknown>) => Promise<unknown>]>([
    ["check", (properties) => running.check(about, properties)],
    ["diff", (properties) => running.diff(stored(properties), properties)],
    ["create", (properties) => running.create(about, properties)],
    ["read", (properties) => running.read(stored(properties))],
    ["update", (properties) => running.update(stored(properties), properties)],
    ["delete", (properties) => running.delete(stored(properties))],
  ])("in %s", async (_, call) => {
    const failure = await call({ ...zone, __provider: SEARCHING }).catch((error: unknown) => error);
    expect((failure as Error).message).toBe(
      `cannot find pulumi-nodecloud from ${empty.path}: add it to the dependencies in package.json, and install it`,
    );
    expect(running.printed()).toBe("");
  });

  test("and errors of another provider are printed unchanged", async () => {
    await running.check(about, { ...zone, __provider: SEARCHING }).catch(() => undefined);
    const throwing = 'exports.handler=()=>({check(){throw new Error("of another")}})';
    await running.check(about, { __provider: throwing }).catch(() => undefined);
    await eventually("the other's error is printed", () =>
      running.printed().includes("Error: of another") ? true : undefined,
    );
  });
});

test("the texts are exactly these, because the state of each resource contains them", () => {
  expect(providerText("Node", true)).toBe('exports.handler=()=>require("pulumi-nodecloud/runtime").Node');
  expect(providerText("Node", false)).toBe(
    'exports.handler=()=>{const m=require("module"),o=process.cwd(),q=new Set([o]);for(const d of q){' +
      'const r=m.createRequire(d+"/_"),a=m.findPnpApi?.(d+"/");let f,j;' +
      'try{f=r.resolve("pulumi-nodecloud/runtime")}catch{}if(f)return r(f).Node;q.add(r("path").dirname(d));' +
      'try{j=r("./package.json")}catch{}for(const s in j)if(/ies$/.test(s))for(const k in j[s])' +
      'for(const p of a?[d]:r.resolve.paths("_"))' +
      'try{q.add(a?a.resolveToUnqualified(k,p+"/"):r("fs").realpathSync(p+"/"+k))}catch{}}' +
      'const c=console,e=c.error;if(!e.n){c.error=(...a)=>{a[0]==": "||e(...a)};c.error.n=1}' +
      "throw{message:`cannot find pulumi-nodecloud from ${o}: add it to the dependencies in package.json, and install it`," +
      'stack:"",toString:()=>""}}',
  );
});
