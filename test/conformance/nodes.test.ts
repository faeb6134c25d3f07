import { type TestEmulator, deployedNode, startTestEmulator } from "../helpers/emulator";

interface Node {
  id: number;
  status: string;
  tags: string[];
  has_user_data: boolean;
  ipv4: string[];
}
interface Part {
  id: number;
  label: string;
  size: number;
  filesystem: string;
}

const MINUTE = 60;
const empty = { region: "us-east", type: "g6-standard-2" };
const vlan = [{ purpose: "public" }, { purpose: "vlan", label: "lan", ipam_address: "10.0.0.1/24" }];
const metadata = { user_data: "I2Nsb3VkLWNvbmZpZw==" };

let emulator: TestEmulator;
beforeEach(async () => {
  emulator = await startTestEmulator();
});
afterEach(() => emulator.stop());

const create = (body: object = deployedNode) => emulator.call<Node>("POST", "/node/instances", { body });
const view = async (id: number) => (await emulator.call<Node>("GET", `/node/instances/${id}`)).body;
const act = (id: number, action: string, body?: object) =>
  emulator.call<Node>("POST", `/node/instances/${id}/${action}`, { body });
const remove = (id: number) => emulator.call("DELETE", `/node/instances/${id}`);
const patch = (id: number, fields: object) => emulator.control("PATCH", `/objects/nodes/${id}`, fields);
const stored = async (id: number) =>
  (await emulator.control<{ configs: Part[] }>("GET", `/objects/nodes/${id}`)).body;
const disks = async (id: number) =>
  (await emulator.call<{ data: Part[] }>("GET", `/node/instances/${id}/disks`)).body.data;
const refusal = (...fields: string[]) => ({
  status: 400,
  body: { errors: fields.map((field) => ({ field, reason: expect.any(String) })) },
});

async function running(body: object = deployedNode) {
  const { id } = (await create(body)).body;
  emulator.clock.advance(20 * MINUTE);
  return id;
}

async function snapshot(id: number) {
  const { body } = await act(id, "backups", { label: "snapshot" });
  emulator.clock.advance(10 * MINUTE);
  return body.id;
}

describe("creation", () => {
  test.each([
    ["an image", deployedNode],
    ["a StackScript", { ...empty, stackscript_id: 1, root_pass: "correct horse" }],
    ["an image and a StackScript", { ...deployedNode, stackscript_id: 1, stackscript_data: { a: "b" } }],
  ])("from %s is provisioning, then running", async (_, body) => {
    const { id, status } = (await create(body)).body;
    expect(status).toBe("provisioning");
    emulator.clock.advance(20 * MINUTE);
    expect((await view(id)).status).toBe("running");
  });

  test("without image, StackScript or backup stays offline, without disks", async () => {
    const { id, status } = (await create(empty)).body;
    expect(status).toBe("offline");
    emulator.clock.advance(24 * 60 * MINUTE);
    expect((await view(id)).status).toBe("offline");
    expect(await disks(id)).toEqual([]);
  });

  test("creates a default config and two disks, one of them a swap disk of swap_size", async () => {
    const id = await running({ ...deployedNode, swap_size: 1024 });
    expect(await disks(id)).toMatchObject([{ filesystem: "ext4" }, { filesystem: "swap", size: 1024 }]);
    expect((await stored(id)).configs).toHaveLength(1);
  });

  test("ignores swap_size unless an image is deployed", async () => {
    const { body } = await create({ ...empty, swap_size: 1024 });
    expect(await disks(body.id)).toEqual([]);
    const scripted = await create({ ...empty, stackscript_id: 1, swap_size: 1024 });
    expect(await disks(scripted.body.id)).toMatchObject([{}, { size: 512 }]);
  });

  test("boots unless booted is false", async () => {
    expect((await view(await running({ ...deployedNode, booted: true }))).status).toBe("running");
    expect((await view(await running({ ...deployedNode, booted: false }))).status).toBe("offline");
  });

  test("assigns one public address, and a private one with private_ip", async () => {
    const isPrivate = (address: string) => address.startsWith("192.168.");
    expect((await create()).body.ipv4.map(isPrivate)).toEqual([false]);
    expect((await create({ ...deployedNode, private_ip: true })).body.ipv4.map(isPrivate)).toEqual([
      false,
      true,
    ]);
  });

  test("with backups_enabled enables the backup service", async () => {
    expect((await create({ ...deployedNode, backups_enabled: true })).body).toMatchObject({
      backups: { enabled: true, schedule: { day: expect.any(String), window: expect.any(String) } },
    });
    expect((await create()).body).toMatchObject({ backups: { enabled: false } });
  });

  test("with metadata sets user data, and requires an image with cloud-init and a region with Metadata", async () => {
    const withData = { ...deployedNode, image: "node/debian12", metadata };
    expect((await create(withData)).body.has_user_data).toBe(true);
    expect((await create()).body.has_user_data).toBe(false);
    expect(await create({ ...withData, image: "node/alpine3.20" })).toMatchObject(refusal("metadata"));
    expect(await create({ ...withData, region: "ca-central" })).toMatchObject(refusal("metadata"));
    expect(await create({ ...empty, metadata })).toMatchObject(refusal("metadata"));
  });

  test("metadata.user_data is base64", async () => {
    const body = { ...deployedNode, image: "node/debian12", metadata: { user_data: "#cloud-config" } };
    expect(await create(body)).toMatchObject(refusal("metadata.user_data"));
  });

  test("a VLAN is supported only in a next-generation-network region", async () => {
    expect((await create({ ...deployedNode, interfaces: vlan })).status).toBe(200);
    const elsewhere = { ...deployedNode, region: "ca-central" };
    expect(await create({ ...elsewhere, interfaces: vlan })).toMatchObject(refusal("interfaces.1.purpose"));
    expect((await create({ ...elsewhere, interfaces: [{ purpose: "public" }] })).status).toBe(200);
  });

  test("from a backup takes over its disks and config, and requires a large enough node in its region", async () => {
    const source = await running({ ...deployedNode, type: "g6-standard-1" });
    const backup_id = await snapshot(source);
    const from = (body: object) => create({ region: "us-east", type: "g6-standard-1", backup_id, ...body });
    const shapes = (parts: Part[]) =>
      parts.map(({ label, size, filesystem }) => ({ label, size, filesystem }));
    const { id } = (await from({})).body;
    expect(shapes(await disks(id))).toEqual(shapes(await disks(source)));
    const labels = async (node: number) => (await stored(node)).configs.map(({ label }) => label);
    expect(await labels(id)).toEqual(await labels(source));
    expect(await from({ type: "g6-nanode-1" })).toMatchObject(refusal("type"));
    expect(await from({ region: "us-west" })).toMatchObject(refusal("region"));
    expect(await from({ backup_id: 4711 })).toMatchObject(refusal("backup_id"));
  });

  test("requires a type that is large enough for the image", async () => {
    const disk = (await disks(await running({ ...deployedNode, type: "g6-standard-1" })))[0];
    const { body } = await emulator.call("POST", "/images", { body: { disk_id: disk?.id } });
    emulator.clock.advance(5 * MINUTE);
    const image = body["id"];
    expect(await create({ ...deployedNode, image })).toMatchObject(refusal("type"));
    expect((await create({ ...deployedNode, image, type: "g6-standard-1" })).status).toBe(200);
  });
});

describe("deletion", () => {
  test("deletes the node's disks, configs and backups", async () => {
    const id = await running();
    const backup = await snapshot(id);
    const disk_id = (await disks(id))[0]?.id;
    await remove(id);
    emulator.clock.advance(30);
    expect((await emulator.call("GET", `/node/instances/${id}/disks`)).status).toBe(404);
    expect(await emulator.call("POST", "/images", { body: { disk_id } })).toMatchObject(refusal("disk_id"));
    expect((await emulator.control("GET", `/objects/nodeBackups/${backup}`)).status).toBe(404);
    expect(await create({ ...empty, backup_id: backup })).toMatchObject(refusal("backup_id"));
  });

  test.each(["cloning", "restoring"])("is refused while the status is %s", async (status) => {
    const id = await running();
    await patch(id, { status });
    expect(await remove(id)).toMatchObject({
      status: 400,
      body: { errors: [{ reason: expect.any(String) }] },
    });
    expect((await view(id)).status).toBe(status);
  });

  test("is refused for the source and the target of a clone in progress", async () => {
    const [source, target] = [await running(), await running(empty)];
    await act(source, "clone", { node_id: target });
    for (const id of [source, target]) {
      expect((await view(id)).status).toBe("cloning");
      expect((await remove(id)).status).toBe(400);
    }
    emulator.clock.advance(10 * MINUTE);
    for (const id of [source, target]) expect((await remove(id)).status).toBe(200);
  });
});

test("maintenance stops a node without a request, and the node can be deleted", async () => {
  const id = await running();
  await patch(id, { status: "stopped" });
  expect((await view(id)).status).toBe("stopped");
  expect((await remove(id)).status).toBe(200);
});

describe("a boot without config_id", () => {
  const off = async (configs: object[], last_booted_config: number | null = null) => {
    const id = await running({ ...deployedNode, booted: false });
    await patch(id, { configs, last_booted_config });
    return id;
  };
  const [one, two] = [
    { id: 901, label: "one" },
    { id: 902, label: "two" },
  ];
  const booted = async (id: number) =>
    (await emulator.control("GET", `/objects/nodes/${id}`)).body["last_booted_config"];

  test("uses the only config", async () => {
    const id = await off([one]);
    expect((await act(id, "boot")).status).toBe(200);
    expect(await booted(id)).toBe(901);
  });

  test("uses the last booted config of several", async () => {
    const id = await off([one, two], 902);
    expect((await act(id, "boot")).status).toBe(200);
    expect(await booted(id)).toBe(902);
  });

  test.each([
    ["never booted", null],
    ["deleted", 903],
  ])("fails if the last booted config of several was %s", async (_, last) => {
    const id = await off([one, two], last);
    expect(await act(id, "boot")).toMatchObject({
      status: 400,
      body: { errors: [{ reason: expect.any(String) }] },
    });
    expect((await view(id)).status).toBe("offline");
  });

  test("fails in an update if the node does not have that config", async () => {
    const id = await off([one]);
    expect(await act(id, "boot", { config_id: 903 })).toMatchObject(refusal("config_id"));
    expect((await act(id, "boot", { config_id: 901 })).status).toBe(200);
  });
});

describe("a clone", () => {
  test("to a new node has the fields of the body, and the source's tags", async () => {
    const source = await running({ ...deployedNode, tags: ["web"] });
    const body = {
      ...{ region: "eu-west", type: "g6-standard-1", label: "copy", group: "fleet" },
      private_ip: true,
    };
    const { body: clone } = await act(source, "clone", { ...body, backups_enabled: true });
    expect(clone).toMatchObject({ region: "eu-west", type: "g6-standard-1", label: "copy", group: "fleet" });
    expect(clone).toMatchObject({ tags: ["web"], ipv4: [expect.any(String), expect.any(String)] });
    expect(clone).toMatchObject({ backups: { enabled: true } });
  });

  test("onto an existing node adds the source's tags to the target's", async () => {
    const source = await running({ ...deployedNode, tags: ["web", "both"] });
    const target = await running({ ...empty, tags: ["own", "both"] });
    expect((await act(source, "clone", { node_id: target })).body).toMatchObject({ id: target });
    expect((await view(target)).tags).toEqual(["own", "both", "web"]);
  });

  test("has the requested disks and configs, which must be the source's", async () => {
    const source = await running();
    const [disk] = await disks(source);
    const { body } = await act(source, "clone", { disks: [disk?.id], configs: [] });
    expect(await disks(body.id)).toMatchObject([{ filesystem: "ext4", size: disk?.size }]);
    expect((await stored(body.id)).configs).toEqual([]);
    expect(await act(source, "clone", { disks: [4711] })).toMatchObject(refusal("disks"));
    expect(await act(source, "clone", { configs: [4711] })).toMatchObject(refusal("configs"));
  });

  test("requires a target with enough resources and without running or queued actions", async () => {
    const source = await running();
    const onto = (node_id: number) => act(source, "clone", { node_id });
    expect(await onto(await running())).toMatchObject(refusal("node_id"));
    const target = await running(empty);
    await act(target, "resize", { type: "g6-standard-4" });
    expect(await onto(target)).toMatchObject(refusal("node_id"));
    emulator.clock.advance(10 * MINUTE);
    await act(target, "backups", { label: "snapshot" });
    expect(await onto(target)).toMatchObject(refusal("node_id"));
    emulator.clock.advance(10 * MINUTE);
    expect((await onto(target)).status).toBe(200);
    expect(await onto(4711)).toMatchObject(refusal("node_id"));
  });

  test("to a new node requires a large enough type and an existing region", async () => {
    const source = await running({ ...deployedNode, type: "g6-standard-1" });
    expect(await act(source, "clone", { type: "g6-nanode-1" })).toMatchObject(refusal("type"));
    expect(await act(source, "clone", { region: "mars" })).toMatchObject(refusal("region"));
  });

  test("of a node with user data requires metadata and a new node, in a region with Metadata", async () => {
    const source = await running({ ...deployedNode, image: "node/debian12", metadata });
    const target = await running(empty);
    expect(await act(source, "clone", {})).toMatchObject(refusal("metadata"));
    expect(await act(source, "clone", { metadata, node_id: target })).toMatchObject(refusal("node_id"));
    expect(await act(source, "clone", { metadata, region: "ca-central" })).toMatchObject(refusal("metadata"));
    expect((await act(source, "clone", { metadata })).body).toMatchObject({ has_user_data: true });
  });

  test.each(["ca-central", "us-west"])(
    "of a VLAN-attached node to another region, %s, is refused",
    async (region) => {
      const source = await running({ ...deployedNode, interfaces: vlan });
      const target = await running({ ...empty, region });
      expect(await act(source, "clone", { region })).toMatchObject(refusal("region"));
      expect(await act(source, "clone", { node_id: target })).toMatchObject(refusal("node_id"));
      const { status, body } = await act(source, "clone", {});
      expect(status).toBe(200);
      emulator.clock.advance(20 * MINUTE);
      expect(await act(body.id, "clone", { region })).toMatchObject(refusal("region"));
    },
  );

  test("of a node with only public interfaces can be in any region", async () => {
    const source = await running({ ...deployedNode, interfaces: [{ purpose: "public" }] });
    expect((await act(source, "clone", { region: "ca-central" })).status).toBe(200);
  });
});

describe("a restore", () => {
  const restore = (source: number, backup: number, body: object) =>
    act(source, `backups/${backup}/restore`, body);

  test("with overwrite first deletes all disks and configs of the target", async () => {
    const id = await running();
    const backup = await snapshot(id);
    const old = await disks(id);
    expect((await restore(id, backup, { node_id: id, overwrite: true })).status).toBe(200);
    expect(await disks(id)).toEqual([]);
    expect((await stored(id)).configs).toEqual([]);
    emulator.clock.advance(10 * MINUTE);
    expect((await disks(id)).map(({ label, size }) => [label, size])).toEqual(
      old.map(({ label, size }) => [label, size]),
    );
  });

  test("without overwrite keeps the target's disks, and requires space for the backup", async () => {
    const source = await running();
    const backup = await snapshot(source);
    const target = await running({ ...deployedNode, type: "g6-standard-1" });
    expect(await restore(source, backup, { node_id: target, overwrite: false })).toMatchObject({
      status: 400,
      body: { errors: [{ reason: expect.stringContaining("insufficient space") }] },
    });
    const roomy = await running({ ...empty, image: "node/alpine3.20" });
    await patch(roomy, {
      disks: [{ id: 901, label: "own", status: "ready", size: 1000, filesystem: "ext4" }],
    });
    expect((await restore(source, backup, { node_id: roomy, overwrite: false })).status).toBe(200);
    emulator.clock.advance(10 * MINUTE);
    expect((await disks(roomy)).map(({ label }) => label)).toEqual([
      "own",
      ...(await disks(source)).map(({ label }) => label),
    ]);
  });

  test.each(["paused", "pending", "running", "needsPostProcessing", "failed", "userAborted"])(
    "of a backup that is %s is refused, because only a successful backup can be restored",
    async (status) => {
      const id = await running();
      const backup = await snapshot(id);
      await emulator.control("PATCH", `/objects/nodeBackups/${backup}`, { status });
      expect((await restore(id, backup, { node_id: id, overwrite: true })).status).toBe(400);
    },
  );
});
