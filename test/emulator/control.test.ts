import { type TestEmulator, deployedNode, startTestEmulator, withEmulator } from "../helpers/emulator";

let emulator: TestEmulator;
beforeEach(async () => {
  emulator = await startTestEmulator();
});
afterEach(() => emulator.stop());

const example = { domain: "example.org", type: "master", soa_email: "dns@example.org" };
async function createDomain() {
  const { body } = await emulator.call<{ id: number }>("POST", "/domains", { body: example });
  return body.id;
}

async function createNode() {
  const { body } = await emulator.call<{ id: number }>("POST", "/node/instances", { body: deployedNode });
  return body.id;
}

interface Report {
  counts: Record<string, number>;
  last: object[];
}

describe("requests", () => {
  const report = () => emulator.control<Report>("GET", "/requests");

  test("are counted by operation, not by id, and control requests are not counted", async () => {
    const id = await createDomain();
    await emulator.call("GET", `/domains/${id}`);
    await emulator.call("GET", "/domains/4711");
    await emulator.call("GET", `/domains/${id}/records/4711`);
    await emulator.call("GET", "/images/node/debian12");
    await emulator.call("GET", "/nothing/12/here");
    await report();
    expect((await report()).body.counts).toEqual({
      "POST /v4/domains": 1,
      "GET /v4/domains/:id": 2,
      "GET /v4/domains/:id/records/:id": 1,
      "GET /v4/images/:id": 1,
      "GET /v4/nothing/:id/here": 1,
    });
  });

  test("are logged with query, body and status, and without passwords", async () => {
    await emulator.call("GET", "/domains?page_size=25");
    await createNode();
    expect((await report()).body.last).toEqual([
      { method: "GET", path: "/v4/domains", query: { page_size: "25" }, status: 200 },
      {
        method: "POST",
        path: "/v4/node/instances",
        query: {},
        body: { ...deployedNode, root_pass: "[redacted]" },
        status: 200,
      },
    ]);
  });
});

describe("reset", () => {
  test("restores the state of the start", async () => {
    const id = await createDomain();
    emulator.clock.advance(3600);
    await emulator.control("POST", "/reset");
    expect((await emulator.call("GET", `/domains/${id}`)).status).toBe(404);
    expect((await emulator.control<Report>("GET", "/requests")).body.last).toHaveLength(1);
    expect(await createDomain()).toBe(id);
  });

  test("of the requests or the faults keeps the rest", async () => {
    const id = await createDomain();
    await emulator.control("POST", "/faults", { path: "/v4/domains", effect: { status: 503 } });
    await emulator.control("POST", "/reset?only=requests");
    expect((await emulator.control<Report>("GET", "/requests")).body.last).toEqual([]);
    expect((await emulator.call("GET", "/domains")).status).toBe(503);
    await emulator.control("POST", "/faults", { path: "/v4/domains", effect: { status: 503 } });
    await emulator.control("POST", "/reset?only=faults");
    expect((await emulator.call("GET", "/domains")).status).toBe(200);
    expect((await emulator.call("GET", `/domains/${id}`)).status).toBe(200);
    expect((await emulator.control("POST", "/reset?only=something")).status).toBe(400);
  });
});

describe("objects", () => {
  test("a changed field appears in the API: objects merge, arrays are replaced", async () => {
    const id = await createNode();
    await emulator.control("PATCH", `/objects/nodes/${id}`, { alerts: { cpu: 1 }, tags: ["x"] });
    expect((await emulator.call("GET", `/node/instances/${id}`)).body).toMatchObject({
      alerts: { cpu: 1, io: 10_000 },
      tags: ["x"],
    });
  });

  test("a changed status cancels the pending change of status", async () => {
    const id = await createNode();
    await emulator.control("PATCH", `/objects/nodes/${id}`, { status: "stopped" });
    emulator.clock.advance(24 * 60 * 60);
    expect((await emulator.call("GET", `/node/instances/${id}`)).body).toMatchObject({ status: "stopped" });
  });

  test("a record is found by its own id, or by its domain's id and its own", async () => {
    const domain = await createDomain();
    const { body } = await emulator.call("POST", `/domains/${domain}/records`, {
      body: { type: "A", name: "www", target: "192.0.2.1" },
    });
    const record = String(body["id"]);
    await emulator.control("PATCH", `/objects/records/${record}`, { target: "192.0.2.2" });
    const seen = await emulator.control("GET", `/objects/records/${domain}/${record}`);
    expect(seen.body).toMatchObject({ target: "192.0.2.2" });
    expect((await emulator.control("GET", `/objects/records/4711/${record}`)).status).toBe(404);
  });

  test("each kind is listed, and a deletion also removes the objects that belong to the object", async () => {
    const id = await createDomain();
    await emulator.call("POST", `/domains/${id}/records`, { body: { type: "A", target: "192.0.2.1" } });
    const kinds = [
      "nodes",
      "nodeBackups",
      "mysql",
      "postgresql",
      "databaseBackups",
      "domains",
      "records",
      "images",
    ];
    const counts = async () =>
      Promise.all(
        kinds.map(async (kind) => {
          const { body } = await emulator.control<{ data: unknown[] }>("GET", `/objects/${kind}`);
          return body.data.length;
        }),
      );
    expect(await counts()).toEqual([0, 0, 0, 0, 0, 1, 1, 0]);
    expect((await emulator.control("DELETE", `/objects/domains/${id}`)).body).toEqual({});
    expect(await counts()).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
    expect((await emulator.control("GET", "/objects/planets")).status).toBe(404);
  });

  test("automatic backups are listed as in the API, even before the API is asked", async () => {
    const { body: node } = await emulator.call<{ id: number }>("POST", "/node/instances", {
      body: { ...deployedNode, backups_enabled: true },
    });
    const { body: database } = await emulator.call<{ id: number }>("POST", "/databases/mysql/instances", {
      body: { label: "shop", region: "us-east", type: "g6-nanode-1", engine: "mysql/8.0.30" },
    });
    emulator.clock.advance(2 * 24 * 60 * 60);
    const seen = async (kind: string) =>
      (await emulator.control<{ data: { id: number; created: string }[] }>("GET", `/objects/${kind}`)).body
        .data;
    const shown = await emulator.control("GET", `/objects/nodes/${node.id}`);
    const [ofNode, ofDatabase] = [await seen("nodeBackups"), await seen("databaseBackups")];
    expect(shown.body).toMatchObject({
      backups: { available: true, last_successful: ofNode.at(-1)?.created },
    });
    expect([ofNode.length, ofDatabase.length]).toEqual([2, 2]);
    const path = `/node/instances/${node.id}/backups`;
    const listed = await emulator.call<{ automatic: { id: number }[] }>("GET", path);
    expect(listed.body.automatic.map(({ id }) => id)).toEqual(ofNode.map(({ id }) => id));
    const backups = `/databases/mysql/instances/${database.id}/backups`;
    const page = await emulator.call<{ data: { id: number }[] }>("GET", backups);
    expect(page.body.data.map(({ id }) => id)).toEqual(ofDatabase.map(({ id }) => id));
    emulator.clock.advance(24 * 60 * 60);
    const last = (await seen("nodeBackups")).at(-1)?.id ?? 0;
    emulator.clock.advance(24 * 60 * 60);
    // Ids increase by one.
    expect((await emulator.control("GET", `/objects/nodeBackups/${last + 1}`)).status).toBe(200);
  });

  test("an image is found by its id in the API, and a database only under its kind", async () => {
    const upload = await emulator.call<{ image: { id: string } }>("POST", "/images/upload", {
      body: { label: "mine", region: "us-east" },
    });
    const { id } = upload.body.image;
    await emulator.control("PATCH", `/objects/images/${id}`, { status: "available" });
    expect((await emulator.call("GET", `/images/${id}`)).body).toMatchObject({ status: "available" });
    const { body } = await emulator.call("POST", "/databases/mysql/instances", {
      body: { label: "shop", region: "us-east", type: "g6-nanode-1", engine: "mysql/8.0.30" },
    });
    const database = String(body["id"]);
    expect((await emulator.control("GET", `/objects/mysql/${database}`)).status).toBe(200);
    expect((await emulator.control("GET", `/objects/postgresql/${database}`)).status).toBe(404);
  });
});

describe("faults", () => {
  const plan = (fault: object) => emulator.control<{ faults: object[] }>("POST", "/faults", fault);
  const domains = async () =>
    (await emulator.control<{ data: unknown[] }>("GET", "/objects/domains")).body.data;

  test("a planned answer is sent the planned number of times", async () => {
    const effect = { status: 503, headers: { "retry-after": "7" }, body: { errors: [{ reason: "later" }] } };
    await plan({ method: "GET", path: "/v4/domains", times: 2, effect });
    const answer = await emulator.call("GET", "/domains");
    expect(answer).toMatchObject({ status: 503, body: effect.body });
    expect(answer.headers.get("retry-after")).toBe("7");
    expect((await emulator.control("GET", "/faults")).body).toEqual({
      faults: [{ method: "GET", path: "/v4/domains", times: 1, effect }],
    });
    expect((await emulator.call("GET", "/domains")).status).toBe(503);
    expect((await emulator.call("GET", "/domains")).status).toBe(200);
  });

  test("drop-response executes the request and drops the answer", async () => {
    await plan({ method: "POST", path: "/v4/domains", effect: "drop-response" });
    await expect(createDomain()).rejects.toThrow();
    expect(await domains()).toHaveLength(1);
  });

  test.each(["drop-request", "reset"])("%s does not execute the request", async (effect) => {
    await plan({ method: "POST", path: "/v4/domains", effect });
    await expect(createDomain()).rejects.toThrow();
    expect(await domains()).toHaveLength(0);
    expect(await createDomain()).toEqual(expect.any(Number));
  });

  test("a delayed request is answered", async () => {
    await plan({ path: "/v4/domains", effect: { delayMs: 1 } });
    expect((await emulator.call("GET", "/domains")).status).toBe(200);
  });

  test("* matches one segment of a path, and ** the rest", async () => {
    await plan({ path: "/v4/*/1/records", effect: { status: 418 } });
    await plan({ path: "/v4/node/**", effect: { status: 419 } });
    const statuses = [];
    for (const path of ["/domains", "/domains/x/1/records", "/domains/1/records", "/node/instances/5/boot"]) {
      statuses.push((await emulator.call("GET", path)).status);
    }
    expect(statuses).toEqual([200, 404, 418, 419]);
  });

  test("they are deleted together, and an invalid fault is refused", async () => {
    await plan({ path: "/v4/domains", effect: "reset" });
    await emulator.control("DELETE", "/faults");
    expect((await emulator.call("GET", "/domains")).status).toBe(200);
    expect((await plan({ path: "/v4/domains", effect: "explode" })).status).toBe(400);
  });
});

describe("the clock", () => {
  test("moves forward, and runs at the given speed", async () => {
    let real = Date.UTC(2030, 0, 1);
    await withEmulator(
      async ({ control }) => {
        expect((await control("GET", "/clock")).body).toEqual({ now: "2030-01-01T00:00:00", speed: 600 });
        await control("POST", "/clock", { advance: 60 });
        real += 1000;
        expect((await control("GET", "/clock")).body["now"]).toBe("2030-01-01T00:11:00");
        await control("POST", "/clock", { speed: 1 });
        real += 1000;
        expect((await control("GET", "/clock")).body).toEqual({ now: "2030-01-01T00:11:01", speed: 1 });
        expect((await control("POST", "/clock", { advance: -1 })).status).toBe(400);
      },
      { speed: 600, realNow: () => real },
    );
  });

  test("is in the header Date of answers while it runs as fast as real time, and otherwise a header says how fast", async () => {
    const header = async (name: string) => (await emulator.call("GET", "/domains")).headers.get(name);
    emulator.clock.setSpeed(600);
    expect(await header("x-emulator-speed")).toBe("600");
    emulator.clock.setSpeed(1);
    emulator.clock.advance(24 * 60 * 60);
    const [now = ""] = emulator.clock.date().split("T");
    expect(new Date((await header("date")) ?? "").toISOString()).toContain(`${now}T`);
  });

  test("gives each operation at least 200 ms of real time, so that operations overlap", async () => {
    let real = Date.UTC(2030, 0, 1);
    await withEmulator(
      async ({ call }) => {
        const { body } = await call("POST", "/node/instances", { body: { ...deployedNode, booted: false } });
        const path = `/node/instances/${String(body["id"])}`;
        const status = async () => (await call("GET", path)).body["status"];
        real += 2000;
        await call("POST", `${path}/boot`);
        real += 199;
        expect(await status()).toBe("booting");
        real += 1;
        expect(await status()).toBe("running");
      },
      { speed: 600, realNow: () => real },
    );
  });
});

test("an upload stays open for a minute of real time, even with a fast clock", async () => {
  let real = Date.UTC(2030, 0, 1);
  await withEmulator(
    async ({ call }) => {
      const { body } = await call<{ image: { id: string } }>("POST", "/images/upload", {
        body: { label: "mine", region: "us-east" },
      });
      const status = async () => (await call("GET", `/images/${body.image.id}`)).status;
      real += 59_999;
      expect(await status()).toBe(200);
      real += 1;
      expect(await status()).toBe(404);
    },
    { speed: 1e6, realNow: () => real },
  );
});

test("the catalogue lists the plans with known specs", async () => {
  const { body } = await emulator.control<{ plans: { id: string; specs: object }[] }>("GET", "/catalogue");
  expect(body.plans).toContainEqual({
    id: "g6-nanode-1",
    specs: { disk: 25_600, gpus: 0, memory: 1024, transfer: 1000, vcpus: 1 },
  });
});
