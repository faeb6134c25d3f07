import { gunzipSync, gzipSync } from "node:zlib";

/**
 * A file of an archive.
 * @typedef {{ readonly path: string; readonly bytes: Buffer; readonly isExecutable?: boolean }} File
 */

const BLOCK = 512;

/**
 * A compressed archive of files. Equal files give equal bytes: the order is that of the paths, and no time or user is in it.
 * @param {readonly File[]} files
 */
export function tarOf(files) {
  const sorted = [...files].sort((one, other) => (one.path < other.path ? -1 : 1));
  const parts = sorted.flatMap(({ path, bytes, isExecutable = false }) => [
    headerOf(path, bytes.length, isExecutable ? 0o755 : 0o644),
    bytes,
    Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK),
  ]);
  const archive = gzipSync(Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]), { level: 9 });
  // The byte for the system on which it was made.
  archive[9] = 255;
  return archive;
}

/**
 * @param {string} path
 * @param {number} size
 * @param {number} mode
 */
function headerOf(path, size, mode) {
  const header = Buffer.alloc(BLOCK);
  const { name, prefix } = splitPath(path);
  const octal = (/** @type {number} */ value, /** @type {number} */ length) =>
    value.toString(8).padStart(length - 1, "0") + "\0";
  header.write(name, 0);
  header.write(octal(mode, 8), 100);
  header.write(octal(0, 8), 108);
  header.write(octal(0, 8), 116);
  header.write(octal(size, 12), 124);
  header.write(octal(0, 12), 136);
  header.write(" ".repeat(8), 148);
  header.write("0", 156);
  header.write("ustar\x0000", 257);
  header.write(prefix, 345);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return header;
}

/** @param {string} path */
function splitPath(path) {
  if (Buffer.byteLength(path) <= 100) return { name: path, prefix: "" };
  const at = path.indexOf("/", path.length - 101);
  const [prefix, name] = [path.slice(0, at), path.slice(at + 1)];
  if (at < 0 || Buffer.byteLength(name) > 100 || Buffer.byteLength(prefix) > 155) {
    throw new Error(`the path is too long for an archive: ${path}`);
  }
  return { name, prefix };
}

/**
 * The ordinary files of a compressed archive, by their paths.
 * @param {Buffer} archive
 * @returns {Map<string, Buffer>}
 */
export function filesInTar(archive) {
  const bytes = gunzipSync(archive);
  const files = new Map();
  for (let at = 0; at + BLOCK <= bytes.length && bytes[at] !== 0;) {
    const text = (/** @type {number} */ start, /** @type {number} */ length) =>
      bytes.toString("utf8", at + start, at + start + length).replace(/\0[^]*$/, "");
    const size = parseInt(text(124, 12), 8);
    const prefix = text(345, 155);
    const start = at + BLOCK;
    if (["0", ""].includes(text(156, 1))) {
      files.set(`${prefix === "" ? "" : `${prefix}/`}${text(0, 100)}`, bytes.subarray(start, start + size));
    }
    at = start + Math.ceil(size / BLOCK) * BLOCK;
  }
  return files;
}
