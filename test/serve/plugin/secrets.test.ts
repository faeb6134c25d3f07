import * as pulumi from "@pulumi/pulumi";
import { SECRET, SIGNATURE } from "../../../src/provider/engine/signatures";
import { type Rig, type Managed, type ResourceType, startRig } from "../../helpers/lifecycle";
import { onAnswer, PluginError, type Properties, secretsIn } from "../../helpers/plugin";

let rig: Rig;
const answers: object[] = [];
onAnswer((answer) => answers.push(answer));
beforeAll(async () => {
  rig = await startRig({ Node: "nodes" }, {}, "plugin");
  rig.folder.write("disk.img", "a small disk");
});
afterEach(() => rig.emulator.control("POST", "/reset?only=faults"));
afterAll(() => rig.stop());

const node = { region: "us-east", type: "g6-nanode-1", image: "node/debian12" };
const planted = "planted-secret-8d1f";

/** The raw answers in which a text stands outside of the engine's envelopes of secrets. */
const inTheClear = (text: string): string[] =>
  answers.map(withoutEnvelopes).filter((answer) => answer.includes(text));

const withoutEnvelopes = (answer: unknown): string =>
  JSON.stringify(answer, (_, value: unknown) =>
    typeof value === "object" && value !== null && (value as Properties)[SIGNATURE] === SECRET
      ? "[sealed]"
      : value,
  );

const isAnswered = (text: string) => answers.some((answer) => JSON.stringify(answer).includes(text));

/** Takes a resource through its life: previews, creation, refresh, update, and a failed update. */
async function live(it: Managed, first: Properties, then: Properties): Promise<void> {
  const created = await it.check(first);
  await rig.plugin.create(it, created.inputs, { isPreview: true });
  await it.up(first);
  await it.refresh();
  const { inputs } = await it.preview(then);
  await rig.plugin.update(it, inputs, { isPreview: true });
  await it.up(then);
  await it.refresh();
}

describe("secrets of a node", () => {
  const secret = {
    rootPass: `${planted} root pass`,
    userData: `#cloud-config ${planted}`,
    stackscriptData: { password: `${planted} script` },
  };

  test("that are always secret are sealed in all inputs and outputs, without a wish of the program", async () => {
    const it = rig.resource("Node");
    await live(
      it,
      { ...node, ...secret, stackscriptId: 10 },
      { ...node, ...secret, stackscriptId: 10, tags: ["b"] },
    );
    expect(secretsIn(it.inputs)).toEqual(expect.arrayContaining(["rootPass", "stackscriptData", "userData"]));
    expect(secretsIn(it.outputs)).toEqual(
      expect.arrayContaining(["rootPass", "stackscriptData", "userData"]),
    );
    expect(isAnswered(planted)).toBe(true);
    expect(inTheClear(planted)).toEqual([]);
  });

  test("that the provider makes are sealed", async () => {
    const it = rig.resource("Node");
    await it.up(node);
    expect(it.outputs["rootPass"]).toEqual(expect.any(String));
    expect(secretsIn(it.outputs)).toContain("rootPass");
    expect(inTheClear(String(it.outputs["rootPass"]))).toEqual([]);
  });

  test("are sealed in the state of a creation that fails midway", async () => {
    const it = rig.resource("Node");
    await rig.emulator.control("POST", "/faults", {
      method: "PUT",
      path: "/v4/node/instances/*",
      effect: { status: 400, body: { errors: [{ reason: "not now", field: "watchdog_enabled" }] } },
    });
    const text = `${planted}-partial`;
    const args = {
      ...node,
      rootPass: `${text} pass`,
      tags: [pulumi.secret(`${text}-tag`)],
      watchdogEnabled: false,
    };
    await expect(it.up(args)).rejects.toBeInstanceOf(PluginError);
    expect(it.initFailed).toBe(true);
    expect(secretsIn(it.outputs)).toEqual(expect.arrayContaining(["rootPass", "tags"]));
    expect(isAnswered(text)).toBe(true);
    expect(inTheClear(text)).toEqual([]);
  });

  test("that the program no longer sets stay sealed", async () => {
    const it = rig.resource("Node");
    const text = `${planted}-removed`;
    await it.up({ ...node, alerts: { cpu: 12 }, group: pulumi.secret(text) });
    await it.up({ ...node, tags: ["b"] });
    await it.refresh();
    expect(inTheClear(text)).toEqual([]);
  });
});

describe("secrets of a program", () => {
  test("stay sealed if their list has another order", async () => {
    const it = rig.resource("Node");
    const text = `${planted}-ordered`;
    await it.up({ ...node, tags: [pulumi.secret(text), "b"] });
    const { inputs } = await it.check({ ...node, tags: ["b", pulumi.secret(text)] });
    expect(secretsIn(inputs)).toContain("tags[1]");
    expect(inTheClear(text)).toEqual([]);
  });

  const ofParent = async (property: string, type: ResourceType): Promise<Properties> => {
    const parent = rig.resource(type);
    const database = { region: "us-east", type: "g6-nanode-1", engine: "mysql/8.0.30" };
    const engine = type === "PostgresqlDatabase" ? { engine: "postgresql/14.6" } : {};
    await parent.up(type === "Node" ? { ...node, backupsEnabled: true } : { ...database, ...engine });
    return { [property]: parent.id };
  };
  type Base = () => Properties | Promise<Properties>;
  test.each<[ResourceType, string, Base, (secret: pulumi.Output<string>) => Properties]>([
    ["Node", "label", () => node, (label) => ({ label })],
    ["Node", "tags", () => node, (tag) => ({ tags: ["plain", tag] })],
    [
      "Domain",
      "description",
      () => ({ domain: `d${rig.serial()}.example`, type: "master", soaEmail: "dns@example.org" }),
      (description) => ({ description }),
    ],
    [
      "Image",
      "description",
      () => ({ source: "disk.img", region: "us-east" }),
      (description) => ({ description }),
    ],
    [
      "MysqlDatabase",
      "label",
      () => ({ region: "us-east", type: "g6-nanode-1", engine: "mysql/8.0.30" }),
      (label) => ({ label }),
    ],
    [
      "PostgresqlDatabase",
      "label",
      () => ({ region: "us-east", type: "g6-nanode-1", engine: "postgresql/14.6" }),
      (label) => ({ label }),
    ],
    ["NodeBackupSnapshot", "label", () => ofParent("nodeId", "Node"), (label) => ({ label })],
    ["MysqlDatabaseBackup", "label", () => ofParent("databaseId", "MysqlDatabase"), (label) => ({ label })],
    [
      "PostgresqlDatabaseBackup",
      "label",
      () => ofParent("databaseId", "PostgresqlDatabase"),
      (label) => ({ label }),
    ],
  ])("in %s.%s are sealed in all answers", async (type, _, base, hidden) => {
    const it = rig.resource(type);
    const args = await base();
    const [one, two] = [`sealedone${rig.serial()}`, `sealedtwo${rig.serial()}`];
    await live(it, { ...args, ...hidden(pulumi.secret(one)) }, { ...args, ...hidden(pulumi.secret(two)) });
    for (const text of [one, two]) {
      expect([text, isAnswered(text)]).toEqual([text, true]);
      expect(inTheClear(text)).toEqual([]);
    }
  });

  test("in the records of a set and in a record are sealed in all answers", async () => {
    const domain = rig.resource("Domain");
    await domain.up({ domain: "sealed.example", type: "master", soaEmail: "dns@example.org" });
    const text = "sealed-in-records";
    const txt = (name: string, target: string) => ({ type: "TXT", name, target: pulumi.secret(target) });
    const domainId = domain.id;
    await live(
      rig.resource("DomainRecordSet"),
      { domainId, records: [txt("a", `${text}-1`), { type: "A", name: "b", target: "192.0.2.1" }] },
      { domainId, records: [txt("a", `${text}-2`)] },
    );
    await live(
      rig.resource("DomainRecord"),
      { domainId, ...txt("c", `${text}-3`) },
      { domainId, ...txt("c", `${text}-4`) },
    );
    expect(isAnswered(text)).toBe(true);
    expect(inTheClear(text)).toEqual([]);
    expect(rig.plugin.logs.filter(({ message }) => message.includes(text))).toEqual([]);
  });

  test("that a database makes are sealed, also after a refresh", async () => {
    const it = rig.resource("MysqlDatabase");
    const args = { region: "us-east", type: "g6-nanode-1", engine: "mysql/8.0.30" };
    await it.up(args);
    await it.refresh();
    const password = String(it.outputs["rootPassword"]);
    expect(secretsIn(it.outputs)).toContain("rootPassword");
    expect(isAnswered(password)).toBe(true);
    expect(inTheClear(password)).toEqual([]);
  });
});
