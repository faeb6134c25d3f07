import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { PassThrough, pipeline, Transform } from "node:stream";
import { finished } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { type Client } from "../../api/client";
import { MAX_UPLOAD_BYTES } from "../../api/images";
import { ProviderError } from "../../provider/engine/errors";

/** The facts about a file that the upload needs. */
export interface ImageFile {
  readonly sha256: string;
  readonly gzip: boolean;
  readonly bytes: number;
}

const TOO_LARGE = `is larger than ${MAX_UPLOAD_BYTES / 1e9} GB compressed, the most that the service takes`;

/** Inspects an image file without holding it in memory. */
export async function inspectImageFile(path: string): Promise<ImageFile> {
  const bytes = await sizeOf(path);
  const gzip = await isGzip(path);
  if (gzip && bytes > MAX_UPLOAD_BYTES) throw new ProviderError(`source: ${path} ${TOO_LARGE}`);
  const hash = createHash("sha256");
  const content = createReadStream(path).on("data", (chunk) => hash.update(chunk));
  await finished(content);
  return { sha256: hash.digest("hex"), gzip, bytes };
}

/** Uploads an image file. It compresses the data during the upload if it is not compressed, and passes the progress to `show`. */
export async function sendImageFile(
  client: Client,
  uploadTo: string,
  path: string,
  show: (text: string) => void = () => undefined,
): Promise<void> {
  const bytes = await sizeOf(path);
  const content = createReadStream(path);
  if (await isGzip(path)) {
    const onProgress = (sent: number) => show(`${megabytes(sent, bytes)} uploaded`);
    return client.uploadImage(uploadTo, content, { contentLength: bytes, onProgress });
  }
  let read = 0;
  content.on("data", (chunk) => {
    read += chunk.length;
    show(`${megabytes(read, bytes)} compressed and uploaded`);
  });
  const compressed = new PassThrough();
  pipeline(content, createGzip(), limited(path), compressed, (error) => {
    if (error != null) compressed.destroy(error);
  });
  await client.uploadImage(uploadTo, compressed);
}

/** `12 of 80 MB`. */
const megabytes = (part: number, whole: number) => `${inMegabytes(part)} of ${inMegabytes(whole)} MB`;
const inMegabytes = (bytes: number) => (bytes < 10e6 ? (bytes / 1e6).toFixed(1) : (bytes / 1e6).toFixed(0));

async function sizeOf(path: string): Promise<number> {
  try {
    const found = await stat(path);
    if (found.isFile() && found.size > 0) return found.size;
    throw new ProviderError(`source: ${path} is ${found.isFile() ? "empty" : "not a file"}`);
  } catch (error) {
    if (error instanceof ProviderError) throw error;
    throw new ProviderError(
      `source: ${path} cannot be read; paths are relative to the folder of the program`,
      {
        cause: error,
      },
    );
  }
}

async function isGzip(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b;
  } finally {
    await file.close();
  }
}

/** Passes data on, up to the service's limit. */
function limited(path: string): Transform {
  let passed = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      passed += chunk.length;
      done(passed > MAX_UPLOAD_BYTES ? new ProviderError(`source: ${path} ${TOO_LARGE}`) : null, chunk);
    },
  });
}
