import { createHash } from "node:crypto";
import { request } from "node:http";
import { gzipSync } from "node:zlib";
import { Readable } from "node:stream";
import { DEFAULT_ACCOUNTS, directoryOf } from "../../src/emulator/operations/accounts";
import { createClock } from "../../src/emulator/store/clock";
import { takeUpload } from "../../src/emulator/images/uploads";
import { image as imageKind } from "../../src/emulator/kinds/image";
import { routes } from "../../src/emulator/routes/images";
import { createStore } from "../../src/emulator/emulation/store";
import { type TestEmulator, startTestEmulator } from "../helpers/emulator";

interface Image {
  id: string;
  label: string;
  status: string;
  size: number;
  expiry: string | null;
}

let emulator: TestEmulator;
beforeEach(async () => {
  emulator = await startTestEmulator();
});
afterEach(() => emulator.stop());

async function startUpload() {
  const answer = await emulator.call<{ image: Image; upload_to: string }>("POST", "/images/upload", {
    body: { label: "golden", region: "us-east" },
  });
  return answer.body;
}

async function send(url: string, data: Uint8Array<ArrayBuffer>) {
  const headers = { "content-type": "application/octet-stream" };
  return (await fetch(url, { method: "PUT", headers, body: data })).status;
}

async function view(id: string) {
  return (await emulator.call<Image>("GET", `/images/${id}`)).body;
}

const disk = Buffer.alloc(3 * 1024 * 1024 + 1, "nodes");
const packed = gzipSync(disk);

test("an upload is pending_upload until it is processed, then available with its unpacked size", async () => {
  const { image, upload_to } = await startUpload();
  expect(image).toMatchObject({
    id: expect.stringMatching(/^private\/\d+$/),
    status: "pending_upload",
    size: 0,
  });
  expect(await send(upload_to, packed)).toBe(200);
  expect((await view(image.id)).status).toBe("pending_upload");
  emulator.clock.advance(5 * 60);
  expect(await view(image.id)).toMatchObject({ status: "available", size: 4 });
});

test("the upload goes to a separate URL without a token, and only its size and hash are kept", async () => {
  const { image, upload_to } = await startUpload();
  expect(upload_to.startsWith(`${emulator.origin}/uploads/`)).toBe(true);
  await send(upload_to, packed);
  const { body } = await emulator.control("GET", `/objects/images/${image.id}`);
  expect(body).toMatchObject({
    upload_bytes: packed.length,
    upload_sha256: createHash("sha256").update(packed).digest("hex"),
  });
});

test("an upload with a wrong key in the URL is refused", async () => {
  const { upload_to } = await startUpload();
  expect(await send(`${upload_to}x`, packed)).toBe(404);
});

test.each([
  ["is not gzip", Buffer.alloc(300_000, "plain")],
  ["is cut off", packed.subarray(0, packed.length - 20)],
])("data that %s is refused, and the upload can be repeated", async (_, data) => {
  const { image, upload_to } = await startUpload();
  expect(await send(upload_to, Buffer.from(data))).toBe(400);
  expect((await view(image.id)).status).toBe("pending_upload");
  expect(await send(upload_to, packed)).toBe(200);
  expect(await send(upload_to, packed)).toBe(400);
});

test("more than 5 GB is refused before the data is sent", async () => {
  const { upload_to } = await startUpload();
  const status = await new Promise((resolve, reject) => {
    const upload = request(upload_to, { method: "PUT", headers: { "content-length": 5_000_000_001 } });
    upload.on("response", (response) => {
      resolve(response.statusCode);
      upload.destroy();
    });
    upload.on("error", reject);
    upload.flushHeaders();
  });
  expect(status).toBe(400);
});

test("data that decompresses to too much is refused during decompression, and the upload can be repeated", async () => {
  const store = createStore(createClock(0, Date.now));
  const { upload } = Object.fromEntries(routes.images(store).map(({ name, run }) => [name, run]));
  const caller = directoryOf(DEFAULT_ACCOUNTS).get("emulator-token");
  const asked = { params: {}, query: {}, body: { label: "golden", region: "us-east" }, caller, origin: "" };
  const { upload_to } = (await upload?.(asked)) as { upload_to: string };
  const [id = "", key = ""] = upload_to.split("/").slice(2);
  const megabyte = gzipSync(Buffer.alloc(1024 * 1024));
  const bomb = Buffer.concat(Array.from({ length: 1000 }, () => megabyte));
  let read = 0;
  const data = async function* () {
    for (let at = 0; at < bomb.length; at += 4096) {
      read = at;
      yield bomb.subarray(at, at + 4096);
    }
  };
  const limits = { bytes: 5_000_000_000, unpackedBytes: 10 * 1024 * 1024 };
  const send = (sent: Readable) => takeUpload(store, { id, key }, sent, 0, limits);
  await expect(send(Readable.from(data()))).rejects.toMatchObject({
    status: 400,
    errors: [{ reason: expect.stringMatching(/at most 10485760 bytes, unpacked/) }],
  });
  expect(read).toBeLessThan(bomb.length / 10);
  await send(Readable.from([packed]));
  expect(store.table(imageKind).all()[0]?.hidden).toMatchObject({ upload_bytes: packed.length });
});

test("an upload without data for 24 hours is deleted, even after a failed attempt", async () => {
  const { image, upload_to } = await startUpload();
  await send(upload_to, Buffer.from("plain"));
  emulator.clock.advance(24 * 60 * 60 - 1);
  expect((await view(image.id)).status).toBe("pending_upload");
  emulator.clock.advance(1);
  expect((await emulator.call("GET", `/images/${image.id}`)).status).toBe(404);
  expect(await send(upload_to, packed)).toBe(404);
});

test("an image captured from a disk is creating, then available", async () => {
  const node = { region: "us-east", type: "g6-nanode-1", image: "node/alpine3.20" };
  const { body: created } = await emulator.call("POST", "/node/instances", { body: node });
  const disks = await emulator.call<{ data: { id: number; label: string; size: number }[] }>(
    "GET",
    `/node/instances/${String(created["id"])}/disks`,
  );
  const [source] = disks.body.data;
  const image = await emulator.call<Image>("POST", "/images", { body: { disk_id: source?.id } });
  expect(image.body).toMatchObject({
    status: "creating",
    label: source?.label,
    size: source?.size,
    expiry: null,
  });
  emulator.clock.advance(5 * 60);
  expect((await view(image.body.id)).status).toBe("available");
  expect((await emulator.call("POST", "/images", { body: { disk_id: 4711 } })).body).toMatchObject({
    errors: [{ field: "disk_id" }],
  });
});

test("private images can be updated and deleted, and public ones cannot", async () => {
  const { image } = await startUpload();
  const path = `/images/${image.id}`;
  const update = (body: object) => emulator.call("PUT", path, { body });
  expect((await update({ description: "text" })).body).toMatchObject({
    label: "golden",
    description: "text",
  });
  expect((await update({ description: null })).body).toMatchObject({ description: null });
  expect((await emulator.call("DELETE", path)).body).toEqual({});
  expect((await emulator.call("GET", path)).status).toBe(404);
  expect((await emulator.call("DELETE", "/images/node/debian12")).status).toBe(400);
  expect((await emulator.call("PUT", "/images/node/debian12", { body: { label: "x" } })).status).toBe(400);
});

test("an id with an encoded slash names the same image", async () => {
  expect((await emulator.call("GET", "/images/node%2Fdebian12")).body).toMatchObject({ id: "node/debian12" });
});
