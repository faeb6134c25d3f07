import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cleanEnvironment, engineEnvironment } from "../../scripts/environment.cjs";
import { root } from "./fakes";

interface Spec {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Spec>>;
  readonly inputProperties?: Readonly<Record<string, Spec>>;
  readonly [fact: string]: unknown;
}

interface Schema {
  readonly types: Readonly<Record<string, Spec>>;
  readonly resources: Readonly<Record<string, Spec>>;
  readonly functions: Readonly<Record<string, Spec>>;
}

/** Generates from the descriptions of `described.ts`. */
const generate = `
  import { require as load } from "tsx/cjs/api";
  import { loadSources } from "./scripts/generate/load.mjs";
  import { effectPages } from "./scripts/generate/docs/effects.mjs";
  import { outputPages } from "./scripts/generate/docs/outputs.mjs";
  import { packageSchema } from "./scripts/generate/schema/package.mjs";
  import { sdkModules } from "./scripts/generate/sdk/modules.mjs";
  const { descriptions, groupFacts } = load("./test/scripts/described.ts", "file://" + process.cwd() + "/generate.mjs");
  const own = loadSources();
  const sources = { ...own, descriptions, fields: { ...own.fields, groupFacts } };
  const schema = packageSchema(sources);
  const files = {};
  for (const { file, written: page } of outputPages(sources, schema))
    files[file] = page("<!-- outputs:begin --><!-- outputs:end -->");
  for (const { file, written: page } of effectPages(sources))
    files[file] = page((files[file] ?? "") + "<!-- effects:begin --><!-- effects:end -->");
  for (const { file, written: text } of sdkModules(schema)) files[file] = await text("");
  console.log(JSON.stringify({ schema, files }));`;

let schema: Schema;
let files: Readonly<Record<string, string>>;

beforeAll(() => {
  const made = execFileSync(process.execPath, ["--input-type=module", "-e", generate], {
    cwd: root,
    encoding: "utf8",
    env: cleanEnvironment(),
    maxBuffer: 64 * 1024 * 1024,
  });
  ({ schema, files } = JSON.parse(made) as { schema: Schema; files: Readonly<Record<string, string>> });
});

const input = (type: string, path: string) =>
  schema.resources[`nodecloud:index:${type}`]?.inputProperties?.[path] ?? {};
const written = (stem: string) => (files[`src/sdk/${stem}.ts`] ?? "").replace(/\s+/g, " ");

describe("the schema of the package", () => {
  it("names the values of a list of numbers", () => {
    expect(schema.types["nodecloud:index:MachineCopies"]?.["enum"]).toEqual([
      { name: "OneCopy", value: 1 },
      { name: "TwoCopies", value: 2 },
    ]);
  });

  it("has the meaning of an input, its range, the effect of a change, and its default", () => {
    expect(input("Machine", "password")).toMatchObject({
      type: "string",
      secret: true,
      willReplaceOnChanges: true,
      description:
        "Password of the root user. Secret. 7 to 128 characters. A change replaces the machine. " +
        "Removing it keeps the current value; the preview warns. Default: a generated one.",
    });
    expect(input("Machine", "swap")).toMatchObject({
      type: "integer",
      description: expect.stringContaining("Default: `512`."),
    });
    // SDKs would send it.
    expect(input("Machine", "swap")).not.toHaveProperty("default");
    expect(input("Machine", "note").description).toBe(
      "A note. At most 100 characters. A change updates the machine in place. Removing it clears it.",
    );
    expect(input("Machine", "size").description).toBe("Id of its type. A change resizes the machine.");
    expect(input("Machine", "interfaces").description).toContain("At most 3 items.");
    expect(schema.types["nodecloud:index:MachineAlerts"]?.properties?.["cpu"]?.description).toContain(
      "0 to 255.",
    );
  });

  it("lists the required inputs, and the outputs that always exist", () => {
    expect(schema.resources["nodecloud:index:ZoneRecord"]).toMatchObject({
      requiredInputs: ["zoneId", "type", "target"],
      required: ["zoneId", "type", "target", "created"],
    });
    expect(schema.resources["nodecloud:index:Machine"]?.["required"]).not.toContain("password");
    expect(schema.types["nodecloud:index:MachineRestore"]?.["required"]).toEqual(["backupId"]);
  });

  it("names the types of objects, with separate names for different fields", () => {
    expect(schema.types["nodecloud:index:MachineBackups"]?.properties).toHaveProperty("lastSuccessful");
    expect(schema.types["nodecloud:index:MachineBackupsSettings"]?.properties).toHaveProperty("day");
  });

  it("lists the documented values, and says whether others are possible", () => {
    expect(input("Machine", "resize")["$ref"]).toBe("#/types/nodecloud:index:MachineResize");
    expect(schema.types["nodecloud:index:MachineInterface"]?.properties?.["purpose"]).toMatchObject({
      type: "string",
      oneOf: [{ type: "string" }, { $ref: "#/types/nodecloud:index:MachineInterfacePurpose" }],
    });
  });

  it("has the other types that an input accepts", () => {
    expect(input("Picture", "source")).toMatchObject({
      oneOf: [{ type: "string" }, { $ref: "pulumi.json#/Asset" }],
    });
    const record = { $ref: "#/types/nodecloud:index:ZoneRecordSetRecord" };
    expect(input("ZoneRecordSet", "records")).toMatchObject({
      oneOf: [
        { type: "array", items: record },
        { type: "object", additionalProperties: record },
      ],
    });
  });

  it("has one type for ids, which other languages can express, and what TypeScript programs may give", () => {
    expect(input("ZoneRecord", "zoneId")).toMatchObject({
      type: "string",
      language: { nodejs: { accepts: "string | number" } },
    });
  });

  it("omits inputs that the provider computes, and outputs without a value", () => {
    expect(input("Picture", "sourceHash")).toEqual({});
    expect(schema.resources["nodecloud:index:ZoneRecordSet"]?.properties).not.toHaveProperty("zoneFile");
  });

  it("describes each property, also nested ones and those of functions", () => {
    const silent = [
      ...Object.entries({ ...schema.types, ...schema.resources }),
      ...Object.entries(schema.functions).flatMap(([token, { inputs, outputs }]): [string, Spec][] => [
        [`${token} takes`, inputs as Spec],
        [`${token} gives`, outputs as Spec],
      ]),
    ].flatMap(([token, { properties = {}, inputProperties = {} }]) =>
      Object.entries({ ...properties, ...inputProperties })
        .filter(([, { description = "" }]) => description === "")
        .map(([name]) => `${token}: ${name}`),
    );
    expect(silent).toEqual([]);
  });

  it("is valid for the engine, which recognises each part", () => {
    const folder = mkdtempSync(join(tmpdir(), "nodecloud-schema-"));
    try {
      const file = join(folder, "schema.json");
      writeFileSync(file, JSON.stringify(schema));
      const env = engineEnvironment({ home: folder, backend: join(folder, "backend"), passphrase: "test" });
      const pulumi = (...args: string[]) =>
        execFileSync("pulumi", args, { cwd: folder, encoding: "utf8", env });
      expect(pulumi("schema", "check", file)).toBe("");
      expect(withoutEmpty(JSON.parse(pulumi("package", "get-schema", file)))).toEqual(withoutEmpty(schema));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe("the outputs in the page of a resource", () => {
  const page = (stem: string) => files[`docs/resources/${stem}.md`] ?? "";

  it("has a row for each output that is not an input or differs from the input", () => {
    expect(page("machine")).toContain(
      "| `status` | string, such as `running`, `offline` | Status of the machine. |",
    );
    expect(page("machine")).toContain("| `backupId` | string | Id of a backup. May be undefined. |");
    expect(page("machine")).toContain(
      "| `password` | string | The password, given or generated. Secret. May be undefined. |",
    );
    expect(page("zone-record-set")).toContain(
      "| `records` | string | The records as text, a line for each. |",
    );
  });

  it("has a row for each property of an object", () => {
    expect(page("machine")).toContain("| `backups` | `MachineBackups` | The backup service. |");
    expect(page("machine")).toContain("| `backups.enabled` | boolean | Whether the service is on. |");
    expect(page("machine")).toContain(
      "| `backups.lastSuccessful` | string | Time of the last backup. May be undefined. |",
    );
    expect(page("machine")).toContain("| `disks[].size` | integer | Size of the disk. |");
  });

  it("says which inputs are also outputs, and which of them may be undefined", () => {
    expect(page("zone-record-set")).toContain("All inputs except `zoneFile` are also outputs.");
    expect(page("zone-record")).toContain(
      "All inputs are also outputs. The table lists the outputs that are not inputs, and those that differ from the input. " +
        "The outputs that it does not list may be undefined, except `target`.",
    );
    expect(page("zone")).toContain("Of the outputs that it does not list, `email` may be undefined.");
  });
});

describe("the effects of changes in the page of a resource", () => {
  const rowsIn = (stem: string) =>
    /\| --- \| --- \| --- \|\n([^]*)\n<!-- effects:end -->/.exec(
      files[`docs/resources/${stem}.md`]?.split("<!-- effects:begin -->")[1] ?? "",
    )?.[1];

  it("are what the description says of losses and interruptions, each with its classes", () => {
    expect(rowsIn("machine")?.split("\n")).toEqual([
      "| Deletion | `data-loss`, `deletion` | The disks are lost. |",
      "| Replacement | `data-loss`, `replacement` | The disks are lost. |",
      "| Replacement, if the program sets `label` and keeps its value | `data-loss`, `interruption`, `replacement` | The disks are lost. The old object is deleted before the new one exists, because `label` is unique. |",
      "| A change of `size` | `interruption` | The machine stops for the resize. |",
      "| `tags` set to `[]`, or removed | `interruption` | Nothing finds the machine. |",
      "| `isKept` set to `false` | `data-loss` | The backups are deleted. |",
      "| A change of `restore.backupId` | `data-loss` | The restore erases the disks. |",
    ]);
  });

  it("are a deletion and a replacement if nothing is lost", () => {
    expect(rowsIn("zone")?.split("\n")).toEqual([
      "| Deletion | `deletion` | The zone is deleted. |",
      "| Replacement | `replacement` | The new zone takes the place of the old one. |",
    ]);
  });
});

describe("the classes", () => {
  it("have each input with its type and its @default", () => {
    expect(written("machine")).toContain(
      "/** * Name in the account. 3 to 64 characters. A change updates the machine in place. Removing it restores the automatic * name. " +
        '* @default the resource\'s name and a derived suffix * @example "web" */ label?: pulumi.Input<string>;',
    );
    expect(written("machine")).toContain("region: pulumi.Input<string>;");
    expect(written("machine")).toContain("backupId?: pulumi.Input<string | number>;");
    expect(written("machine")).toContain("data?: pulumi.Input<Record<string, unknown>>;");
    expect(written("machine")).toContain("interfaces?: pulumi.Input<pulumi.Input<MachineInterfaceArgs>[]>;");
    expect(written("picture")).toContain("source?: pulumi.Input<string | pulumi.asset.FileAsset>;");
  });

  it("have a comment and a type for each output", () => {
    expect(written("machine")).toContain(
      "/** The password, given or generated. Secret. */ declare readonly password: pulumi.Output<string | undefined>;",
    );
    expect(written("machine")).toContain("declare readonly backupId: pulumi.Output<string | undefined>;");
    expect(written("machine")).toContain(
      'declare readonly status: pulumi.Output<"running" | "offline" | (string & {})>;',
    );
  });

  it("show an example: that of the description, or one that follows from the kind of the input", () => {
    expect(written("machine")).toMatch(/@default 1 \* @example 2 \*\/ copies\?:/);
    expect(written("machine")).toMatch(/@example true \*\/ isKept\?:/);
    expect(written("machine")).toMatch(/@example "123" \*\/ backupId\?:/);
    expect(written("machine")).toMatch(/@example \{ backupId: "123" \} \*\/ restore\?:/);
    expect(written("machine")).toMatch(/@example \[\{ purpose: "public" \}\] \*\/ interfaces\?:/);
    expect(written("inputs")).toMatch(/Name of the VLAN\. \* @example "lan" \*\/ label\?:/);
    expect(written("types")).not.toContain("@example");
    expect(written("zone-record")).toMatch(/@example "MX" \*\/ type: "MX";/);
    expect(input("Machine", "label")["description"]).toMatch(/ Example: `"web"`\.$/);
    expect(input("Machine", "interfaces")["description"]).not.toContain("Example");
  });

  it("mark deprecated properties", () => {
    expect(written("machine")).toMatch(/@deprecated Use tags\. \*\/ group\?: pulumi\.Input<string>;/);
    expect(written("machine")).toMatch(/@deprecated Use tags\. \*\/ declare readonly group: /);
    expect(input("Machine", "group")["deprecationMessage"]).toBe("Use tags.");
  });

  it("accept other values than the documented ones in answers of the service, and only those in settings", () => {
    expect(written("machine")).toContain(
      'declare readonly tier: pulumi.Output<"small" | "large" | (string & {})>;',
    );
    expect(written("machine")).toContain(
      'declare readonly resize: pulumi.Output<"in-place" | "replace" | undefined>;',
    );
  });

  it("suggest the documented values of an open list, and accept only those of a closed list", () => {
    expect(written("inputs")).toContain('purpose: pulumi.Input<"public" | "vlan" | (string & {})>;');
    expect(written("machine")).toContain('resize?: pulumi.Input<"in-place" | "replace">;');
  });

  it("have an interface for each value that other inputs depend on", () => {
    expect(written("zone")).toContain(
      "export type ZoneArgs = ClonedZoneArgs | AnyZoneArgs | MainZoneArgs | CopyZoneArgs;",
    );
    expect(written("zone")).toMatch(
      /interface MainZoneArgs extends CommonZoneArgs \{[^}]*type: "main";[^}]*email: pulumi.Input<string>;/,
    );
    expect(written("zone-record")).toMatch(
      /interface MxRecordArgs extends CommonRecordArgs \{[^}]*priority\?: pulumi.Input<number>;[^}]*port\?: undefined;/,
    );
    expect(written("zone-record")).toContain(
      "export type ZoneRecordArgs = RecordPlaceArgs & ZoneRecordSetRecord;",
    );
  });

  it("have an interface for each of several inputs that exclude each other", () => {
    const bodyOf = (name: string) =>
      new RegExp(`interface ${name} extends CommonRecordSetArgs \\{ (.*?)\\}`)
        .exec(written("zone-record-set"))?.[1]
        ?.replace(/\/\*\*.*?\*\/ /g, "");
    expect(bodyOf("FileRecordSetArgs")).toBe("zoneFile: pulumi.Input<string>; records?: undefined; ");
    expect(bodyOf("EmptyRecordSetArgs")).toBe("zoneFile?: undefined; records: undefined; ");
    expect(bodyOf("ListRecordSetArgs")).toMatch(/^records: .*; zoneFile\?: undefined; $/);
  });

  it("take one of two inputs that a type of inputs has both", () => {
    expect(written("machine")).toMatch(
      /args: Omit<MachineArgs, "label" | "group"> & \(Pick<MachineArgs, "label"> \| \(Pick<MachineArgs, "group"> & \{ label\?: undefined \}\)\),/,
    );
    expect(written("machine")).toContain("They have `label` or `group`, not both.");
    expect(written("machine")).toMatch(/interface MachineArgs \{.* label\?: .* group\?: /);
  });

  it("export each type by name", () => {
    for (const name of [
      "MachineInterface",
      "MachineAlertsArgs",
      "MachineBackups",
      "MachineBackupsArgs",
      "RecordValue",
    ])
      expect(files["src/sdk/index.ts"]).toMatch(new RegExp(`\\b${name},`));
  });

  it("import the types of other modules", () => {
    expect(written("zone-record-set")).toContain(
      'import { type RecordValue, type ZoneRecordSetRecord } from "./zone-record";',
    );
    expect(written("machine")).toContain('} from "./types";');
  });
});

/** A value without empty lists and objects, which the engine omits or adds. */
function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]): [string, unknown] => [
    name,
    withoutEmpty(inner),
  ]);
  return Object.fromEntries(
    entries.filter(([, inner]) => typeof inner !== "object" || Object.keys(inner ?? {}).length > 0),
  );
}
