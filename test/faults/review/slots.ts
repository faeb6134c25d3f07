import { type Kind } from "../kinds";

/**
 * Code of an input, and the place of the resource that it reads. Undefined leaves the input out. `@place` is the id that the resource of a place has in the
 * state before, and `@disk` the id of a disk of the node `web`.
 */
export type Choice = string | Reading | undefined;

export interface Reading {
  readonly code: string;
  readonly of?: Place;
  readonly isWhole?: true;
}

/** Whether a choice names its inputs itself. */
export const isWhole = (choice: Choice): boolean => typeof choice === "object" && choice.isWhole === true;

export interface Slot {
  readonly kind: Kind;
  /** Inputs that every program has. The first choice counts until an edit takes another one. */
  readonly needs: Readonly<Record<string, readonly [Choice, ...Choice[]]>>;
  readonly takes: Readonly<Record<string, readonly [Choice, ...Choice[]]>>;
  /** The resource whose end is that of this one, for the option `deletedWith`. */
  readonly endsWith?: Place;
}

/** The resources that programs can have. What others read stands before them. */
export const PLACES = [
  "web",
  "api",
  "zone",
  "other",
  "snapshot",
  "second",
  "mysql",
  "postgresql",
  "dump",
  "copy",
  "a",
  "b",
  "c",
  "hosts",
  "more",
  "image",
  "twin",
  "mirror",
] as const;

export type Place = (typeof PLACES)[number];

const of = (place: Place, code: string): Choice => ({ code, of: place });
const whole = (code: string, place?: Place): Choice => ({ code, isWhole: true, ...(place && { of: place }) });
export const q = (text: string): string => JSON.stringify(text);

/** Restores the snapshot of a place: that of the program, or that of the state before. */
const restores = (id: string, place?: Place): readonly [Choice, ...Choice[]] => [
  whole(`restoreFromBackup: { backupId: ${id}, overwrite: true }`, place),
  whole(`restoreFromBackup: { backupId: ${id} }`, place),
  undefined,
];

const node = (place: string): Slot => ({
  kind: "Node",
  needs: {
    region: [q("us-east"), q("us-west")],
    type: [q("g6-nanode-1"), q("g6-standard-1")],
    backupsEnabled: ["true", "false"],
  },
  takes: {
    label: [q(`${place}-one`), q(`${place}-two`), undefined],
    tags: [`["a"]`, `["a", "b"]`, "[]", of("zone", "[zone.domain]"), undefined],
    restore: restores("@snapshot"),
    image: [q("node/debian12"), q("node/alpine3.20"), undefined],
    rootPass: [`pulumi.secret("correct horse 1")`, `pulumi.secret("correct horse 2")`],
    resize: [q("replace"), undefined],
    alerts: ["{ cpu: 50 }", "{ cpu: 60, io: 7000 }"],
    watchdogEnabled: ["false", "true"],
    privateIp: ["true", "false"],
  },
});

const withoutImage = ({ image: _, ...takes }: Slot["takes"]): Slot["takes"] => takes;

/** A node that begins as a copy of another one, or of its snapshot. */
const twin: Slot = {
  ...node("twin"),
  takes: {
    ...withoutImage(node("twin").takes),
    source: [
      whole("cloneFrom: web.id", "web"),
      whole("cloneFrom: api.id", "api"),
      whole("backupId: snapshot.id", "snapshot"),
      whole(`image: ${q("node/debian12")}`),
    ],
    restore: restores("snapshot.id", "snapshot"),
  },
};

const database = (place: string, engines: readonly [string, string]): Slot => ({
  kind: place === "mysql" ? "MysqlDatabase" : "PostgresqlDatabase",
  needs: {
    region: [q("us-east"), q("us-west")],
    type: [q("g6-nanode-1"), q("g6-standard-1")],
    engine: [q(engines[0]), q(engines[1])],
  },
  takes: {
    label: [q(`${place}-one`), q(`${place}-two`), undefined],
    allowList: [
      `["192.0.2.1/32"]`,
      `["192.0.2.1/32", "192.0.2.2/32"]`,
      "[]",
      of("web", "[web.ipv4.apply((all) => `${all[0]}/32`)]"),
      of("web", "web.ipv4.apply((all) => all.map((one) => `${one}/32`))"),
      undefined,
    ],
    clusterSize: ["3", "1", undefined],
    updates: [
      `{ dayOfWeek: 3, duration: 3, frequency: "weekly", hourOfDay: 4 }`,
      `{ dayOfWeek: 2, duration: 1, frequency: "weekly", hourOfDay: 4 }`,
    ],
    ...(place === "mysql" && {
      restore: [whole("restoreFromBackupId: @dump"), undefined],
      credentialsResetTrigger: ["1", "2"],
      patchTrigger: ["1", "2", undefined],
    }),
  },
});

const backup = (kind: Kind, parents: readonly [Place, ...Place[]], property: string): Slot => ({
  kind,
  needs: {
    [property]: parents.map((place) => of(place, `${place}.id`)) as unknown as readonly [Choice],
  },
  takes: {
    label: [q("first"), q("second"), undefined],
    triggers: ["{ release: 1 }", "{ release: 2 }", of("zone", "{ zone: zone.id }"), undefined],
  },
  endsWith: parents[0],
});

const domain = (place: string): Slot => ({
  kind: "Domain",
  needs: {
    domain: [q(`${place}.example`), q(`${place}-two.example`)],
    type: [q("master"), q("slave")],
    soaEmail: [q("a@example.org"), q("b@example.org")],
    masterIps: [`["192.0.2.9"]`],
  },
  takes: {
    description: [q("first"), q("second"), of("web", "pulumi.interpolate`of ${web.label}`"), undefined],
    status: [q("disabled"), q("active"), undefined],
    ttlSec: ["300", "3600", undefined],
    tags: [`["a"]`, `["b", "a"]`, undefined],
    axfrIps: [`["192.0.2.3"]`, `["192.0.2.3", "192.0.2.4"]`, undefined],
  },
});

/** A domain that begins as a copy of another one. */
const mirror: Slot = {
  kind: "Domain",
  needs: {
    domain: [q("mirror.example"), q("mirror-two.example")],
    cloneFrom: [of("zone", "zone.id"), of("other", "other.id")],
  },
  takes: {
    description: [q("first"), q("second"), undefined],
    ttlSec: ["300", "3600", undefined],
    status: [q("disabled"), q("active"), undefined],
  },
};

const upload = (file: string, region: string): Choice => whole(`source: ${q(file)}, region: ${q(region)}`);

const zones: readonly [Choice, ...Choice[]] = [of("zone", "zone.id"), of("other", "other.id")];
const targets: readonly [Choice, ...Choice[]] = [
  q("192.0.2.1"),
  q("192.0.2.2"),
  of("web", "web.ipv4.apply((all) => all[0])"),
];

const record = (name: string, more: string): Slot => ({
  kind: "DomainRecord",
  needs: { domainId: zones, type: [q("A")], name: [q(name), q(more)], target: targets },
  takes: { ttlSec: ["300", "3600", undefined] },
  endsWith: "zone",
});

const line = (name: string, more: string): string => `{ type: "A", name: ${q(name)}, ${more} }`;

/** A record of the set `hosts`, which a split moves into the set `more`. */
const MOVED = line("y", `target: "192.0.2.2", ttlSec: 300`);
export const SPLIT = { hosts: `[${line("x", `target: "192.0.2.1"`)}]`, more: `[${MOVED}]` };
export const WHOLE = `[${line("x", `target: "192.0.2.1"`)}, ${MOVED}]`;

const set = (names: readonly [string, string, string], takes: Slot["takes"] = {}): Slot => ({
  kind: "DomainRecordSet",
  needs: {
    domainId: zones,
    records: [
      `[${line(names[0], `target: "192.0.2.1"`)}, ${line(names[1], `target: "192.0.2.2", ttlSec: 300`)}]`,
      `[${line(names[0], `target: "192.0.2.1"`)}]`,
      `[${line(names[0], `target: "192.0.2.3"`)}, ${line(names[2], `target: "192.0.2.4"`)}]`,
      `{ one: ${line(names[0], `target: "192.0.2.1"`)}, two: ${line(names[1], `target: "192.0.2.5"`)} }`,
      `{ one: ${line(names[2], `target: "192.0.2.1"`)}, three: ${line(names[1], `target: "192.0.2.5"`)} }`,
      "[]",
      // It takes the records of the resources `a` and `b` over if it is exclusive.
      `[${line("a", `target: "192.0.2.1"`)}, ${line("b", `target: "192.0.2.1"`)}]`,
      whole(`zoneFile: ${q(`$TTL 300\n${names[0]} IN A 192.0.2.1\n${names[1]} IN A 192.0.2.2\n`)}`),
      whole(`zoneFile: ${q(`$TTL 300\n${names[0]} IN A 192.0.2.6\n${names[2]} 3600 IN A 192.0.2.1\n`)}`),
      whole(`zoneFile: web.ipv4.apply((all) => ${q(`${names[0]} 300 IN A `)} + all[0] + "\\n")`, "web"),
      of("web", `[${line(names[0], "target: web.ipv4.apply((all) => all[0])")}]`),
      of("web", `web.ipv4.apply((all) => all.map((one) => (${line(names[0], "target: one")})))`),
    ],
  },
  takes: { exclusive: ["true", "false", undefined], ...takes },
  endsWith: "zone",
});

export const SLOTS: Readonly<Record<Place, Slot>> = {
  web: node("web"),
  api: node("api"),
  zone: domain("zone"),
  other: domain("other"),
  snapshot: backup("NodeBackupSnapshot", ["web", "api"], "nodeId"),
  second: backup("NodeBackupSnapshot", ["api", "web"], "nodeId"),
  mysql: database("mysql", ["mysql/8.0.30", "mysql/5.7.39"]),
  postgresql: database("postgresql", ["postgresql/14.6", "postgresql/13.2"]),
  dump: backup("MysqlDatabaseBackup", ["mysql"], "databaseId"),
  copy: backup("PostgresqlDatabaseBackup", ["postgresql"], "databaseId"),
  a: record("a", "a2"),
  b: record("b", "b2"),
  c: record("c", "c2"),
  hosts: set(["x", "y", "z"]),
  more: set(["u.sub", "v.sub", "w"], { subdomain: [q("sub"), undefined] }),
  twin,
  mirror,
  image: {
    kind: "Image",
    needs: {
      source: [
        upload("disk.img", "us-east"),
        upload("other.img", "us-east"),
        upload("disk.img", "us-west"),
        whole("diskId: @disk"),
      ],
    },
    takes: {
      label: [q("golden"), q("silver"), undefined],
      description: [q("first"), of("zone", "pulumi.interpolate`of ${zone.domain}`"), undefined],
    },
  },
};
