import { createHash } from "node:crypto";
import { once } from "node:events";
import { type Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { MAX_UPLOAD_BYTES } from "../../api/images";
import { type Store } from "../kind/kind";
import { type ImageEntity, image } from "../kinds/image";
import { notFound, refuse } from "../base/refusal";

/** The path for image data. It is outside the API and needs no token, because nobody can guess the URL. */
export const UPLOAD_PATH = "/uploads";

const BYTES_PER_MB = 1024 * 1024;
/** Larger than the default: only the lengths of the pieces count. */
const UNPACKED_CHUNK_BYTES = BYTES_PER_MB;

/** The largest image, compressed and unpacked. */
export interface UploadLimits {
  readonly bytes: number;
  readonly unpackedBytes: number;
}

/** The reference limits the compressed size only. The same limit protects against data that unpacks to much more. */
const LIMITS: UploadLimits = { bytes: MAX_UPLOAD_BYTES, unpackedBytes: MAX_UPLOAD_BYTES };

const tooLarge = ({ bytes }: UploadLimits) =>
  refuse(400, `An image can be at most ${bytes} bytes, compressed.`);
const unpacksTooLarge = ({ unpackedBytes }: UploadLimits) =>
  refuse(400, `An image can be at most ${unpackedBytes} bytes, unpacked: the emulator unpacks no more.`);

/** Counts, hashes and unpacks the data while it arrives. It stores none of it. */
async function receive(data: Readable, limits: UploadLimits) {
  const hash = createHash("sha256");
  const gunzip = createGunzip({ chunkSize: UNPACKED_CHUNK_BYTES });
  let bytes = 0;
  let unpackedBytes = 0;
  let isBroken = false;
  const broken = () => {
    isBroken = true;
  };
  gunzip.on("error", broken).on("data", (chunk: Buffer) => {
    unpackedBytes += chunk.length;
  });
  // Data that is not gzip is read to its end too, so that the client receives the answer.
  for await (const chunk of data.iterator({ destroyOnReturn: false })) {
    if (!Buffer.isBuffer(chunk)) continue;
    bytes += chunk.length;
    if (bytes > limits.bytes) throw tooLarge(limits);
    if (unpackedBytes > limits.unpackedBytes) throw unpacksTooLarge(limits);
    hash.update(chunk);
    if (!isBroken && !gunzip.write(chunk)) await once(gunzip, "drain").catch(broken);
  }
  gunzip.end();
  await finished(gunzip).catch(broken);
  if (unpackedBytes > limits.unpackedBytes) throw unpacksTooLarge(limits);
  if (isBroken) throw refuse(400, "The data is not gzip-compressed, or is not complete.");
  return { bytes, sha256: hash.digest("hex"), unpackedBytes };
}

function findUpload(store: Store, id: string, key: string): ImageEntity {
  const found = /^\d{1,15}$/.test(id) ? store.table(image).get(Number(id)) : undefined;
  if (!found || found.hidden.upload_key !== key) throw notFound();
  return found;
}

/** Takes the data of an image that waits for it. The image is available once it has been processed. */
export async function takeUpload(
  store: Store,
  { id, key }: { readonly id: string; readonly key: string },
  data: Readable,
  announcedBytes: number,
  limits: UploadLimits = LIMITS,
): Promise<void> {
  const images = store.table(image);
  const awaited = findUpload(store, id, key);
  // An upload that has started does not expire. Nobody else holds an image.
  const release = awaited.hidden.upload_bytes === null ? images.hold(awaited) : undefined;
  if (!release) throw refuse(400, "The image has been uploaded already.");
  try {
    if (announcedBytes > limits.bytes) throw tooLarge(limits);
    const { bytes, sha256, unpackedBytes } = await receive(data, limits);
    findUpload(store, id, key);
    images.change(awaited, {}, { upload_bytes: bytes, upload_sha256: sha256 });
    const size = Math.ceil(unpackedBytes / BYTES_PER_MB);
    images.begin(awaited, image.transitions.process, () => ({ size }));
  } finally {
    release();
  }
}
