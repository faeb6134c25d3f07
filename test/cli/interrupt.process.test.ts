import { spawn, spawnSync } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { findTool } from "../helpers/debian-tools";
import { nodecloudOnTerminal } from "../helpers/typing";

test("ctrl-C while the command pulumi runs ends with one line", () => {
  const folder = mkdtempSync(join(tmpdir(), "interrupt-"));
  try {
    writeFileSync(join(folder, "Pulumi.yaml"), "name: program\nruntime: nodejs\n");
    writeFileSync(
      join(folder, "pulumi"),
      "#!/bin/sh\nkill -INT $PPID\nwhile kill -0 $PPID; do sleep 0.05; done 2> /dev/null\n",
    );
    chmodSync(join(folder, "pulumi"), 0o755);
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [resolve("dist/bin/nodecloud.js"), "drift", "--stack", "test"],
      {
        cwd: folder,
        encoding: "utf8",
        env: { PATH: `${folder}:${dirname(process.execPath)}:/usr/bin:/bin`, HOME: folder },
      },
    );
    expect({ status, stdout, stderr }).toEqual({
      status: 130,
      stdout: "",
      stderr: "interrupted; nothing was changed\n",
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

describe("while the service does not answer", () => {
  let server: Server;
  let folder: string;
  let env: NodeJS.ProcessEnv;
  const asked = new EventEmitter();

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "interrupt-"));
    server = createServer(() => asked.emit("asked")).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    env = { NODECLOUD_TOKEN: "token", NODECLOUD_BASE_URL: `http://127.0.0.1:${port}/v4` };
  });

  afterEach(() => {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true });
  });

  test.each([["import", "--out", "infra"], ["doctor"]])(
    "SIGINT ends nodecloud %s at once",
    async (...args) => {
      const child = spawn(process.execPath, [resolve("dist/bin/nodecloud.js"), ...args], {
        cwd: folder,
        env: { PATH: dirname(process.execPath), HOME: folder, ...env },
        stdio: ["ignore", "ignore", "pipe"],
      });
      let stderr = "";
      child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
      await once(asked, "asked");
      child.kill("SIGINT");
      expect(await once(child, "close")).toEqual([130, null]);
      expect(stderr).toBe("interrupted; nothing was changed\n");
    },
  );

  const script = process.platform === "linux" ? findTool("script") : undefined;
  if (script !== undefined) {
    test("ctrl-C on a terminal does so too", async () => {
      const { code, printed } = await nodecloudOnTerminal(script, ["import", "--out", "infra"], {
        directory: folder,
        env,
        after: "reading",
        keys: "\u0003",
      });
      expect(code).toBe(130);
      expect(printed).toMatch(/interrupted; nothing was changed\r?\n$/);
    });
  }
});
