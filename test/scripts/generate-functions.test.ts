import { execFileSync } from "node:child_process";
import { cleanEnvironment } from "../../scripts/environment.cjs";
import { root } from "./fakes";

/** Generates the data functions of the package's descriptions and of more: the modules by file, or the message of the error. */
function generate(
  more: readonly object[],
  own = "[...Object.values(loadDescriptions()), ...loadUnmanaged()]",
) {
  const text = `
    import { functionModules } from "./scripts/generate/functions.mjs";
    import { loadDescriptions, loadUnmanaged } from "./scripts/generate/load.mjs";
    const files = {};
    let error = "";
    try {
      for (const { file, written } of functionModules([...${own}, ...${JSON.stringify(more)}])) files[file] = await written("");
    } catch ({ message }) {
      error = message;
    }
    console.log(JSON.stringify({ files, error }));`;
  const made = execFileSync(process.execPath, ["--input-type=module", "-e", text], {
    cwd: root,
    encoding: "utf8",
    env: cleanEnvironment(),
  });
  return JSON.parse(made) as { readonly files: Readonly<Record<string, string>>; readonly error: string };
}

const example = "await nodecloud.get();";
const zone = {
  type: "EuZone",
  noun: "EU zone",
  readOperation: { path: "/domains/{domainId}" },
  lookup: {
    by: ["type", "origin"],
    list: { example },
    item: { example },
    views: { Key: { reads: { path: "/domains/{domainId}/zone-file" }, doc: "Its key.", example } },
  },
};
const key = {
  type: "ZoneKey",
  noun: "key",
  readOperation: { path: "/domains/{domainId}/records" },
  id: { parent: "zoneId", parentType: "EuZone" },
  lookup: { by: ["label"], list: { doc: "All keys.", example }, item: { example } },
};

describe("the data functions of a description", () => {
  const { files } = generate([zone, key]);

  test("read the operations at its path and at that of its list", () => {
    const written = files["src/functions/eu-zones.ts"];
    expect(written).toMatch(/name: "getEuZones",\s+reads: "domains.list",\s+collection: "zones",/);
    expect(written).toMatch(/name: "getEuZone",\s+reads: "domains.get",/);
    expect(written).toMatch(
      /name: "getEuZoneKey",\s+reads: "domains.getZoneFile",\s+parent: \{ property: "zoneId", noun: "EU zone" \},/,
    );
    expect(files["src/functions/zone-keys.ts"]).toMatch(
      /name: "getZoneKeys",\s+reads: "records.list",\s+collection: "keys",/,
    );
  });

  test("say in their docs what they return, of which object, and what identifies it", () => {
    expect(files["src/functions/eu-zones.ts"]).toContain(" * The EU zones of the account.\n");
    expect(files["src/functions/eu-zones.ts"]).toContain(
      " * One EU zone: by its id, or by a type, an origin and a filter that match exactly one.\n",
    );
    expect(files["src/functions/zone-keys.ts"]).toContain(" * All keys.\n");
    expect(files["src/functions/zone-keys.ts"]).toContain(
      " * One key of an EU zone: by its id, or by a label and a filter that match exactly one.\n",
    );
  });

  test("are in the index, beside those that are written by hand", () => {
    for (const stem of ["eu-zones", "zone-keys", "domains", "node-backups"])
      expect(files["src/functions/index.ts"]).toContain(`export * from "./${stem}";\n`);
  });
});

test("a generated module without a description is refused, and the error names it", () => {
  expect(generate([], "[]").error).toMatch(/^No description makes src\/functions\/[\w-]+\.ts: delete it$/);
});

test("a description whose list has no operation is refused", () => {
  const stray = { ...zone, readOperation: { path: "/zones/{zoneId}" } };
  expect(generate([stray]).error).toBe("No operation reads /zones");
});
