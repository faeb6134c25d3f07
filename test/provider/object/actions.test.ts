import { AT_ONCE, type Rig, type Managed, startRig } from "../../helpers/lifecycle";
import { type Properties } from "../../helpers/plugin";
import { eventually } from "../../helpers/programs";

let rig: Rig;
beforeAll(async () => {
  rig = await startRig({ MysqlDatabase: "mysql", Node: "nodes", NodeBackupSnapshot: "node-backups" });
});
afterAll(() => rig.stop());
beforeEach(() => rig.emulator.clock.setSpeed(AT_ONCE));

/** An existing resource, and a change of it that requests an action. */
interface Asking {
  readonly resource: Managed;
  readonly before: Properties;
  readonly asked: Properties;
  /** The request of the action. */
  readonly operation: string;
  readonly path: string;
  /** Runs the action in the account. */
  act(): Promise<unknown>;
}

const database = { region: "us-east", type: "g6-standard-1", engine: "mysql/8.0.30" };
const instances = "/databases/mysql/instances";

async function aDatabase(): Promise<Managed> {
  const resource = rig.resource("MysqlDatabase");
  await resource.up(database);
  return resource;
}

async function aRestore(): Promise<Asking> {
  const resource = await aDatabase();
  const backups = `${instances}/${resource.id}/backups`;
  await rig.emulator.call("POST", backups, { body: { label: "one" } });
  // The service's own daily backups soon disappear.
  const backupId = await eventually("the backup is listed", async () => {
    const { body } = await rig.emulator.call<{ data: { id: number; type: string }[] }>("GET", backups);
    return body.data.find(({ type }) => type === "snapshot")?.id;
  });
  return {
    resource,
    before: database,
    asked: { ...database, restoreFromBackupId: backupId },
    act: () => rig.emulator.call("POST", `${backups}/${backupId}/restore`),
    operation: `POST /v4${instances}/:id/backups/:id/restore`,
    path: `/v4${instances}/*/backups/*/restore`,
  };
}

const aTrigger = (input: string, operation: string) => async (): Promise<Asking> => {
  const resource = await aDatabase();
  return {
    resource,
    before: database,
    asked: { ...database, [input]: "now" },
    operation: `POST /v4${instances}/:id/${operation}`,
    path: `/v4${instances}/*/${operation}`,
    act: () => rig.emulator.call("POST", `${instances}/${resource.id}/${operation}`),
  };
};

async function aNodeRestore(): Promise<Asking> {
  const before = { region: "us-east", type: "g6-nanode-1", image: "node/debian12", backupsEnabled: true };
  const resource = rig.resource("Node");
  await resource.up(before);
  const snapshot = rig.resource("NodeBackupSnapshot");
  await snapshot.up({ nodeId: resource.id });
  return {
    resource,
    before,
    asked: { ...before, restoreFromBackup: { backupId: snapshot.id, overwrite: true } },
    act: () =>
      rig.emulator.call("POST", `/node/instances/${snapshot.id.replace("/", "/backups/")}/restore`, {
        body: { node_id: Number(resource.id), overwrite: true },
      }),
    operation: "POST /v4/node/instances/:id/backups/:id/restore",
    path: "/v4/node/instances/*/backups/*/restore",
  };
}

const actions = {
  "a restore of a MySQL database": aRestore,
  "a reset of credentials": aTrigger("credentialsResetTrigger", "credentials/reset"),
  "a patch": aTrigger("patchTrigger", "patch"),
  "a restore of a node": aNodeRestore,
};
const named = Object.entries(actions);
/** The actions that leave no trace in the API. */
const traceless = named.filter(([name]) => name !== "a reset of credentials");

const fault = (path: string, effect: unknown) =>
  rig.emulator.control("POST", "/faults", { method: "POST", path, effect });
const asks = async ({ operation }: Asking) => (await rig.requests())[operation] ?? 0;
const isAtWork = async ({ resource }: Asking) =>
  ["restoring", "updating"].includes(String((await resource.live())?.["status"])) ? true : undefined;

/** The number of reads of one object. */
const reads = async () =>
  Object.entries(await rig.emulator.counts())
    .filter(([name]) => /^GET .*instances\/:id$/.test(name))
    .reduce((sum, [, count]) => sum + count, 0);

/** Starts a call that will fail because its process is killed. */
const begin = (step: () => Promise<unknown>) => void step().catch(() => undefined);

/** Kills a run when the service has received its request and has not answered. The service acts afterwards. */
async function killedOnceAsked({ resource, asked, operation, path, act }: Asking): Promise<void> {
  await fault(path, { delayMs: 3_000 });
  await rig.requests();
  begin(() => resource.up(asked));
  await eventually("it is asked for", async () =>
    (await rig.emulator.counts())[operation] === 1 ? true : undefined,
  );
  await rig.restart();
  await act();
}

describe.each(named)("%s", (_, arrange) => {
  test("whose answer is lost is found, awaited, and not requested again", async () => {
    const asking = await arrange();
    const { resource, asked, path } = asking;
    await fault(path, "drop-response");
    rig.emulator.clock.setSpeed(600);
    await rig.requests();
    expect(await resource.up(asked)).toBe("updated");
    expect(await resource.up(asked)).toBe("same");
    expect(await asks(asking)).toBe(1);
  });

  test("whose run is killed before the answer is found by the next up, which does not request it again", async () => {
    const asking = await arrange();
    const { resource, asked } = asking;
    rig.emulator.clock.setSpeed(0);
    await killedOnceAsked(asking);
    expect(await isAtWork(asking)).toBe(true);
    await rig.requests();
    const next = resource.up(asked);
    await eventually("the next up looks", async () => ((await reads()) > 0 ? true : undefined));
    rig.emulator.clock.setSpeed(600);
    expect(await next).toBe("updated");
    expect(await resource.up(asked)).toBe("same");
    expect(await asks(asking)).toBe(0);
  });

  test("whose run is killed after the answer is known to the next up, even if it has finished", async () => {
    const asking = await arrange();
    const { resource, asked } = asking;
    rig.emulator.clock.setSpeed(0);
    await rig.requests();
    begin(() => resource.up(asked));
    await eventually("it is at work", () => isAtWork(asking));
    const before = await reads();
    await eventually("it is waited for", async () => ((await reads()) > before ? true : undefined));
    await rig.restart();
    rig.emulator.clock.setSpeed(AT_ONCE);
    expect(await resource.up(asked)).toBe("updated");
    expect(await resource.up(asked)).toBe("same");
    expect(await asks(asking)).toBe(1);
  });
});

describe.each(traceless)("%s", (_, arrange) => {
  test("whose request is lost is left to the user, who can request it again", async () => {
    const asking = await arrange();
    const { resource, before, asked, path } = asking;
    await fault(path, "drop-request");
    await rig.requests();
    await expect(resource.up(asked)).rejects.toThrow(
      /it is unknown whether it was carried out\. The provider does not repeat it, .* In the state, \w+ counts as carried out\. To run it again, /,
    );
    expect(resource.initFailed).toBe(true);
    expect(await resource.up(asked)).toBe("updated");
    expect(await resource.up(asked)).toBe("same");
    expect(await asks(asking)).toBe(1);
    await resource.up(before);
    expect(await asks(asking)).toBe(0);
    await resource.up(asked);
    expect(await asks(asking)).toBe(1);
  });

  test("that finished after a kill and before the next up is left to the user too", async () => {
    const asking = await arrange();
    const { resource, asked } = asking;
    await killedOnceAsked(asking);
    await rig.requests();
    await expect(resource.up(asked)).rejects.toThrow(/an interrupted run requested it; it is unknown/);
    expect(await resource.up(asked)).toBe("updated");
    expect(await asks(asking)).toBe(0);
  });
});

test("a credentials reset whose request is lost has not happened, and the next up requests it again", async () => {
  const asking = await actions["a reset of credentials"]();
  const { resource, asked, path } = asking;
  const { rootPassword } = resource.outputs;
  await fault(path, "drop-request");
  await rig.requests();
  await expect(resource.up(asked)).rejects.toThrow(
    /; it was not carried out\. The next `pulumi up` tries again/,
  );
  expect(await resource.up(asked)).toBe("updated");
  expect(resource.outputs["rootPassword"]).not.toBe(rootPassword);
  expect(await asks(asking)).toBe(2);
});

test.each(Object.entries({ MysqlDatabase: aRestore, Node: aNodeRestore }))(
  "a %s is not restored again if a restore is already running",
  async (_, arrange) => {
    const asking = await arrange();
    const { resource, asked } = asking;
    await resource.patch({ status: "restoring" });
    await rig.requests();
    await expect(resource.up(asked)).rejects.toThrow(
      /its status is already restoring, perhaps because of an interrupted run; it is unknown/,
    );
    expect(await asks(asking)).toBe(0);
  },
);

describe("a step of a node's update whose answer is lost is found in the node, and not requested again:", () => {
  const base = { region: "us-east", type: "g6-nanode-1", image: "node/debian12" };
  const STEPS: Record<string, { first: Properties; then: Properties; operation: string }> = {
    "a resize": { first: base, then: { ...base, type: "g6-standard-2" }, operation: "resize" },
    "the start of the backup service": {
      first: base,
      then: { ...base, backupsEnabled: true },
      operation: "backups/enable",
    },
    "the end of the backup service": {
      first: { ...base, backupsEnabled: true },
      then: { ...base, backupsEnabled: false },
      operation: "backups/cancel",
    },
    "a boot": { first: { ...base, booted: false }, then: { ...base, booted: true }, operation: "boot" },
  };

  test.each(Object.entries(STEPS))("%s", async (_, { first, then, operation }) => {
    const resource = rig.resource("Node");
    await resource.up(first);
    await fault(`/v4/node/instances/*/${operation}`, "drop-response");
    await rig.requests();
    await expect(resource.up(then)).rejects.toThrow(/was lost before the answer was complete/);
    expect(await resource.up(then)).toBe("updated");
    expect(await resource.up(then)).toBe("same");
    expect((await rig.requests())[`POST /v4/node/instances/:id/${operation}`]).toBe(1);
  });
});
