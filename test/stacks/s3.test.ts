import { hostname } from "node:os";
import { type TestEmulator } from "../helpers/emulator";
import { findTool } from "../helpers/debian-tools";
import { nodecloud } from "../helpers/command-line";
import { startS3, type TestS3 } from "../helpers/s3";
import { type TestStack } from "../helpers/stack";
import { stackForEachTest } from "../helpers/with-stack";

const go = findTool("go");

// Registered only if Go is installed.
if (go !== undefined)
  describe("a stack whose state is in a bucket of S3", () => {
    let emulator: TestEmulator;
    let stack: TestStack;
    let s3: TestS3;
    stackForEachTest((own) => ({ emulator, stack } = own));
    beforeAll(async () => {
      s3 = await startS3(go);
    });
    afterAll(() => s3.stop());

    const drift = async (...args: string[]) => {
      const { folder, env } = stack;
      const printed = await nodecloud(["drift", ...args, "--format", "json"], {
        directory: folder.path,
        environment: env,
      });
      return { ...printed, report: JSON.parse(printed.stdout) as { stacks: object[]; findings: object[] } };
    };

    test("is compared by the engine and by a copy of the bucket, with the same findings", async () => {
      Object.assign(stack.env, s3.env);
      expect(await stack.pulumi("stack", "init", "test")).toMatchObject({ code: 0 });
      stack.program(`const zone = new nodecloud.Domain("zone", { domain: "example.org", type: "master", soaEmail: "dns@example.org" });
        new nodecloud.DomainRecord("www", { domainId: zone.id, type: "A", name: "www", target: "192.0.2.1" });
        new nodecloud.DomainRecord("hidden", { domainId: zone.id, type: "TXT", name: "hidden", target: pulumi.secret("a-secret-text") });`);
      expect(await stack.pulumi("up", "--yes", "--skip-preview")).toMatchObject({ code: 0 });
      for (const [key, content] of await s3.objects()) stack.folder.write(`copy/${key}`, content);
      expect(await drift("--states", "copy")).toMatchObject({ code: 0, stderr: "" });

      const { www } = await stack.state();
      const [zone, record] = www?.id.split("/") ?? [];
      await emulator.call("PUT", `/domains/${zone}/records/${record}`, { body: { target: "192.0.2.9" } });
      await emulator.call("POST", "/domains", {
        body: { domain: "stray.example", type: "master", soa_email: "dns@example.org" },
      });
      const [engine, copy] = [await drift("--all"), await drift("--states", "copy")];
      expect(engine.report.findings).toMatchObject([{ kind: "changed" }, { kind: "unmanaged" }]);
      expect(withoutStack(copy.report.findings)).toEqual(withoutStack(engine.report.findings));
    });

    test("is locked by a run that was killed, which recover shows and removes", async () => {
      Object.assign(stack.env, s3.env);
      stack.program("");
      expect(await stack.pulumi("stack", "init", "locked")).toMatchObject({ code: 0 });
      const lock = {
        pid: 2 ** 22 + 1,
        username: "ada",
        hostname: hostname(),
        timestamp: "2026-11-28T01:00:00Z",
      };
      await s3.put(".pulumi/locks/organization/program/locked/1.json", JSON.stringify(lock));
      expect((await stack.pulumi("up", "--yes", "--stack", "locked")).printed).toContain("locked by 1 lock");
      const { code, stdout } = await nodecloud(
        ["recover", "--stack", "locked", "--yes", "--lock-older-than", "1h"],
        {
          directory: stack.folder.path,
          environment: stack.env,
        },
      );
      expect({ code, stdout }).toEqual({
        code: 0,
        stdout: expect.stringMatching(/^removed the lock of ada@.*\nran `pulumi up` of locked/) as unknown,
      });
      expect([...(await s3.objects()).keys()].filter((key) => key.includes("locks/"))).toEqual([]);
    });

    /** The engine names a stack with its organization. */
    const withoutStack = (findings: readonly object[]) =>
      findings.map((finding) => ({ ...finding, stack: undefined }));
  });
