import { spawn } from "node:child_process";
import { type TestStack } from "../helpers/stack";
import { nodecloud } from "../helpers/command-line";
import { stackForEachTest } from "../helpers/with-stack";

let stack: TestStack;
stackForEachTest((own) => ({ stack } = own));

const PLANTED = ["planted-password-1", "planted-password-2", "planted-text-1", "planted-text-2"];

const program = (version: 1 | 2, records: number) => `
  new nodecloud.MysqlDatabase("db", {
    label: "shop", region: "us-${version === 1 ? "east" : "west"}", type: "g6-standard-1", engine: "mysql/8.0.30",
  });
  new nodecloud.Node("web", {
    region: "us-east", type: "g6-nanode-1", image: "node/debian12", rootPass: "planted-password-${version}",
  });
  const zone = new nodecloud.Domain("zone", { domain: "example.org", type: "master", soaEmail: "a@example.org" });
  new nodecloud.DomainRecord("token", {
    domainId: zone.id, type: "TXT", name: "token", target: pulumi.secret("planted-text-${version}"),
  });
  for (let at = 0; at < ${records}; at++) {
    new nodecloud.DomainRecord("www" + at, { domainId: zone.id, type: "A", name: "www" + at, target: "192.0.2.1" });
  }`;

/** What a preview prints, as one object or as events. */
const preview = (streaming: "true" | ""): Promise<string> =>
  new Promise((resolve, reject) => {
    const env = { ...stack.env, PULUMI_ENABLE_STREAMING_JSON_PREVIEW: streaming };
    const args = ["preview", "--json", "--non-interactive"];
    const child = spawn("pulumi", args, { cwd: stack.folder.path, env });
    let printed = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (printed += text));
    child.on("error", reject);
    child.on("close", () => resolve(printed));
  });

test("a lost database among 300 changes is in the first lines, and no secret is shown", async () => {
  stack.program(program(1, 0));
  expect(await stack.up()).toMatchObject({ code: 0 });
  stack.program(program(2, 297));
  const printed = [await preview(""), await preview("true")];

  for (const input of printed) {
    const { code, stdout } = await nodecloud(["report", "--deny", "data-loss:MysqlDatabase"], { input });
    expect(code).toBe(2);
    const lines = stdout.split("\n").slice(0, 20);
    expect(lines[2]).toMatch(/: 300 changes: 2 lose data, /);
    expect(lines.find((line) => line.startsWith("- **`MysqlDatabase` `db`** is replaced"))).toMatch(
      /because region changed.*: the database's data and backups are lost$/,
    );
    expect(Buffer.byteLength(stdout)).toBeLessThanOrEqual(65_536);

    for (const format of ["markdown", "text", "json"]) {
      const { stdout: report } = await nodecloud(["report", "--format", format], { input });
      for (const secret of PLANTED) expect(report).not.toContain(secret);
    }
  }
});
