import { type TestEmulator, deployedNode, startTestEmulator } from "../helpers/emulator";

interface NodeBody {
  id: number;
  label: string;
  type: string;
  status: string;
  ipv4: string[];
  tags: string[];
  specs: { vcpus: number };
  backups: { enabled: boolean; schedule: { day: string | null } };
}

let emulator: TestEmulator;
beforeEach(async () => {
  emulator = await startTestEmulator();
});
afterEach(() => emulator.stop());

async function create(body: object = deployedNode) {
  const answer = await emulator.call<NodeBody>("POST", "/node/instances", { body });
  expect(answer.status).toBe(200);
  return answer.body;
}

async function createRunning(body: object = deployedNode) {
  const { id } = await create(body);
  emulator.clock.advance(20 * 60);
  return id;
}

async function view(id: number) {
  return (await emulator.call<NodeBody>("GET", `/node/instances/${id}`)).body;
}

function act(id: number, action: string, body?: object) {
  return emulator.call("POST", `/node/instances/${id}/${action}`, { body });
}

test("a node from an image is provisioning for 20 minutes, then running", async () => {
  const { id, status } = await create();
  expect(status).toBe("provisioning");
  emulator.clock.advance(20 * 60 - 1);
  expect((await view(id)).status).toBe("provisioning");
  emulator.clock.advance(1);
  expect((await view(id)).status).toBe("running");
});

test("a node with booted false ends offline, and runs after a boot", async () => {
  const id = await createRunning({ ...deployedNode, booted: false });
  expect((await view(id)).status).toBe("offline");
  await act(id, "boot");
  expect((await view(id)).status).toBe("booting");
  emulator.clock.advance(30);
  expect((await view(id)).status).toBe("running");
});

test("a node without an image is offline at once, and has no config to boot", async () => {
  const { id, status } = await create({ region: "us-east", type: "g6-nanode-1" });
  expect(status).toBe("offline");
  expect((await act(id, "boot")).status).toBe(400);
});

test("a boot needs a config_id if there are several configs and none was booted last", async () => {
  const id = await createRunning({ ...deployedNode, booted: false });
  const configs = [
    { id: 901, label: "one" },
    { id: 902, label: "two" },
  ];
  await emulator.control("PATCH", `/objects/nodes/${id}`, { configs });
  expect((await act(id, "boot")).status).toBe(400);
  expect((await act(id, "boot", { config_id: 77 })).body).toEqual({
    errors: [{ field: "config_id", reason: "is not a config of this node" }],
  });
  expect((await act(id, "boot", { config_id: 902 })).status).toBe(200);
  await emulator.control("PATCH", `/objects/nodes/${id}`, { status: "offline" });
  expect((await act(id, "boot")).status).toBe(200);
});

test("a node has a default label, the specs of its plan, and documentation addresses, and a private one on request", async () => {
  const node = await create({ ...deployedNode, private_ip: true });
  expect(node.label).toBe(`node${node.id}`);
  expect(node.specs.vcpus).toBe(1);
  expect(node.ipv4).toEqual([
    expect.stringMatching(/^192\.0\.2\.\d+$/),
    expect.stringMatching(/^192\.168\./),
  ]);
});

test("an update keeps omitted fields, also in nested objects", async () => {
  const { id } = await create({ ...deployedNode, backups_enabled: true });
  const before = await view(id);
  const { body } = await emulator.call("PUT", `/node/instances/${id}`, {
    body: { label: "renamed", alerts: { cpu: 50 }, backups: { schedule: { day: "Monday" } } },
  });
  expect(body).toMatchObject({
    label: "renamed",
    alerts: { cpu: 50, io: 10_000 },
    backups: { enabled: true, schedule: { day: "Monday", window: "W22" } },
    tags: before.tags,
  });
});

test("a deleted node is deleting for a while, and then disappears with its backups", async () => {
  const id = await createRunning();
  const snapshot = await act(id, "backups", { label: "before" });
  expect((await emulator.call("DELETE", `/node/instances/${id}`)).body).toEqual({});
  expect((await view(id)).status).toBe("deleting");
  emulator.clock.advance(30);
  expect((await emulator.call("GET", `/node/instances/${id}`)).status).toBe(404);
  expect((await emulator.control("GET", `/objects/nodeBackups/${String(snapshot.body["id"])}`)).status).toBe(
    404,
  );
});

test("the answer to a resize comes before the type changes", async () => {
  const id = await createRunning();
  expect((await act(id, "resize", { type: "g6-standard-2" })).body).toEqual({});
  expect(await view(id)).toMatchObject({ status: "migrating", type: "g6-nanode-1" });
  emulator.clock.advance(10 * 60);
  expect(await view(id)).toMatchObject({ status: "running", type: "g6-standard-2", specs: { vcpus: 2 } });
});

test("a busy node refuses other actions", async () => {
  const { id } = await create();
  expect((await act(id, "boot")).status).toBe(400);
  expect((await act(id, "resize", { type: "g6-standard-2" })).status).toBe(400);
});

test("a clone to a new node has the source's tags, and the source cannot be deleted while it is cloning", async () => {
  const id = await createRunning({ ...deployedNode, tags: ["web"] });
  const clone = await act(id, "clone", { region: "us-west", label: "copy" });
  expect(clone.body).toMatchObject({
    label: "copy",
    region: "us-west",
    tags: ["web"],
    status: "provisioning",
  });
  expect((await view(id)).status).toBe("cloning");
  expect((await emulator.call("DELETE", `/node/instances/${id}`)).status).toBe(400);
  emulator.clock.advance(10 * 60);
  expect((await view(id)).status).toBe("running");
  expect((await emulator.call("DELETE", `/node/instances/${id}`)).status).toBe(200);
});

test("a sixth concurrent clone is refused until the first five are complete", async () => {
  const id = await createRunning();
  for (let count = 0; count < 5; count++) expect((await act(id, "clone", {})).status).toBe(200);
  expect((await act(id, "clone", {})).status).toBe(400);
  emulator.clock.advance(10 * 60);
  expect((await act(id, "clone", {})).status).toBe(200);
});

test("a clone onto an existing node adds its disks if they fit", async () => {
  const source = await createRunning();
  const { id: roomy } = await create({ region: "us-east", type: "g6-standard-2" });
  const { id: full } = await create({ ...deployedNode });
  emulator.clock.advance(20 * 60);
  expect((await act(source, "clone", { node_id: full })).status).toBe(400);
  expect((await act(source, "clone", { node_id: roomy })).status).toBe(200);
  emulator.clock.advance(10 * 60);
  const disks = await emulator.call("GET", `/node/instances/${roomy}/disks`);
  expect(disks.body).toMatchObject({
    results: 2,
    data: [{ filesystem: "ext4" }, { filesystem: "swap", size: 512 }],
  });
});

test("a node with user data is cloned only with metadata and to a new node", async () => {
  const withData = { ...deployedNode, image: "node/debian12", metadata: { user_data: "aGVsbG8=" } };
  const id = await createRunning(withData);
  const { id: other } = await create({ region: "us-east", type: "g6-standard-2" });
  expect((await act(id, "clone", {})).body).toMatchObject({ errors: [{ field: "metadata" }] });
  expect((await act(id, "clone", { node_id: other })).body).toMatchObject({ errors: [{ field: "node_id" }] });
  expect((await act(id, "clone", { metadata: { user_data: "aGVsbG8=" } })).status).toBe(200);
});

test.each([
  ["an unknown region", { region: "mars" }, "region"],
  ["an unknown image", { image: "node/plan9" }, "image"],
  ["metadata without a cloud-init image", { metadata: { user_data: "aGVsbG8=" } }, "metadata"],
  [
    "metadata in a region without it",
    { image: "node/debian12", region: "ca-central", metadata: { user_data: "aGVsbG8=" } },
    "metadata",
  ],
  ["an unknown backup", { backup_id: 4711 }, "backup_id"],
])("creation is refused with %s", async (_, change, field) => {
  const answer = await emulator.call("POST", "/node/instances", { body: { ...deployedNode, ...change } });
  expect(answer).toMatchObject({ status: 400, body: { errors: [{ field }] } });
});

test("an image that is not available cannot be deployed", async () => {
  const upload = await emulator.call<{ image: { id: string } }>("POST", "/images/upload", {
    body: { label: "mine", region: "us-east" },
  });
  const body = { ...deployedNode, image: upload.body.image.id };
  expect(await emulator.call("POST", "/node/instances", { body })).toMatchObject({
    status: 400,
    body: { errors: [{ field: "image" }] },
  });
});

describe("a node that powers off unexpectedly", () => {
  const powerOff = (id: number) => emulator.control<NodeBody>("POST", `/objects/nodes/${id}/power-off`);

  test("is booted by its watchdog", async () => {
    const id = await createRunning();
    expect((await powerOff(id)).body).toMatchObject({ status: "booting" });
    expect((await view(id)).status).toBe("booting");
    emulator.clock.advance(30);
    expect((await view(id)).status).toBe("running");
  });

  test("stays offline without a watchdog", async () => {
    const id = await createRunning();
    await emulator.call("PUT", `/node/instances/${id}`, { body: { watchdog_enabled: false } });
    expect((await powerOff(id)).body).toMatchObject({ status: "offline" });
    emulator.clock.advance(60 * 60);
    expect((await view(id)).status).toBe("offline");
  });

  test("stays offline after more than 5 boot jobs within 15 minutes, and is booted again after them", async () => {
    const id = await createRunning();
    for (let jobs = 0; jobs < 6; jobs++) {
      expect((await powerOff(id)).body).toMatchObject({ status: "booting" });
      emulator.clock.advance(60);
    }
    expect((await powerOff(id)).body).toMatchObject({ status: "offline" });
    emulator.clock.advance(9 * 60 - 30);
    expect((await view(id)).status).toBe("offline");
    await act(id, "boot");
    emulator.clock.advance(30);
    expect((await powerOff(id)).body).toMatchObject({ status: "booting" });
  });

  test("must be running", async () => {
    const { id } = await create();
    expect((await powerOff(id)).status).toBe(400);
    expect((await powerOff(999)).status).toBe(404);
    expect((await view(id)).status).toBe("provisioning");
  });
});

test.each(["offline", "stopped"])(
  "a node whose status is patched to %s keeps it despite its watchdog",
  async (status) => {
    const id = await createRunning();
    await emulator.control("PATCH", `/objects/nodes/${id}`, { status });
    emulator.clock.advance(24 * 60 * 60);
    expect(await view(id)).toMatchObject({ status, watchdog_enabled: true });
  },
);
