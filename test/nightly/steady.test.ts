import { type TestEmulator } from "../helpers/emulator";
import { type TestStack } from "../helpers/stack";
import { stackForEachTest } from "../helpers/with-stack";

let emulator: TestEmulator;
let stack: TestStack;
stackForEachTest((own) => ({ emulator, stack } = own));

const program = ({ tags = "[]", allowList = "[]", type = "g6-nanode-1", provider = false } = {}) => `
  const account = ${provider ? `new nodecloud.Provider("account", { token: "${emulator.token}", baseUrl: "${emulator.url}" })` : "undefined"};
  const opts = account === undefined ? {} : { provider: account };
  const web = new nodecloud.Node("web", { region: "us-east", type: "${type}", image: "node/debian12", tags: ${tags} }, opts);
  const db = new nodecloud.PostgresqlDatabase("db", {
    region: "us-east", type: "g6-standard-1", engine: "postgresql/14.6", allowList: ${allowList},
  }, opts);
  const zone = new nodecloud.Domain("zone", { domain: "example.org", type: "master", soaEmail: "dns@example.org" }, opts);
  const address = web.ipv4.apply(([first]) => first);
  new nodecloud.DomainRecord("www", { domainId: zone.id, type: "A", name: "www", target: address }, opts);
  new nodecloud.DomainRecordSet("all", { domainId: zone.id, records: [{ type: "A", name: "all", target: address }] }, opts);
  new nodecloud.Node("app", {
    region: "us-east", type: "g6-nanode-1", image: "node/debian12", userData: pulumi.interpolate\`#cloud-config\\nhost: \${db.hosts.primary}\`,
  }, opts);`;

test.each([false, true])(
  "a preview of updates in place shows dependants of steady outputs as unchanged (explicit provider: %s)",
  async (provider) => {
    stack.program(program({ provider }));
    expect(await stack.up()).toMatchObject({ code: 0, steps: { create: 6 } });

    stack.program(program({ provider, tags: '["a"]', allowList: '["192.0.2.1"]' }));
    await emulator.control("POST", "/reset?only=requests");
    const preview = await stack.preview();
    expect(preview).toMatchObject({ code: 0, steps: { update: 2, same: 4 }, messages: [] });
    expect(await emulator.counts()).toMatchObject({
      "GET /v4/node/instances": 1,
      "GET /v4/databases/postgresql/instances": 1,
    });

    expect(await stack.up()).toMatchObject({ code: 0, steps: { update: 2, same: 4 } });
  },
);

test("the preview of a resize does not know the outputs that the resize may change", async () => {
  stack.program(program());
  expect(await stack.up()).toMatchObject({ code: 0 });
  stack.program(program({ type: "g6-standard-1" }));
  expect((await stack.preview()).stepsOf("www")).toEqual(["update"]);
});

test("a preview that does not look at the account works without the API, with unknown steady outputs", async () => {
  stack.env["NODECLOUD_VALIDATE"] = "false";
  stack.program(program());
  expect(await stack.up()).toMatchObject({ code: 0 });
  stack.program(program({ tags: '["a"]' }));
  await emulator.control("POST", "/faults", { method: "GET", path: "/**", effect: { status: 403 } });
  const preview = await stack.preview();
  expect(preview).toMatchObject({ code: 0 });
  expect(preview.stepsOf("www")).toEqual(["update"]);
});

test("an input that the service may round is not known before, unless the object has it", async () => {
  const rounding = (ttlSec: number, target = "192.0.2.1") => `
    const zone = new nodecloud.Domain("zone", { domain: "example.org", type: "master", soaEmail: "dns@example.org" });
    const www = new nodecloud.DomainRecord("www", { domainId: zone.id, type: "A", name: "www", target: "${target}", ttlSec: ${ttlSec} });
    new nodecloud.DomainRecord("note", { domainId: zone.id, type: "TXT", name: "note", target: pulumi.interpolate\`${"${www.ttlSec}"}\` });`;
  stack.program(rounding(300));
  expect(await stack.up()).toMatchObject({ code: 0 });
  stack.program(rounding(300, "192.0.2.2"));
  expect(await stack.preview()).toMatchObject({ code: 0, steps: { update: 1 } });
  stack.program(rounding(3000));
  const preview = await stack.preview();
  expect(preview).toMatchObject({ code: 0, steps: { update: 2 } });
  expect(preview.printed).not.toMatch(/"target": "3000"/);
  expect(await stack.up()).toMatchObject({ code: 0, steps: { update: 2 } });
  expect((await stack.state())["note"]?.inputs).toMatchObject({ target: "3600" });
});

describe("a part of an output that the program does not set", () => {
  const partial = (tags: string) => `
    const web = new nodecloud.Node("web", {
      region: "us-east", type: "g6-nanode-1", image: "node/debian12", tags: ${tags},
      backupsEnabled: true, backups: { schedule: { day: "Monday" } }, alerts: { cpu: 80 },
    });
    exports.enabled = web.backups.enabled.apply((enabled) => enabled.toString());
    exports.backups = web.backups;
    exports.day = web.backups.apply(({ schedule }) => schedule?.day);
    exports.cpu = web.alerts.apply(({ cpu }) => cpu);
    new nodecloud.Domain("zone", {
      domain: "example.org", type: "master", soaEmail: "dns@example.org", ttlSec: web.alerts.io.apply((io) => io ?? 300),
    });`;

  test("is unknown in the preview of a creation or an update, and known if nothing changes", async () => {
    stack.program(partial("[]"));
    const created = await stack.preview();
    expect(created).toMatchObject({ code: 0, messages: [] });
    expect(await stack.up()).toMatchObject({ code: 0 });
    const same = await stack.preview();
    expect(same).toMatchObject({ code: 0, steps: { same: 2 }, messages: [] });

    stack.program(partial('["a"]'));
    const updated = await stack.preview();
    expect(updated).toMatchObject({ code: 0, messages: [] });
    expect(updated.printed).not.toMatch(/- (?:available|enabled|window)/);
    expect(await stack.up()).toMatchObject({ code: 0, steps: { update: 1, same: 1 } });
  });
});
