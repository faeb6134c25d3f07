import { gzipSync } from "node:zlib";
import { Header } from "tar";

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
  const parts = sorted.flatMap((file) => [
    headerOf(file),
    file.bytes,
    Buffer.alloc((BLOCK - (file.bytes.length % BLOCK)) % BLOCK),
  ]);
  const archive = gzipSync(Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]), { level: 9 });
  // The byte for the system on which it was made.
  archive[9] = 255;
  return archive;
}

/** @param {File} file */
function headerOf({ path, bytes, isExecutable = false }) {
  const block = Buffer.alloc(BLOCK);
  const mode = isExecutable ? 0o755 : 0o644;
  const header = new Header({
    path,
    mode,
    uid: 0,
    gid: 0,
    size: bytes.length,
    mtime: new Date(0),
    type: "File",
  });
  if (header.encode(block)) throw new Error(`the path is too long for an archive: ${path}`);
  return block;
}
