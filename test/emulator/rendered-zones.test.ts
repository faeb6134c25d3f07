import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestEmulator, withEmulator } from "../helpers/emulator";
import { PAGE } from "../helpers/emulator-page";

const ORG = { domain: "example.org", type: "master", soa_email: "dns@example.org" };
const HEAD_LINES = 6;

async function createDomain({ call }: TestEmulator, body: object = ORG): Promise<string> {
  return `/domains/${(await call<{ id: number }>("POST", "/domains", { body })).body.id}`;
}

async function addRecord({ call }: TestEmulator, domain: string, name: string, target = "192.0.2.1") {
  const body = { type: "A", name, target };
  return `${domain}/records/${(await call<{ id: number }>("POST", `${domain}/records`, { body })).body.id}`;
}

async function zoneFile({ call }: TestEmulator, domain: string): Promise<string[]> {
  return (await call<{ zone_file: string[] }>("GET", `${domain}/zone-file`)).body.zone_file;
}

/** The lines of the records. */
const linesOf = async (emulator: TestEmulator, domain: string) =>
  (await zoneFile(emulator, domain)).slice(HEAD_LINES);

const advance = ({ control }: TestEmulator, seconds: number) =>
  control("POST", "/clock", { advance: seconds });

test("a change shows in the zone after the delay, and the API stores it at once", () =>
  withEmulator(
    async (emulator) => {
      const domain = await createDomain(emulator);
      expect(await zoneFile(emulator, domain)).toEqual([]);
      await advance(emulator, 30);
      const record = await addRecord(emulator, domain, "www");
      expect(await emulator.call("GET", record)).toMatchObject({ status: 200, body: { name: "www" } });
      await advance(emulator, 30);
      expect(await zoneFile(emulator, domain)).toHaveLength(HEAD_LINES);
      await advance(emulator, 30);
      expect(await linesOf(emulator, domain)).toEqual(["www IN A 192.0.2.1"]);

      await emulator.call("PUT", record, { body: { target: "192.0.2.2" } });
      await advance(emulator, 30);
      await emulator.call("DELETE", record);
      await emulator.call("PUT", domain, { body: { ttl_sec: 300 } });
      const shown = [await zoneFile(emulator, domain)];
      for (const seconds of [30, 30]) {
        await advance(emulator, seconds);
        shown.push(await zoneFile(emulator, domain));
      }
      expect(shown.map((lines) => [lines[2], ...lines.slice(HEAD_LINES)])).toEqual([
        ["$TTL 86400", "www IN A 192.0.2.1"],
        ["$TTL 86400", "www IN A 192.0.2.2"],
        ["$TTL 300"],
      ]);
    },
    { zoneDelaySeconds: 60 },
  ));

test("the control API sets the delay, also for changes that wait", () =>
  withEmulator(async (emulator) => {
    const domain = await createDomain(emulator);
    const old = await addRecord(emulator, domain, "old", "192.0.2.9");
    const set = (delaySeconds: number) => emulator.control("POST", "/zones", { delaySeconds });
    expect((await set(3600)).body).toEqual({ delaySeconds: 3600, waiting: 0 });
    await addRecord(emulator, domain, "new");
    await emulator.call("PUT", old, { body: { target: "192.0.2.1" } });
    expect(await linesOf(emulator, domain)).toEqual(["old IN A 192.0.2.9"]);
    expect((await emulator.control("GET", "/zones")).body).toEqual({ delaySeconds: 3600, waiting: 2 });
    await advance(emulator, 60);
    expect((await set(60)).body).toEqual({ delaySeconds: 60, waiting: 0 });
    expect(await linesOf(emulator, domain)).toEqual(["old IN A 192.0.2.1", "new IN A 192.0.2.1"]);
    await addRecord(emulator, domain, "last");
    await set(0);
    expect(await linesOf(emulator, domain)).toHaveLength(3);
    expect(await set(-1)).toMatchObject({ status: 400, body: { errors: [{ field: "delaySeconds" }] } });
  }));

test("a reset empties the zones, and sets the delay of the start", () =>
  withEmulator(
    async (emulator) => {
      await createDomain(emulator);
      await emulator.control("POST", "/zones", { delaySeconds: 0 });
      await emulator.control("POST", "/reset");
      expect((await emulator.control("GET", "/zones")).body).toEqual({ delaySeconds: 60, waiting: 0 });
      const domain = await createDomain(emulator);
      expect(await zoneFile(emulator, domain)).toEqual([]);
      await advance(emulator, 60);
      expect(await zoneFile(emulator, domain)).toHaveLength(HEAD_LINES);
    },
    { zoneDelaySeconds: 60 },
  ));

test("a start renders the zones that it finds in the data file", async () => {
  const directory = mkdtempSync(join(tmpdir(), "nodecloud-zones-"));
  const options = { data: join(directory, "data"), zoneDelaySeconds: 60 };
  let domain = "";
  await withEmulator(async (emulator) => {
    domain = await createDomain(emulator);
    await addRecord(emulator, domain, "www");
  }, options);
  await withEmulator(async (emulator) => {
    expect(await linesOf(emulator, domain)).toEqual(["www IN A 192.0.2.1"]);
    await addRecord(emulator, domain, "new");
    expect(await linesOf(emulator, domain)).toHaveLength(1);
  }, options);
  rmSync(directory, { recursive: true });
});

test("the page shows the rendered zone", () =>
  withEmulator(
    async (emulator) => {
      const domain = await createDomain(emulator);
      const page = async () =>
        (await fetch(`${emulator.origin}${PAGE}/domains/${domain.split("/").at(-1)}`)).text();
      expect(await page()).toContain("is not rendered yet");
      await advance(emulator, 60);
      expect(await page()).toContain("$ORIGIN example.org.");
    },
    { zoneDelaySeconds: 60 },
  ));
