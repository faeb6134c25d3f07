import { type EngineEvent } from "@pulumi/pulumi/automation";
import { AT_ONCE, startTestEmulator, type TestEmulator } from "../helpers/emulator";
import { nameInUrn } from "../../src/provider/describe/urn";
import { eventsIn, type Outcome } from "../helpers/outcome";
import { type TestStack, testStack } from "../helpers/stack";

let emulator: TestEmulator;
let stack: TestStack;

const program = ({ tags = '["a"]', type = "g6-nanode-1", more = "" } = {}) => `
const node = new nodecloud.Node("web", { region: "us-east", type: "${type}", image: "node/debian12", tags: ${tags} ${more} });
const zone = new nodecloud.Domain("zone", { domain: "example.org", type: "master", soaEmail: "dns@example.org" });
const txt = (name, target) => new nodecloud.DomainRecord(name, { domainId: zone.id, type: "TXT", name, target });
new nodecloud.DomainRecord("address", { domainId: zone.id, type: "A", name: "www", target: node.ipv4[0] });
txt("host", node.hostUuid);
txt("label", node.label);
txt("region", node.region);
txt("cpu", pulumi.interpolate\`\${node.alerts.cpu}\`);
txt("tag", node.tags.apply((tags) => tags.join()));
exports.created = node.created;`;

beforeAll(async () => {
  emulator = await startTestEmulator({ speed: AT_ONCE });
  stack = await testStack(emulator);
  stack.way = "plugin";
  stack.program(program());
  expect((await stack.up()).code).toBe(0);
});

afterAll(async () => {
  stack.remove();
  await emulator.stop();
});

/** The steps that change something, each with the paths of its changes. */
const changesIn = ({ printed }: Outcome): Record<string, Record<string, string>> =>
  Object.fromEntries(
    eventsIn(printed)
      .flatMap(({ resourcePreEvent }: EngineEvent) => resourcePreEvent?.metadata ?? [])
      .filter(({ op, type }) => ["update", "replace"].includes(op) && !type.startsWith("pulumi:"))
      .map(({ urn, detailedDiff }) => [
        nameInUrn(urn),
        Object.fromEntries(
          Object.entries(detailedDiff ?? {}).map(([path, { diffKind }]) => [path, diffKind]),
        ),
      ]),
  );

test("the preview of one more tag shows that tag, and of the dependants only the one that uses the tags", async () => {
  stack.program(program({ tags: '["a", "b"]' }));
  expect(changesIn(await stack.preview())).toEqual({ web: { "tags[1]": "add" }, tag: { target: "update" } });
});

test("the preview of a resize leaves unknown only what a resize may change", async () => {
  stack.program(program({ type: "g6-standard-1" }));
  expect(changesIn(await stack.preview())).toEqual({
    web: { type: "update" },
    address: { target: "update" },
    host: { target: "update" },
    cpu: { target: "update" },
  });
});

test("the preview of a nested input shows its path, and leaves the other parts known", async () => {
  stack.program(program({ more: ", alerts: { io: 9000 }" }));
  expect(changesIn(await stack.preview())).toEqual({ web: { "alerts.io": "add" } });
});

test("a replacement names the inputs that replace, and changes only dependants on what the new object gets", async () => {
  stack.program(program().replace("us-east", "us-west"));
  const { web, ...dependants } = changesIn(await stack.preview());
  expect(web).toEqual({ region: "update-replace" });
  expect(Object.keys(dependants).sort()).toEqual(["address", "cpu", "host", "label", "region"]);
});

test("a replaceOnChanges path of one item replaces only when that item changes", async () => {
  const asking = (tags: string) =>
    program({ tags }).replace("});\nconst zone", '}, { replaceOnChanges: ["tags[1]"] });\nconst zone');
  stack.program(asking('["a", "b"]'));
  expect((await stack.preview()).stepsOf("web")).toContain("replace");
  stack.program(asking('["c"]'));
  expect((await stack.preview()).stepsOf("web")).toEqual(["update"]);
});

test("replaceOnChanges replaces a set whose records keep their names and targets", async () => {
  const set = (ttlSec: number) => `
    const zone = new nodecloud.Domain("apart", { domain: "apart.example", type: "master", soaEmail: "dns@a.example" });
    new nodecloud.DomainRecordSet("set", { domainId: zone.id, records: [{ type: "A", name: "a", target: "192.0.2.1", ttlSec: ${ttlSec} }] },
      { replaceOnChanges: ["records"] });`;
  stack.program(set(300));
  await stack.up();
  stack.program(set(3600));
  const steps = ["delete-replaced", "replace", "create-replacement"];
  const preview = await stack.preview();
  expect({ code: preview.code, steps: preview.stepsOf("set") }).toEqual({ code: 0, steps });
  const up = await stack.up();
  expect({ code: up.code, steps: up.stepsOf("set") }).toEqual({ code: 0, steps });
});
