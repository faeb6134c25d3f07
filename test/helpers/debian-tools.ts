import { accessSync, appendFileSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** The Debian package of each program that some tests need. `.ci/run` installs all of them. */
const PACKAGES: Readonly<Record<string, string>> = {
  named: "bind9",
  "named-checkzone": "bind9-utils",
  knotd: "knot",
  kzonecheck: "knot-dnssecutils",
  chromium: "chromium",
  script: "bsdutils",
  gh: "gh",
  jq: "jq",
  curl: "curl",
  shellcheck: "shellcheck",
  go: "golang-go",
  zsh: "zsh",
  fish: "fish",
  rsync: "rsync",
  python3: "python3",
  sshd: "openssh-server",
};

/** Name servers are in this directory, which is not on every PATH. */
const SYSTEM = "/usr/sbin";

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * The path of a program, for tests that exist only if it is installed. A missing program is noted in the file
 * NODECLOUD_MISSING_TOOLS, which `npm test` reports. With NODECLOUD_REQUIRE_TOOLS=1 it is an error.
 */
export function findTool(name: string): string | undefined {
  const directories = [...(process.env["PATH"] ?? "").split(delimiter), SYSTEM];
  const found = directories.map((directory) => join(directory, name)).find(isExecutable);
  if (found !== undefined) return found;
  const from = PACKAGES[name] ?? name;
  if (process.env["NODECLOUD_REQUIRE_TOOLS"] === "1") {
    throw new Error(`${name} is not installed, and the tests need it: apt-get install ${from}`);
  }
  const notes = process.env["NODECLOUD_MISSING_TOOLS"];
  if (notes) appendFileSync(notes, `${name} ${from}\n`);
  return undefined;
}
