import { startTestEmulator, type TestEmulator } from "../helpers/emulator";
import { testStack, type TestStack } from "../helpers/stack";
import { expectDestroyed } from "../helpers/with-stack";

let emulator: TestEmulator;
let stack: TestStack;

beforeAll(async () => {
  emulator = await startTestEmulator({ speed: 60_000 });
  stack = await testStack(emulator);
});
afterEach(async () => {
  stack.env["NODECLOUD_BASE_URL"] = emulator.url;
  await expectDestroyed(stack);
  emulator.reset();
});
afterAll(async () => {
  stack.remove();
  await emulator.stop();
});

/** Expects that the preview fails with each of these lines, and that nothing is created. */
async function expectRefusal(program: string, ...lines: string[]): Promise<void> {
  stack.program(program);
  const { code, messages } = await stack.preview();
  expect(code).not.toBe(0);
  for (const line of lines) {
    expect({ messages, about: messages.filter((text) => text.includes(line)).length }).toEqual({
      messages,
      about: 1,
    });
  }
  expect(await emulator.writes()).toEqual([]);
}

test("a preview finds what the account would refuse, and names each property", async () => {
  await expectRefusal(
    `new nodecloud.Node("web", {
       region: "ca-central", type: "g7-premium-2", image: "node/debian99", userData: "#cloud-config",
     });`,
    'type "g7-premium-2" is not available in ca-central',
    'image "node/debian99" does not exist',
    "userData needs a region with the capability Metadata, which ca-central does not have",
  );
  expect(await emulator.counts()).toEqual({
    "GET /v4/regions": 1,
    "GET /v4/regions/availability": 1,
    "GET /v4/images": 1,
    // This request is the lookup of automatic names.
    "GET /v4/node/instances": 1,
  });
});

test("a preview finds a taken name, and gives the id to import", async () => {
  const domain = { domain: "example.org", type: "master", soa_email: "dns@example.org" };
  const { body } = await emulator.call<{ id: number }>("POST", "/domains", { body: domain });
  emulator.reset("requests");
  await expectRefusal(
    'new nodecloud.Domain("zone", { domain: "example.org", type: "master", soaEmail: "dns@example.org" });',
    `domain "example.org" is taken by the Domain ${body.id}. To manage the existing Domain, give this resource the option import: "${body.id}"`,
  );
});

test("a preview finds a name that two resources of the program share", async () => {
  const database = (name: string) =>
    `new nodecloud.MysqlDatabase("${name}", { label: "same", region: "us-east", type: "g6-nanode-1", engine: "mysql/8.0.30" });`;
  await expectRefusal(database("one") + database("two"), 'label "same" is also the label of ');
});

const zone = (region: string) => `
  const zone = new nodecloud.Domain("zone", { domain: "example.org", type: "master", soaEmail: "dns@example.org" });
  new nodecloud.DomainRecord("www", { domainId: zone.id, type: "${region}", name: "www", target: "example.net" });`;

test("a preview without new or changed resources sends no request", async () => {
  stack.program(zone("CNAME"));
  expect(await stack.up()).toMatchObject({ code: 0 });
  emulator.reset("requests");
  expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0 });
  expect(await emulator.counts()).toEqual({});
});

test("a preview gives the reason for a replacement", async () => {
  stack.program(zone("CNAME"));
  expect(await stack.up()).toMatchObject({ code: 0 });
  stack.program(zone("NS"));
  const { printed } = await stack.preview();
  expect(printed).toMatch(
    /DomainRecord www: replacing it, because type changed, and the API has no operation to change it/,
  );
});

test("a replacement of a domain with the same name deletes the old one first", async () => {
  const program = (rest: string) =>
    `new nodecloud.Domain("zone", { domain: "example.org", type: "master", soaEmail: "dns@example.org"${rest} });
     new nodecloud.Domain("other", { domain: "example.net", type: "master", soaEmail: "dns@example.org" });`;
  stack.program(program(""));
  expect(await stack.up()).toMatchObject({ code: 0 });
  const { other } = await stack.state();
  stack.program(program(`, cloneFrom: "${String(other?.id)}"`));
  expect(await stack.up()).toMatchObject({ code: 0, steps: { replace: 1 } });
});

test("a forced replacement of a domain looks like a new domain, and the refusal says what to do", async () => {
  stack.program(
    `new nodecloud.Domain("zone", { domain: "example.org", type: "master", soaEmail: "dns@example.org" }, { deleteBeforeReplace: true });`,
  );
  expect(await stack.up()).toMatchObject({ code: 0 });
  const { zone: old } = await stack.state();
  const replace = () => stack.up("--replace", old?.urn ?? "");
  expect((await replace()).messages.join()).toContain(
    "deleteBeforeReplace and NODECLOUD_VALIDATE=false (a run with --replace)",
  );
  stack.env["NODECLOUD_VALIDATE"] = "false";
  expect(await replace()).toMatchObject({ code: 0, steps: { replace: 1 } });
  delete stack.env["NODECLOUD_VALIDATE"];
  expect((await stack.state())["zone"]?.id).not.toBe(old?.id);
});

test("nodecloud:validate turns the lookups off, for the stack or for one explicit provider", async () => {
  stack.program(`
    const unchecked = new nodecloud.Provider("unchecked", { validate: false });
    new nodecloud.Node("web", { region: "us-nowhere", type: "g6-nanode-1" }, { provider: unchecked });`);
  expect(await stack.preview()).toMatchObject({ code: 0 });
  stack.program('new nodecloud.Node("web", { region: "us-nowhere", type: "g6-nanode-1" });');
  expect((await stack.preview()).code).not.toBe(0);
  await stack.pulumi("config", "set", "nodecloud:validate", "false");
  expect(await stack.preview()).toMatchObject({ code: 0 });
  await stack.pulumi("config", "rm", "nodecloud:validate");
});
