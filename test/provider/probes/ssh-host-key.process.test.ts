import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ask } from "../../../src/provider/probes/ask";
import { closedPort } from "../../helpers/answering";
import { findTool } from "../../helpers/debian-tools";
import { eventually } from "../../helpers/programs";

const TYPES = ["ed25519", "rsa", "ecdsa"] as const;
const sshd = findTool("sshd");

// Registered only if the SSH server is installed.
if (sshd !== undefined)
  describe("a real SSH server", () => {
    let folder: string;
    let server: ChildProcess;
    let port: number;
    const keyOf = (type: string) => readFileSync(join(folder, `${type}.pub`), "utf8").trim();
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), "sshd-"));
      for (const type of [...TYPES, "other"])
        execFileSync("ssh-keygen", [
          "-q",
          "-N",
          "",
          "-t",
          type === "other" ? "ed25519" : type,
          "-f",
          join(folder, type),
        ]);
      port = await closedPort();
      const config = join(folder, "config");
      const keys = TYPES.map((type) => `HostKey ${join(folder, type)}`);
      writeFileSync(config, ["ListenAddress 127.0.0.1", `Port ${port}`, ...keys, ""].join("\n"));
      // Its user needs this directory.
      mkdirSync("/run/sshd", { recursive: true });
      server = spawn(sshd, ["-D", "-e", "-f", config, "-o", "PidFile=none"], { stdio: "ignore" });
      await eventually("it listens", async () => ((await answer()).isReady ? true : undefined));
    });
    afterAll(() => {
      server.kill();
      rmSync(folder, { recursive: true });
    });

    const answer = (hostKeys?: readonly string[]) =>
      ask({ protocol: "ssh", address: "127.0.0.1", port, hostKeys }, new AbortController().signal);

    test.each(TYPES)("proves its host key of the type %s", async (type) => {
      await expect(answer([keyOf("other"), keyOf(type)])).resolves.toEqual({
        ...{ isReady: true, isHeard: true, said: "the host key" },
      });
    });

    test("does not prove another one", async () => {
      await expect(answer([keyOf("other")])).resolves.toEqual({
        ...{ isReady: false, isHeard: true, said: "another host key" },
      });
    });
  });
