import { type Chance, drawn, pick } from "../chance";
import { type Kind } from "../kinds";

/** Code of an input, and the place of the resource that it reads. Undefined leaves the input out. */
type Choice = string | { readonly code: string; readonly of: Place } | undefined;

interface Slot {
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
] as const;

export type Place = (typeof PLACES)[number];

const of = (place: Place, code: string): Choice => ({ code, of: place });
const q = (text: string): string => JSON.stringify(text);

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
    image: [q("node/debian12"), q("node/alpine3.20"), undefined],
    rootPass: [`pulumi.secret("correct horse 1")`, `pulumi.secret("correct horse 2")`],
    resize: [q("replace"), undefined],
    alerts: ["{ cpu: 50 }", "{ cpu: 60, io: 7000 }"],
    watchdogEnabled: ["false", "true"],
    privateIp: ["true", "false"],
  },
});

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
    ...(place === "mysql" && { credentialsResetTrigger: ["1", "2"], patchTrigger: ["1", "2", undefined] }),
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
const SPLIT = { hosts: `[${line("x", `target: "192.0.2.1"`)}]`, more: `[${MOVED}]` };
const WHOLE = `[${line("x", `target: "192.0.2.1"`)}, ${MOVED}]`;

const set = (names: readonly [string, string, string]): Slot => ({
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
      of("web", `[${line(names[0], "target: web.ipv4.apply((all) => all[0])")}]`),
      of("web", `web.ipv4.apply((all) => all.map((one) => (${line(names[0], "target: one")})))`),
    ],
  },
  takes: { exclusive: ["true", "false", undefined] },
  endsWith: "zone",
});

const SLOTS: Readonly<Record<Place, Slot>> = {
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
  more: set(["u", "v", "w"]),
  image: {
    kind: "Image",
    needs: { source: [q("disk.img"), q("other.img")], region: [q("us-east"), q("us-west")] },
    takes: {
      label: [q("golden"), q("silver"), undefined],
      description: [q("first"), of("zone", "pulumi.interpolate`of ${zone.domain}`"), undefined],
    },
  },
};

/** A resource of a program. */
export interface Declared {
  readonly name: string;
  readonly inputs: Readonly<Record<string, Choice>>;
  readonly options: Readonly<Record<string, string>>;
  readonly isInComponent: boolean;
  /** The name and place that it had before, for an alias. */
  readonly was?: { readonly name: string; readonly isInComponent: boolean };
  /** Whether it takes over, by `import`, the object that the resource before it had. */
  readonly isImported?: true;
}

export type Program = ReadonlyMap<Place, Declared>;

/** The options that an edit can turn on or off, for the resource of a place. */
function optionsOf(place: Place): Readonly<Record<string, string>> {
  const { takes, endsWith } = SLOTS[place];
  const inputs = Object.keys(takes);
  return {
    retainOnDelete: "true",
    deleteBeforeReplace: "true",
    ignoreChanges: JSON.stringify(inputs.slice(0, 1)),
    replaceOnChanges: JSON.stringify(inputs.slice(-1)),
    ...(endsWith !== undefined && { deletedWith: endsWith }),
  };
}

const ofIn = (choice: Choice): Place | undefined => (typeof choice === "object" ? choice.of : undefined);

/** Leaves out what a program cannot have: resources below missing ones, and inputs that read them. */
function tidied(program: Map<Place, Declared>): Program {
  const tidy = new Map<Place, Declared>();
  for (const place of PLACES) {
    const declared = program.get(place);
    if (declared === undefined) continue;
    const isThere = (choice: Choice) => {
      const read = ofIn(choice);
      return read === undefined || tidy.has(read);
    };
    const { needs } = SLOTS[place];
    const needed = Object.entries(needs).map(([input, choices]) => {
      const chosen = declared.inputs[input] ?? choices[0];
      return [input, [chosen, ...choices].find(isThere)] as const;
    });
    if (needed.some(([, choice]) => choice === undefined)) continue;
    const others = Object.entries(declared.inputs).filter(
      ([input, choice]) => !(input in needs) && choice !== undefined && isThere(choice),
    );
    const { deletedWith, ...options } = declared.options;
    // A node keeps one snapshot, and the state of the other one would be wrong from then on.
    const rival = place === "second" ? tidy.get("snapshot")?.inputs["nodeId"] : undefined;
    if (rival !== undefined && needed.some(([, choice]) => ofIn(choice) === ofIn(rival))) continue;
    tidy.set(place, {
      ...declared,
      inputs: Object.fromEntries([...needed, ...others]),
      options: {
        ...options,
        ...(deletedWith !== undefined && tidy.has(deletedWith as Place) && { deletedWith }),
      },
    });
  }
  return tidy;
}

const settled = ({ was: _, isImported: __, ...declared }: Declared): Declared => declared;

const fresh = (place: Place, chance: Chance): Declared => {
  const { takes } = SLOTS[place];
  const some = drawn(Object.keys(takes), Math.floor(chance() * 4), chance);
  return {
    name: place,
    inputs: Object.fromEntries(some.map((input) => [input, pick(chance, takes[input] ?? [undefined])])),
    options: {},
    isInComponent: chance() < 0.2,
  };
};

/** The program that a chain begins with. */
export function firstProgram(chance: Chance): Program {
  const places = drawn(PLACES, 5 + Math.floor(chance() * 5), chance);
  return tidied(new Map(places.map((place) => [place, fresh(place, chance)])));
}

const EDITS = [
  "inputs",
  "inputs",
  "inputs",
  "add",
  "remove",
  "option",
  "alias",
  "rename",
  "import",
  "component",
  "split",
  "merge",
] as const;

/** The next program, with one to four edits, each in a few words. */
export function edited(
  before: Program,
  chance: Chance,
): { readonly program: Program; readonly edits: string[] } {
  const program = new Map([...before].map(([place, declared]) => [place, settled(declared)]));
  const edits: string[] = [];
  const touched = new Set<Place>();
  for (let count = 1 + Math.floor(chance() * 4); count > 0; count--) {
    const present = PLACES.filter((place) => program.has(place) && !touched.has(place));
    const absent = PLACES.filter((place) => !program.has(place) && !touched.has(place));
    const edit = present.length === 0 ? "add" : pick(chance, EDITS);
    const [place] = drawn(edit === "add" ? absent : present, 1, chance);
    if (place === undefined) continue;
    if (edit === "split" || edit === "merge") {
      const sets = edit === "split" ? divided(program, chance) : joined(program);
      if (sets.some(([one]) => touched.has(one))) continue;
      for (const [one, declared] of sets) {
        touched.add(one);
        edits.push(`${edit} ${one}`);
        if (declared === undefined) program.delete(one);
        else program.set(one, declared);
      }
      continue;
    }
    touched.add(place);
    edits.push(`${edit} ${place}`);
    if (edit === "add") program.set(place, fresh(place, chance));
    else if (edit === "remove") program.delete(place);
    else program.set(place, changed(place, program.get(place) as Declared, edit, chance));
  }
  // A backup cannot be imported below another object than its own.
  for (const [place, declared] of program) {
    const above = Object.values(declared.inputs)
      .map(ofIn)
      .find((one) => one !== undefined && touched.has(one));
    if (declared.isImported && above !== undefined) program.set(place, before.get(place) ?? declared);
  }
  return { program: tidied(program), edits };
}

type Sets = readonly (readonly [Place, Declared | undefined])[];

/** Moves a record of the set `hosts` into the set `more` of the same domain. Without such a set, the next split finds one. */
function divided(program: ReadonlyMap<Place, Declared>, chance: Chance): Sets {
  const { hosts = fresh("hosts", chance), more = fresh("more", chance) } = Object.fromEntries(program);
  if (hosts.inputs["records"] !== WHOLE)
    return [["hosts", { ...hosts, inputs: { ...hosts.inputs, records: WHOLE } }]];
  const { domainId } = hosts.inputs;
  return [
    ["hosts", { ...hosts, inputs: { ...hosts.inputs, records: SPLIT.hosts } }],
    ["more", { ...more, inputs: { ...more.inputs, domainId, records: SPLIT.more } }],
  ];
}

/** Moves the records of the set `more` into the set `hosts`, which alone is left. */
function joined(program: ReadonlyMap<Place, Declared>): Sets {
  const { hosts, more } = Object.fromEntries(program);
  return hosts === undefined || more?.inputs["records"] !== SPLIT.more
    ? []
    : [
        ["hosts", { ...hosts, inputs: { ...hosts.inputs, records: WHOLE } }],
        ["more", undefined],
      ];
}

function changed(place: Place, declared: Declared, edit: string, chance: Chance): Declared {
  const { needs, takes } = SLOTS[place];
  const { name, isInComponent } = declared;
  const was = { name, isInComponent };
  const renamed = { ...declared, name: name.endsWith("2") ? name.slice(0, -1) : `${name}2` };
  if (edit === "alias") return { ...renamed, was };
  if (edit === "rename") return renamed;
  if (edit === "import") return { ...renamed, isImported: true };
  if (edit === "component") return { ...declared, isInComponent: !isInComponent, was };
  if (edit === "option") {
    const options = optionsOf(place);
    const [option = ""] = drawn(Object.keys(options), 1, chance);
    const { [option]: had, ...rest } = declared.options;
    const next = had === undefined ? { ...rest, [option]: options[option] ?? "" } : rest;
    return { ...declared, options: next };
  }
  const inputs = drawn(Object.keys({ ...needs, ...takes }), 1 + Math.floor(chance() * 2), chance);
  const others = inputs.map((input) => {
    const choices = (needs[input] ?? takes[input] ?? []).filter((one) => one !== declared.inputs[input]);
    return [input, choices[Math.floor(chance() * choices.length)]] as const;
  });
  return {
    ...declared,
    inputs: {
      ...declared.inputs,
      ...Object.fromEntries(others.filter(([input, choice]) => !(input in needs) || choice !== undefined)),
    },
  };
}

const FUNCTIONS: Partial<Record<Kind, string>> = { Node: "getNodeOutput", Domain: "getDomainOutput" };

/** The code of a value of another resource. Ids are always outputs. */
function readBy({ code, of }: Exclude<Choice, string | undefined>, reading: Chance): string {
  const read = FUNCTIONS[SLOTS[of].kind];
  if (read === undefined || reading() < 0.5) return code;
  return code.replace(
    new RegExp(`\\b${of}\\.(ipv4|label|domain)\\b`, "g"),
    (_, output: string) => `nodecloud.${read}({ id: ${of}.id }).${output}`,
  );
}

/**
 * The text of a program. `idOf` tells the object that a resource takes over by `import`. By `reading`, half of the values of other resources come from data
 * functions in place of their outputs.
 */
export function textOf(
  program: Program,
  idOf: (place: Place) => string | undefined,
  reading: Chance,
): string {
  const lines = [...program].map(([place, declared]) => {
    const { name, inputs, options, isInComponent, was, isImported } = declared;
    const args = Object.entries(inputs).flatMap(([input, choice]) => {
      const code = typeof choice === "object" ? readBy(choice, reading) : choice;
      return code === undefined ? [] : [`${input}: ${code}`];
    });
    const parent = (isInside: boolean) => (isInside ? "group" : "pulumi.rootStackResource");
    const all = {
      ...options,
      ...(isInComponent && { parent: "group" }),
      ...(was && { aliases: `[{ name: ${q(was.name)}, parent: ${parent(was.isInComponent)} }]` }),
      ...(isImported && { import: q(idOf(place) ?? "") }),
    };
    const opts = Object.entries(all).map(([option, code]) => `${option}: ${code}`);
    return `const ${place} = new nodecloud.${SLOTS[place].kind}(${q(name)}, { ${args.join(", ")} }, { ${opts.join(", ")} });`;
  });
  return [`const group = new pulumi.ComponentResource("test:index:Group", "group");`, ...lines].join("\n");
}
