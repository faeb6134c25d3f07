import { accessSync, chmodSync, constants, cpSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Ending, root, Sandbox, write } from "./fakes";

// The stand-ins for tools are shell scripts.
const describeOnUnix = process.platform === "win32" ? describe.skip : describe;

describeOnUnix("scripts/bootstrap.mjs", () => {
  let sandbox: Sandbox;
  /** A clone of a small repository with this repository's bootstrap. */
  let clone: string;
  let script: string;

  const lockfile = (version: string) =>
    JSON.stringify({
      packages: { "": {}, "node_modules/typescript": { version }, "node_modules/other": { optional: true } },
    });

  /** Stands in for the compiler. With GATE, it waits at that pipe after the first file. */
  const compiler = `
    const fs = require("node:fs");
    const [, , , , , out] = process.argv;
    if (fs.readFileSync("src/index.ts", "utf8") === "wrong") {
      console.log("src/index.ts is wrong");
      process.exit(2);
    }
    fs.writeFileSync(out + "/index.js", fs.readFileSync("src/index.ts"));
    fs.appendFileSync("builds", "x");
    if (process.env.GATE) {
      console.error("compiling");
      fs.readFileSync(process.env.GATE);
    }
    fs.writeFileSync(out + "/last.js", "");`;

  beforeEach(() => {
    sandbox = new Sandbox();
    clone = join(sandbox.directory, "clone");
    for (const name of ["bootstrap.mjs", "cache.mjs", "child.mjs"]) {
      cpSync(join(root, "scripts", name), join(clone, "scripts", name));
    }
    for (const name of ["package.json", "tsconfig.json", "tsconfig.build.json"])
      write(join(clone, name), "{}");
    write(join(clone, "package-lock.json"), lockfile("1.0.0"));
    write(join(clone, "src", "index.ts"), "one");
    write(join(sandbox.directory, "compiler.js"), compiler);
    script = join(clone, "script.mjs");
    write(script, `console.log(...process.argv.slice(2)); process.exitCode = 3;`);
    putNpmOnPath();
  });

  afterEach(() => sandbox.remove());

  /** With NPM_GATE, this `npm ci` waits at that pipe before it writes its lock file. */
  function putNpmOnPath() {
    sandbox.tool(
      "npm",
      `
      mkdir -p node_modules/typescript/bin
      cat "${sandbox.directory}/compiler.js" > node_modules/typescript/bin/tsc
      if [ -n "$NPM_GATE" ]; then echo extracting; read -r opened < "$NPM_GATE"; fi
      cat package-lock.json > node_modules/.package-lock.json`,
    );
  }

  const bootstrap = (args: string[] = [], env?: NodeJS.ProcessEnv): Promise<Ending> =>
    sandbox.run([join(clone, "scripts", "bootstrap.mjs"), script, ...args], env);
  const start = (env?: NodeJS.ProcessEnv) =>
    sandbox.start([join(clone, "scripts", "bootstrap.mjs"), script], env);
  const built = () => readFileSync(join(clone, "dist", "index.js"), "utf8");
  const builds = () => readFileSync(join(clone, "builds"), "utf8").length;

  it("installs, builds and runs the script from a fresh clone, and exits like the script", async () => {
    const { code, stdout } = await bootstrap(["--", "first", "--second"]);
    expect({ code, stdout }).toEqual({ code: 3, stdout: "-- first --second\n" });
    expect(built()).toBe("one");
    expect(sandbox.calls("npm")).toEqual([expect.stringMatching(/^ci /)]);
  });

  it("only runs the script if packages and build are up to date", async () => {
    await bootstrap();
    expect(await bootstrap(["again"])).toEqual({ code: 3, stdout: "again\n", stderr: "" });
    expect(sandbox.calls("npm")).toHaveLength(1);
    expect(builds()).toBe(1);
  });

  it("only installs and builds without a script", async () => {
    const { code, stdout } = await sandbox.run([join(clone, "scripts", "bootstrap.mjs")]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    expect(built()).toBe("one");
  });

  it("installs, but does not build, for a script with --no-build", async () => {
    const bootstrapOnly = [join(clone, "scripts", "bootstrap.mjs"), "--no-build", script, "first"];
    const { code, stdout } = await sandbox.run(bootstrapOnly);
    expect({ code, stdout }).toEqual({ code: 3, stdout: "first\n" });
    expect(sandbox.calls("npm")).toEqual([expect.stringMatching(/^ci /)]);
    expect(existsSync(join(clone, "dist"))).toBe(false);
  });

  describe("packages", () => {
    it("are installed again when package-lock.json changes", async () => {
      await bootstrap();
      write(join(clone, "package-lock.json"), lockfile("1.0.1"));
      await bootstrap();
      expect(sandbox.calls("npm")).toHaveLength(2);
    });

    it("are installed also during an npm command with --dry-run", async () => {
      await bootstrap([], { npm_config_dry_run: "true" });
      expect(sandbox.calls("npm")).toEqual([expect.stringMatching(/^ci --dry-run=false /)]);
    });

    it("are installed again after a killed installation", async () => {
      const stopped = start({ NPM_GATE: sandbox.gate().path });
      await stopped.says("extracting");
      await stopped.kill();
      const { code, stderr } = await bootstrap();
      expect(code).toBe(3);
      expect(stderr).not.toContain("Waiting");
      expect(sandbox.calls("npm")).toHaveLength(2);
    });

    it("are not installed again if a manual installation matches", async () => {
      write(join(clone, "node_modules", "typescript", "bin", "tsc"), compiler);
      write(join(clone, "node_modules", ".package-lock.json"), lockfile("1.0.0"));
      expect(await bootstrap()).toMatchObject({ code: 3 });
      expect(sandbox.calls("npm")).toEqual([]);
    });

    it("are installed again if a manual installation does not match", async () => {
      write(join(clone, "node_modules", ".package-lock.json"), lockfile("0.9.0"));
      expect(await bootstrap()).toMatchObject({ code: 3 });
      expect(sandbox.calls("npm")).toHaveLength(1);
    });

    it("that cannot be installed end bootstrap with npm's exit code", async () => {
      sandbox.tool("npm", "echo 'no such package' >&2; exit 9");
      const { code, stdout, stderr } = await bootstrap();
      expect({ code, stdout }).toEqual({ code: 9, stdout: "" });
      expect(stderr).toMatch(/no such package\nnpm ci failed with exit code 9\n$/);
    });
  });

  describe("the build", () => {
    it("runs again when a source changes", async () => {
      await bootstrap();
      write(join(clone, "src", "index.ts"), "two");
      await bootstrap();
      expect(built()).toBe("two");
    });

    it("runs again when a source is added or removed", async () => {
      await bootstrap();
      write(join(clone, "src", "more.ts"), "");
      await bootstrap();
      expect(builds()).toBe(2);
    });

    it("runs again when its output has changed", async () => {
      await bootstrap();
      write(join(clone, "dist", "index.js"), "half-writ");
      await bootstrap();
      expect(built()).toBe("one");
    });

    it("makes the programs of the package executable, and links them as npm does", async () => {
      write(join(clone, "package.json"), JSON.stringify({ bin: { program: "dist/index.js" } }));
      await bootstrap();
      expect(readFileSync(join(clone, "node_modules", ".bin", "program"), "utf8")).toBe(built());
      expect(() => accessSync(join(clone, "dist", "index.js"), constants.X_OK)).not.toThrow();
      expect(() => accessSync(join(clone, "dist", "last.js"), constants.X_OK)).toThrow();
    });

    it("is not complete after a kill, and runs again", async () => {
      const stopped = start({ GATE: sandbox.gate().path });
      await stopped.says("compiling");
      await stopped.kill();
      expect(existsSync(join(clone, "dist"))).toBe(false);
      await bootstrap();
      expect(readdirSync(join(clone, "dist")).sort()).toEqual([".build.json", "index.js", "last.js"]);
      expect(readdirSync(join(clone, ".cache"))).toEqual([]);
    });

    it("runs once for two concurrent callers", async () => {
      const gate = sandbox.gate();
      const first = start({ GATE: gate.path });
      await first.says("compiling");
      const second = start();
      await second.says("Waiting for another run");
      await gate.open();
      expect(await first.ended).toMatchObject({ code: 3 });
      expect(await second.ended).toMatchObject({ code: 3 });
      expect(builds()).toBe(1);
    });

    it("ends bootstrap before the script if it fails, and keeps the last good output", async () => {
      await bootstrap();
      write(join(clone, "src", "index.ts"), "wrong");
      const { code, stdout, stderr } = await bootstrap();
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toContain("src/index.ts is wrong");
      expect(built()).toBe("one");
    });
  });

  describe("signals", () => {
    it.each(["SIGINT", "SIGTERM"] as const)(
      "%s reaches the script, whose exit code is used",
      async (signal) => {
        write(
          script,
          `process.on("${signal}", () => { console.log("tidied"); process.exit(7); });
         setInterval(() => {}, 1000);
         console.log("ready");`,
        );
        const running = start();
        await running.says("ready");
        running.signal(signal);
        expect(await running.ended).toMatchObject({ code: 7, stdout: "ready\ntidied\n" });
      },
    );

    it("stop a running step, and no other step follows", async () => {
      const running = start({ NPM_GATE: sandbox.gate().path });
      await running.says("extracting");
      running.signal("SIGTERM");
      expect(await running.ended).toMatchObject({ signal: "SIGTERM", stdout: "" });
      expect(existsSync(join(clone, "dist"))).toBe(false);
    });

    it("that end the script give the exit code that a shell gives", async () => {
      write(script, `process.kill(process.pid, "SIGKILL"); setInterval(() => {}, 1000);`);
      expect(await bootstrap()).toMatchObject({ code: 128 + 9 });
    });
  });

  describe("an old Node", () => {
    let old: NodeJS.ProcessEnv;

    beforeEach(() => {
      const preload = join(sandbox.directory, "old.cjs");
      write(
        preload,
        `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.1.0" } });`,
      );
      old = { NODE_OPTIONS: `--require ${preload}` };
      const fetched = join(sandbox.directory, "fetched-node");
      write(fetched, `#!/bin/sh\nunset NODE_OPTIONS\nexec "${process.execPath}" "$@"\n`);
      chmodSync(fetched, 0o755);
      sandbox.tool(
        "npm",
        `
        if [ "$1" = install ]; then
          for last; do :; done
          mkdir -p "$3/node_modules/\${last%@*}/bin"
          ln -s "${fetched}" "$3/node_modules/\${last%@*}/bin/node"
          exit
        fi
        mkdir -p node_modules/typescript/bin
        cat "${sandbox.directory}/compiler.js" > node_modules/typescript/bin/tsc
        cat package-lock.json > node_modules/.package-lock.json`,
      );
      write(script, `console.log(process.versions.node, process.env.PATH);`);
    });

    it("is replaced by a newer one from npm, which is first on PATH for the script", async () => {
      const { code, stdout } = await bootstrap([], old);
      expect(code).toBe(0);
      expect(stdout).toMatch(
        new RegExp(`^${process.versions.node.replaceAll(".", "\\.")} ${sandbox.cache}/[^:]*/bin:`),
      );
      expect(sandbox.calls("npm")[0]).toMatch(/^install .* node-\S+@24$/);
    });

    it("is replaced without a second installation the next time", async () => {
      const first = await bootstrap([], old);
      expect(await bootstrap([], old)).toEqual({ ...first, stderr: "" });
      expect(sandbox.calls("npm").filter((call) => call.startsWith("install"))).toHaveLength(1);
    });

    it("that cannot be replaced causes an error that says what to install", async () => {
      sandbox.tool("npm", "exit 1");
      const { code, stderr } = await bootstrap([], old);
      expect(code).toBe(1);
      expect(stderr).toContain("Install Node 22 or newer (https://nodejs.org/), and run this again.");
    });
  });
});
