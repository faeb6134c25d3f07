import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { step } from "../child.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const windows = process.platform === "win32";

const BUILD = `
import sys
from setuptools import build_meta
out = sys.argv[1]
print(build_meta.build_sdist(out))
print(build_meta.build_wheel(out))
`;

/** A Python environment of its own, with these packages. @param {string} folder @param {readonly string[]} packages @returns {Promise<string>} its program */
export async function pythonWith(folder, packages) {
  await step(windows ? "python" : "python3", ["-m", "venv", folder], { stdio: "pipe" });
  const python = join(folder, windows ? "Scripts/python.exe" : "bin/python");
  await step(python, ["-m", "pip", "install", "--quiet", ...packages], { stdio: "pipe" });
  return python;
}

/** Builds the wheel and the sdist of the Python SDK, with the license. @param {string} out @returns {Promise<string[]>} their names */
export async function buildPython(out) {
  const temporary = mkdtempSync(join(tmpdir(), "nodecloud-python-"));
  try {
    const sources = join(temporary, "sdk");
    cpSync(join(root, "sdks/python"), sources, { recursive: true });
    cpSync(join(root, "LICENSE"), join(sources, "LICENSE"));
    const python = await pythonWith(join(temporary, "venv"), ["setuptools>=77", "wheel"]);
    const printed = await step(python, ["-c", BUILD, out], { cwd: sources, stdio: "pipe" });
    return printed.split("\n").filter((line) => /^pulumi_nodecloud-\S+\.(whl|tar\.gz)$/.test(line));
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}
