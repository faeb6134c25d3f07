import { type TestEmulator } from "../helpers/emulator";
import { type TestStack } from "../helpers/stack";
import { stackForAllTests, stackForEachTest } from "../helpers/with-stack";
import { KINDS } from "./every-kind";
import { component, pairs } from "./pairs";

let emulator: TestEmulator;
let stack: TestStack;
const begin: Parameters<typeof stackForEachTest>[0] = (own) => {
  ({ emulator, stack } = own);
  stack.folder.write("disk.img", "a disk");
};

/** Runs `up` with this program, after a preview with the same steps. */
async function upTo(source: string, steps: Readonly<Record<string, number>>): Promise<void> {
  stack.program(source);
  const preview = await stack.preview();
  expect(preview).toMatchObject({ code: 0, steps });
  expect(await stack.up()).toMatchObject({ code: 0, steps });
  expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0 });
}

const all = 2 * KINDS.length;

describe("two siblings of each kind in a component", () => {
  stackForAllTests(begin);

  test("are created, and found unchanged", async () => {
    const inOneLine = `["at-once.example"].map((domain) => new nodecloud.Domain("at-once", { domain, type: "master", soaEmail: "a@b.example" }));`;
    await upTo(`${component}; new Site("site", true);\n${inOneLine}`, { create: all + 1 });
    expect(Object.keys(await stack.state())).toHaveLength(all + 1);
    expect(await stack.drift()).toMatchObject({ code: 0 });
  });

  test("have the program's line that created them in the state, and only frames of the program", async () => {
    const state = await stack.state();
    expect(state["at-once"]?.stackTrace).toHaveLength(1);
    for (const [name, { sourcePosition, stackTrace }] of Object.entries(state)) {
      expect(`${name} ${sourcePosition}`).toMatch(/^\S+ project:\/\/\/index\.js#\d+,\d+$/);
      // From make, build and the component to the program's own line. All of them are in this file.
      const files = stackTrace?.map((frame) => frame.sourcePosition?.replace(/#.*/, "")) ?? [];
      expect(new Set(files)).toEqual(new Set(["project:///index.js"]));
      expect(files.length).toBeLessThanOrEqual(4);
      const lines = stackTrace?.map((frame) => frame.sourcePosition?.replace(/,.*/, "")) ?? [];
      expect(lines).toEqual(lines.filter((line, index) => line !== lines[index - 1]));
    }
  });

  test("are deleted", async () => {
    expect(await stack.destroy()).toMatchObject({ code: 0 });
    expect((await emulator.call("GET", "/node/instances")).body).toMatchObject({ results: 0 });
  });
});

describe("resources", () => {
  stackForEachTest(begin);

  test("of nested components without outputs use each of their providers", async () => {
    await upTo(
      `${component}
    class Region extends pulumi.ComponentResource {
      constructor(name, opts) {
        super("test:index:Region", name, {}, opts);
        this.inner = new Site(name, false, { parent: this });
      }
    }
    const account = new nodecloud.Provider("account", { token: "${emulator.token}", baseUrl: "${emulator.url}" });
    new Region("one", { providers: [account] });
    new Region("two", { providers: { "pulumi-nodejs": account } });`,
      { create: 2 * all },
    );
    for (const { provider } of Object.values(await stack.state())) expect(provider).toContain("::account::");
  });

  test("move into and out of a component with aliases", async () => {
    const moved = (from: string) => `() => ({ aliases: [{ parent: ${from} }] })`;
    await upTo(`${pairs}; build("site", () => ({}));`, { create: all });
    const ids = async () =>
      Object.fromEntries(Object.entries(await stack.state()).map(([name, { id }]) => [name, id]));
    const before = await ids();

    await upTo(`${component}; new Site("site", true, {}, ${moved("pulumi.rootStackResource")});`, {
      same: all,
    });
    expect(await ids()).toEqual(before);

    const site = '"urn:pulumi:test::program::test:index:Site::site"';
    await upTo(`${pairs}; build("site", ${moved(site)});`, { same: all });
    expect(await ids()).toEqual(before);
  });
});
