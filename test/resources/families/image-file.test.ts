import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { gunzipSync, gzipSync } from "node:zlib";
import { type Client } from "../../../src/api";
import { MAX_UPLOAD_BYTES } from "../../../src/api/images";
import { type UploadOptions } from "../../../src/api/upload";
import { inspectImageFile, sendImageFile } from "../../../src/resources/families/image-file";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "image-file-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function file(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const sha256 = (content: string | Buffer) => createHash("sha256").update(content).digest("hex");

describe("inspecting a file", () => {
  test("returns its size, the hash of its content, and whether it is compressed", async () => {
    expect(await inspectImageFile(file("disk.img", "a raw disk"))).toEqual({
      sha256: sha256("a raw disk"),
      gzip: false,
      bytes: 10,
    });
  });

  test("recognises a compressed file by its content, not its name", async () => {
    const content = gzipSync("a raw disk");
    expect(await inspectImageFile(file("disk.img", content))).toMatchObject({
      gzip: true,
      sha256: sha256(content),
    });
    expect(await inspectImageFile(file("disk.img.gz", "not compressed"))).toMatchObject({ gzip: false });
  });

  test("treats a file with one different byte in the gzip header as uncompressed", async () => {
    for (const start of [
      [0x1f, 0x8c],
      [0x1e, 0x8b],
    ]) {
      expect(await inspectImageFile(file("disk.img", Buffer.from(start)))).toMatchObject({ gzip: false });
    }
    expect(await inspectImageFile(file("disk.img", Buffer.from([0x1f])))).toMatchObject({
      gzip: false,
      bytes: 1,
    });
  });

  test("refuses an empty file, a missing file and a folder, with the path", async () => {
    const empty = file("empty.img", "");
    await expect(inspectImageFile(empty)).rejects.toThrow(`source: ${empty} is empty`);
    mkdirSync(join(folder, "disks"));
    await expect(inspectImageFile(join(folder, "disks"))).rejects.toThrow(
      `source: ${join(folder, "disks")} is not a file`,
    );
    const missing = join(folder, "missing.img");
    await expect(inspectImageFile(missing)).rejects.toThrow(
      `source: ${missing} cannot be read; paths are relative to the folder of the program`,
    );
  });

  test("refuses a compressed file that is too large before reading it, and accepts a larger uncompressed one", async () => {
    // A sparse file: large, but without blocks on the disk.
    const large = file("large.img.gz", gzipSync("a disk"));
    truncateSync(large, MAX_UPLOAD_BYTES + 1);
    await expect(inspectImageFile(large)).rejects.toThrow(
      `source: ${large} is larger than 5 GB compressed, the most that the service takes`,
    );
  });
});

describe("uploading a file", () => {
  /** A client whose upload calls `take`. */
  function clientThat(take: (data: Readable, options: UploadOptions | undefined) => Promise<void>): Client {
    const uploadImage = (_: string, data: Readable, options?: UploadOptions) => take(data, options);
    return { uploadImage } as unknown as Client;
  }

  async function uploaded(path: string) {
    const chunks: Buffer[] = [];
    let announced: number | undefined;
    const client = clientThat(async (data, options) => {
      announced = options?.contentLength;
      for await (const chunk of data) chunks.push(chunk as Buffer);
    });
    await sendImageFile(client, "https://upload.example/1", path);
    return { content: Buffer.concat(chunks), announced };
  }

  test("sends a compressed file unchanged, with its size", async () => {
    const content = gzipSync("a raw disk");
    expect(await uploaded(file("disk.img.gz", content))).toEqual({ content, announced: content.length });
  });

  test("compresses any other file during the upload", async () => {
    const { content, announced } = await uploaded(file("disk.img", "a raw disk"));
    expect(gunzipSync(content).toString()).toBe("a raw disk");
    expect(announced).toBeUndefined();
  });

  test("reports the sent part of the file, compressed before or during the upload", async () => {
    const random = randomBytes(12_300_000);
    const sent = async (path: string) => {
      const shown: string[] = [];
      const client = clientThat(async (data, options) => {
        let bytes = 0;
        for await (const chunk of data) options?.onProgress?.((bytes += (chunk as Buffer).length));
      });
      await sendImageFile(client, "https://upload.example/1", path, (text) => shown.push(text));
      return shown;
    };
    const packed = await sent(file("disk.img.gz", Buffer.concat([gzipSync(""), random])));
    expect(packed[0]).toBe("0.1 of 12 MB uploaded");
    expect(packed.at(-1)).toBe("12 of 12 MB uploaded");
    const onTheWay = await sent(file("disk.img", random));
    expect(onTheWay[0]).toBe("0.1 of 12 MB compressed and uploaded");
    expect(onTheWay.at(-1)).toBe("12 of 12 MB compressed and uploaded");
  });

  test("reads a file only as fast as it is sent, so memory does not grow", async () => {
    const path = file("disk.img.gz", gzipSync(""));
    truncateSync(path, 64 * 1024 * 1024);
    let waiting = 0;
    let largest = 0;
    const client = clientThat(async (data) => {
      for await (const chunk of data) {
        waiting = Math.max(waiting, data.readableLength);
        largest = Math.max(largest, (chunk as Buffer).length);
      }
    });
    await sendImageFile(client, "https://upload.example/1", path);
    expect(largest).toBeLessThanOrEqual(64 * 1024);
    expect(waiting).toBeLessThanOrEqual(64 * 1024);
  });

  test("compresses a file only as fast as it is sent", async () => {
    // Random data, which does not shrink.
    const path = file("disk.img", randomBytes(8 * 1024 * 1024));
    let waiting = 0;
    const client = clientThat(async (data) => {
      const watched = data.on("readable", () => (waiting = Math.max(waiting, data.readableLength)));
      await buffer(watched);
    });
    await sendImageFile(client, "https://upload.example/1", path);
    expect(waiting).toBeLessThanOrEqual(256 * 1024);
  });

  test("names the path of a file that has disappeared", async () => {
    const client = clientThat(() => Promise.resolve());
    const missing = join(folder, "missing.img");
    await expect(sendImageFile(client, "https://upload.example/1", missing)).rejects.toThrow(
      `source: ${missing} cannot be read`,
    );
  });

  test("passes on the error of a failed upload", async () => {
    const client = clientThat((data) => {
      data.destroy();
      return Promise.reject(new Error("the data was refused"));
    });
    await expect(
      sendImageFile(client, "https://upload.example/1", file("disk.img", "a disk")),
    ).rejects.toThrow("the data was refused");
  });
});
