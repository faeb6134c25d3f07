import { gzipSync } from "node:zlib";
import { isObject, objectsIn } from "../../src/provider/base/values";
import { type TestEmulator } from "./emulator";

type Fields = Record<string, unknown>;

interface Instance {
  readonly type: string;
  readonly name: string;
  readonly attributes: Fields;
}

/** The resources of a state, in either format. */
function instancesIn(state: unknown): Instance[] {
  const inModule = (module: unknown): Instance[] => [
    ...objectsIn(module, "resources").map((one) => instanceOf(one, one["values"])),
    ...objectsIn(module, "child_modules").flatMap(inModule),
  ];
  const { values } = state as { values?: Fields };
  if (values !== undefined) return inModule(values["root_module"]);
  return objectsIn(state, "resources")
    .filter(({ mode }) => mode === "managed")
    .flatMap((one) =>
      objectsIn(one, "instances")
        .filter(({ deposed }) => deposed === undefined)
        .map(({ attributes }) => instanceOf(one, attributes)),
    );
}

const instanceOf = ({ type, name }: Fields, attributes: unknown): Instance => ({
  ...{ type: String(type), name: String(name) },
  attributes: isObject(attributes) ? attributes : {},
});

/** The order in which objects are made: those that others refer to come first. */
const ORDER = [
  /^linode_image$/,
  /^linode_instance$/,
  /^linode_database_(mysql|postgresql)(_v2)?$/,
  /^linode_domain$/,
  /^linode_domain_record$/,
];
const rankOf = ({ type }: Instance): number => ORDER.findIndex((pattern) => pattern.test(type));

/**
 * Makes the objects of a state of Terraform in an account, with the API alone, except those that are `absent`. Returns the state with the ids and addresses that the
 * service has given to them.
 */
export async function appliedState(
  emulator: TestEmulator,
  state: string,
  absent: (one: Instance) => boolean = () => false,
): Promise<string> {
  let text = state;
  const send = async (method: string, path: string, body: object): Promise<Fields> => {
    const answer = await emulator.call(method, path, { body });
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    // After an hour no object is busy.
    emulator.clock.advance(3600);
    return answer.body;
  };
  const known = new Map<string, string>();
  const instances = instancesIn(JSON.parse(state)).filter((one) => rankOf(one) >= 0 && !absent(one));
  for (const one of instances.sort((a, b) => rankOf(a) - rankOf(b))) {
    const [id] = String(one.attributes["id"]).split(/[/,]/).slice(-1);
    if (id === undefined || known.has(id)) continue;
    const made = await create(send, one, known);
    emulator.clock.advance(3600);
    known.set(id, String(made["id"]).replace("private/", ""));
    for (const [stated, given] of addressesOf(one.attributes, made)) known.set(stated, given);
  }
  for (const [stated, given] of known)
    text = text.replaceAll(
      new RegExp(`(?<![\\w.])${stated.replaceAll(".", "\\.")}(?![\\w.-])`, "g"),
      `\u0001${given}`,
    );
  return text.replaceAll("\u0001", "");
}

type Send = (method: string, path: string, body: object) => Promise<Fields>;

const given = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([, value]) =>
        value !== null &&
        value !== undefined &&
        value !== "" &&
        !(Array.isArray(value) && value.length === 0),
    ),
  );

/** The first item of a block. */
const blockOf = (value: unknown): Fields | undefined => {
  const one: unknown = Array.isArray(value) ? value[0] : value;
  return isObject(one) ? one : undefined;
};

async function create(
  send: Send,
  { type, attributes }: Instance,
  known: ReadonlyMap<string, string>,
): Promise<Fields> {
  switch (type) {
    case "linode_instance":
      return createNode(send, attributes, known);
    case "linode_domain": {
      return send("POST", "/domains", given({ ...attributes, id: null }));
    }
    case "linode_domain_record": {
      const { domain_id: domain, record_type: kind, ...record }: Fields = { ...attributes, id: null };
      const target = known.get(String(record["target"])) ?? record["target"];
      const typed = kind === "SRV" || kind === "MX" ? record : { ...record, priority: null };
      const weighted = kind === "SRV" ? { ...typed, name: null } : { ...typed, weight: null, port: null };
      const path = `/domains/${known.get(String(domain)) ?? String(domain)}/records`;
      return send(
        "POST",
        path,
        given({ ...weighted, target, type: kind, ttl_sec: record["ttl_sec"] || null }),
      );
    }
    case "linode_image": {
      const { label, description } = attributes;
      const { image, upload_to: to } = await send(
        "POST",
        "/images/upload",
        given({ label, description, region: "us-east" }),
      );
      await fetch(String(to), {
        method: "PUT",
        body: gzipSync("a small disk"),
        headers: { "content-type": "application/octet-stream" },
      });
      return image as Fields;
    }
    default:
      return createDatabase(send, attributes, known);
  }
}

async function createNode(
  send: Send,
  attributes: Fields,
  known: ReadonlyMap<string, string>,
): Promise<Fields> {
  const {
    label,
    region,
    type,
    group,
    tags,
    private_ip,
    swap_size,
    alerts,
    watchdog_enabled,
    backups_enabled,
  } = attributes;
  const image =
    typeof attributes["image"] === "string"
      ? attributes["image"].replace("linode/", "node/").replace(/\d{6,}/, (id) => known.get(id) ?? id)
      : undefined;
  const metadata = blockOf(attributes["metadata"]);
  const deployed = image === undefined ? {} : { image, root_pass: "correct horse battery", swap_size };
  const node = await send(
    "POST",
    "/node/instances",
    given({ ...{ label, region, type, group, tags, private_ip, backups_enabled }, ...deployed, metadata }),
  );
  return send(
    "PUT",
    `/node/instances/${String(node["id"])}`,
    given({ alerts: blockOf(alerts), watchdog_enabled }),
  );
}

const DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

async function createDatabase(
  send: Send,
  attributes: Fields,
  known: ReadonlyMap<string, string>,
): Promise<Fields> {
  const {
    label,
    region,
    type,
    engine,
    engine_id,
    allow_list,
    cluster_size,
    encrypted,
    ssl_connection,
    replication_type,
  } = attributes;
  const addresses = (Array.isArray(allow_list) ? (allow_list as string[]) : []).map((range) =>
    range.replace(/^[^/]+/, (address) => known.get(address) ?? address),
  );
  const created = await send(
    "POST",
    `/databases/${String(engine)}/instances`,
    given({
      ...{
        label,
        region,
        type,
        engine: engine_id,
        allow_list: addresses,
        cluster_size,
        encrypted,
        ssl_connection,
        replication_type,
      },
    }),
  );
  const {
    day_of_week: day,
    duration,
    frequency,
    hour_of_day,
    week_of_month,
  } = blockOf(attributes["updates"]) ?? {};
  const day_of_week = typeof day === "string" ? DAYS.indexOf(day) + 1 : day;
  const path = `/databases/${String(engine)}/instances/${String(created["id"])}`;
  return send("PUT", path, {
    updates: given({ day_of_week, duration, frequency, hour_of_day, week_of_month }),
  });
}

/** The addresses in a state, each with that of the object. */
function addressesOf(attributes: Fields, made: Fields): [stated: string, given: string][] {
  const [publicAddress, privateAddress] = Array.isArray(made["ipv4"]) ? (made["ipv4"] as string[]) : [];
  const hosts = blockOf(made["hosts"]);
  const pairs = [
    [attributes["ip_address"], publicAddress],
    [attributes["private_ip_address"], privateAddress],
    [attributes["host_primary"], hosts?.["primary"]],
  ] as const;
  return pairs.flatMap(([stated, own]) =>
    typeof stated === "string" && stated !== "" && typeof own === "string" ? [[stated, own]] : [],
  );
}
