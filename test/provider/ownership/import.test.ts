import * as pulumi from "@pulumi/pulumi";
import { UNKNOWN } from "../../../src/provider/base/values";
import { type Rig } from "../../helpers/lifecycle";
import { type Properties } from "../../helpers/plugin";
import { a, reasonsOf, refusalOf, startZones, type Zone } from "../collection/zone";

let rig: Rig;
let zone: Zone;
let newZone: () => Promise<Zone>;
beforeAll(async () => {
  const zones = await startZones("dynamic");
  ({ rig, newZone } = zones);
  zone = await zones.newZone();
});
beforeEach(() => rig.restart());
afterAll(() => rig.stop());

/** A record outside Pulumi, and the inputs of a program that adopts it. */
async function existing(more: Properties = {}) {
  const name = `host${rig.serial()}`;
  const { id } = await zone.create(a(name, "192.0.2.1", more));
  return { name, id: `${zone.domainId}/${id}`, args: { domainId: zone.domainId, ...a(name) } };
}

const refusedImport = (args: Properties, id: string) =>
  refusalOf(rig.resource("DomainRecord").up(args, { import: id }));

const MADE =
  "The service may have rewritten the program's value. Only its answer to an update shows that. Write the account's value " +
  "into the program, import, and then write your value again: the update sends it, and later previews show no change [NC1307]";
const OTHER = "Write the account's values into the program, import, and change them afterwards";

test("an import compares no tag by which another stack owns the object, unless the program declares it", async () => {
  const node = { region: "us-east", type: "g6-nanode-1", label: "web" };
  const create = async (tags: string[]) =>
    String((await rig.emulator.call("POST", "/node/instances", { body: { ...node, tags } })).body["id"]);
  const resource = rig.resource("Node");
  const args = { ...node, tags: ["a"] };
  await resource.up(args, { import: await create(["a", "pulumi:shop/prod"]) });
  expect(await resource.preview(args)).toMatchObject({ changes: false });
  expect(await resource.refresh()).toEqual([]);
  const declared = { ...node, tags: ["pulumi:shop/prod"] };
  const other = rig.resource("Node");
  expect(await refusalOf(other.up(declared, { import: await create([]) }))).toContain("tags is");
});

describe("an import that differs", () => {
  test("only in a value that the service rounds says how to keep the program's value", async () => {
    const { id, args } = await existing({ ttl_sec: 300 });
    expect(await refusedImport({ ...args, ttlSec: 299 }, id)).toBe(
      `import DomainRecord ${id}: ttlSec is 299 in the program and 300 in the account. ${MADE}`,
    );
  });

  test.each(["DomainRecord", "DomainRecordSet"] as const)(
    "only in a value that the service rounds is imported as its message says (%s)",
    async (type) => {
      const own = await newZone();
      const { domainId } = own;
      const { id } = await own.create(a("www", "192.0.2.1", { ttl_sec: 300 }));
      const args = (ttlSec: number) => {
        const record = { ...a("www"), ttlSec };
        return type === "DomainRecord" ? { domainId, ...record } : { domainId, records: [record] };
      };
      const option = { import: type === "DomainRecord" ? `${domainId}/${id}` : domainId };
      const resource = rig.resource(type);
      expect(await refusalOf(resource.up(args(299), option))).toContain(MADE);
      await resource.up(args(300), option);
      expect(await resource.up(args(299), option)).toBe("updated");
      expect(await resource.preview(args(299), option)).toMatchObject({ changes: false });
      expect(await resource.drifted()).toBe(false);
    },
  );

  test("only in the spelling of a name says how to keep the program's value", async () => {
    const { name, id, args } = await existing();
    const { domain } = (await rig.emulator.call<{ domain: string }>("GET", `/domains/${zone.domainId}`)).body;
    const refusal = await refusedImport({ ...args, name: `${name}.${domain}` }, id);
    expect(refusal).toContain(MADE);
  });

  test("in another value too says to write the account's values", async () => {
    const { id, args } = await existing({ ttl_sec: 300 });
    const refusal = await refusedImport({ ...args, target: "192.0.2.7", ttlSec: 299 }, id);
    expect(refusal).toContain('target is "192.0.2.7" in the program and "192.0.2.1" in the account');
    expect(refusal).toContain("; ttlSec is 299 in the program and 300 in the account");
    expect(refusal).toContain(OTHER);
    expect(refusal).not.toContain("rewritten");
  });

  test("in a secret names the input, and shows neither value", async () => {
    const { id, args } = await existing();
    const refusal = await refusedImport({ ...args, target: pulumi.secret("192.0.2.77") }, id);
    expect(refusal).toContain(`import DomainRecord ${id}: target differs. ${OTHER}`);
    expect(refusal).not.toContain("192.0.2.");
  });
});

describe("an import whose option ignoreChanges names an input", () => {
  test("takes the object's value for it, and not the program's", async () => {
    const { name, id, args } = await existing({ ttl_sec: 300 });
    const record = rig.resource("DomainRecord");
    const options = { import: id, ignoreChanges: ["target", "ttlSec"] };
    await record.up({ ...args, target: "192.0.2.7" }, options);
    // Like the engine's own import, also for an input that the program leaves out.
    expect(record.inputs).toMatchObject({ target: "192.0.2.1", ttlSec: 300 });
    expect(record.outputs).toMatchObject({ target: "192.0.2.1", ttlSec: 300 });
    expect(await zone.idOf(name)).toBe(id);
  });

  test("takes the object's name as the program's", async () => {
    const named = { region: "us-east", type: "g6-nanode-1", engine: "mysql/8.0.30" };
    const made = rig.resource("MysqlDatabase");
    await made.up(named);
    await rig.restart();
    const other = rig.resource("MysqlDatabase");
    await other.up(named, { import: made.id, ignoreChanges: ["label"] });
    await rig.restart();
    // Without the option it is a name that was removed.
    const changes = await other.preview(named);
    expect(changes).toMatchObject({ changes: true, replaces: [] });
    expect(changes.inputs["label"]).not.toBe(made.outputs["label"]);
  });

  test("still fails with the differences of the others", async () => {
    const { id, args } = await existing({ ttl_sec: 300 });
    const record = rig.resource("DomainRecord");
    const differing = { ...args, target: "192.0.2.7", ttlSec: 600 };
    expect(await refusalOf(record.up(differing, { import: id, ignoreChanges: ["target"] }))).toBe(
      `import DomainRecord ${id}: ttlSec is 600 in the program and 300 in the account. ${MADE}`,
    );
  });
});

test.each([
  [
    "1/999999",
    "import DomainRecord 1/999999: there is no DomainRecord with the id 1/999999. It was deleted, or another account has it. To create a new one, remove the id from the call of adopt (adopt.ts), or the option import",
  ],
  ["999999", '"999999" is not the id of a DomainRecord; the id has the form domainId/recordId'],
])("an import of the id %s, which does not exist, says so", async (id, message) => {
  const args = { domainId: id.split("/")[0], ...a("www") };
  expect(await refusedImport(args, id)).toContain(message);
});

test("setting a write-only input for the first time after an import is not a change", async () => {
  const node = { region: "us-east", type: "g6-nanode-1", image: "node/debian12" };
  const made = rig.resource("Node");
  await made.up({ ...node, label: "written" });
  await rig.restart();
  const again = rig.resource("Node", made.name);
  const option = { import: made.id };
  await again.up({ ...node, label: "written" }, option);
  const more = { rootPass: "another password", userData: "x", authorizedKeys: ["ssh-ed25519 AAAA two"] };
  expect(await again.preview({ ...node, label: "written", ...more }, option)).toMatchObject({
    changes: false,
  });
});

test("an import with an input that is not known yet compares the others, and passes the check", async () => {
  const { id, args } = await existing();
  const record = rig.resource("DomainRecord");
  expect(await reasonsOf(record.check({ ...args, target: UNKNOWN }, { import: id }))).toBe("");
  const differing = { ...args, target: UNKNOWN, ttlSec: 600 };
  expect(await refusalOf(record.check(differing, { import: id }))).toContain("ttlSec is 600 in the program");
});

test("an import writes nothing, and the state knows the object's outputs", async () => {
  const { id, args } = await existing();
  await rig.requests();
  const record = rig.resource("DomainRecord");
  await record.up(args, { import: id });
  expect(Object.keys(await rig.requests()).filter((operation) => !operation.startsWith("GET"))).toEqual([]);
  expect(record.id).toBe(id);
  expect(record.outputs).toMatchObject({ created: expect.any(String) as string });
  expect(await record.up(args, { import: id })).toBe("same");
});

test("an import says once in the preview which object it takes", async () => {
  const domain = rig.resource("Domain");
  const { body } = await rig.emulator.call<{ id: number }>("POST", "/domains", {
    body: { domain: "there.example", type: "master", soa_email: "dns@there.example" },
  });
  const args = { domain: "there.example", type: "master", soaEmail: "dns@there.example" };
  await domain.check(args, { import: String(body.id) });
  expect(await domain.warnings()).toEqual([`imports the existing Domain ${body.id}`]);
});
