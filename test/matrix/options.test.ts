import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as ts from "typescript";
import { type TestEmulator } from "../helpers/emulator";
import { ROOT } from "../helpers/programs";
import { type Outcome, type StateResource, type TestStack } from "../helpers/stack";
import { stackForAllTests } from "../helpers/with-stack";
import { everyKind, FIRST, type Kind, KINDS } from "./every-kind";

let emulator: TestEmulator;
let stack: TestStack;
const begin: Parameters<typeof stackForAllTests>[0] = (own) => {
  ({ emulator, stack } = own);
  stack.folder.write("disk.img", "a small disk");
};

/** The options that tests prove. Two of them have their own files; the file of `ignoreChanges` also proves `import`. */
const proven = new Set<string>(["ignoreChanges", "import", "replaceOnChanges"]);

function proof(option: string, title: string, run: () => Promise<void> | void): void {
  proven.add(option);
  test(`${option} ${title}`, async () => run());
}

type State = Readonly<Record<string, StateResource>>;

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

describe("a program whose resources have many options", () => {
  stackForAllTests(begin);
  let made: Outcome;
  let inside: State;

  beforeAll(async () => {
    stack.program(
      everyKind({
        before: `${around()}
          const seen = { transformations: 0, transforms: 0 };
          const noting = (option) => ({ props, opts }) => { seen[option]++; return { props, opts }; };`,
        options: () => `{ parent: site, dependsOn: [other], additionalSecretOutputs: ["type"],
          customTimeouts: { create: "9m" }, version: "3.230.0", pluginDownloadURL: "https://example.invalid",
          hideDiffs: ["label"], transformations: [noting("transformations")], transforms: [noting("transforms")] }`,
        after: 'process.on("exit", () => console.log("seen " + JSON.stringify(seen)));',
      }),
    );
    made = await stack.up();
    inside = await stack.state();
  });

  /** What the state shows of each kind. */
  const inState = (shown: object) =>
    expect(inside).toMatchObject(Object.fromEntries(KINDS.map((kind) => [kind, shown])));

  for (const option of ["version", "pluginDownloadURL", "hideDiffs"]) {
    proof(option, "is accepted for every kind", () => {
      expect(made).toMatchObject({ code: 0, steps: { create: ALL + 1 } });
    });
  }

  for (const option of ["transformations", "transforms"]) {
    proof(option, "are called once for each resource of every kind", () => {
      expect(/seen (\{.*?\})/.exec(made.printed.replaceAll("\\", ""))?.[1]).toContain(`"${option}":${ALL}`);
    });
  }

  proof("parent", "puts every kind below the component", () => {
    inState({ parent: expect.stringMatching(/::site$/) as string });
  });

  proof("providers", "of the component serve every kind below it", () => {
    inState({ provider: expect.stringMatching(/::staging::/) as string });
  });

  proof("dependsOn", "is in the state of every kind", () => {
    inState({ dependencies: expect.arrayContaining([expect.stringMatching(/::other$/)]) as string[] });
  });

  proof("customTimeouts", "are handed to the provider of every kind", () => {
    inState({ inputs: { __timeouts: { create: "9m" } } });
  });

  proof("additionalSecretOutputs", "are encrypted in the state", () => {
    inState({ additionalSecretOutputs: expect.arrayContaining(["type"]) as string[] });
    const raw = JSON.parse(stack.rawState()) as {
      checkpoint: { latest: { resources: { urn: string; outputs?: Record<string, unknown> }[] } };
    };
    const node = raw.checkpoint.latest.resources.find(({ urn }) => urn.endsWith("::Node"));
    expect(node?.outputs?.["type"]).toHaveProperty("ciphertext");
  });

  describe("and that then moves out of the component", () => {
    let moved: Outcome;
    let after: State;

    beforeAll(async () => {
      stack.program(
        everyKind({
          before: around(),
          options: (kind) =>
            `{ aliases: [{ name: "${kind}", parent: site }], provider: staging, protect: true, retainOnDelete: true }`,
        }),
      );
      moved = await stack.up();
      after = await stack.state();
    });

    proof("aliases", "keep the objects of every kind as they are", () => {
      expect(moved).toMatchObject({ code: 0, order: [], steps: { same: ALL + 1 } });
      for (const kind of KINDS) expect(after[kind]?.id).toBe(inside[kind]?.id);
    });

    proof("provider", "serves every kind", () => {
      for (const kind of KINDS) expect(after[kind]?.provider).toMatch(/::staging::/);
    });

    proof("protect", "refuses the deletion of every kind, with the engine's message", async () => {
      stack.program(around());
      const refused = await stack.preview();
      expect(refused.code).not.toBe(0);
      expect(refused.messages.join()).toMatch(/cannot be deleted\s+because it is protected/);
    });

    describe("and of which the objects are then read instead", () => {
      let held: Record<string, number>;
      let retained: Outcome;

      beforeAll(async () => {
        stack.program(
          everyKind({ before: around(), options: () => "{ provider: staging, retainOnDelete: true }" }),
        );
        expect(await stack.up()).toMatchObject({ code: 0, order: [] });
        held = await objects();
        const reads = KINDS.map(
          (kind) => `
            nodecloud.${kind}.get("${kind}-got", "${after[kind]?.id}").urn.apply((urn) => {
              new nodecloud.${kind}("${kind}-again", undefined, { urn }).id.apply((id) => console.log("again ${kind} " + id));
            });
            new nodecloud.${kind}("${kind}-read", undefined, { id: "${after[kind]?.id}" });`,
        );
        stack.program(around() + reads.join(""));
        retained = await stack.up();
      });

      proof("retainOnDelete", "leaves the objects of every kind in the account", async () => {
        expect(retained).toMatchObject({ code: 0, messages: [], steps: { delete: ALL } });
        expect(await objects()).toEqual(held);
      });

      proof("id", "reads the object of every kind", () => {
        for (const kind of KINDS) expect(retained.stepsOf(`${kind}-read`)).toEqual(["read"]);
      });

      proof("get", "reads the object of every kind", () => {
        expect(retained.steps["read"]).toBe(2 * ALL);
        for (const kind of KINDS) expect(retained.stepsOf(`${kind}-got`)).toEqual(["read"]);
      });

      proof("urn", "gives the registered resource of every kind", () => {
        for (const kind of KINDS) expect(retained.printed).toContain(`again ${kind} ${after[kind]?.id}`);
      });
    });
  });
});

describe("a replacement that the program asks for", () => {
  stackForAllTests(begin);
  const program = (trigger: number, options = "") =>
    everyKind({ before: around(), options: () => `{ replacementTrigger: ${trigger}${options} }` });

  beforeAll(async () => {
    stack.program(program(1));
    expect(await stack.up()).toMatchObject({ code: 0 });
    stack.env["NODECLOUD_VALIDATE"] = "false";
  });

  describe("by a changed trigger", () => {
    let asked: Outcome;
    beforeAll(async () => {
      stack.program(program(2, ", deleteBeforeReplace: true"));
      asked = await stack.preview();
    });

    proof("replacementTrigger", "replaces every kind", () => {
      expect(asked.code).toBe(0);
      expect(names(asked.order, "replace")).toEqual(everyName);
    });

    proof("deleteBeforeReplace", "deletes every kind first", () => {
      for (const kind of KINDS) {
        expect(asked.stepsOf(kind)).toEqual(["delete-replaced", "replace", "create-replacement"]);
      }
    });

    test("is refused for a unique name that is taken, unless the validation is off", async () => {
      delete stack.env["NODECLOUD_VALIDATE"];
      // The engine stops at the first refused resource. This can be any resource with a unique name.
      expect((await stack.preview()).messages.join()).toMatch(/is taken by the (\w+Database|Domain) \d+/);
      stack.env["NODECLOUD_VALIDATE"] = "false";
    });
  });

  proof("replaceWith", "replaces every kind together with the other resource", async () => {
    stack.program(
      everyKind({
        before: around(", cloneFrom: 12"),
        options: () => "{ replacementTrigger: 1, replaceWith: [other] }",
      }),
    );
    const together = await stack.preview();
    expect(together.code).toBe(0);
    expect(names(together.order, "replace")).toEqual([...everyName, "other"].sort());
  });

  proof("deletedWith", "deletes no object of any kind whose other resource is deleted", async () => {
    delete stack.env["NODECLOUD_VALIDATE"];
    stack.program(
      everyKind({ before: around(), options: () => "{ replacementTrigger: 1, deletedWith: other }" }),
    );
    expect(await stack.up()).toMatchObject({ code: 0, order: [] });
    const { "/domains": domains, ...others } = await objects();
    stack.program("");
    expect(await stack.up()).toMatchObject({ code: 0, steps: { delete: ALL + 1 } });
    expect(await objects()).toEqual({ ...others, "/domains": Number(domains) - 1 });
  });
});

describe("an option that the engine refuses fails with the engine's message:", () => {
  stackForAllTests(begin);
  const refusals: Readonly<Record<string, readonly [options: string, words: string]>> = {
    envVarMappings: [
      '{ envVarMappings: { A: "B" } }',
      "envVarMappings can only be used with provider resources",
    ],
    stateMigrations: [
      "{ stateMigrations: [() => undefined] }",
      "The Pulumi CLI does not support state migrations. Please update the Pulumi CLI",
    ],
    hooks: [
      '{ hooks: { beforeCreate: [new pulumi.ResourceHook("noting", () => { console.log("hooked"); }, { onDryRun: true })] } }',
      "unknown method RegisterResourceHook for service pulumirpc.ResourceMonitor",
    ],
  };
  for (const [option, [options, words]] of Object.entries(refusals)) {
    proof(option, "of every kind", async () => {
      stack.program(everyKind({ before: `const options = ${options};`, options: () => "options" }));
      const { code, printed } = await stack.preview();
      // A newer engine or language host accepts it.
      if (code !== 0) expect(printed).toContain(words);
    });
  }
});

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
