import * as pulumi from "@pulumi/pulumi";
import * as provider from "@pulumi/pulumi/proto/provider_pb";
import * as functions from "../../../src/functions";
import { declarations } from "../../../src/functions/declarations";
import { type Rig, startRig } from "../../helpers/lifecycle";
import { type Properties, secretsIn } from "../../helpers/plugin";
import { ask } from "../../helpers/plugin/engine-client";
import { fromStruct, toStruct } from "../../helpers/plugin/wire";
import { configure, standInForEngine, valueOf } from "../../helpers/program-run";
import { wholeAccount, type WholeAccount } from "../../helpers/whole-account";

let rig: Rig;
let account: WholeAccount;
beforeAll(async () => {
  standInForEngine();
  rig = await startRig({}, { speed: 1 }, "plugin");
  configure(rig.emulator);
  account = await wholeAccount(rig.emulator);
});
afterAll(() => rig.stop());

async function invoke(name: string, args: object = {}): Promise<Properties> {
  const request = new provider.InvokeRequest();
  request.setTok(`nodecloud:index:${name}`);
  request.setArgs(toStruct(args, true));
  const reply = await ask<provider.InvokeResponse>((done) => rig.plugin.client.invoke(request, done));
  return fromStruct(reply.getReturn());
}

const number = (name: string) => Number((account[name] ?? "").split("/").at(-1));

/** The arguments of the functions that need some. */
const ARGS: Readonly<Record<string, () => Properties>> = {
  getNode: () => ({ label: "web-1.prod" }),
  getNodeBackups: () => ({ nodeId: number("web") }),
  getNodeBackup: () => ({ nodeId: number("web"), id: number("snapshot") }),
  getDomain: () => ({ domain: "example.org" }),
  getDomainRecords: () => ({ domainId: number("zone") }),
  getDomainRecord: () => ({ domainId: number("zone"), id: number("record1") }),
  getDomainZoneFile: () => ({ domainId: number("zone") }),
  getImage: () => ({ label: "golden image" }),
  getRegion: () => ({ id: "us-east" }),
  getRegionAvailability: () => ({ regionId: "us-east" }),
  getDatabaseEngine: () => ({ id: "mysql/8.0.30" }),
  getMysqlDatabase: () => ({ label: "shop" }),
  getMysqlDatabaseBackups: () => ({ databaseId: number("mysql") }),
  getMysqlDatabaseBackup: () => ({ databaseId: number("mysql"), label: "beforemove" }),
  getMysqlDatabaseCertificate: () => ({ databaseId: number("mysql") }),
  getMysqlDatabaseCredentials: () => ({ databaseId: number("mysql") }),
  getPostgresqlDatabase: () => ({ label: "reports" }),
  getPostgresqlDatabaseBackups: () => ({ databaseId: number("postgresql") }),
  getPostgresqlDatabaseBackup: () => ({ databaseId: number("postgresql"), label: "beforemove" }),
};

/** A result without the outputs in which a program gets secrets. */
const opened = async (result: object): Promise<object> =>
  Object.fromEntries(
    await Promise.all(
      Object.entries(result).map(
        async ([name, value]: [string, unknown]) =>
          [name, pulumi.Output.isInstance(value) ? await valueOf(value) : value] as const,
      ),
    ),
  );

const inProgram = functions as unknown as Readonly<Record<string, (args: object) => Promise<object>>>;

test.each([...declarations.keys()].sort())(
  "%s returns what a program's own function returns",
  async (name) => {
    const args = ARGS[name]?.() ?? {};
    const expected = await opened((await inProgram[name]?.(args)) ?? {});
    const result = await invoke(name, args);
    expect(result).toEqual(JSON.parse(JSON.stringify(expected)));
    expect(Object.keys(result)).not.toEqual([]);
  },
);

test("the credentials of a database are sealed", async () => {
  const result = await invoke("getMysqlDatabaseCredentials", { databaseId: number("mysql") });
  expect(secretsIn(result)).toEqual(["password"]);
});

test("a failure begins with the function and says what is wrong", async () => {
  await expect(invoke("getDomain", { domain: "missing.example" })).rejects.toThrow(
    /^get Domain: .*missing\.example/,
  );
});

test("calls between two writes share one answer, and a call after a write reads again", async () => {
  await invoke("getDomains");
  await rig.requests();
  await Promise.all([invoke("getDomains"), invoke("getDomains")]);
  expect(await rig.requests()).toEqual({});
  rig.emulator.clock.setSpeed(1e7);
  const domain = rig.resource("Domain");
  await domain.up({ domain: "written.example", type: "master", soaEmail: "dns@example.org" });
  const { id } = await invoke("getDomain", { domain: "written.example" });
  expect(String(id)).toBe(domain.id);
});
