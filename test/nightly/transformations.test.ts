import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type TestEmulator } from "../helpers/emulator";
import { ROOT } from "../helpers/programs";
import { type TestStack } from "../helpers/stack";
import { stackForEachTest } from "../helpers/with-stack";

let emulator: TestEmulator;
let stack: TestStack;
stackForEachTest((own) => ({ emulator, stack } = own));

const zone = `const zone = new nodecloud.Domain("zone", { domain: "example.org", type: "master", soaEmail: "dns@example.org" });`;
const set = (opts: string) =>
  `new nodecloud.DomainRecordSet("all", { domainId: zone.id, records: [{ type: "A", name: "www", target: "192.0.2.1" }] }, ${opts});`;
const more = `props: { ...props, records: [...props.records, { type: "TXT", name: "owner", target: "team" }] }, opts`;

const linesOf = async () => {
  const id = (await stack.state())["zone"]?.id;
  const { body } = await emulator.call<{ data: { name: string }[] }>("GET", `/domains/${id}/records`);
  return body.data.map(({ name }) => name).sort();
};

test.each([
  [
    "a transformation of the set",
    `${zone} ${set(`{ transformations: [({ props, opts }) => ({ ${more} })] }`)}`,
  ],
  [
    "a transformation of the stack",
    `pulumi.runtime.registerStackTransformation(({ type, props, opts }) =>
       type.endsWith(":DomainRecordSet") ? { ${more} } : undefined);
     ${zone} ${set("{}")}`,
  ],
  ["a transform of the set", `${zone} ${set(`{ transforms: [async ({ props, opts }) => ({ ${more} })] }`)}`],
  [
    "a transform of a component",
    `${zone}
     class Site extends pulumi.ComponentResource {
       constructor(opts) { super("test:index:Site", "site", {}, opts); ${set("{ parent: this }")} }
     }
     new Site({ transforms: [async ({ type, props, opts }) => type.endsWith(":DomainRecordSet") ? { ${more} } : undefined] });`,
  ],
])("%s adds a record to the records that it sees", async (_, program) => {
  stack.program(program);
  expect(await stack.preview()).toMatchObject({ code: 0, messages: [] });
  expect(await stack.up()).toMatchObject({ code: 0, messages: [] });
  expect(await linesOf()).toEqual(["owner", "www"]);
  expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0 });
  expect(await stack.drift()).toMatchObject({ code: 0 });
});

test("options that a transformation sets apply: import, customTimeouts, ignoreChanges, a label", async () => {
  const { body } = await emulator.call("POST", "/domains", {
    body: { domain: "example.org", type: "master", soa_email: "dns@example.org" },
  });
  const program = (region: string, ttlSec: number) => `
    pulumi.runtime.registerStackTransformation(({ name, props, opts }) => {
      if (name === "zone") return { props, opts: { ...opts, import: "${String(body["id"])}", ignoreChanges: ["ttlSec"] } };
      if (name === "db") return { props: { ...props, label: "shop" }, opts: { ...opts, customTimeouts: { create: "2h" } } };
    });
    new nodecloud.Domain("zone", { domain: "example.org", type: "master", soaEmail: "dns@example.org", ${ttlSec === 0 ? "" : `ttlSec: ${ttlSec}`} });
    new nodecloud.MysqlDatabase("db", { region: "${region}", type: "g6-standard-1", engine: "mysql/8.0.30" });`;
  stack.program(program("us-east", 0));
  expect(await stack.up()).toMatchObject({ code: 0, messages: [] });
  const { zone: adopted, db } = await stack.state();
  expect(adopted?.id).toBe(String(body["id"]));
  expect(db?.outputs).toMatchObject({ label: "shop", __timeouts: { create: "2h" } });

  stack.program(program("us-west", 3600));
  const up = await stack.up();
  expect(up).toMatchObject({ code: 0 });
  // The program sets its name, so the old one must be deleted first.
  expect(up.order).toEqual(["db delete-replaced", "db replace", "db create-replacement"]);
});

test("pulumi import, and an import that a transform sets, change nothing and fail as docs/options.md says", async () => {
  const { body } = await emulator.call("POST", "/domains", {
    body: { domain: "example.org", type: "master", soa_email: "dns@example.org" },
  });
  const id = String(body["id"]);
  const docs = readFileSync(join(ROOT, "docs/options.md"), "utf8");
  const type = "pulumi-nodejs:dynamic/nodecloud:Domain";
  const command = await stack.pulumi("import", type, "zone", id, "--yes", "--skip-preview");
  expect(command.code).not.toBe(0);
  // This is the SDK's own message. It differs between versions.
  const [, saying = ""] = /\(zone\):\s+error: (.*)/.exec(command.printed) ?? [];
  expect(saying).not.toBe("");
  expect(docs).toContain(`\`${saying}\``);

  stack.program(`new nodecloud.Domain("zone", { domain: "example.org", type: "master", soaEmail: "dns@example.org" },
    { transforms: [({ props, opts }) => ({ props, opts: { ...opts, import: "${id}" } })] });`);
  const up = await stack.up();
  expect(up.code).not.toBe(0);
  expect(up.messages).toEqual([saying, "update failed"]);
  expect(await stack.state()).toEqual({});
  expect((await emulator.call("GET", "/domains")).body).toMatchObject({ results: 1, data: [body] });
});
