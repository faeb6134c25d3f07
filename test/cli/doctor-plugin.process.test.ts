import { chmodSync } from "node:fs";
import { delimiter, join } from "node:path";
import { checkPlugin } from "../../src/cli/doctor/plugin";
import { packageVersion } from "../../src/provider/base/package-version";
import { contextIn } from "../helpers/command-line";
import { programFolder, type ProgramFolder } from "../helpers/programs";

const VERSION = packageVersion();
const EXECUTABLE = "pulumi-resource-nodecloud";
const PROJECT = "name: p\nruntime: nodejs\n";
const WITH_PATH = `${PROJECT}plugins:\n  providers:\n    - name: nodecloud\n      path: bin\n`;
const USED = { resources: [{ type: "nodecloud:index:Node" }] };

let folder: ProgramFolder;
let environment: Record<string, string>;

beforeEach(() => {
  folder = programFolder({ "Pulumi.yaml": PROJECT, "index.ts": "" });
  environment = { PULUMI_HOME: join(folder.path, "home"), PATH: "/usr/bin:/bin" };
});
afterEach(() => folder.remove());

/** Writes an executable that runs a line of shell. */
function executable(place: string, line = `echo ${VERSION}`): void {
  folder.write(join(place, EXECUTABLE), `#!/bin/sh\n${line}\n`);
  chmodSync(join(folder.path, place, EXECUTABLE), 0o755);
}

const check = (deployment: unknown = USED) =>
  checkPlugin(contextIn({ directory: folder.path, environment }), deployment);

test("a stack of dynamic resources needs no plugin", async () => {
  folder.write("index.ts", 'import * as nodecloud from "pulumi-nodecloud";');
  expect(await check({ resources: [{ type: "pulumi-nodejs:dynamic/nodecloud:Node" }] })).toEqual([]);
});

test.each<[string, () => void, unknown]>([
  ["its state", () => undefined, USED],
  ["its program", () => folder.write("index.ts", 'import { Node } from "pulumi-nodecloud/plugin";'), {}],
])(
  "a stack that uses the plugin by %s needs it, and the advice says how to get it",
  async (_, write, state) => {
    write();
    expect(await check(state)).toEqual([
      {
        name: "plugin",
        status: "problem",
        finding: `neither Pulumi.yaml, nor the PATH, nor the installed plugins have ${EXECUTABLE}`,
        advice: expect.stringMatching(
          /path: node_modules\/\.bin.*pulumi plugin install resource nodecloud v\d/,
        ),
      },
    ]);
  },
);

describe("the plugin is found", () => {
  test("by the path in Pulumi.yaml, before the PATH", async () => {
    folder.write("Pulumi.yaml", WITH_PATH);
    executable("bin");
    executable("other", "echo 0.0.1");
    environment["PATH"] = join(folder.path, "other") + delimiter + environment["PATH"];
    expect(await check({})).toEqual([
      {
        name: "plugin",
        status: "ok",
        finding: `${VERSION}, found by plugins.providers of Pulumi.yaml: bin/${EXECUTABLE}`,
      },
    ]);
  });

  test("on the PATH, unless the engine ignores it", async () => {
    executable("other");
    environment["PATH"] = join(folder.path, "other") + delimiter + environment["PATH"];
    expect(await check()).toMatchObject([{ status: "ok", finding: /the PATH: other/ }].map(matching));
    environment["PULUMI_IGNORE_AMBIENT_PLUGINS"] = "true";
    expect(await check()).toMatchObject([{ status: "problem" }]);
  });

  test("on the PATH of npx, which `pulumi` does not have", async () => {
    executable("node_modules/.bin");
    environment["PATH"] = join(folder.path, "node_modules/.bin") + delimiter + environment["PATH"];
    expect(await check()).toMatchObject([{ status: "ok" }]);
    environment["npm_command"] = "exec";
    expect(await check()).toMatchObject([
      { status: "problem", finding: expect.stringContaining("only the PATH that npm or npx sets has") },
    ]);
    // The shell has it as well.
    environment["PATH"] = join(folder.path, "node_modules/.bin") + delimiter + environment["PATH"];
    expect(await check()).toMatchObject([{ status: "ok" }]);
  });

  test("among the installed plugins, in the version of the package", async () => {
    executable("home/plugins/resource-nodecloud-v0.0.1", "echo 0.0.1");
    expect(await check()).toMatchObject(
      [
        {
          status: "problem",
          finding: /^the installed versions of the plugin are 0\.0\.1, and the package is /,
        },
      ].map(matching),
    );
    executable(`home/plugins/resource-nodecloud-v${VERSION}`);
    expect(await check()).toMatchObject([{ status: "ok", finding: /the installed plugins/ }].map(matching));
  });
});

const matching = ({ status, finding }: { readonly status: string; readonly finding: RegExp }) => ({
  status,
  finding: expect.stringMatching(finding) as string,
});

describe("a problem is", () => {
  beforeEach(() => folder.write("Pulumi.yaml", WITH_PATH));

  test("a path without the plugin, although the PATH has one", async () => {
    executable("other");
    environment["PATH"] = join(folder.path, "other") + delimiter + environment["PATH"];
    expect(await check()).toMatchObject([
      { status: "problem", finding: `Pulumi.yaml names bin, which has no ${EXECUTABLE}` },
    ]);
  });

  test("another version", async () => {
    executable("bin", "echo 0.0.1");
    expect(await check()).toMatchObject(
      [{ status: "problem", finding: /has version 0\.0\.1, and the package is / }].map(matching),
    );
  });

  test.each([
    ["one that does not start", "echo 'Error: no SDK' >&2; exit 1", /does not start: Error: no SDK$/],
    ["one that tells no version", "echo hello", /does not start: it prints no version$/],
  ])("%s", async (_, line, finding) => {
    executable("bin", line);
    expect(await check()).toMatchObject([{ status: "problem", finding }].map(matching));
  });
});
