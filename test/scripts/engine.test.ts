import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Ending, root, Sandbox, write } from "./fakes";

const script = join(root, "scripts", "engine.mjs");
const goMod = readFileSync(join(root, "tools", "pulumi", "go.mod"), "utf8");
const pinned = /pkg\/v3 v(\S+)/.exec(goMod)?.[1] ?? "";
const goNeeded = /^go (\S+)/m.exec(goMod)?.[1] ?? "";
const tools = ["pulumi", "pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"];
/** Stands in for the site of the installer. SITE is the installer, or "silent" for no answer. */
const site = `
  globalThis.fetch = async (url, { method = "GET", signal } = {}) => {
    const { SITE } = process.env;
    if (String(url) !== "https://get.pulumi.com/install.sh") throw new Error("what is " + url);
    if (SITE === undefined) throw new TypeError("fetch failed", { cause: new Error("getaddrinfo ENOTFOUND") });
    if (SITE !== "silent") return new Response(method === "HEAD" ? null : require("node:fs").readFileSync(SITE));
    return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  };`;

// The stand-ins for tools are shell scripts.
const describeOnUnix = process.platform === "win32" ? describe.skip : describe;

describeOnUnix("scripts/engine.mjs", () => {
  let sandbox: Sandbox;

  beforeEach(() => {
    sandbox = new Sandbox();
  });

  afterEach(() => sandbox.remove());

  const engine = (env: NodeJS.ProcessEnv = {}): Promise<Ending> => sandbox.run([script], withSite(env));
  const start = (env: NodeJS.ProcessEnv = {}) => sandbox.start([script], withSite(env));

  /** Puts a stand-in for the installer's site into the process. Without `SITE` it is unreachable. */
  function withSite(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
    const hook = join(sandbox.directory, "site.cjs");
    write(hook, site);
    return { NODE_OPTIONS: `--require=${hook}`, ...env };
  }

  function putOnPath(version: string, names = tools) {
    for (const name of names) sandbox.tool(name, `echo v${version}`);
  }

  /**
   * A `go` that "builds" a program, which is broken until the build ends. With GATE, it waits at that pipe in the middle.
   * It opens the pipe for writing too: otherwise the end of what was written to the `go` before it would let it pass.
   */
  function putGoOnPath({ version = pinned } = {}) {
    const sdk = join(sandbox.directory, "sdk");
    write(join(sdk, "nodejs", "dist", "pulumi-resource-pulumi-nodejs"), "#!/bin/sh\n");
    sandbox.tool(
      "go",
      `
      if [ "$1" = list ]; then echo "${sdk}"; exit; fi
      while [ "$1" != -o ]; do shift; done
      program="$2\${PWD##*/}"
      echo broken > "$program"
      if [ -n "$GATE" ]; then read -r opened <> "$GATE"; fi
      printf '#!/bin/sh\\necho v${version}\\n' > "$program"
      chmod +x "$program"`,
    );
  }

  /** An environment in which the site answers with an installer that runs `body` in its `bin` and records the run. */
  function siteWithInstaller(body: string): NodeJS.ProcessEnv {
    const installer = join(sandbox.directory, "install.sh");
    write(
      installer,
      `while [ "$1" != --install-root ]; do shift; done
       echo "$4" >> "${sandbox.directory}/installed"
       mkdir -p "$2/bin" && cd "$2/bin" || exit 1
       ${body}`,
    );
    return { SITE: installer };
  }

  const putting = (version: string, names = tools) =>
    names.map((name) => `printf '#!/bin/sh\\necho v${version}\\n' > ${name}; chmod +x ${name}`).join("\n");

  /** The requested versions of all runs of the installer. */
  const installed = (): string[] => {
    const file = join(sandbox.directory, "installed");
    return existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : [];
  };

  function expectCompleteEngine({ code, stdout, stderr }: Ending, way: "install" | "build") {
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const binDir = stdout.trimEnd();
    expect(binDir).toMatch(way === "install" ? /-install\/bin$/ : /-build\/pulumi$/);
    expect(execFileSync(join(binDir, "pulumi"), { encoding: "utf8" })).toBe(`v${pinned}\n`);
    expect(readdirSync(binDir).sort()).toEqual(tools);
    expect(readdirSync(join(sandbox.cache, "pulumi-nodecloud"))).toHaveLength(1);
  }

  describe("with --languages", () => {
    const languages = ["pulumi-language-go", "pulumi-language-python", "pulumi-language-python-exec"];
    const all = [...tools, ...languages].sort();
    const engineAndLanguages = () => sandbox.run([script, "--languages"], withSite({}));

    /** The `go` of above with the source of the Python language host. */
    function putGoForLanguagesOnPath() {
      putGoOnPath();
      write(join(sandbox.directory, "sdk", "python", "cmd", "pulumi-language-python-exec"), "#!/bin/sh\n");
    }

    it("builds the language hosts beside an engine that was built, once, and never without the option", async () => {
      putGoForLanguagesOnPath();
      const binDir = (await engine()).stdout.trimEnd();
      expect(readdirSync(binDir).sort()).toEqual(tools);
      expect(await engineAndLanguages()).toMatchObject({ code: 0, stdout: `${binDir}\n` });
      expect(readdirSync(binDir).sort()).toEqual(all);
      sandbox.tool("go", "exit 1");
      expect(await engineAndLanguages()).toEqual({ code: 0, stdout: `${binDir}\n`, stderr: "" });
    });

    it("takes the language hosts of a release", async () => {
      putOnPath("3.216.0", all);
      expect(await engineAndLanguages()).toEqual({ code: 0, stdout: `${sandbox.bin}\n`, stderr: "" });
    });

    it("leaves no part of a build that failed, and says what to install", async () => {
      putGoOnPath();
      const binDir = (await engine()).stdout.trimEnd();
      const { code, stderr } = await engineAndLanguages();
      expect(code).toBe(1);
      expect(stderr).toContain("There are no language hosts for Python and Go:");
      expect(stderr).toContain("Install the Pulumi CLI");
      expect(readdirSync(binDir).sort()).toEqual(tools);
      expect(readdirSync(join(binDir, ".."))).toEqual(["pulumi"]);
    });
  });

  describe("an engine on PATH", () => {
    it("is used if it is recent, without writing to the cache", async () => {
      putOnPath("3.216.0");
      expect(await engine()).toEqual({ code: 0, stdout: `${sandbox.bin}\n`, stderr: "" });
      expect(existsSync(sandbox.cache)).toBe(false);
    });

    it("has its version compared by numbers", async () => {
      putOnPath("3.1000.0");
      expect(await engine()).toMatchObject({ code: 0, stdout: `${sandbox.bin}\n` });
    });

    it("is skipped if it is too old", async () => {
      putOnPath("3.99.9");
      putGoOnPath();
      expectCompleteEngine(await engine(), "build");
    });

    it("is skipped without the dynamic-provider launcher", async () => {
      putOnPath("3.230.0", tools.slice(0, 2));
      putGoOnPath();
      expectCompleteEngine(await engine(), "build");
    });
  });

  describe("the installer", () => {
    it("installs the pinned release, so nothing is built", async () => {
      putGoOnPath();
      expectCompleteEngine(await engine(siteWithInstaller(putting(pinned))), "install");
      expect(installed()).toEqual([pinned]);
      expect(sandbox.calls("go")).toEqual([]);
    });

    it("does not run the second time", async () => {
      const env = siteWithInstaller(putting(pinned));
      const first = await engine(env);
      expect(await engine()).toEqual({ ...first, stderr: "" });
      expect(await engine(env)).toEqual({ ...first, stderr: "" });
      expect(installed()).toEqual([pinned]);
    });

    it("does not run if an engine was built before", async () => {
      putGoOnPath();
      const built = await engine();
      expect(await engine(siteWithInstaller(putting(pinned)))).toEqual({ ...built, stderr: "" });
      expect(installed()).toEqual([]);
    });

    it("ignores the user's own engine, even a newer one", async () => {
      putOnPath("3.999.0", tools.slice(0, 2));
      sandbox.tool(
        "pulumi",
        "echo v3.999.0",
        join(sandbox.env["HOME"] ?? "", ".pulumi", "versions", pinned, "bin"),
      );
      expectCompleteEngine(await engine(siteWithInstaller(putting(pinned))), "install");
    });

    it.each([
      ["leaves another version", putting("3.999.0"), "its version is 3.999.0"],
      [
        "leaves no language host",
        putting(pinned, ["pulumi"]),
        "it does not contain all of pulumi, pulumi-language-nodejs",
      ],
      ["fails", "echo 'no such release' >&2; exit 1", "no such release"],
    ])("is followed by a build if it %s", async (_, body, reason) => {
      putGoOnPath();
      const ended = await engine(siteWithInstaller(body));
      expectCompleteEngine(ended, "build");
      expect(ended.stderr).toMatch(/^Installing the Pulumi engine v[\d.]+ \(once\) …$/m);
      expect(ended.stderr).toContain(reason);
    });

    it.each([
      ["cannot be reached", {}, "https://get.pulumi.com/install.sh: getaddrinfo ENOTFOUND"],
      ["does not answer", { SITE: "silent" }, "https://get.pulumi.com/install.sh: no answer for 3 s"],
    ])("is followed by a build if its site %s", async (_, env, reason) => {
      putGoOnPath();
      const ended = await engine(env);
      expectCompleteEngine(ended, "build");
      expect(ended.stderr).toContain(`  failed: ${reason}`);
    });
  });

  describe("the build", () => {
    it("runs nothing the second time", async () => {
      putGoOnPath();
      const first = await engine();
      const calls = sandbox.calls("go");
      expect(await engine()).toEqual({ ...first, stderr: "" });
      expect(sandbox.calls("go")).toEqual(calls);
    });

    it("runs once for two concurrent callers, and the second one says what it waits for", async () => {
      putGoOnPath();
      const gate = sandbox.gate();
      const env = { PULUMI_NODECLOUD_ENGINE: "build", GATE: gate.path };
      const first = start(env);
      await first.says("Building");
      const second = start(env);
      await second.says("Waiting for another run");
      await gate.open();
      await first.says("language host");
      await gate.open();
      expectCompleteEngine(await first.ended, "build");
      expectCompleteEngine(await second.ended, "build");
      expect(sandbox.calls("go").filter((call) => call.startsWith("build"))).toHaveLength(2);
    });

    it("runs again after a killed build", async () => {
      putGoOnPath();
      const stopped = start({ GATE: sandbox.gate().path });
      await stopped.says("Building");
      await stopped.kill();
      const next = await engine();
      expectCompleteEngine(next, "build");
      expect(next.stderr).not.toContain("Waiting");
    });

    it("does not keep an engine that does not run", async () => {
      putGoOnPath({ version: "3.0.0" });
      const { code, stderr } = await engine({ PULUMI_NODECLOUD_ENGINE: "build" });
      expect(code).toBe(1);
      expect(stderr).toContain("its version is 3.0.0");
      expect(readdirSync(join(sandbox.cache, "pulumi-nodecloud"))).toEqual([]);
    });

    it("shows the end of go's output if it fails", async () => {
      sandbox.tool("go", "echo 'go: module lookup disabled' >&2; exit 1");
      const { code, stderr } = await engine();
      expect(code).toBe(1);
      expect(stderr).toContain("go: module lookup disabled");
    });
  });

  describe("if every way fails, the script", () => {
    it("gives the reason of each way and what to install", async () => {
      putOnPath("3.100.0");
      const { code, stdout, stderr } = await engine();
      expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
      expect(stderr).toMatch(/on PATH: .*version 3\.100\.0, older than 3\.216\.0/);
      expect(stderr).toMatch(/install: https:\/\/get\.pulumi\.com\/install\.sh: .*/);
      expect(stderr).toMatch(/build with Go: go not found/);
      expect(stderr).toContain("https://www.pulumi.com/docs/install/");
      expect(stderr).toContain(`Go ${goNeeded} or newer`);
    });

    it("tries only the way that the environment selects", async () => {
      putGoOnPath();
      const { code, stderr } = await engine({ PULUMI_NODECLOUD_ENGINE: "path" });
      expect(code).toBe(1);
      expect(stderr).toContain("PULUMI_NODECLOUD_ENGINE=path allows no other way");
      expect(stderr).toMatch(/on PATH: .* not found/);
      expect(stderr).not.toContain("install:");
      expect(sandbox.calls("go")).toEqual([]);
    });

    it("names the ways that the environment can select", async () => {
      const { code, stderr } = await engine({ PULUMI_NODECLOUD_ENGINE: "docker" });
      expect(code).toBe(1);
      expect(stderr).toContain(
        'PULUMI_NODECLOUD_ENGINE is "docker"; it can be path, install, build, or unset.',
      );
    });
  });
});
