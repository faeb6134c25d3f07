import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { ROOT } from "./programs";

/** A server of the S3 protocol with one bucket, which is empty. */
export interface TestS3 {
  /** The URL and the credentials of the bucket as a backend. */
  readonly env: Readonly<Record<string, string>>;
  /** The objects of the bucket: their keys and contents. */
  objects(): Promise<ReadonlyMap<string, string>>;
  put(key: string, content: string): Promise<void>;
  remove(key: string): Promise<void>;
  /** The command that copies all objects into a folder. */
  copying(to: string): string;
  stop(): Promise<void>;
}

/** What `aws s3 sync` does. */
const COPYING = `
const { mkdirSync, writeFileSync } = require("fs");
const { dirname, join } = require("path");
const [, bucket, folder] = process.argv;
(async () => {
  const list = await (await fetch(bucket + "?list-type=2")).text();
  for (const [, key] of list.matchAll(/<Key>([^<]*)<\\/Key>/g)) {
    mkdirSync(dirname(join(folder, key)), { recursive: true });
    writeFileSync(join(folder, key), await (await fetch(bucket + "/" + key)).text());
  }
})();`;

/** Starts the server under tools. `go` builds it once. */
export async function startS3(go: string): Promise<TestS3> {
  const bucket = "states";
  const server = spawn(go, ["run", ".", bucket], {
    cwd: join(ROOT, "tools/s3"),
    env: { ...process.env, GOWORK: "off", GOFLAGS: "-mod=readonly", GOTOOLCHAIN: "auto" },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = once(server, "exit");
  const lines = createInterface(server.stdout);
  const [address] = (await Promise.race([once(lines, "line"), ended])) as [unknown];
  if (typeof address !== "string") throw new Error("The S3 server did not start.");
  const read = async (path: string) => (await fetch(`http://${address}/${bucket}${path}`)).text();
  return {
    env: {
      ...{ AWS_ACCESS_KEY_ID: "test", AWS_SECRET_ACCESS_KEY: "test", AWS_EC2_METADATA_DISABLED: "true" },
      PULUMI_BACKEND_URL: `s3://${bucket}?endpoint=http://${address}&s3ForcePathStyle=true&region=us-east-1`,
    },
    objects: async () => {
      const keys = [...(await read("?list-type=2")).matchAll(/<Key>([^<]*)<\/Key>/g)].map(
        ([, key = ""]) => key,
      );
      return new Map(await Promise.all(keys.map(async (key) => [key, await read(`/${key}`)] as const)));
    },
    put: async (key, content) => {
      await fetch(`http://${address}/${bucket}/${key}`, { method: "PUT", body: content });
    },
    remove: async (key) => {
      await fetch(`http://${address}/${bucket}/${key}`, { method: "DELETE" });
    },
    copying: (to) => `'${process.execPath}' -e '${COPYING}' 'http://${address}/${bucket}' '${to}'`,
    stop: async () => {
      server.stdin.end();
      await ended;
    },
  };
}
