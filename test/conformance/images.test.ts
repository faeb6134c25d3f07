import { gzipSync } from "node:zlib";
import { type TestEmulator, deployedNode, startTestEmulator } from "../helpers/emulator";

interface Image {
  id: string;
  label: string;
  status: string;
  is_public: boolean;
  deprecated: boolean;
  expiry: string | null;
  type: string;
  created_by: string;
  capabilities: string[];
}

let emulator: TestEmulator;
beforeEach(async () => {
  emulator = await startTestEmulator();
});
afterEach(() => emulator.stop());

const list = async () => (await emulator.call<{ data: Image[] }>("GET", "/images?page_size=500")).body.data;

async function capture(body: object = {}) {
  const node = await emulator.call<{ id: number }>("POST", "/node/instances", { body: deployedNode });
  const disks = await emulator.call<{ data: { id: number; label: string }[] }>(
    "GET",
    `/node/instances/${node.body.id}/disks`,
  );
  const [disk] = disks.body.data;
  const answer = await emulator.call<Image>("POST", "/images", { body: { disk_id: disk?.id, ...body } });
  return { image: answer.body, disk };
}

async function upload() {
  const body = { label: "golden", region: "eu-west" };
  const answer = await emulator.call<{ image: Image; upload_to: string }>("POST", "/images/upload", { body });
  return answer.body;
}

const send = (url: string) =>
  fetch(url, {
    method: "PUT",
    headers: { "content-type": "application/octet-stream" },
    body: gzipSync(Buffer.alloc(1000)),
  });

test("public images begin with node/ and are the provider's, private ones begin with private/ and are the user's", async () => {
  const { image } = await capture();
  await upload();
  for (const { id, is_public, created_by } of await list()) {
    expect(id).toMatch(is_public ? /^node\// : /^private\//);
    expect(created_by).toBe(is_public ? "node" : "emulator");
  }
  expect(image).toMatchObject({ is_public: false, type: "manual", expiry: null, deprecated: false });
});

test("only images of type automatic expire, and only public ones are deprecated", async () => {
  await capture();
  const images = await list();
  expect(images.filter(({ type, expiry }) => type !== "automatic" && expiry !== null)).toEqual([]);
  expect(images.filter(({ deprecated, is_public }) => deprecated && !is_public)).toEqual([]);
  expect(images.some(({ deprecated }) => deprecated)).toBe(true);
  expect(images.some(({ capabilities }) => capabilities.includes("cloud-init"))).toBe(true);
});

test("label defaults to the disk's label, and description to null", async () => {
  const { image, disk } = await capture();
  expect(image).toMatchObject({ label: disk?.label, description: null });
  const named = await capture({ label: "mine", description: "text" });
  expect(named.image).toMatchObject({ label: "mine", description: "text" });
});

test.each(["creating", "pending_upload"])(
  "an image that is %s cannot be deployed, and an available one can",
  async (status) => {
    const { image } = await capture();
    emulator.clock.advance(5 * 60);
    const deploy = () =>
      emulator.call("POST", "/node/instances", { body: { ...deployedNode, image: image.id } });
    await emulator.control("PATCH", `/objects/images/${image.id}`, { status });
    expect(await deploy()).toMatchObject({ status: 400, body: { errors: [{ field: "image" }] } });
    await emulator.control("PATCH", `/objects/images/${image.id}`, { status: "available" });
    expect((await deploy()).status).toBe(200);
  },
);

test("an uploaded image can be used in any region", async () => {
  const { image, upload_to } = await upload();
  expect((await send(upload_to)).status).toBe(200);
  emulator.clock.advance(5 * 60);
  for (const region of ["us-east", "eu-west", "ap-south"]) {
    const body = { ...deployedNode, image: image.id, region };
    expect((await emulator.call("POST", "/node/instances", { body })).status).toBe(200);
  }
});

test("data that arrives just within 24 hours is accepted", async () => {
  const { image, upload_to } = await upload();
  emulator.clock.advance(24 * 60 * 60 - 1);
  expect((await send(upload_to)).status).toBe(200);
  emulator.clock.advance(24 * 60 * 60);
  expect((await emulator.call("GET", `/images/${image.id}`)).body).toMatchObject({ status: "available" });
});

test("update and delete apply to private images only", async () => {
  const body = { label: "x" };
  for (const method of ["PUT", "DELETE"]) {
    const answer = await emulator.call(method, "/images/node/debian12", { body });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ reason: expect.any(String) }] } });
  }
  const { image } = await capture();
  expect((await emulator.call("PUT", `/images/${image.id}`, { body })).body).toMatchObject(body);
  expect((await emulator.call("DELETE", `/images/${image.id}`)).body).toEqual({});
  expect((await emulator.call("GET", `/images/${image.id}`)).status).toBe(404);
});
