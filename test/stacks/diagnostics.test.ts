import { type TestEmulator } from "../helpers/emulator";
import { type Outcome, type TestStack } from "../helpers/stack";
import { stackForEachTest } from "../helpers/with-stack";

let emulator: TestEmulator;
let stack: TestStack;
stackForEachTest((own) => ({ emulator, stack } = own));

/** The messages as the engine stores them. The diff view shows this text. */
const said = ({ printed }: Outcome): readonly string[] =>
  printed
    .split("\n")
    .flatMap((line) => (/^\{"sequence".*"diagnosticEvent"/.test(line) ? [JSON.parse(line) as Event] : []))
    .filter(
      ({ diagnosticEvent: { severity, ephemeral } }) =>
        ["info", "warning"].includes(severity) && ephemeral !== true,
    )
    .map(({ diagnosticEvent: { severity, message } }) => `${severity}: ${message.trim()}`)
    .sort();

interface Event {
  readonly diagnosticEvent: {
    readonly severity: string;
    readonly message: string;
    readonly ephemeral?: boolean;
  };
}

const program = ({
  region = "us-east",
  image = "debian12",
  version = "8.0.30",
  type = "CNAME",
  records = 1,
}) => `
  const web = new nodecloud.Node("web", { region: "${region}", type: "g6-nanode-1", image: "node/${image}" });
  new nodecloud.MysqlDatabase("db", { region: "us-east", type: "g6-nanode-1", engine: "mysql/${version}" });
  const zone = new nodecloud.Domain("zone", { domain: "example.org", type: "master", soaEmail: "dns@example.org" });
  new nodecloud.DomainRecord("www", { domainId: zone.id, type: "${type}", name: "www", target: "example.net" });
  new nodecloud.DomainRecordSet("hosts", { domainId: zone.id, subdomain: "hosts",
    records: Array.from({ length: ${records} }, (_, i) => ({ type: "A", name: "n" + i + ".hosts", target: "192.0.2." + i })) });`;

test("every message names its resource and appears once per run, also in a view without rows", async () => {
  stack.program(program({ image: "debian10" }));
  expect(said(await stack.preview())).toEqual([
    "info: DomainRecordSet hosts: records: 1 to create\n+ n0.hosts A 192.0.2.0",
    expect.stringMatching(/^warning: Node web: image "node\/debian10" is deprecated/),
  ]);
  stack.program(program({}));
  expect(await stack.up()).toMatchObject({ code: 0 });

  // The engine checks a replaced resource twice.
  stack.program(program({ image: "debian10", region: "us-west", version: "5.7.39", type: "NS", records: 2 }));
  const lines = [
    "info: DomainRecord www: replacing it, because type changed, and the API has no operation to change it",
    "info: DomainRecordSet hosts: records: 1 to create\n+ n1.hosts A 192.0.2.1",
    expect.stringMatching(
      /^warning: MysqlDatabase db: replacing it, because engine changed, .* data and backups are lost \[NC1201\]$/,
    ),
    expect.stringMatching(/^warning: Node web: image "node\/debian10" is deprecated/),
    expect.stringMatching(
      /^warning: Node web: replacing it, because region and image changed, .* addresses are lost \[NC1201\]$/,
    ),
  ];
  expect(said(await stack.preview())).toEqual(lines);
  const up = await stack.up();
  expect(up.code).toBe(0);
  expect(said(up)).toEqual(lines);
});

test("a refresh announces no replacement, because only an update replaces", async () => {
  const database = `new nodecloud.MysqlDatabase("db", { region: "us-east", type: "g6-nanode-1", engine: "mysql/8.0.30" });`;
  stack.program(database);
  expect(await stack.up()).toMatchObject({ code: 0 });
  const { db } = await stack.state();
  await emulator.control("PATCH", `/objects/mysql/${db?.id}`, { region: "eu-west" });
  const drift = await stack.drift();
  expect(drift).toMatchObject({ drifted: ["db.region"] });
  expect(said(drift)).toEqual([]);
  const refreshed = await stack.up("--refresh");
  expect(refreshed.order).toEqual(["db create-replacement", "db replace", "db delete-replaced"]);
  expect(said(refreshed)).toEqual([
    expect.stringMatching(/^warning: MysqlDatabase db: replacing it, because region changed/),
  ]);
});

test("an account that cannot be reached fails the preview, and the error says how to do without it", async () => {
  stack.env["NODECLOUD_BASE_URL"] = "http://127.0.0.1:1/v4";
  stack.program(program({}));
  const preview = await stack.preview();
  expect(preview.code).not.toBe(0);
  expect(preview.messages.join()).toMatch(
    /the account at http:\/\/127\.0\.0\.1:1\/v4 cannot be read: .* set nodecloud:validate to false \(or NODECLOUD_VALIDATE=false\)/,
  );
});
