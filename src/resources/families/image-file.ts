import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { PassThrough, pipeline } from "node:stream";
import { finished } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { counting } from "../../api/body";
import { type Client } from "../../api/client";
import { MAX_UPLOAD_BYTES } from "../../api/images";
import { ProviderError } from "../../provider/base/errors";

const tooLarge = (path: string) =>
  new ProviderError(
    `source: ${path} is larger than ${MAX_UPLOAD_BYTES / 1e9} GB compressed, the most that the service takes`,
    { code: "FILE_UNUSABLE" },
  );

/** The advice on the URL of an image. */
export const NO_FETCH =
  "the API does not fetch images from a URL. Download the file, and set source to its path";

/** A URL is no path. It is not quoted, because it may contain a credential. */
export const pathProblem = (source: unknown): string | undefined =>
  typeof source !== "string" || !/^[a-z][a-z0-9+.-]+:\/\//i.test(source)
    ? undefined
    : /^file:/i.test(source)
      ? "is a URL; set it to the path alone, without file://"
      : `is a URL; ${NO_FETCH}`;

/** The facts about an image file that the upload needs. It does not hold the file in memory. */
export async function inspectImageFile(path: string) {
  const bytes = await sizeOf(path);
  const gzip = await isGzip(path);
  if (gzip && bytes > MAX_UPLOAD_BYTES) throw tooLarge(path);
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
  const limited = counting((sent) => (sent > MAX_UPLOAD_BYTES ? tooLarge(path) : undefined));
  pipeline(content, createGzip(), limited, compressed, (error) => {
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
    throw new ProviderError(`source: ${path} is ${found.isFile() ? "empty" : "not a file"}`, {
      code: "FILE_UNUSABLE",
    });
  } catch (error) {
    if (error instanceof ProviderError) throw error;
    const reason = "cannot be read; paths are relative to the folder of the program";
    throw new ProviderError(`source: ${path} ${reason}`, { code: "FILE_UNUSABLE", cause: error });
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
