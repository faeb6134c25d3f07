import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as ts from "typescript";
import { type TestEmulator } from "../helpers/emulator";
import { ROOT } from "../helpers/programs";
import { type TestStack } from "../helpers/stack";
import { stackForEachTest } from "../helpers/with-stack";
import { everyKind, FIRST, type Kind, KINDS } from "./every-kind";

let emulator: TestEmulator;
let stack: TestStack;
stackForEachTest((own) => {
  ({ emulator, stack } = own);
  stack.folder.write("disk.img", "a small disk");
});

/** The options that tests prove. Two of them have their own files; the file of `ignoreChanges` also proves `import`. */
const proven = new Set<string>(["ignoreChanges", "import", "replaceOnChanges"]);

function proof(options: readonly string[], title: string, run: () => Promise<void>): void {
  for (const option of options) proven.add(option);
  test(`${options.join(", ")}: ${title}`, run);
}

const ALL = KINDS.length;
const names = (orders: readonly string[], step: string) =>
  orders
    .filter((text) => text.endsWith(` ${step}`))
    .map((text) => String(text.split(" ")[0]))
    .sort();
const everyName = [...KINDS].sort();

const around = (more = "") => `
  const staging = new nodecloud.Provider("staging", { token: process.env.NODECLOUD_TOKEN });
  const site = new pulumi.ComponentResource("test:index:Site", "site", {}, { providers: [staging] });
  const other = new nodecloud.Domain("other", { domain: "other.org", type: "master", soaEmail: "a@b.org"${more} });`;

/** The objects of all kinds in the account. */
async function objects(): Promise<Record<string, number>> {
  const paths = ["/node/instances", "/databases/instances", "/domains", "/images"];
  const counts = await Promise.all(
    paths.map(async (path) => {
      const { body } = await emulator.call<{ data: { is_public?: boolean }[] }>("GET", path);
      return [path, body.data.filter(({ is_public }) => is_public !== true).length] as const;
    }),
  );
  return Object.fromEntries(counts);
}

proof(
  [
    "parent",
    "dependsOn",
    "providers",
    "additionalSecretOutputs",
    "customTimeouts",
    "version",
    "pluginDownloadURL",
    "hideDiffs",
    "transformations",
    "transforms",
    "aliases",
    "provider",
    "protect",
    "retainOnDelete",
    "id",
    "get",
    "urn",
  ],
  "every kind accepts them, and the state shows it",
  async () => {
    stack.program(
      everyKind({
        before: `${around()} let seen = 0; const noting = (options) => ({ props, opts }) => { seen++; return { props, opts }; };`,
        options: () => `{ parent: site, dependsOn: [other], additionalSecretOutputs: ["type"],
          customTimeouts: { create: "9m" }, version: "3.230.0", pluginDownloadURL: "https://example.invalid",
          hideDiffs: ["label"], transformations: [noting()], transforms: [noting()] }`,
        after: 'process.on("exit", () => console.log("transformed " + seen));',
      }),
    );
    const made = await stack.up();
    expect(made).toMatchObject({ code: 0, steps: { create: ALL + 1 } });
    expect(made.printed).toContain(`transformed ${2 * ALL}`);
    const inside = await stack.state();
    for (const kind of KINDS) {
      expect(inside[kind]).toMatchObject({
        parent: expect.stringMatching(/::site$/) as string,
        provider: expect.stringMatching(/::staging::/) as string,
        dependencies: expect.arrayContaining([expect.stringMatching(/::other$/)]) as string[],
        additionalSecretOutputs: expect.arrayContaining(["type"]) as string[],
        inputs: { __timeouts: { create: "9m" } },
      });
    }
    const raw = JSON.parse(stack.rawState()) as {
      checkpoint: { latest: { resources: { urn: string; outputs?: Record<string, unknown> }[] } };
    };
    const node = raw.checkpoint.latest.resources.find(({ urn }) => urn.endsWith("::Node"));
    expect(node?.outputs?.["type"]).toHaveProperty("ciphertext");

    // Moves out of the component with aliases.
    stack.program(
      everyKind({
        before: around(),
        options: (kind) =>
          `{ aliases: [{ name: "${kind}", parent: site }], provider: staging, protect: true, retainOnDelete: true }`,
      }),
    );
    expect(await stack.up()).toMatchObject({ code: 0, order: [], steps: { same: ALL + 1 } });

    stack.program(around());
    const refused = await stack.preview();
    expect(refused.code).not.toBe(0);
    expect(refused.messages.join()).toMatch(/cannot be deleted\s+because it is protected/);

    stack.program(
      everyKind({ before: around(), options: () => "{ provider: staging, retainOnDelete: true }" }),
    );
    expect(await stack.up()).toMatchObject({ code: 0, order: [] });
    const held = await objects();
    const ids = await stack.state();
    const reads = KINDS.map(
      (kind) => `
        nodecloud.${kind}.get("${kind}-got", "${ids[kind]?.id}").urn.apply((urn) => {
          new nodecloud.${kind}("${kind}-again", undefined, { urn }).id.apply((id) => console.log("again ${kind} " + id));
        });
        new nodecloud.${kind}("${kind}-read", undefined, { id: "${ids[kind]?.id}" });`,
    );
    stack.program(around() + reads.join(""));
    const retained = await stack.up();
    expect(retained).toMatchObject({ code: 0, messages: [], steps: { delete: ALL, read: 2 * ALL } });
    for (const kind of KINDS) expect(retained.printed).toContain(`again ${kind} ${ids[kind]?.id}`);
    expect(await objects()).toEqual(held);
  },
);

proof(
  ["deleteBeforeReplace", "replacementTrigger", "replaceWith", "deletedWith"],
  "every kind is replaced as the options say, and not deleted if its deletedWith resource is",
  async () => {
    const program = (trigger: number, options = "") =>
      everyKind({ before: around(), options: () => `{ replacementTrigger: ${trigger}${options} }` });
    stack.program(program(1));
    expect(await stack.up()).toMatchObject({ code: 0 });
    stack.program(program(2, ", deleteBeforeReplace: true"));
    // The engine stops at the first refused resource. This can be any resource with a unique name.
    expect((await stack.preview()).messages.join()).toMatch(/is taken by the (\w+Database|Domain) \d+/);
    stack.env["NODECLOUD_VALIDATE"] = "false";
    const asked = await stack.preview();
    expect(asked.code).toBe(0);
    expect(names(asked.order, "replace")).toEqual(everyName);
    for (const kind of KINDS) {
      expect(asked.stepsOf(kind)).toEqual(["delete-replaced", "replace", "create-replacement"]);
    }

    stack.program(
      everyKind({
        before: around(", cloneFrom: 12"),
        options: () => "{ replacementTrigger: 1, replaceWith: [other] }",
      }),
    );
    const together = await stack.preview();
    expect(together.code).toBe(0);
    expect(names(together.order, "replace")).toEqual([...everyName, "other"].sort());
    delete stack.env["NODECLOUD_VALIDATE"];

    stack.program(
      everyKind({ before: around(), options: () => "{ replacementTrigger: 1, deletedWith: other }" }),
    );
    expect(await stack.up()).toMatchObject({ code: 0, order: [] });
    const { "/domains": domains, ...others } = await objects();
    stack.program("");
    expect(await stack.up()).toMatchObject({ code: 0, steps: { delete: ALL + 1 } });
    expect(await objects()).toEqual({ ...others, "/domains": Number(domains) - 1 });
  },
);

proof(
  ["hooks", "envVarMappings", "stateMigrations"],
  "options that the engine refuses fail with the engine's message",
  async () => {
    const refusals: readonly (readonly [options: string, words: string])[] = [
      ['{ envVarMappings: { A: "B" } }', "envVarMappings can only be used with provider resources"],
      [
        "{ stateMigrations: [() => undefined] }",
        "The Pulumi CLI does not support state migrations. Please update the Pulumi CLI",
      ],
      [
        '{ hooks: { beforeCreate: [new pulumi.ResourceHook("noting", () => { console.log("hooked"); }, { onDryRun: true })] } }',
        "unknown method RegisterResourceHook for service pulumirpc.ResourceMonitor",
      ],
    ];
    for (const [options, words] of refusals) {
      stack.program(everyKind({ before: `const options = ${options};`, options: () => "options" }));
      const { code, printed } = await stack.preview();
      // A newer engine or language host accepts it.
      if (code === 0) continue;
      expect(printed).toContain(words);
    }
  },
);

describe("the table of docs/options.md", () => {
  const page = readFileSync(join(ROOT, "docs/options.md"), "utf8");
  const [head = [], , ...rows] = page
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll("`", "")),
    );
  const options = rows.map(([option]) => option);

  test("has a row for each option that the SDK has, and a column for each kind", () => {
    const file = join(ROOT, "node_modules/@pulumi/pulumi/resource.d.ts");
    const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest);
    const members = ["ResourceOptions", "CustomResourceOptions"].flatMap((name) =>
      source.statements
        .filter(
          (node): node is ts.InterfaceDeclaration =>
            ts.isInterfaceDeclaration(node) && node.name.text === name,
        )
        .flatMap((node) => node.members.map((member) => (member.name as ts.Identifier).text)),
    );
    expect(members.length).toBeGreaterThan(20);
    expect([...options].sort()).toEqual([...members, "get", "providers"].sort());
    expect([...head.slice(1)].sort()).toEqual(everyName);
  });

  test("says for each kind whether an option works, with an existing remark", () => {
    const remarks = page.split("\n").flatMap((line) => /^(\d+)\. /.exec(line)?.[1] ?? []);
    for (const [option, ...cells] of rows) {
      expect([option, cells.length]).toEqual([option, KINDS.length]);
      for (const cell of cells) {
        const [, remark] = /^(?:yes|no)(?: \[(\d+)\])?$/.exec(cell) ?? [undefined, "a mark"];
        expect([option, remark === undefined || remarks.includes(remark)]).toEqual([option, true]);
      }
    }
  });

  test("has a proving test for each row", () => {
    expect([...options].sort()).toEqual([...proven].sort());
  });
});

test("the programs of these tests contain a resource of each kind", () => {
  const kinds: readonly Kind[] = KINDS;
  expect(kinds.filter((kind) => FIRST[kind] === undefined)).toEqual([]);
});
