import { stateIn } from "../../../src/provider/engine/stack-state";
import { type Rig, type ResourceType } from "../../helpers/lifecycle";
import { type Properties } from "../../helpers/plugin";
import { a, startZones, type Zone } from "../../provider/collection/zone";

let rig: Rig;
let zone: Zone;
let www: string;
/** The resources in the state of the stack. */
let state: Properties[] = [];

beforeAll(async () => {
  let newZone;
  const run = { state: stateIn({ resources: [] }) };
  Object.defineProperty(run, "state", { get: () => stateIn({ resources: state }) });
  ({ rig, newZone } = await startZones("plugin", run));
  zone = await newZone();
  await zone.create(a("www"));
  www = await zone.idOf("www");
});
afterAll(() => rig.stop());

const URN = "urn:pulumi:dev::test::nodecloud:index:";

/** The state has these resources, and a new command runs. */
async function has(...resources: readonly (Properties & { type: ResourceType; name: string; id: string })[]) {
  state = resources.map(({ type, name, ...one }) => ({
    type: `nodecloud:index:${type}`,
    urn: `${URN}${type}::${name}`,
    ...one,
  }));
  await rig.restart();
}

/** What the command `pulumi import` asks of the plugin: it reads the object, and checks the inputs that it has read. */
async function command(type: ResourceType, id: string, about = rig.resource(type)) {
  const { inputs = {} } = await rig.plugin.readForImport(about, id);
  const checked = await rig.plugin.check({ urn: about.urn, inputs }, inputs);
  return { failures: checked.failures, read: inputs };
}

const record = (more: Properties = {}) => ({ type: "DomainRecord" as const, name: "main", id: www, ...more });

const ONE_OWNER =
  "An object can have only one owner: keep that resource, or first remove it from the state with `pulumi state delete URN`";

test("pulumi import refuses an object that another resource of the stack manages, and names it", async () => {
  await has(record());
  await expect(command("DomainRecord", www)).rejects.toThrow(
    `import DomainRecord ${www}: DomainRecord main of this stack manages the DomainRecord ${www} (${URN}DomainRecord::main). ${ONE_OWNER}`,
  );
});

test("pulumi import refuses a record that a set of the stack manages", async () => {
  await has({
    type: "DomainRecordSet",
    name: "all",
    id: zone.domainId,
    outputs: { __ids: www.split("/")[1] },
  });
  await expect(command("DomainRecord", www)).rejects.toThrow(
    `DomainRecordSet all of this stack manages the DomainRecord ${www}`,
  );
});

test("pulumi import refuses a set with a record that another resource of the stack manages", async () => {
  await has(record());
  await expect(command("DomainRecordSet", zone.domainId)).rejects.toThrow(
    `import DomainRecordSet ${zone.domainId}: DomainRecord main of this stack manages the DomainRecord ${www}`,
  );
});

test("pulumi import refuses an object that the same command imports under another name", async () => {
  await has();
  const [one, other] = [rig.resource("DomainRecord", "one"), rig.resource("DomainRecord", "other")];
  expect(await command("DomainRecord", www, one)).toMatchObject({ failures: [] });
  await expect(command("DomainRecord", www, other)).rejects.toThrow(
    "the same command imports it as DomainRecord one",
  );
});

test("pulumi import accepts an object that the stack only reads, or that it has in another account", async () => {
  const provider = { type: "pulumi:providers:nodecloud", id: "there", urn: `${URN}there` };
  await has(record({ external: true }));
  state.push({ ...provider, inputs: { baseUrl: "https://there.example" } });
  state.push({
    type: "nodecloud:index:DomainRecord",
    urn: `${URN}DomainRecord::there`,
    id: www,
    provider: `${provider.urn}::there`,
  });
  await rig.restart();
  const { failures, read } = await command("DomainRecord", www);
  expect(failures).toEqual([]);
  expect(Object.keys(read).sort()).toEqual(["__importId", "domainId", "name", "target", "ttlSec", "type"]);
});

test("a program may import what another resource of the state manages, and its state keeps no trace of a refusal", async () => {
  await has(record());
  const again = rig.resource("DomainRecord");
  const { urn } = again;
  const { id, props: outputs, inputs = {} } = await rig.plugin.readForImport(again, www);
  const program = Object.fromEntries(Object.entries(inputs).filter(([name]) => !name.startsWith("__")));
  const checked = await rig.plugin.check({ urn, inputs }, program);
  expect(checked).toMatchObject({ failures: [], inputs: program });
  expect(Object.keys(checked.inputs).sort()).toEqual(Object.keys(program).sort());
  const changes = await rig.plugin.diff({ urn, id, inputs, outputs }, checked.inputs);
  expect(changes).toMatchObject({ changes: true, replaces: [] });
});

test("get reads an object that another resource of the stack manages", async () => {
  await has(record());
  const { id, props } = await rig.resource("DomainRecord").get(www);
  expect(id).toBe(www);
  expect(props).toMatchObject({ name: "www" });
});
