import { NODE_STATUSES } from "../../src/api/nodes";
import { schemaFailures } from "../../src/provider/inputs/check-schema";
import { type Properties, UNKNOWN } from "../../src/provider/base/values";
import { Node } from "../../src/sdk";
import { descriptionOf, rulesOf } from "./describe";

const description = descriptionOf(Node);
const base = { region: "us-east", type: "g6-nanode-1" };
const rules = (inputs: Properties, olds: Properties = {}) =>
  rulesOf(description, { ...base, ...inputs }, olds);

describe("a clone", () => {
  test("accepts the inputs of the clone operation, and those that are written afterwards", () => {
    const inputs = {
      cloneFrom: "12",
      label: "copy",
      group: "g",
      backupsEnabled: true,
      privateIp: true,
      tags: ["a"],
      booted: true,
      metadata: { userData: "YQ==" },
      alerts: { cpu: 90 },
      watchdogEnabled: false,
    };
    expect(rules(inputs)).toEqual([]);
  });

  test.each<[string, unknown]>([
    ["image", "node/debian12"],
    ["rootPass", "correct horse"],
    ["authorizedKeys", ["ssh-ed25519 AAAA"]],
    ["authorizedUsers", ["ada"]],
    ["swapSize", 256],
    ["stackscriptId", 1],
    ["stackscriptData", { a: 1 }],
    ["backupId", "34"],
    ["interfaces", [{ purpose: "public" }]],
  ])("refuses %s, because it has its source's", (property, value) => {
    expect(rules({ cloneFrom: "12", [property]: value })).toEqual([
      `${property} cannot be set together with cloneFrom: a clone copies its source; set one of them`,
    ]);
    expect(rules({ [property]: value })).toEqual([]);
  });
});

test("disks and configs to clone require cloneFrom", () => {
  expect(rules({ cloneFrom: "12", disks: [1], configs: [] })).toEqual([]);
  expect(rules({ disks: [1], configs: [2] })).toEqual([
    "disks selects what cloneFrom clones; set cloneFrom, or remove it",
    "configs selects what cloneFrom clones; set cloneFrom, or remove it",
  ]);
});

describe("a restore", () => {
  const warnings = (restoreFromBackup: unknown, ...changed: string[]) =>
    description.warnings?.((path) => changed.includes(path), { restoreFromBackup })?.map(({ line }) => line);

  test("requires a backup", () => {
    expect(rules({ restoreFromBackup: { backupId: "12/34" } })).toEqual([]);
    expect(rules({ restoreFromBackup: { backupId: UNKNOWN } })).toEqual([]);
    expect(
      schemaFailures(description, { inputs: { ...base, restoreFromBackup: { overwrite: true } } }),
    ).toEqual([
      {
        property: "restoreFromBackup.backupId",
        reason: "is required",
      },
    ]);
  });

  test("causes a warning only if it will delete the node's disks", () => {
    const lost = [
      "restoring a backup with overwrite deletes all the node's disks and configuration profiles first",
    ];
    const over = { backupId: "12/34", overwrite: true };
    expect(warnings(over, "restoreFromBackup.backupId")).toEqual(lost);
    expect(warnings(over, "restoreFromBackup.overwrite")).toEqual(lost);
    expect(warnings(over, "label")).toEqual([]);
    expect(warnings({ backupId: "12/34" }, "restoreFromBackup.backupId")).toEqual([]);
    expect(warnings({ backupId: "12/34", overwrite: UNKNOWN }, "restoreFromBackup.overwrite")).toEqual(lost);
    expect(warnings(UNKNOWN, "restoreFromBackup.backupId")).toEqual(lost);
  });
});

test("only one of the two spellings of user data can be set", () => {
  const both = { userData: "#cloud-config", metadata: { userData: "YQ==" } };
  expect(rules(both)).toEqual([
    "userData cannot be set together with metadata: both are the user data; set one of them",
  ]);
});

describe("the input booted", () => {
  const cannotStop =
    "booted cannot change to false: the API has no operation to stop a node. " +
    "Omit it, and stop the node outside Pulumi";

  test.each<[Properties, Properties, string[]]>([
    [{ booted: false }, {}, []],
    [{ booted: false }, { ...base, booted: false }, []],
    [{ booted: false }, { ...base, booted: true }, [cannotStop]],
    [{ booted: false }, base, [cannotStop]],
    [{}, { ...base, booted: true }, []],
    [{ booted: true }, { ...base, booted: false }, []],
    [{ booted: UNKNOWN }, { ...base, booted: true }, []],
  ])("%j after %j gives the failures %j", (inputs, olds, complaints) => {
    expect(rules(inputs, olds)).toEqual(complaints);
  });

  test("true on a new node requires something to boot", () => {
    expect(rules({ booted: true })).toEqual([
      "booted needs a node with something to boot: set one of image, stackscriptId, backupId, cloneFrom",
    ]);
    for (const source of [
      { image: "node/debian12" },
      { stackscriptId: 1 },
      { backupId: "2" },
      { cloneFrom: "3" },
    ]) {
      expect(rules({ booted: true, ...source })).toEqual([]);
    }
    expect(rules({ booted: true, image: UNKNOWN })).toEqual([]);
  });

  test("true on an imported node requires nothing", () => {
    expect(rules({ booted: true, __importId: "12" })).toEqual([]);
  });
});

describe("the statuses that end a creation", () => {
  const { statuses } = description;
  const ready = (inputs: Properties) => (typeof statuses?.ready === "function" ? statuses.ready(inputs) : []);

  test.each<[Properties, string[]]>([
    [{}, ["offline"]],
    [{ image: "node/debian12" }, ["running"]],
    [{ stackscriptId: 1 }, ["running"]],
    [{ backupId: "1" }, ["running", "offline"]],
    [{ cloneFrom: "1" }, ["running", "offline"]],
    [{ image: "node/debian12", booted: false }, ["offline"]],
    [{ cloneFrom: "1", booted: false }, ["offline"]],
  ])("for %j are %j", (inputs, expected) => {
    expect(ready(inputs)).toEqual(expected);
  });
});

describe("the outputs of an answer have", () => {
  const reply = (more: object) => ({ id: 1, label: "web", ...base, status: "running", ...more });
  const shown = (more: object) => description.toOutputs?.(reply(more)) ?? {};

  const running = ["running", "booting", "rebooting"];
  const stopped = ["offline", "stopped", "shutting_down"];

  test.each([...NODE_STATUSES, "hibernating"])(
    "booted for the status %s, or nothing for an ambiguous one",
    (status) => {
      const expected = running.includes(status) ? true : stopped.includes(status) ? false : undefined;
      expect(shown({ status })["booted"]).toBe(expected);
      expect("booted" in shown({ status })).toBe(expected !== undefined);
    },
  );

  test("backupsEnabled, if the answer contains it", () => {
    expect(shown({ backups: { enabled: true } })["backupsEnabled"]).toBe(true);
    expect(shown({ backups: { enabled: false } })["backupsEnabled"]).toBe(false);
    expect(shown({ backups: null })).not.toHaveProperty("backupsEnabled");
    expect(shown({})).not.toHaveProperty("backupsEnabled");
  });

  test("the fields in the program's spelling, without the id", () => {
    const outputs = shown({ host_uuid: "u", alerts: { network_in: 1 }, new_field: { a_b: 1 } });
    expect(outputs).toMatchObject({ hostUuid: "u", alerts: { networkIn: 1 }, newField: { aB: 1 } });
    expect(outputs).not.toHaveProperty("id");
  });
});

test("a change of type resizes the node, or replaces it if the program says so", () => {
  const type = description.fields["type"];
  const change =
    type !== undefined && "schema" in type && typeof type.change === "function" ? type.change : undefined;
  expect(change?.({})).toBe("update");
  expect(change?.({ resize: "in-place" })).toBe("update");
  expect(change?.({ resize: "replace" })).toBe("replace");
});

test("only turning the backups off causes a warning", () => {
  const warnings = (changed: string, inputs: Properties) =>
    description.warnings?.((path) => path === changed, inputs).map(({ line }) => line);
  expect(warnings("backupsEnabled", { backupsEnabled: false })).toEqual([
    "turning the backup service off deletes all backups of the node for good",
  ]);
  expect(warnings("backupsEnabled", { backupsEnabled: true })).toEqual([]);
  expect(warnings("backupsEnabled", { backupsEnabled: UNKNOWN })).toHaveLength(1);
  expect(warnings("label", { backupsEnabled: false })).toEqual([]);
});
