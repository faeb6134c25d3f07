import { type Rig, type ResourceType, startRig } from "../../helpers/lifecycle";
import { wholeAccount, type WholeAccount } from "../../helpers/whole-account";

let rig: Rig;
let account: WholeAccount;
beforeAll(async () => {
  rig = await startRig({}, { speed: 1 }, "plugin");
  account = await wholeAccount(rig.emulator);
});
afterAll(() => rig.stop());

/** The id of the resource for an object, by its path in the API. */
const idOf = (name: string): string => {
  const path = account[name] ?? "";
  if (name === "image") return path.replace("/images/", "");
  return path
    .split("/")
    .filter((part) => /^\d+$/.test(part))
    .join("/");
};

async function idOfBackup(engine: string, database: string): Promise<string> {
  const path = `/databases/${engine}/instances/${idOf(database)}/backups`;
  const { body } = await rig.emulator.call<{ data: { id: number; label?: string }[] }>("GET", path);
  const made = body.data.find(({ label }) => label === "beforemove");
  return `${idOf(database)}/${String(made?.id)}`;
}

const OBJECTS: readonly (readonly [string, ResourceType, () => string | Promise<string>])[] = [
  ["a node with backups", "Node", () => idOf("web")],
  ["a node that is off", "Node", () => idOf("twin")],
  ["a snapshot", "NodeBackupSnapshot", () => idOf("snapshot")],
  ["a MySQL database", "MysqlDatabase", () => idOf("mysql")],
  ["a PostgreSQL database", "PostgresqlDatabase", () => idOf("postgresql")],
  ["a backup of a MySQL database", "MysqlDatabaseBackup", () => idOfBackup("mysql", "mysql")],
  [
    "a backup of a PostgreSQL database",
    "PostgresqlDatabaseBackup",
    () => idOfBackup("postgresql", "postgresql"),
  ],
  ["a master domain", "Domain", () => idOf("zone")],
  ["a slave domain", "Domain", () => idOf("copy")],
  ...Array.from(
    { length: 9 },
    (_, index) => [`record ${index}`, "DomainRecord", () => idOf(`record${index}`)] as const,
  ),
  [
    "all records of a domain",
    "DomainRecordSet",
    async () => {
      // The program of this process declares the same records.
      await rig.restart();
      return idOf("zone");
    },
  ],
  ["an image", "Image", () => idOf("image")],
];

test.each(OBJECTS)(
  "%s is imported with inputs that pass the check and differ in nothing",
  async (_, type, find) => {
    const id = await find();
    const about = rig.resource(type);
    const { id: read, props: outputs, inputs = {} } = await rig.plugin.readForImport(about, id);
    expect(read).toBe(id);
    const { urn } = about;
    const checked = await rig.plugin.check({ urn, inputs }, inputs);
    expect(checked.failures).toEqual([]);
    const stored = { urn, id, inputs: checked.inputs, outputs };
    // The update records that the import has succeeded.
    const found = await rig.plugin.diff(stored, checked.inputs);
    expect(found).toMatchObject({ changes: true, replaces: [], details: {} });

    // The next command runs a new process, which knows nothing of the import.
    await rig.restart();
    const next = rig.plugin;
    const again = await next.check(stored, checked.inputs);
    expect(again.failures).toEqual([]);
    expect(await next.diff(stored, again.inputs)).toMatchObject({ changes: false, details: {} });
    const now = await next.read(stored);
    expect(
      await next.diff({ urn, id, outputs: now.props, inputs: now.inputs ?? {} }, again.inputs),
    ).toMatchObject({ changes: false });
  },
);

test("the preview of the import of a set shows the records that the program declares", async () => {
  await rig.restart();
  const id = idOf("zone");
  const about = rig.resource("DomainRecordSet");
  const { urn } = about;
  const { props: outputs, inputs = {} } = await rig.plugin.readForImport(about, id);
  const [first, second] = inputs["records"] as readonly unknown[];
  expect(second).toBeDefined();
  const stored = { urn, id, inputs, outputs };
  const checked = await rig.plugin.check(stored, { ...inputs, records: [first] });
  expect(checked.failures).toEqual([]);
  const planned = await rig.plugin.update(stored, checked.inputs, { isPreview: true });
  expect(planned["records"]).not.toBe(outputs["records"]);
  const done = await rig.plugin.update(stored, checked.inputs);
  expect(planned["records"]).toEqual(done["records"]);
});
