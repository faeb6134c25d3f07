import { readFileSync } from "node:fs";
import { join } from "node:path";
import { EXIT } from "../../src/cli/errors";
import { runSettle } from "../../src/cli/settle/run-settle";
import { settleProgram } from "../../src/cli/settle/settle";
import { contextIn } from "../helpers/command-line";
import { startTestEmulator, type TestEmulator } from "../helpers/emulator";
import { testStack, type TestStack } from "../helpers/stack";

let emulator: TestEmulator;
let stack: TestStack;
let domain: number;
let records: number[];

const make = async (path: string, body: object): Promise<number> =>
  (await emulator.call<{ id: number }>("POST", path, { body })).body.id;

beforeAll(async () => {
  emulator = await startTestEmulator({ speed: 60_000 });
  stack = await testStack(emulator);
  domain = await make("/domains", { domain: "example.org", type: "master", soa_email: "dns@example.org" });
  const record = (name: string) =>
    make(`/domains/${domain}/records`, { type: "A", name, target: "192.0.2.1" });
  records = [await record("www"), await record("api"), await record("web.dev")];
});

afterAll(async () => {
  stack.remove();
  await emulator.stop();
});

const record = (name: string, options: string) =>
  `new nodecloud.DomainRecord("${name}", { domainId: ${domain}, type: "A", name: "${name}", target: "192.0.2.1" }, ${options});`;

/** A program with these options, where each could have an id to import. */
const program = (id: (text: string) => string) => `
const zone = new nodecloud.Domain("zone", {
  domain: "example.org", type: "master", soaEmail: "dns@example.org",
}${id(`, { import: "${domain}" }`)});
new nodecloud.DomainRecordSet("dev", {
  domainId: ${domain}, subdomain: "dev", records: [{ type: "A", name: "web.dev", target: "192.0.2.1" }],
}, { ${id(`import: "${domain}/dev", `)}dependsOn: zone });
class Site extends pulumi.ComponentResource {
  constructor() {
    super("my:Site", "site");
    ${record("www", `{ parent: this${id(`, import: "${records[0]}"`).replace(/"(\d+)"/, `"${domain}/$1"`)} }`)}
  }
}
new Site();
`;

const settle = (options = {}) =>
  settleProgram(
    contextIn({ directory: stack.folder.path, environment: stack.env }),
    { show: () => undefined, note: () => undefined },
    options,
  );

const text = () => readFileSync(join(stack.folder.path, "index.js"), "utf8");

test("the option is removed after the up that adopts, and the next preview is empty", async () => {
  stack.program(program((id) => id));
  const before = text();
  const early = await settle({ stacks: ["test"] });
  expect(early.removed).toEqual([]);
  expect(early.stays.map(({ file, line, resource }) => `${file}:${line} ${resource}`)).toEqual([
    "index.js:6 Domain zone",
    "index.js:9 DomainRecordSet dev",
    "index.js:13 DomainRecord www",
  ]);
  expect(text()).toBe(before);

  expect(await stack.up()).toMatchObject({ code: 0, messages: [] });
  expect((await settle({ check: true })).removed).toHaveLength(3);
  expect(text()).toBe(before);

  await emulator.newCounts();
  expect(await settle()).toMatchObject({
    removed: [
      { file: "index.js", line: 6, resource: "Domain zone", id: String(domain) },
      { file: "index.js", line: 9, resource: "DomainRecordSet dev" },
      { file: "index.js", line: 13, resource: "DomainRecord www", id: `${domain}/${records[0]}` },
    ],
    stays: [],
  });
  stack.program(program(() => ""));
  const expected = text();
  stack.folder.write("index.js", before);
  await settle();
  expect(text()).toBe(expected);
  expect(await emulator.newCounts()).toEqual({});
  expect(await settle({ all: true })).toEqual({ removed: [], stays: [] });
  expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0 });
});

test("prints what it removed and what stays, and exits with 2 if an option stays", async () => {
  stack.program(`${program((id) => id)}${record("api", `{ import: "${domain}/${records[1]}" }`)}`);
  const printed: string[] = [];
  const context = contextIn({ directory: stack.folder.path, environment: stack.env });
  context.stdout.on("data", (part: Buffer) => printed.push(part.toString()));
  expect(await runSettle(context, [], { stack: ["test"] })).toBe(EXIT.findings);
  expect(printed.join("").split("\n")).toEqual([
    `index.js:6: removed import: "${domain}" of Domain zone`,
    `index.js:9: removed import: "${domain}/dev" of DomainRecordSet dev`,
    `index.js:13: removed import: "${domain}/${records[0]}" of DomainRecord www`,
    `index.js:17: import of DomainRecord api stays: the state has no DomainRecord ${domain}/${records[1]} of this name: run \`pulumi up\` first`,
    "Removed 3 options in 1 file; 1 option stays.",
    "",
  ]);
  expect(await stack.up()).toMatchObject({ code: 0 });
  printed.length = 0;
  expect(await runSettle(context, [], {})).toBe(EXIT.none);
  expect(printed.join("")).toContain("Removed 1 option in 1 file.\n");
  expect(await runSettle(context, [])).toBe(EXIT.none);
  expect(printed.join("")).toMatch(/There are no options import to remove\.\n$/);
});
