import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { type AddressInfo } from "node:net";
import { join } from "node:path";
import { type Ending, root, Sandbox, write } from "./fakes";

const script = join(root, "scripts", "engine.mjs");
const goMod = readFileSync(join(root, "tools", "pulumi", "go.mod"), "utf8");
const pinned = /pkg\/v3 v(\S+)/.exec(goMod)?.[1] ?? "";
const goNeeded = /^go (\S+)/m.exec(goMod)?.[1] ?? "";
const tools = ["pulumi", "pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"];
/** Nothing listens there: a download is refused at once. */
const noMirror = "http://127.0.0.1:1";

// The stand-ins for tools are shell scripts.
const describeOnUnix = process.platform === "win32" ? describe.skip : describe;

describeOnUnix("scripts/engine.mjs", () => {
  let sandbox: Sandbox;
  let servers: Server[];

  beforeEach(() => {
    sandbox = new Sandbox();
    servers = [];
  });

  afterEach(async () => {
    await sandbox.remove();
    for (const server of servers) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  const engine = (env: NodeJS.ProcessEnv = {}): Promise<Ending> => sandbox.run([script], withMirror(env));
  const withMirror = (env: NodeJS.ProcessEnv) => ({ PULUMI_NODECLOUD_RELEASES: noMirror, ...env });

  function putOnPath(version: string, names = tools) {
    for (const name of names) sandbox.tool(name, `echo v${version}`);
  }

  /** A `go` that "builds" a program which is broken until the build is over; with GATE it waits there in the middle. */
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
      if [ -n "$GATE" ]; then read -r opened < "$GATE"; fi
      printf '#!/bin/sh\\necho v${version}\\n' > "$program"
      chmod +x "$program"`,
    );
  }

  /** Serves a release whose programs are shell scripts. */
  async function serveRelease({ checksum }: { checksum?: string } = {}) {
    const content = join(sandbox.directory, "release");
    for (const name of tools) sandbox.tool(name, `echo v${pinned}`, join(content, "pulumi"));
    const archive = execFileSync("tar", ["-czf", "-", "-C", content, "pulumi"]);
    const name = `pulumi-v${pinned}-${process.platform}-${process.arch}.tar.gz`;
    const sum = checksum ?? createHash("sha256").update(archive).digest("hex");
    const requests: string[] = [];
    const server = createServer((request, response) => {
      requests.push(request.url ?? "");
      if (request.url === `/v${pinned}/${name}`) response.end(archive);
      else if (request.url === `/v${pinned}/pulumi-${pinned}-checksums.txt`)
        response.end(`${sum}  ${name}\n`);
      else response.writeHead(404).end();
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    return { url: `http://127.0.0.1:${port}`, requests };
  }

  function expectCompleteEngine({ code, stdout, stderr }: Ending, way: "download" | "build") {
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const binDir = stdout.trimEnd();
    expect(binDir).toMatch(new RegExp(`${way}/pulumi$`));
    expect(execFileSync(join(binDir, "pulumi"), { encoding: "utf8" })).toBe(`v${pinned}\n`);
    expect(readdirSync(binDir).sort()).toEqual(tools);
    expect(readdirSync(join(sandbox.cache, "pulumi-nodecloud"))).toHaveLength(1);
  }

  describe("on PATH", () => {
    it("takes a recent engine, and keeps nothing in the cache", async () => {
      putOnPath("3.216.0");
      expect(await engine()).toEqual({ code: 0, stdout: `${sandbox.bin}\n`, stderr: "" });
      expect(existsSync(sandbox.cache)).toBe(false);
    });

    it("compares versions as numbers", async () => {
      putOnPath("3.1000.0");
      expect(await engine()).toMatchObject({ code: 0, stdout: `${sandbox.bin}\n` });
    });

    it("passes over an engine that is too old", async () => {
      putOnPath("3.99.9");
      putGoOnPath();
      expectCompleteEngine(await engine(), "build");
    });

    it("passes over an engine without the dynamic-provider launcher", async () => {
      putOnPath("3.230.0", tools.slice(0, 2));
      putGoOnPath();
      expectCompleteEngine(await engine(), "build");
    });
  });

  describe("download", () => {
    it("takes the release when its checksum is the published one", async () => {
      const { url } = await serveRelease();
      putGoOnPath();
      expectCompleteEngine(await engine({ PULUMI_NODECLOUD_RELEASES: url }), "download");
      expect(sandbox.calls("go")).toEqual([]);
    });

    it("asks for nothing the second time", async () => {
      const { url, requests } = await serveRelease();
      const first = await engine({ PULUMI_NODECLOUD_RELEASES: url });
      requests.length = 0;
      expect(await engine({ PULUMI_NODECLOUD_RELEASES: url })).toEqual({ ...first, stderr: "" });
      expect(requests).toEqual([]);
    });

    it("builds instead when the checksum is another", async () => {
      const { url } = await serveRelease({ checksum: "0".repeat(64) });
      putGoOnPath();
      expectCompleteEngine(await engine({ PULUMI_NODECLOUD_RELEASES: url }), "build");
    });

    it("builds instead when the mirror has no such release", async () => {
      const { url } = await serveRelease();
      putGoOnPath();
      expectCompleteEngine(await engine({ PULUMI_NODECLOUD_RELEASES: `${url}/elsewhere` }), "build");
    });

    it("builds instead when the connection is refused", async () => {
      putGoOnPath();
      expectCompleteEngine(await engine(), "build");
    });
  });

  describe("build", () => {
    it("runs nothing the second time", async () => {
      putGoOnPath();
      const first = await engine();
      const calls = sandbox.calls("go");
      expect(await engine()).toEqual({ ...first, stderr: "" });
      expect(sandbox.calls("go")).toEqual(calls);
    });

    it("happens once when two ask for it, and the second says what it waits for", async () => {
      putGoOnPath();
      const gate = sandbox.gate();
      const env = withMirror({ PULUMI_NODECLOUD_ENGINE: "build", GATE: gate.path });
      const first = sandbox.start([script], env);
      await first.says("Building");
      const second = sandbox.start([script], env);
      await second.says("Waiting for another run");
      await gate.open();
      await first.says("language host");
      await gate.open();
      expectCompleteEngine(await first.ended, "build");
      expectCompleteEngine(await second.ended, "build");
      expect(sandbox.calls("go").filter((call) => call.startsWith("build"))).toHaveLength(2);
    });

    it("starts anew after one that was killed in the middle", async () => {
      putGoOnPath();
      const stopped = sandbox.start([script], withMirror({ GATE: sandbox.gate().path }));
      await stopped.says("Building");
      await stopped.kill();
      const next = await engine();
      expectCompleteEngine(next, "build");
      expect(next.stderr).not.toContain("Waiting");
    });

    it("keeps nothing that does not run", async () => {
      putGoOnPath({ version: "3.0.0" });
      const { code, stderr } = await engine({ PULUMI_NODECLOUD_ENGINE: "build" });
      expect(code).toBe(1);
      expect(stderr).toContain("version 3.0.0");
      expect(readdirSync(join(sandbox.cache, "pulumi-nodecloud"))).toEqual([]);
    });

    it("shows the end of what go said when it fails", async () => {
      sandbox.tool("go", "echo 'go: module lookup disabled' >&2; exit 1");
      const { code, stderr } = await engine();
      expect(code).toBe(1);
      expect(stderr).toContain("go: module lookup disabled");
    });
  });

  describe("without any way", () => {
    it("says why each failed and what to install", async () => {
      putOnPath("3.100.0");
      const { code, stdout, stderr } = await engine();
      expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
      expect(stderr).toMatch(/on PATH: .*version 3\.100\.0, older than 3\.216\.0/);
      expect(stderr).toMatch(/download: http:\/\/127\.0\.0\.1:1\/.*/);
      expect(stderr).toMatch(/build with Go: go not found/);
      expect(stderr).toContain("https://www.pulumi.com/docs/install/");
      expect(stderr).toContain(`Go ${goNeeded} or newer`);
    });

    it("tries only the way that is forced", async () => {
      putGoOnPath();
      const { code, stderr } = await engine({ PULUMI_NODECLOUD_ENGINE: "path" });
      expect(code).toBe(1);
      expect(stderr).toContain("PULUMI_NODECLOUD_ENGINE=path allows no other way");
      expect(stderr).toMatch(/on PATH: .* not found/);
      expect(stderr).not.toContain("download:");
      expect(sandbox.calls("go")).toEqual([]);
    });

    it("names the ways that can be forced", async () => {
      const { code, stderr } = await engine({ PULUMI_NODECLOUD_ENGINE: "docker" });
      expect(code).toBe(1);
      expect(stderr).toContain(
        'PULUMI_NODECLOUD_ENGINE is "docker"; it can be path, download, build, or unset.',
      );
    });
  });
});
