import { isDecrypted, stateIn } from "../../../src/cli/stacks/state";

const secret = (plaintext: string) => ({
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  plaintext,
});

/** How a state names the resources of each package, and what it has of a provider. */
const ways = [
  {
    way: "dynamic resources",
    ours: "pulumi-nodejs:dynamic/nodecloud:Node",
    provider: "pulumi-nodejs",
    inputs: { "nodecloud:token": secret('"t0ken"'), "nodecloud:maxConcurrency": "8" },
  },
  {
    way: "the full plugin",
    ours: "nodecloud:index:Node",
    provider: "nodecloud",
    inputs: { token: secret('"t0ken"'), maxConcurrency: 8, version: "0.1.0" },
  },
];

describe.each(ways)("$way", ({ ours, provider, inputs }) => {
  const PROVIDER = `urn:pulumi:dev::p::pulumi:providers:${provider}::default`;

  const resource = (more: Readonly<Record<string, unknown>>) => ({
    ...{ urn: "urn", custom: true, type: ours, id: "1", provider: `${PROVIDER}::7` },
    ...more,
  });

  const stateOf = (...resources: readonly object[]) =>
    stateIn(
      {
        resources: [
          { ...{ urn: PROVIDER, id: "7", custom: true, type: `pulumi:providers:${provider}` }, inputs },
          ...resources,
        ],
        pending_operations: [{ type: "creating", resource: {} }],
      },
      "/infra/project",
      "/infra",
    );

  test("a resource has the settings of its provider, its secrets opened, and the paths of these", () => {
    const { resources } = stateOf(resource({ inputs: { a: { b: [1, secret('{"c":2}')] } }, outputs: {} }));
    expect(resources).toMatchObject([
      {
        type: "Node",
        settings: { "nodecloud:token": "t0ken", "nodecloud:maxConcurrency": "8" },
        inputs: { a: { b: [1, { c: 2 }] } },
        secrets: [["a", "b", 1]],
      },
    ]);
  });

  test("only resources of this package that the stack manages count, and those of other providers are counted apart", () => {
    const { resources, others, pending } = stateOf(
      resource({ external: true }),
      resource({ custom: false, type: "my:module:Component" }),
      resource({ type: "pulumi:pulumi:StackReference" }),
      resource({ type: "random:index:RandomId" }),
      resource({ delete: true }),
    );
    expect(resources.map(({ isLeaving }) => isLeaving)).toEqual([true]);
    expect(others).toBe(1);
    expect(pending).toMatchObject([{ operation: "creating" }]);
  });

  test("the line is that of the program, also if a package declares the resource", () => {
    const at = (more: object) => stateOf(resource({ ...more })).resources[0]?.source;
    expect(at({ sourcePosition: "project:///src/a%20b.ts#3,14" })).toEqual({
      file: "project/src/a b.ts",
      line: 3,
      column: 14,
    });
    const sourcePosition = "project:///node_modules/web/index.js#9,1";
    const stackTrace = [{ sourcePosition }, { sourcePosition: "project:///../shared/index.ts#5" }];
    expect(at({ sourcePosition, stackTrace })).toEqual({ file: "shared/index.ts", line: 5 });
    expect(at({ sourcePosition })).toMatchObject({ line: 9 });
    expect(at({ sourcePosition: "something else" })).toBeUndefined();
  });

  test("a state whose secrets are all null was not decrypted", () => {
    expect(isDecrypted({ resources: [resource({ inputs: { a: secret("null") } })] })).toBe(false);
    expect(isDecrypted({ resources: [resource({ inputs: { a: secret("null"), b: secret("1") } })] })).toBe(
      true,
    );
    expect(isDecrypted({ resources: [resource({})] })).toBe(true);
  });
});
