import { findTool } from "../helpers/debian-tools";
import { type TestEmulator } from "../helpers/emulator";
import { type HostileServer, startHostileServer } from "../helpers/hostile-server";
import { type TestStack } from "../helpers/stack";
import { onTerminal } from "../helpers/terminal";
import { stackForEachTest } from "../helpers/with-stack";

let emulator: TestEmulator;
let stack: TestStack;
let hostile: HostileServer;
stackForEachTest((own) => ({ emulator, stack } = own));

/** A title, a link, a cursor movement, an engine colour tag that crashes the engine, a bell, an overwritten line, and direction marks. */
const ATTACK =
  "\u001b]0;owned\u0007 \u001b]8;;http://evil.example\u001b\\click\u001b]8;;\u001b\\ \u001b[2J\u001b[1;1H \u009b31m <{%nonsense%}> \rerror: none \u202egnp\u2066 \u200b \u2028 end";
/** The parts of it that control a terminal and that the engine's own output does not contain. */
// eslint-disable-next-line no-control-regex -- the test is about control characters
const OBEYED = /\u001b\][08];|\u001b\[2J|\u0007|[\u0080-\u009f\u202a-\u202e\u2066-\u2069\u200b\u2028]|<\{%/u;

beforeEach(async () => {
  hostile = await startHostileServer(() => ATTACK);
});
afterEach(() => hostile.stop());

const program = `
new nodecloud.Domain("zone", { domain: "example.org", type: "master", soaEmail: "a@example.org" });
new nodecloud.DomainRecordSet("set", { domainId: "12", records: [{ type: "A", target: "192.0.2.7" }] });
new nodecloud.Node("node", { region: "us-east", type: "g6-nanode-1", image: "node/debian12" });
exports.asked = nodecloud.getDomainOutput({ id: "12" }).apply((domain) => domain.domain);`;

// On other systems, the program of that name has different options.
const script = process.platform === "linux" ? findTool("script") : undefined;
if (script !== undefined) {
  test("text of the service does not control the terminal, and the engine finishes", async () => {
    stack.env["NODECLOUD_BASE_URL"] = hostile.baseUrl;
    stack.env["NODECLOUD_VALIDATE"] = "false";
    stack.program(program);
    const terminal = onTerminal(script, stack, 200, "pulumi up --yes --skip-preview");
    await expect(terminal.ended).rejects.toThrow("ended with exit code");
    const printed = terminal.printed();
    expect(OBEYED.exec(printed)).toBeNull();
    expect(printed).not.toContain("panic");
    expect(terminal.lines().join("\n")).toContain("refused: \\u001b]0;owned\\u0007");
    expect(terminal.lines().join("\n")).toContain("<\\u007b%nonsense%}>");
  });
}

test("values of the account are shown without control characters", async () => {
  const zone = (name: string, description: string, options = "") =>
    `new nodecloud.Domain("${name}", { domain: "example.org", type: "master", soaEmail: "a@example.org", description: "${description}" }${options});`;
  stack.program(zone("zone", "mine"));
  expect((await stack.up()).code).toBe(0);
  const id = (await stack.state())["zone"]?.id;
  await emulator.control("PATCH", `/objects/domains/${id}`, { description: ATTACK });
  stack.program(zone("adopted", "mine", `, { import: "${id}" }`));
  const outcome = await stack.pulumi("preview");
  expect(outcome.code).not.toBe(0);
  expect(outcome.printed).toContain('description is "mine" in the program and "\\u001b]0;owned');
  expect(outcome.printed).toContain("\\u202egnp");
  expect(OBEYED.exec(outcome.printed)).toBeNull();
});
