import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { cleanEnvironment } from "../../../scripts/environment.cjs";
import { findTool } from "../debian-tools";
import { installedVersion, npmInstall, packThis, type Project, userProject } from "../packed";

/** A git repository with a program, in a folder with the bare repository of the host. */
export interface Repository {
  /** The folder of everything: removed at the end. Programs in its \`bin\` precede others. */
  readonly folder: string;
  /** The variables of npm, whose first `npm ci` installs, and whose next ones copy what it installed. */
  readonly npm: NodeJS.ProcessEnv;
  /** The address of the host's bare repository. */
  readonly origin: string;
  /** Commits files to a branch and pushes it. */
  commit(files: Files, branch?: string, author?: string): void;
  /** Makes a pull request with these files: branch `pull`, and a merge commit whose first parent is the base branch. */
  pull(number: number, files: Files): void;
  /** What `git` prints in the host's repository. */
  git(...args: string[]): string;
  remove(): void;
}

type Files = Readonly<Record<string, string>>;

/** npm with its settings and its cache, which it does not find without the user's home. */
const npmEnvironment = (bin: string): NodeJS.ProcessEnv => ({
  PATH: [bin, process.env["PATH"]].join(delimiter),
  npm_config_cache: process.env["npm_config_cache"] ?? join(homedir(), ".npm"),
  npm_config_userconfig: process.env["npm_config_userconfig"] ?? join(homedir(), ".npmrc"),
  npm_config_prefer_offline: "true",
  npm_config_ignore_scripts: "true",
  npm_config_audit: "false",
  npm_config_fund: "false",
  npm_config_update_notifier: "false",
});

/** Writes an `npm` into a folder for programs. */
function writeNpm(bin: string, installed: string): void {
  const real = findTool("npm");
  const script = `#!/bin/sh
if [ "$1" != ci ]; then exec ${real} "$@"; fi
if [ -d ${installed} ]; then rm -rf node_modules; exec cp -al ${installed} node_modules; fi
${real} ci || exit
# Jobs that run at the same time install at the same time.
cp -al node_modules ${installed}.$$ && mv -T ${installed}.$$ ${installed} || rm -rf ${installed}.$$
`;
  mkdirSync(bin);
  writeFileSync(join(bin, "npm"), script, { mode: 0o755 });
}

const NOBODY = "-c user.name=Ada -c commit.gpgsign=false".split(" ");

/** Makes a repository whose program has the packed package and its locked dependencies. */
export async function programRepository(files: Files): Promise<Repository> {
  const project = userProject();
  const [bare, work] = [join(project.path, "host.git"), join(project.path, "work")];
  const run = (cwd: string, args: readonly string[]) =>
    execFileSync("git", args, {
      cwd,
      encoding: "utf8",
      env: { ...cleanEnvironment(), GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" },
      stdio: ["ignore", "pipe", "pipe"],
    }).trim();
  mkdirSync(work);
  run(project.path, ["init", "--quiet", "--bare", "--initial-branch=main", bare]);
  run(work, ["init", "--quiet", "--initial-branch=main"]);
  run(work, ["remote", "add", "origin", bare]);
  await packThis(join(work, "vendor"));
  const own = `pulumi-nodecloud-${installedVersion("pulumi-nodecloud")}.tgz`;
  const dependencies = {
    "@pulumi/pulumi": installedVersion("@pulumi/pulumi"),
    "pulumi-nodecloud": `file:vendor/${own}`,
  };
  const manifest = {
    name: "program",
    private: true,
    main: "index.ts" in files ? "index.ts" : "index.js",
    dependencies,
  };
  writeFileSync(join(work, "package.json"), JSON.stringify(manifest));
  const inWork = {
    ...project,
    run: ((command, args) => project.run(command, args, { folder: "work" })) as Project["run"],
  };
  await npmInstall(inWork, "--package-lock-only");

  const bin = join(project.path, "bin");
  writeNpm(bin, join(project.path, "installed"));
  const write = (written: Files) => {
    for (const [file, content] of Object.entries(written)) {
      mkdirSync(dirname(join(work, file)), { recursive: true });
      writeFileSync(join(work, file), content);
    }
  };
  const commit = (written: Files, author = "ada@example.org") => {
    write(written);
    run(work, ["add", "--all"]);
    run(work, [
      ...NOBODY,
      "-c",
      `user.email=${author}`,
      "commit",
      "--quiet",
      "--allow-empty",
      "-m",
      "Change",
    ]);
  };
  commit({ ".gitignore": "node_modules/\n", "Pulumi.yaml": "name: program\nruntime: nodejs\n", ...files });
  run(work, ["push", "--quiet", "origin", "main"]);
  return {
    folder: project.path,
    npm: npmEnvironment(bin),
    origin: `file://${bare}`,
    commit: (written, branch = "main", author) => {
      run(work, ["fetch", "--quiet", "origin"]);
      run(work, ["checkout", "--quiet", "-B", branch, `origin/${branch}`]);
      commit(written, author);
      run(work, ["push", "--quiet", "origin", branch]);
    },
    pull: (number, written) => {
      run(work, ["checkout", "--quiet", "-B", "pull", "origin/main"]);
      commit(written);
      const parents = ["-p", "origin/main", "-p", "pull"];
      const merge = run(work, [
        ...NOBODY,
        "-c",
        "user.email=m@x",
        "commit-tree",
        "pull^{tree}",
        ...parents,
        "-m",
        "Merge",
      ]);
      const refs = [`${merge}:refs/pull/${number}/merge`, "pull:refs/heads/pull"];
      run(work, ["push", "--quiet", "--force", "origin", ...refs]);
      run(work, ["checkout", "--quiet", "main"]);
    },
    git: (...args) => run(bare, args),
    remove: () => {
      project.remove();
    },
  };
}

/** Reads a file, which may not exist. */
export function contentOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
