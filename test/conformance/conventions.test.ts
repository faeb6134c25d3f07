import { type TestEmulator, deployedNode, startTestEmulator } from "../helpers/emulator";
import { ANSWERS } from "./shapes";

let emulator: TestEmulator;
beforeEach(async () => {
  emulator = await startTestEmulator();
});
afterEach(() => emulator.stop());

const withId = ANSWERS.filter(([, path]) => path.includes("{"));
const paged = ANSWERS.filter(([, , answer]) => answer.startsWith("a page"));

/** The path of a missing object; image ids have their own form. */
const nowhere = (path: string) =>
  path
    .replace("{imageId}", "private/4711")
    .replace("{engineId}", "mysql/0")
    .replace(/\{\w+\}/g, "4711");

test("base_url ends in the version, v4", () => {
  expect(emulator.url).toMatch(/\/v4$/);
});

test.each(withId)("%s %s of a missing object answers 404 with the error envelope", async (method, path) => {
  const { status, headers, body } = await emulator.call(method, nowhere(path), {
    ...(method !== "GET" && { body: {} }),
  });
  expect({ status, body }).toEqual({ status: 404, body: { errors: [{ reason: expect.any(String) }] } });
  expect(headers.get("content-type")).toMatch(/^application\/json/);
});

test.each(paged.filter(([, path]) => !path.includes("{")))(
  "%s %s has page_size 100 by default and 25 to 500 on request, and gives page, pages and results",
  async (method, path) => {
    const ask = (query: string) => emulator.call<{ errors: object[] }>(method, path + query);
    for (const query of ["?page_size=25", "?page_size=500", "?page=1"]) {
      expect((await ask(query)).status).toBe(200);
    }
    for (const query of ["?page_size=24", "?page_size=501"]) {
      expect(await ask(query)).toMatchObject({ status: 400, body: { errors: [{ field: "page_size" }] } });
    }
    expect((await ask("")).body).toMatchObject({ page: 1, pages: 1, results: expect.any(Number) });
  },
);

test("pages hold every item once, in order", async () => {
  const ids = [];
  for (let count = 0; count < 101; count++) {
    const body = { domain: `d${count}.example`, type: "master", soa_email: "dns@example.org" };
    ids.push((await emulator.call<{ id: number }>("POST", "/domains", { body })).body.id);
  }
  const seen = [];
  for (let page = 1; page <= 5; page++) {
    const { body } = await emulator.call<{ data: { id: number }[] }>(
      "GET",
      `/domains?page=${page}&page_size=25`,
    );
    expect(body).toMatchObject({ page, pages: 5, results: 101 });
    seen.push(...body.data.map(({ id }) => id));
  }
  expect(seen).toEqual(ids);
  const { body } = await emulator.call<{ data: unknown[] }>("GET", "/domains");
  expect(body).toMatchObject({ pages: 2, results: 101 });
  expect(body.data).toHaveLength(100);
});

test("a change of a node, database, record or image moves updated, and not created", async () => {
  const make = async (path: string, body: object) =>
    `${path}/${String((await emulator.call("POST", path, { body })).body["id"])}`;
  const database = { label: "shop", region: "us-east", type: "any", engine: "mysql/8.0.30" };
  const node = await make("/node/instances", deployedNode);
  const mysql = await make("/databases/mysql/instances", database);
  emulator.clock.advance(25 * 60);
  const disks = await emulator.call<{ data: { id: number }[] }>("GET", `${node}/disks`);
  const disk_id = disks.body.data[0]?.id;
  const { body: image } = await emulator.call("POST", "/images", { body: { disk_id } });
  emulator.clock.advance(5 * 60);
  for (const path of [node, mysql, `/images/${String(image["id"])}`]) {
    const { body: before } = await emulator.call("GET", path);
    emulator.clock.advance(3600);
    await emulator.call("PUT", path, { body: { label: "renamed" } });
    const { body: after } = await emulator.call("GET", path);
    expect(after).toMatchObject({ label: "renamed", created: before["created"] });
    expect(after["updated"]).toBe(emulator.clock.date());
  }
});

test("a status that changes by itself moves updated to the time of the change", async () => {
  const { body } = await emulator.call("POST", "/node/instances", { body: deployedNode });
  emulator.clock.advance(20 * 60);
  const updated = emulator.clock.date();
  emulator.clock.advance(3600);
  const seen = await emulator.call("GET", `/node/instances/${String(body["id"])}`);
  expect(seen.body).toMatchObject({ status: "running", created: body["created"], updated });
});

test("regions: one has an outage, capabilities differ, and the availability of one region is one object", async () => {
  const { body } = await emulator.call<{
    data: { id: string; status: string; capabilities: string[] }[];
  }>("GET", "/regions");
  expect(new Set(body.data.map(({ status }) => status))).toEqual(new Set(["ok", "outage"]));
  expect(new Set(body.data.map(({ capabilities }) => capabilities.includes("Metadata"))).size).toBe(2);
  const all = await emulator.call<{ data: { region: string }[] }>("GET", "/regions/availability");
  for (const { region } of all.body.data) {
    expect(body.data.map(({ id }) => id)).toContain(region);
    const one = await emulator.call("GET", `/regions/${region}/availability`);
    expect(one.body).toEqual(all.body.data.find((entry) => entry.region === region));
  }
});
