import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { inspect } from "node:util";
import { UploadError } from "../../src/api";
import { createUploader } from "../../src/api/upload";
import { clientFor, failure, withServer } from "./scripted-server";

const target = "/put/image?signature=s3cret";
const put = `PUT ${target}`;

test("sends the data as an octet stream with its length and without the token", async () => {
  await withServer([[put, { body: "" }]], async ({ origin, baseUrl, received }) => {
    const { client } = clientFor(baseUrl);
    await client.uploadImage(origin + target, Readable.from([Buffer.from("data")]), { contentLength: 4 });
    expect(received[0]?.body).toBe("data");
    expect(received[0]?.headers).toMatchObject({
      "content-type": "application/octet-stream",
      "content-length": "4",
    });
    expect(received[0]?.headers.authorization).toBeUndefined();
  });
});

test("reports the number of bytes sent so far", async () => {
  const told: number[] = [];
  await withServer([[put, { body: "" }]], async ({ origin }) => {
    const data = Readable.from([Buffer.from("da"), Buffer.from("ta")]);
    await createUploader()(origin + target, data, { onProgress: (bytes) => told.push(bytes) });
  });
  expect(told).toEqual([2, 4]);
});

test("sends data of unknown length in chunks", async () => {
  await withServer([[put, { status: 201 }]], async ({ origin, received }) => {
    await createUploader()(origin + target, Readable.from([Buffer.from("da"), Buffer.from("ta")]));
    expect(received[0]?.headers["transfer-encoding"]).toBe("chunked");
    expect(received[0]?.body).toBe("data");
  });
});

test("bypasses the proxy of the environment for an address of this machine", async () => {
  process.env["http_proxy"] = "http://192.0.2.1:9";
  try {
    await withServer([[put, { body: "" }]], async ({ origin, received }) => {
      await createUploader()(origin + target, Readable.from([Buffer.from("data")]));
      expect(received).toHaveLength(1);
    });
  } finally {
    delete process.env["http_proxy"];
  }
});

test.each([
  [
    "http://upload.example/put?signature=s3cret",
    "the data would cross the network to upload.example unencrypted",
  ],
  ["ftp://upload.example/s3cret", "is not an http URL"],
  ["s3cret", "is not an http URL"],
])("refuses to send to %s, and closes the data", async (uploadTo, problem) => {
  const data = Readable.from([Buffer.from("data")]);
  const error = await failure(createUploader()(uploadTo, data));
  expect(error).toBeInstanceOf(UploadError);
  expect(error.message).toContain(problem);
  expect(inspect(error)).not.toContain("s3cret");
  expect(data.destroyed).toBe(true);
});

test.each([
  ["a redirect", { status: 307, headers: { location: "https://elsewhere.example/" } }, 307, "was redirected"],
  ["an error of the API", { status: 400, body: { errors: [{ reason: "not gzip" }] } }, 400, "not gzip (400)"],
  ["another error", { status: 403, body: "<Error>s3cret</Error>" }, 403, "the data was refused (403)"],
  ["a failure", { status: 503 }, 503, "(503)"],
])("throws after %s, without a retry", async (_, reaction, status, problem) => {
  await withServer([[put, reaction]], async ({ origin }) => {
    const error = await failure(createUploader()(origin + target, Readable.from([Buffer.from("data")])));
    expect(error).toMatchObject({ code: "UPLOAD_FAILED", status });
    expect(error.message).toContain(`PUT ${origin}: `);
    expect(error.message).toContain(problem);
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain("s3cret");
  });
});

test("throws after a reset, without a retry and without the upload URL in the error", async () => {
  await withServer([[put, "reset"]], async ({ origin }) => {
    const error = await failure(
      createUploader()(origin + target, Readable.from([Buffer.from("data")]), {
        attempt: "upload Image mine",
      }),
    );
    expect(error).toBeInstanceOf(UploadError);
    expect(error.message).toMatch(/^upload Image mine: the connection to 127.0.0.1:\d+ was lost/);
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain("s3cret");
  });
});

test("a host that cannot be reached is that of the upload address, which no setting names", async () => {
  let origin = "";
  await withServer([], (server) => Promise.resolve(void (origin = server.origin)));
  const error = await failure(createUploader()(origin + target, Readable.from([Buffer.from("data")])));
  expect(error.message).toMatch(
    /: could not connect to .*; is the upload address right, and the service running\?$/,
  );
});

/** A server that reads an upload and does not answer. */
async function withSink(use: (uploadTo: string) => Promise<void>) {
  const server = createServer((incoming) => void incoming.resume());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}${target}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test.each([
  ["less", 9],
  ["more", 3],
])("throws if there is %s data than announced", async (_, contentLength) => {
  await withSink(async (uploadTo) => {
    const error = await failure(
      createUploader()(uploadTo, Readable.from([Buffer.from("data")]), { contentLength }),
    );
    expect(error.message).toContain(`4 bytes were read instead of ${contentLength}`);
  });
});

test("throws the reason why the data cannot be read", async () => {
  await withSink(async (uploadTo) => {
    const data = new Readable({
      read() {
        this.destroy(new Error("EIO: the disk is broken"));
      },
    });
    const error = await failure(createUploader()(uploadTo, data));
    expect(error.message).toContain("reading the data failed: EIO: the disk is broken");
  });
});

test("ends with the reason of its signal, and closes the data", async () => {
  await withSink(async (uploadTo) => {
    const controller = new AbortController();
    const data = new Readable({ read: () => setImmediate(() => controller.abort(new Error("interrupted"))) });
    await expect(createUploader()(uploadTo, data, { signal: controller.signal })).rejects.toThrow(
      "interrupted",
    );
    expect(data.destroyed).toBe(true);
  });
});

test("times out when no data flows, and not before", async () => {
  await withSink(async (uploadTo) => {
    let pieces = 0;
    const data = new Readable({
      read() {
        if (pieces++ < 6) setTimeout(() => this.push("x"), 30);
      },
    });
    const error = await failure(createUploader(100)(uploadTo, data));
    expect(error.message).toMatch(/did not answer within 0.1 s/);
    expect(pieces).toBe(7);
  });
});

test("keeps no more data in memory than the socket accepts", async () => {
  const server = createServer(() => undefined); // reads nothing
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  let produced = 0;
  const data = new Readable({
    read() {
      produced += 65_536;
      this.push(Buffer.alloc(65_536));
    },
  });
  const controller = new AbortController();
  const upload = createUploader()(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, data, {
    signal: controller.signal,
  });
  await once(server, "request");
  await new Promise((resolve) => setTimeout(resolve, 200));
  controller.abort(new Error("enough"));
  await expect(upload).rejects.toThrow("enough");
  server.closeAllConnections();
  server.close();
  expect(produced).toBeLessThan(64 * 1024 * 1024);
});
