import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { findTool } from "../helpers/debian-tools";
import { ROOT } from "../helpers/programs";

const [go, shellcheck] = [findTool("go"), findTool("shellcheck")];
const folders = [
  ...[".github/workflows", "examples/ci/github", "examples/fleet/github"],
  "examples/web-tier/.github/workflows",
];
const files = folders.flatMap((folder) =>
  readdirSync(join(ROOT, folder)).map((file) => join(ROOT, folder, file)),
);

/** actionlint, built from the module under tools. */
const actionlint = (args: readonly string[], input = "") =>
  spawnSync(go ?? "", ["tool", "actionlint", "-shellcheck", shellcheck ?? "", ...args], {
    cwd: join(ROOT, "tools/actionlint"),
    encoding: "utf8",
    env: { ...process.env, GOWORK: "off", GOFLAGS: "-mod=readonly", GOTOOLCHAIN: "auto" },
    input,
  });

test("each folder of workflows has some", () => {
  expect(files.length).toBeGreaterThanOrEqual(2 * folders.length);
});

// Registered only if both are installed.
if (go !== undefined && shellcheck !== undefined)
  describe("actionlint, with shellcheck for the scripts", () => {
    it.each(files)("finds nothing in %s", (file) => {
      const { status, stdout, stderr } = actionlint([file]);
      expect({ status, stdout, stderr }).toMatchObject({ status: 0, stdout: "" });
    });

    it("finds an unknown permission, text of other people in a script, and an unquoted variable", () => {
      const workflow = `
on: pull_request
permissions: { isues: write }
jobs:
  x:
    runs-on: ubuntu-latest
    steps:
      - run: echo \${{ github.event.pull_request.title }}
      - run: rm $HOME`;
      const { status, stdout } = actionlint(["-"], workflow);
      expect(status).toBe(1);
      for (const found of ["unknown permission scope", "potentially untrusted", "SC2086"]) {
        expect(stdout).toContain(found);
      }
    });
  });

// Registered only if it is installed.
if (shellcheck !== undefined) {
  type Jobs = Readonly<Record<string, { readonly before_script?: string[]; readonly script?: string[] }>>;
  const scripts = ["ci", "fleet"].flatMap((folder) => {
    const jobs = parse(readFileSync(join(ROOT, "examples", folder, "gitlab/.gitlab-ci.yml"), "utf8")) as Jobs;
    const shared = jobs[folder === "ci" ? ".nodecloud" : ".nodecloud-fleet"]?.before_script ?? [];
    return Object.entries(jobs).flatMap(([name, { script }]) =>
      script === undefined ? [] : [[name, [...shared, ...script].join("\n")] as const],
    );
  });

  it.each(scripts)("shellcheck finds nothing in the script of %s for GitLab", (_, script) => {
    // The host sets the variables in capital letters, and not every job calls each shared function.
    const args = ["--shell=bash", "--exclude=SC2154,SC2034,SC2317", "-"];
    const { status, stdout } = spawnSync(shellcheck, args, { encoding: "utf8", input: script });
    expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
  });

  it("has a script for each job", () => {
    expect(scripts.length).toBe(8);
  });
}
