import { gzipSync } from "node:zlib";
import { type TestEmulator } from "./emulator";

type Fields = Record<string, unknown>;

/** The paths of the objects in the API. */
export type WholeAccount = Readonly<Record<string, string>>;

/** Creates objects of every kind by the API alone, as somebody does who does not use Pulumi. */
export async function wholeAccount(emulator: TestEmulator): Promise<WholeAccount> {
  const send = async (method: string, path: string, body: object = {}): Promise<Fields> => {
    const answer = await emulator.call(method, path, { body });
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    // After an hour no object is busy.
    emulator.clock.advance(3600);
    return answer.body;
  };
  const create = async (path: string, body: object): Promise<string> => {
    const { id } = await send("POST", path, body);
    return `${path}/${String(id)}`;
  };

  const { image, upload_to: uploadTo } = await send("POST", "/images/upload", {
    label: "golden image",
    description: "a disk",
    region: "us-east",
  });
  const uploaded = await fetch(String(uploadTo), {
    method: "PUT",
    body: gzipSync("a small disk"),
    headers: { "content-type": "application/octet-stream" },
  });
  if (uploaded.status !== 200) throw new Error(`the upload: ${await uploaded.text()}`);
  emulator.clock.advance(3600);
  const imageId = String((image as Fields)["id"]);

  const common = { region: "us-east", type: "g6-nanode-1", root_pass: "correct horse battery" };
  const web = await create("/node/instances", {
    ...common,
    label: "web-1.prod",
    image: imageId,
    tags: ["web", "prod"],
    backups_enabled: true,
  });
  const twin = await create("/node/instances", {
    ...common,
    label: "1-old",
    image: "node/debian12",
    booted: false,
  });
  const snapshot = await send("POST", `${web}/backups`, { label: "before the upgrade" });

  const database = { label: "shop", region: "us-east", type: "g6-standard-1" };
  const mysql = await create("/databases/mysql/instances", {
    ...database,
    engine: "mysql/8.0.30",
    allow_list: ["192.0.2.0/24"],
  });
  const postgresql = await create("/databases/postgresql/instances", {
    ...database,
    label: "reports",
    engine: "postgresql/14.6",
    cluster_size: 3,
  });
  for (const path of [mysql, postgresql]) await send("POST", `${path}/backups`, { label: "beforemove" });

  const zone = await create("/domains", {
    domain: "example.org",
    type: "master",
    soa_email: "dns@example.org",
    tags: ["dns"],
    ttl_sec: 300,
  });
  const copy = await create("/domains", {
    domain: "copy.example",
    type: "slave",
    master_ips: ["192.0.2.53"],
  });
  const records: readonly Fields[] = [
    { type: "A", target: "192.0.2.10" },
    { type: "A", name: "www", target: "192.0.2.10", ttl_sec: 300 },
    { type: "AAAA", name: "www", target: "2001:db8::10" },
    { type: "CNAME", name: "blog", target: "www.example.org" },
    { type: "MX", target: "mx.example.org", priority: 10 },
    { type: "TXT", name: "note", target: 'v=spf1 "quoted" \\ ü ' + "long ".repeat(60) },
    {
      type: "SRV",
      service: "sip",
      protocol: "tcp",
      target: "sip.example.org",
      priority: 1,
      weight: 2,
      port: 5060,
    },
    { type: "CAA", target: "ca.example.net", tag: "issue" },
    { type: "NS", name: "sub", target: "ns1.example.net" },
  ];
  const paths: string[] = [];
  for (const record of records) paths.push(await create(`${zone}/records`, record));
  return {
    image: `/images/${imageId}`,
    web,
    twin,
    snapshot: `${web}/backups/${String(snapshot["id"])}`,
    mysql,
    postgresql,
    zone,
    copy,
    ...Object.fromEntries(paths.map((path, index) => [`record${index}`, path])),
  };
}
