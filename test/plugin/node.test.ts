import {
  type Rig,
  everyField,
  type FieldCase,
  lifecycle,
  type Managed,
  refusals,
  waiting,
} from "../helpers/lifecycle";
import { inEachWay, PluginError } from "../helpers/plugin";
import { eventually } from "../helpers/programs";
import { base, nodesForAllTests } from "./nodes";

inEachWay((way) => {
  let rig: Rig;
  const { rig: started, aNode, aBackup, inside } = nodesForAllTests(way);
  beforeAll(() => (rig = started()));
  /** A node to clone. It does not change during a test. */
  let source: Promise<Managed> | undefined;
  beforeEach(() => (source = undefined));
  const cloned = () => (source ??= aNode());
  const cloning = async () => ({ cloneFrom: (await cloned()).id });
  const disksOf = async () => (await inside(await cloned())).disks.map(({ id }) => id);
  const configsOf = async () => (await inside(await cloned())).configs.map(({ id }) => id);
  const base64 = (text: string) => Buffer.from(text).toString("base64");

  lifecycle(() => rig, {
    type: "Node",
    first: () => ({
      ...base(),
      label: "web",
      group: "fleet",
      tags: ["b", "a"],
      rootPass: "correct horse",
      authorizedKeys: ["ssh-ed25519 AAAA user@host"],
      authorizedUsers: ["emulator"],
      swapSize: 256,
      stackscriptId: 10,
      stackscriptData: { userDefined_field: "kept as it is" },
      backupsEnabled: true,
      backups: { schedule: { day: "Monday", window: "W2" } },
      booted: true,
      privateIp: true,
      interfaces: [{ purpose: "public" }, { purpose: "vlan", label: "lan", ipamAddress: "10.0.0.1/24" }],
      userData: "#cloud-config",
      alerts: { cpu: 50, io: 5000, networkIn: 5, networkOut: 6, transferQuota: 70 },
      watchdogEnabled: false,
      resize: "in-place",
    }),
    changed: (first) => ({
      ...first,
      type: "g6-standard-1",
      label: "web-2",
      tags: [],
      alerts: { cpu: 0, io: 5000, networkIn: 5, networkOut: 6, transferQuota: 70 },
      backups: { schedule: { day: "Sunday", window: "W4" } },
      watchdogEnabled: true,
    }),
    replaced: (first) => ({ ...first, image: "node/ubuntu24.04" }),
    ids: { unknown: "999999", malformed: "web" },
    different: { path: "alerts.cpu", value: 51 },
  });

  const level = (first: number, then: number): FieldCase => ({ change: "updates", first, then });
  const unshown = (
    first: FieldCase["first"],
    then: FieldCase["then"],
    more: Partial<FieldCase> = {},
  ): FieldCase => ({
    change: "replaces",
    first,
    then,
    shown: null,
    ...more,
  });

  describe("inputs", () => {
    everyField(() => rig, {
      type: "Node",
      base,
      cases: {
        region: { change: "replaces", first: "us-east", then: "us-west" },
        type: { change: "updates", first: "g6-nanode-1", then: "g6-standard-1" },
        resize: { change: "nothing", first: "in-place", then: "replace", shown: null },
        readyWhen: null,
        turn: null,
        drainSec: null,
        label: { change: "updates", first: "one", then: "two" },
        group: { change: "updates", first: "one", then: "two" },
        tags: { change: "updates", first: ["one"], then: ["two", "one"], removed: [] },
        image: { change: "replaces", first: "node/debian12", then: "node/ubuntu24.04" },
        rootPass: unshown("correct horse", "battery staple"),
        authorizedKeys: unshown(["ssh-ed25519 one"], ["ssh-ed25519 two"]),
        authorizedUsers: unshown(["ada"], ["ada", "bob"]),
        swapSize: unshown(1024, 256, { removed: 512 }),
        stackscriptId: unshown(10, 11),
        stackscriptData: unshown({ a_key: "one" }, { a_key: "two" }, { with: { stackscriptId: 10 } }),
        backupId: unshown(aBackup, aBackup, { without: ["image"] }),
        cloneFrom: unshown(
          async () => (await aNode()).id,
          async () => (await aNode()).id,
          { without: ["image"] },
        ),
        disks: unshown(disksOf, async () => (await disksOf()).slice(1), {
          with: cloning,
          without: ["image"],
        }),
        configs: unshown([], configsOf, { with: cloning, without: ["image"] }),
        "restoreFromBackup.backupId": {
          change: "updates",
          first: aBackup,
          then: aBackup,
          with: { restoreFromBackup: { overwrite: true } },
          shown: null,
        },
        // Has its own rules, below.
        "restoreFromBackup.overwrite": null,
        bootConfigId: { change: "nothing", first: 1, then: 2, shown: null },
        backupsEnabled: { change: "updates", first: true, then: false, shown: "backups.enabled" },
        "backups.schedule.day": {
          change: "updates",
          first: "Monday",
          then: "Tuesday",
          with: { backupsEnabled: true },
        },
        "backups.schedule.window": {
          change: "updates",
          first: "W2",
          then: "W4",
          with: { backupsEnabled: true },
        },
        // Has its own rules, below.
        booted: null,
        privateIp: unshown(true, false),
        interfaces: unshown([{ purpose: "public" }], [{ purpose: "vlan", label: "lan" }]),
        "metadata.userData": unshown(base64("#one"), base64("#two")),
        userData: unshown("#one", "#two"),
        "alerts.cpu": level(80, 0),
        "alerts.io": level(1, 2),
        "alerts.networkIn": level(1, 2),
        "alerts.networkOut": level(1, 2),
        "alerts.transferQuota": level(1, 2),
        watchdogEnabled: { change: "updates", first: false, then: true },
      },
    });
  });

  refusals(() => rig, "Node", base, [
    [{ label: "ab" }, 'label must be at least 3 characters long, not "ab"'],
    [{ label: "x".repeat(65) }, "label must be at most 64 characters long, not 65"],
    [{ rootPass: "short" }, "rootPass must be at least 7 characters long"],
    [{ rootPass: "x".repeat(129) }, "rootPass must be at most 128 characters long"],
    [{ swapSize: 0.5 }, "swapSize must be a whole number, not 0.5"],
    [{ resize: "never" }, 'resize must be in-place or replace, not "never"'],
    [
      { stackscriptData: { text: "x".repeat(65_535) } },
      "stackscriptData must have at most 65535 characters as JSON",
    ],
    [{ interfaces: Array(4).fill({ purpose: "public" }) }, "interfaces must have at most 3 items, not 4"],
    [{ interfaces: [{ label: "lan" }] }, "interfaces[0].purpose is required"],
    [{ alerts: { cpu: "high" } }, 'alerts.cpu must be a number, not "high"'],
    [
      { alerts: { network_in: 5 } },
      "alerts.network_in is not a property of this resource; did you mean alerts.networkIn?",
    ],
    [{ backups: "daily" }, "backups must be an object"],
    [
      { backupId: "latest" },
      'backupId must be the id of a backup (a whole number, or nodeId/backupId), not "latest"',
    ],
    [{ cloneFrom: "web", image: null }, 'cloneFrom must be the id of a node (a whole number), not "web"'],
    [
      { cloneFrom: "1" },
      "image cannot be set together with cloneFrom: a clone copies its source; set one of them",
    ],
    [{ disks: [1] }, "disks selects what cloneFrom clones; set cloneFrom, or remove it"],
    [{ configs: [1] }, "configs selects what cloneFrom clones; set cloneFrom, or remove it"],
    [{ restoreFromBackup: { overwrite: true } }, "restoreFromBackup.backupId is required"],
    [
      { restoreFromBackup: { backupId: "latest" } },
      'restoreFromBackup.backupId must be the id of a backup (a whole number, or nodeId/backupId), not "latest"',
    ],
    [
      { restoreFromBackup: { backupId: 1, overwrite: "yes" } },
      'restoreFromBackup.overwrite must be true or false, not "yes"',
    ],
    [{ shutdown: true }, "shutdown is not supported: the API has no operation to stop a node"],
    [
      { cloneFrom: 1, nodeId: 2, image: null },
      "nodeId is not supported: after a clone onto an existing node, two resources would manage that node. " +
        "cloneFrom creates a new node, and restoreFromBackup adds another node's disks to this one",
    ],
    [
      { userData: "#one", metadata: { userData: base64("#one") } },
      "userData cannot be set together with metadata: both are the user data; set one of them",
    ],
    [
      { booted: true, image: null },
      "booted needs a node with something to boot: set one of image, stackscriptId, backupId, cloneFrom",
    ],
    [{ hypervisor: "kvm" }, "hypervisor is not a property of this resource"],
  ]);

  test("a refused secret is not shown", async () => {
    const secrets = { rootPass: "hush", metadata: { userData: "not base64: hush" } };
    const { failures } = await rig.resource("Node").check({ ...base(), ...secrets });
    expect(failures).toHaveLength(2);
    for (const { property, reason } of failures) {
      // The engine prints the value of the property that a failure names.
      expect(property).toBe("");
      expect(reason).not.toContain("hush");
    }
  });

  waiting(() => rig, {
    type: "Node",
    first: base,
    during: "provisioning",
    ready: "running",
    deleting: "deleting",
  });

  describe("creation", () => {
    test("without an image, the node is ready when it is offline", async () => {
      const node = await aNode({ region: "us-east", type: "g6-nanode-1" });
      expect(node.outputs).toMatchObject({ status: "offline", booted: false });
    });

    test("with booted: false, the node is ready when it is offline", async () => {
      const node = await aNode({ ...base(), booted: false });
      expect(node.outputs).toMatchObject({ status: "offline", booted: false });
      expect(await node.drifted()).toBe(false);
    });

    test("generates and keeps a root password if there is an image and the program sets no password", async () => {
      const node = await aNode();
      const { rootPass } = node.outputs;
      expect(rootPass).toMatch(/^[\w-]{32}$/);
      await node.refresh();
      await node.up({ ...base(), tags: ["web"] });
      expect(node.outputs["rootPass"]).toBe(rootPass);
      expect((await aNode()).outputs["rootPass"]).not.toBe(rootPass);
    });

    test("sends interfaces, StackScript data and user data in the API's spelling", async () => {
      await rig.requests();
      await aNode({
        ...base(),
        userData: "#cloud-config",
        stackscriptId: 1,
        stackscriptData: { aKey: 1, b_key: { cKey: 2 } },
        interfaces: [{ purpose: "vlan", ipamAddress: "10.0.0.1/24" }],
      });
      const { body } = await rig.emulator.control<{ last: { method: string; body: unknown }[] }>(
        "GET",
        "/requests",
      );
      expect(body.last.find(({ method }) => method === "POST")?.body).toMatchObject({
        metadata: { user_data: base64("#cloud-config") },
        stackscript_data: { aKey: 1, b_key: { cKey: 2 } },
        interfaces: [{ purpose: "vlan", ipam_address: "10.0.0.1/24" }],
      });
    });

    test("accepts the id of a NodeBackupSnapshot as backupId", async () => {
      const backupId = await aBackup();
      const node = await aNode({ region: "us-east", type: "g6-nanode-1", backupId });
      expect(node.outputs["backupId"]).toBe(backupId);
      await rig.requests();
    });

    test("sends inputs that the create operation does not accept right after the creation", async () => {
      const args = { ...base(), watchdogEnabled: false, alerts: { cpu: 42 } };
      const node = await aNode(args);
      expect(await node.live()).toMatchObject({ watchdog_enabled: false, alerts: { cpu: 42, io: 10_000 } });
    });

    test("a refusal names the property in the program's spelling, the status and the reason", async () => {
      await expect(aNode({ ...base(), backupId: "999999" })).rejects.toThrow(
        /^create Node res-\d+-[0-9a-f]{7}: backupId: is not a known backup \(400\) \[NC1005\]$/,
      );
    });

    test("keeps the node if a write after the creation fails, and the next up finishes it", async () => {
      const args = { ...base(), watchdogEnabled: false };
      const node = rig.resource("Node");
      await rig.emulator.control("POST", "/faults", {
        method: "PUT",
        path: "/v4/node/instances/*",
        effect: { status: 400, body: { errors: [{ reason: "not now", field: "watchdog_enabled" }] } },
      });
      const failed = node.up(args);
      await expect(failed).rejects.toBeInstanceOf(PluginError);
      await expect(failed).rejects.toThrow(/^create Node .*: watchdogEnabled: not now \(400\) \[NC1005\]$/);
      expect(node.initFailed).toBe(true);
      expect(await node.preview(args)).toMatchObject({ changes: true });
      expect(await node.warnings()).toEqual([
        "changes watchdogEnabled: a run before failed and did not carry out all inputs",
      ]);
      await rig.requests();
      expect(await node.up(args)).toBe("updated");
      expect(await node.preview(args)).toMatchObject({ changes: false });
      expect(await rig.requests()).not.toHaveProperty("POST /v4/node/instances");
      expect(await node.live()).toMatchObject({ watchdog_enabled: false });
      expect(node.outputs["rootPass"]).toEqual(expect.any(String));
    });
  });

  describe("a clone", () => {
    test("has the disks and configs that the program selects", async () => {
      const [first = 0] = await disksOf();
      const clone = await aNode({
        region: "us-east",
        type: "g6-nanode-1",
        cloneFrom: (await cloned()).id,
        disks: [first],
        configs: [],
      });
      const { disks, configs } = await inside(clone);
      expect([disks.length, configs.length]).toEqual([1, 0]);
      expect((await disksOf()).length).toBe(2);
    });

    test("of a node with user data needs its own user data", async () => {
      const node = await aNode({ ...base(), userData: "#cloud-config" });
      const clone = { region: "us-east", type: "g6-nanode-1", cloneFrom: node.id };
      await expect(aNode(clone)).rejects.toThrow(/^userData is required: node \d+ has user data/);
      expect((await aNode({ ...clone, userData: "#other" })).outputs).toMatchObject({ hasUserData: true });
    });
  });

  describe("user data in another spelling", () => {
    const spellings = { plain: { userData: "x" }, encoded: { metadata: { userData: base64("x") } } };

    test.each([
      ["plain", "encoded"],
      ["encoded", "plain"],
    ] as const)("is no change of the node: from %s to %s", async (from, to) => {
      const node = await aNode({ ...base(), ...spellings[from] });
      const { id } = node;
      const label = String(node.outputs["label"]);
      const respelt = { ...base(), label, ...spellings[to] };
      expect(await node.preview(respelt)).toMatchObject({ replaces: [] });
      expect(await node.up(respelt)).toBe("updated");
      expect(node.id).toBe(id);
      expect(await node.preview(respelt)).toMatchObject({ changes: false });
      expect(await node.drifted()).toBe(false);
      const changed = { ...base(), label, metadata: { userData: base64("y") } };
      expect(await node.preview(changed)).toMatchObject({ replaces: ["metadata"] });
    });
  });

  test("a replacement creates before it deletes, and its preview warns of the loss", async () => {
    const node = await aNode();
    expect(await node.preview({ ...base(), region: "us-west" })).toMatchObject({
      deleteBeforeReplace: false,
    });
    expect(await node.warnings()).toEqual([
      "replacing it, because region changed, and the API has no operation to change it: the node's disks, backups and addresses are lost",
    ]);
  });

  test("a preview that turns off the backup service warns that the backups are deleted", async () => {
    const node = await aNode({ ...base(), backupsEnabled: true });
    await node.preview({ ...base(), backupsEnabled: false });
    expect(await node.warnings()).toEqual([
      "loses data: turning the backup service off deletes all backups of the node for good",
    ]);
  });

  test("a delete waits while the node is cloning", async () => {
    const node = await aNode();
    await node.patch({ status: "cloning" });
    rig.stopTime();
    await rig.requests();
    const deleted = node.destroy();
    await eventually("the delete waits", () => node.progress().find((line) => line.startsWith("cloning")));
    expect(Object.keys(await rig.requests()).filter((operation) => operation.startsWith("DELETE"))).toEqual(
      [],
    );
    await node.patch({ status: "running" });
    rig.runTime();
    await deleted;
    expect(await node.live()).toBeUndefined();
  });

  test("setting a write-only input of an imported node is not a change", async () => {
    const node = await aNode({ ...base(), label: "adopt-me" });
    const adopted = rig.resource("Node");
    await adopted.up({ ...base(), label: "adopt-me" }, { import: node.id });
    expect(adopted.outputs).not.toHaveProperty("rootPass");
    const more = {
      rootPass: "correct horse",
      authorizedKeys: ["ssh-ed25519 A"],
      userData: "#cloud-config",
      stackscriptData: {},
    };
    expect(await adopted.preview({ ...base(), label: "adopt-me", ...more })).toMatchObject({
      changes: false,
    });
    // The row of another change lists them too.
    await adopted.preview({ ...base(), label: "adopted", ...more });
    expect(rig.plugin.logs.map(({ message }) => message).join()).toContain(
      "does not send rootPass, authorizedKeys, stackscriptData and userData: the object was adopted, and only a creation takes this",
    );
  });

  test("a replaced imported node gets a new node", async () => {
    const node = await aNode({ ...base(), label: "adopt-and-replace" });
    const adopted = rig.resource("Node");
    const options = { import: node.id };
    await adopted.up({ ...base(), label: "adopt-and-replace" }, options);
    expect(await adopted.up({ ...base(), label: "adopt-and-replace", region: "us-west" }, options)).toBe(
      "replaced",
    );
    expect(adopted.id).not.toBe(node.id);
    expect(await node.live()).toBeUndefined();
    expect(await adopted.live()).toMatchObject({ region: "us-west" });
  });

  // The engine itself replaces the node of a resource of the full plugin.
  if (way === "dynamic") {
    test("a dynamic resource that manages one node cannot import another", async () => {
      const [one, two] = [await aNode(), await aNode()];
      await expect(one.preview(base(), { import: two.id })).rejects.toThrow(
        `import Node ${two.id}: this resource already manages the Node ${one.id}.`,
      );
    });
  }

  test("tags in a different order are neither a change nor drift", async () => {
    const node = await aNode({ ...base(), tags: ["a", "b"] });
    expect(await node.preview({ ...base(), tags: ["b", "a"] })).toMatchObject({ changes: false, row: [] });
    await node.patch({ tags: ["b", "a"] });
    expect(await node.drifted()).toBe(false);
  });

  test("many waiting nodes are read together", async () => {
    rig.stopTime();
    const nodes = Array.from({ length: 5 }, () => rig.resource("Node"));
    const created = Promise.all(nodes.map((node) => node.up(base())));
    await eventually("all are waited for", () =>
      nodes.every((node) => node.progress().length > 0) ? true : undefined,
    );
    await rig.clock.advance(0);
    await rig.requests();
    await rig.clock.advance(30_000);
    const counts = await rig.requests();
    expect(counts["GET /v4/node/instances"]).toBeGreaterThan(0);
    expect(counts["GET /v4/node/instances/:id"] ?? 0).toBe(0);
    rig.runTime();
    await created;
    expect(nodes.map(({ outputs }) => outputs["status"])).toEqual(nodes.map(() => "running"));
  });

  test("clones of one node beyond the service's limit wait for each other", async () => {
    const source = await aNode();
    // A clone takes a second, so all are requested before the first one ends.
    rig.emulator.clock.setSpeed(600);
    try {
      const clones = Array.from({ length: 6 }, () =>
        aNode({ region: "us-east", type: "g6-nanode-1", cloneFrom: source.id }),
      );
      const ids = (await Promise.all(clones)).map(({ id }) => id);
      expect(new Set(ids).size).toBe(6);
    } finally {
      rig.runTime();
    }
  });
});
