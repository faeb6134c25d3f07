import { HIDDEN } from "../../src/provider/state/hidden-names";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { UNKNOWN } from "../../src/provider/base/values";
import { type Rig, CheckFailed, type Managed, startRig } from "../helpers/lifecycle";
import { inEachWay, type Plugin, PluginError, type Properties } from "../helpers/plugin";
import { eventually } from "../helpers/programs";

inEachWay((way) => {
  let rig: Rig;

  beforeAll(async () => {
    rig = await startRig({ Domain: "domains", DomainRecord: "records" }, {}, way);
  });
  afterEach(() => rig.emulator.control("POST", "/reset?only=faults"));
  afterAll(() => rig.stop());

  type Record_ = Properties & { readonly id: number };

  const records = (given: unknown): Properties => ({ records: given });
  const zoneFile = (text: string): Properties => ({ zoneFile: text });
  const a = (name: string, target = "192.0.2.1", more: Properties = {}): Properties => ({
    type: "A",
    name,
    target,
    ...more,
  });

  async function newDomain(): Promise<string> {
    const domain = rig.resource("Domain");
    const name = `zone${rig.serial()}.example`;
    await domain.up({ domain: name, type: "master", soaEmail: `dns@${name}` });
    await rig.requests();
    return domain.id;
  }

  /** A set with these records in a new domain. */
  async function setOf(given: unknown, more: Properties = {}) {
    const domainId = await newDomain();
    const set = rig.resource("DomainRecordSet");
    await set.up({ domainId, ...records(given), ...more });
    await rig.requests();
    return { domainId, set };
  }

  async function live(domainId: string): Promise<Record_[]> {
    const { body } = await rig.emulator.call<{ data: Record_[] }>(
      "GET",
      `/domains/${domainId}/records?page_size=500`,
    );
    await rig.requests();
    return body.data;
  }

  /** The records of the domain as short texts, in alphabetical order. */
  const told = async (domainId: string) =>
    (await live(domainId))
      .map(({ name, type, target }) => `${String(name)} ${String(type)} ${String(target)}`)
      .sort();

  const byName = async (domainId: string, name: string): Promise<Record_> => {
    const found = (await live(domainId)).find((record) => record["name"] === name);
    if (found === undefined) throw new Error(`there is no record ${name}`);
    return found;
  };

  const create = (domainId: string, record: Properties) =>
    rig.emulator.call<Record_>("POST", `/domains/${domainId}/records`, { body: record });

  const LIST = "GET /v4/domains/:id/records";
  const POST = "POST /v4/domains/:id/records";
  const PUT = "PUT /v4/domains/:id/records/:id";
  const DELETE = "DELETE /v4/domains/:id/records/:id";
  const GET = "GET /v4/domains/:id/records/:id";

  /** The lines logged about a set, in order. */
  async function saidOf(set: Managed, messages = 1): Promise<string[]> {
    return (await set.warnings(messages)).flatMap((text) => text.split("\n"));
  }

  async function refusalOf(promise: Promise<unknown>): Promise<string> {
    try {
      await promise;
    } catch (error) {
      if (error instanceof CheckFailed || error instanceof PluginError) return error.message;
      throw error;
    }
    throw new Error("it was not refused");
  }

  const sixty = Array.from({ length: 60 }, (_, index) => a(`host${index}`));
  const sixtyTold = sixty.map(({ name }) => `${String(name)} A 192.0.2.1`);

  /** Makes the notes of a machine two minutes older, so that no requested record can still appear. */
  function longAgo(home: string): void {
    const folder = join(home, "nodecloud", "creations");
    for (const file of readdirSync(folder)) {
      const path = join(folder, file);
      const noted = JSON.parse(readFileSync(path, "utf8")) as { at: number };
      writeFileSync(path, JSON.stringify({ ...noted, at: noted.at - 120_000 }));
    }
  }

  /** Starts to create the records, and kills the plugin when twelve of them exist. */
  async function killMidway(domainId: string, begin: (plugin: Plugin) => Promise<unknown>): Promise<void> {
    const { emulator } = rig;
    const before = (await live(domainId)).length;
    const plan = (times: number, delayMs: number) =>
      emulator.control("POST", "/faults", {
        method: "POST",
        path: "/v4/domains/*/records",
        times,
        effect: { delayMs },
      });
    await plan(12, 0);
    // The others are under way when the plugin is killed.
    await plan(1000, 600_000);
    const running = begin(rig.plugin).catch((error: unknown) => error);
    await eventually("some records are made", async () =>
      (await live(domainId)).length === before + 12 ? true : undefined,
    );
    await rig.restart();
    await running;
    await emulator.control("POST", "/reset?only=faults");
    longAgo(join(rig.folder.path, ".home"));
  }

  describe("creation", () => {
    test("creates each record with one request, and keeps the records as text", async () => {
      const domainId = await newDomain();
      const set = rig.resource("DomainRecordSet");
      const args = {
        domainId,
        ...records([
          a("www", "192.0.2.1", { ttlSec: 300 }),
          { type: "MX", target: "mx.example.org", priority: 10 },
          {
            type: "SRV",
            name: "sip",
            target: "sip.example.org",
            priority: 1,
            weight: 2,
            port: 3,
            service: "_sip",
            protocol: "_tcp",
          },
          { type: "TXT", target: 'a "quoted" text; and more' },
          { type: "CAA", target: "ca.example", tag: "issue" },
        ]),
      };
      expect(await set.up(args)).toBe("created");
      expect(await rig.requests()).toEqual({ [LIST]: expect.any(Number), [POST]: 5 });
      expect(set.id).toBe(domainId);
      expect(set.outputs["records"]).toBe(
        '@ CAA issue ca.example\n@ MX 10 mx.example.org\n@ TXT "a \\"quoted\\" text; and more"\n' +
          "sip service=_sip protocol=_tcp SRV 1 2 3 sip.example.org\nwww 300 A 192.0.2.1\n",
      );
      expect(await live(domainId)).toEqual(
        expect.arrayContaining([
          expect.objectContaining({
            type: "SRV",
            service: "_sip",
            protocol: "_tcp",
            priority: 1,
            weight: 2,
            port: 3,
          }),
          expect.objectContaining({ type: "TXT", target: 'a "quoted" text; and more' }),
          expect.objectContaining({ type: "CAA", tag: "issue" }),
        ]),
      );
      expect(await set.up(args)).toBe("same");
      expect(await set.drifted()).toBe(false);
      expect(await set.refresh()).toEqual([]);
    });

    test("reads a zone file as the same records", async () => {
      const { domainId, set } = await setOf([
        a("www", "192.0.2.1", { ttlSec: 300 }),
        { type: "NS", name: "sub", target: "ns.example.org" },
      ]);
      const text = "$ORIGIN zone.example.\nwww 300 IN A 192.0.2.1\nsub NS ns.example.org. ; elsewhere\n";
      expect(await set.up({ domainId, ...zoneFile(text) })).toBe("same");
      expect(await rig.requests()).toEqual({});
    });

    test("refuses existing records before it creates any record", async () => {
      const domainId = await newDomain();
      const { body } = await create(domainId, { type: "A", name: "www", target: "192.0.2.1" });
      const args = { domainId, ...records([a("new"), a("www")]) };
      const refusal = await refusalOf(rig.resource("DomainRecordSet").up(args));
      expect(refusal).toContain(`www A 192.0.2.1 already exists with the id ${domainId}/${body.id}`);
      expect(refusal).toContain(`the option import: "${domainId}"`);
      expect(await told(domainId)).toEqual(["www A 192.0.2.1"]);
    });

    test("keeps the created records if the service refuses some, and the next up resumes", async () => {
      const domainId = await newDomain();
      const set = rig.resource("DomainRecordSet");
      const given = Array.from({ length: 30 }, (_, index) => a(`host${index}`));
      await rig.emulator.control("POST", "/faults", {
        method: "POST",
        path: "/v4/domains/*/records",
        times: 2,
        effect: { status: 400, body: { errors: [{ reason: "Name is odd", field: "name" }] } },
      });
      const refusal = await refusalOf(set.up({ domainId, ...records(given) }));
      expect(refusal).toMatch(
        /2 changes failed\. 28 changes succeeded .* create DomainRecord A host\d+ of domain \d+: Name is odd.*; create DomainRecord A host/,
      );
      expect(set.initFailed).toBe(true);
      expect(await live(domainId)).toHaveLength(28);
      expect(await set.up({ domainId, ...records(given) })).toBe("updated");
      expect((await rig.requests())[POST]).toBe(2);
      expect(await live(domainId)).toHaveLength(30);
      expect(await set.up({ domainId, ...records(given) })).toBe("same");
    });

    test("stops early if the service refuses every record, and gives the reason", async () => {
      const domainId = await newDomain();
      await rig.emulator.control("POST", "/faults", {
        method: "POST",
        path: "/v4/domains/*/records",
        times: 1000,
        effect: { status: 403, body: { errors: [{ reason: "Not allowed" }] } },
      });
      const given = Array.from({ length: 200 }, (_, index) => a(`host${index}`));
      const set = rig.resource("DomainRecordSet");
      expect(await refusalOf(set.up({ domainId, ...records(given) }))).toContain("Not allowed");
      expect((await rig.requests())[POST]).toBeLessThan(50);
      expect(set.id).toBe("");
    });

    test("creates no duplicate of a record whose answer is lost", async () => {
      const domainId = await newDomain();
      for (const effect of ["drop-response", "drop-request"]) {
        await rig.emulator.control("POST", "/faults", {
          method: "POST",
          path: "/v4/domains/*/records",
          times: 3,
          effect,
        });
      }
      const given = Array.from({ length: 12 }, (_, index) => a(`host${index}`));
      const set = rig.resource("DomainRecordSet");
      await set.up({ domainId, ...records(given) });
      expect(await told(domainId)).toEqual(given.map(({ name }) => `${String(name)} A 192.0.2.1`).sort());
      expect(await set.up({ domainId, ...records(given) })).toBe("same");
      expect(await set.drifted()).toBe(false);
    });

    test("resumes after a killed run without duplicates", async () => {
      const domainId = await newDomain();
      await create(domainId, { type: "A", name: "of-others", target: "192.0.2.9" });
      const set = rig.resource("DomainRecordSet");
      const news = await set.news({ domainId, ...records(sixty) });
      await killMidway(domainId, async (plugin) =>
        plugin.create(set, (await plugin.check(set, news)).inputs),
      );
      const made = (await told(domainId)).length - 1;
      await set.check({ domainId, ...records(sixty) });
      expect((await saidOf(set)).join()).toMatch(
        new RegExp(
          `^continues with ${made} of the records, which appeared after an interrupted run requested them: ${domainId}/\\d+, `,
        ),
      );

      await set.up({ domainId, ...records(sixty) });
      expect(await told(domainId)).toEqual([...sixtyTold, "of-others A 192.0.2.9"].sort());
      await rig.restart();
      await set.destroy();
      expect(await told(domainId)).toEqual(["of-others A 192.0.2.9"]);
    });

    test("resumes after a killed update, even if the next update fails too", async () => {
      const { domainId, set } = await setOf([a("www")]);
      const then = { domainId, ...records([a("www"), ...sixty]) };
      await killMidway(domainId, async (plugin) => {
        const { inputs } = await plugin.check(set, await set.news(then));
        return plugin.update(set, inputs);
      });

      await rig.emulator.control("POST", "/faults", {
        method: "POST",
        path: "/v4/domains/*/records",
        times: 1000,
        effect: { status: 400, body: { errors: [{ reason: "Not now" }] } },
      });
      expect(await refusalOf(set.up(then))).toContain("Not now");
      await rig.emulator.control("POST", "/reset?only=faults");
      await set.up(then);
      expect(await told(domainId)).toEqual([...sixtyTold, "www A 192.0.2.1"].sort());
    });
  });

  describe("changes", () => {
    test("change only the records that differ, with the smallest operation for each", async () => {
      const many = Array.from({ length: 20 }, (_, index) => a(`host${index}`));
      const { domainId, set } = await setOf([...many, a("www"), a("ttl"), a("old")]);
      const { id } = await byName(domainId, "www");
      const then = [...many, a("www", "192.0.2.2"), a("ttl", "192.0.2.1", { ttlSec: 3600 }), a("new")];
      expect(await set.up({ domainId, ...records(then) })).toBe("updated");
      expect(await rig.requests()).toEqual({
        [LIST]: expect.any(Number),
        [POST]: 1,
        [PUT]: 2,
        [DELETE]: 1,
      });
      expect(await byName(domainId, "www")).toMatchObject({ id, target: "192.0.2.2" });
      expect(await byName(domainId, "ttl")).toMatchObject({ ttl_sec: 3600 });
      expect(await told(domainId)).not.toContain("old A 192.0.2.1");
      expect(await set.up({ domainId, ...records(then) })).toBe("same");
    });

    test("are shown in the row by the input that changed, and by the plugin as the program gives it", async () => {
      const { domainId, set } = await setOf([a("www.dev")]);
      const args = { domainId, ...records([a("www.dev")]) };
      for (const [then, row] of [
        [{ ...args, ...records([a("api.dev")]) }, ["records"]],
        // The engine compares the text of the records in the state if they are dynamic.
        [{ domainId, ...zoneFile("api.dev A 192.0.2.1\n") }, [way === "plugin" ? "zoneFile" : "records"]],
        [{ ...args, subdomain: "dev" }, ["subdomain"]],
        [{ ...args, exclusive: true }, ["exclusive"]],
      ] as const)
        expect(await set.preview(then)).toMatchObject({ changes: true, replaces: [], row });
    });

    test("are listed record by record in the preview", async () => {
      const { domainId, set } = await setOf([a("www"), a("ttl"), a("old")]);
      rig.plugin.logs.length = 0;
      await set.preview({
        domainId,
        ...records([a("www", "192.0.2.2"), a("ttl", "192.0.2.1", { ttlSec: 300 }), a("new")]),
      });
      expect(await saidOf(set)).toEqual([
        "records: 1 to create, 2 to update, 1 to delete",
        "+ new A 192.0.2.1",
        "~ ttl A 192.0.2.1: ttlSec (not set) → 300",
        "~ www A 192.0.2.1: target 192.0.2.1 → 192.0.2.2",
        "- old A 192.0.2.1",
      ]);
    });

    test("name the zone file that has the records", async () => {
      const { domainId, set } = await setOf([a("www")]);
      rig.plugin.logs.length = 0;
      const other = { domainId: await newDomain(), ...zoneFile("www A 192.0.2.2\n") };
      if (way === "plugin") {
        const { details, row } = await set.preview({ ...other, domainId });
        expect(row).toEqual(["zoneFile"]);
        // The engine shows the difference of the records.
        expect(details).toEqual({ records: "update", zoneFile: "update" });
        expect(await set.preview(other)).toMatchObject({
          replaces: ["domainId"],
          row: ["domainId", "zoneFile"],
        });
      } else await set.preview({ ...other, domainId });
      expect((await saidOf(set))[0]).toBe("records of zoneFile: 1 to update");
      await set.up({ ...other, domainId });
      rig.plugin.logs.length = 0;
      await set.preview({ domainId, ...records([a("www", "192.0.2.3")]) });
      expect((await saidOf(set))[0]).toBe("records: 1 to update");
    });

    test("show no value of a set that contains a secret", async () => {
      const { domainId, set } = await setOf([{ type: "TXT", name: "token", target: "hush" }]);
      rig.plugin.logs.length = 0;
      const then = records(pulumi.secret([{ type: "TXT", name: "token", target: "silence" }]));
      await set.preview({ domainId, ...then });
      expect(await saidOf(set)).toEqual(["records: 1 to update", "~ TXT [redacted]: target"]);
      const bad = records(pulumi.secret([a("quiet", "hush")]));
      expect(await refusalOf(set.up({ domainId, ...bad }))).not.toContain("hush");
    });

    test("keep a record with the same key, even if its name changes", async () => {
      const { domainId, set } = await setOf({
        web: a("www"),
        mail: { type: "MX", target: "mx.example.org" },
      });
      const { id } = await byName(domainId, "www");
      await set.up({
        domainId,
        ...records({ web: a("web"), mail: { type: "MX", target: "mx.example.org" } }),
      });
      expect(await rig.requests()).toEqual({ [LIST]: 1, [PUT]: 1 });
      expect(await byName(domainId, "web")).toMatchObject({ id });
    });

    test("from a list to keys change no record", async () => {
      const { domainId, set } = await setOf([a("www")]);
      expect(await set.up({ domainId, ...records({ web: a("www") }) })).toBe("same");
      expect(await rig.requests()).toEqual({});
    });

    test("of the type delete the old record before they create the new one with its name", async () => {
      const { domainId, set } = await setOf([a("www"), a("other")]);
      await set.up({
        domainId,
        ...records([{ type: "CNAME", name: "www", target: "example.org" }, a("other")]),
      });
      const { body } = await rig.emulator.control<{ last: { method: string }[] }>("GET", "/requests");
      const writes = body.last.map(({ method }) => method).filter((method) => method !== "GET");
      expect(writes).toEqual(["DELETE", "POST"]);
      expect(await told(domainId)).toEqual(["other A 192.0.2.1", "www CNAME example.org"]);
    });

    test("that remove a value without a default replace the record", async () => {
      const mx = { type: "MX", target: "mx.example.org", priority: 10 };
      const { domainId, set } = await setOf([mx]);
      await set.up({ domainId, ...records([{ type: "MX", target: "mx.example.org" }]) });
      expect(await live(domainId)).toEqual([expect.objectContaining({ type: "MX", priority: 0 })]);
    });

    test("that remove the time to live replace the record, because the service would round 0", async () => {
      const { domainId, set } = await setOf([a("www", "192.0.2.1", { ttlSec: 3600 })]);
      await set.up({ domainId, ...records([a("www")]) });
      expect(await rig.requests()).toMatchObject({ [DELETE]: 1, [POST]: 1 });
      expect(await byName(domainId, "www")).toMatchObject({ ttl_sec: 0 });
    });

    test("are not caused by rounding in the service", async () => {
      const { domainId, set } = await setOf([a("www", "192.0.2.1", { ttlSec: 299 })]);
      expect(await byName(domainId, "www")).toMatchObject({ ttl_sec: 300 });
      expect(await set.drifted()).toBe(false);
      expect(await set.refresh()).toEqual([]);
      expect(await set.up({ domainId, ...records([a("www", "192.0.2.1", { ttlSec: 299 })]) })).toBe("same");
    });

    test("do not recreate a record that the service denies once", async () => {
      const { domainId, set } = await setOf([a("one"), a("two")]);
      await rig.emulator.control("POST", "/faults", {
        method: "PUT",
        path: `/v4/domains/*/records/${(await byName(domainId, "one")).id}`,
        times: 1,
        effect: { status: 404, body: { errors: [{ reason: "Not found" }] } },
      });
      const then = { domainId, ...records([a("one", "192.0.2.2"), a("two", "192.0.2.2")]) };
      expect(await refusalOf(set.up(then))).toMatch(/update DomainRecord A one.*it can still be read/);
      expect(await told(domainId)).toEqual(["one A 192.0.2.1", "two A 192.0.2.2"]);
      expect(await set.up(then)).toBe("updated");
      expect(await told(domainId)).toEqual(["one A 192.0.2.2", "two A 192.0.2.2"]);
    });

    test("recreate a record that somebody deleted", async () => {
      const { domainId, set } = await setOf([a("www")]);
      await rig.emulator.call("DELETE", `/domains/${domainId}/records/${(await byName(domainId, "www")).id}`);
      await set.up({ domainId, ...records([a("www", "192.0.2.2")]) });
      expect(await told(domainId)).toEqual(["www A 192.0.2.2"]);
    });

    test("that fail in part leave the finished ones in the state", async () => {
      const { domainId, set } = await setOf([a("one"), a("two"), a("three")]);
      const { id } = await byName(domainId, "two");
      await rig.emulator.control("POST", "/faults", {
        method: "DELETE",
        path: `/v4/domains/*/records/${id}`,
        times: 1,
        effect: { status: 422, body: { errors: [{ reason: "Not now" }] } },
      });
      const then = { domainId, ...records([a("one", "192.0.2.2")]) };
      expect(await refusalOf(set.up(then))).toMatch(/delete DomainRecord A two.*Not now/);
      // Records that the program no longer declares are kept in a hidden property.
      expect(set.outputs["records"]).toBe("one A 192.0.2.2\n");
      expect(await told(domainId)).toEqual(["one A 192.0.2.2", "two A 192.0.2.1"]);
      expect(await set.up(then)).toBe("updated");
      expect(await told(domainId)).toEqual(["one A 192.0.2.2"]);
    });

    test("of the domain delete the records first and create them in the new domain", async () => {
      const { domainId, set } = await setOf([a("www")]);
      const other = await newDomain();
      const preview = await set.preview({ domainId: other, ...records([a("www")]) });
      expect(preview).toMatchObject({ replaces: ["domainId"], deleteBeforeReplace: true });
      expect(await set.up({ domainId: other, ...records([a("www")]) })).toBe("replaced");
      expect([await told(domainId), await told(other)]).toEqual([[], ["www A 192.0.2.1"]]);
    });

    test("refuse to create a record that somebody else has created", async () => {
      const { domainId, set } = await setOf([a("www")]);
      const { body } = await create(domainId, { type: "A", name: "new", target: "192.0.2.1" });
      const refusal = await refusalOf(set.up({ domainId, ...records([a("www"), a("new")]) }));
      expect(refusal).toContain(`new A 192.0.2.1 already exists with the id ${domainId}/${body.id}`);
      expect(await live(domainId)).toHaveLength(2);
    });
  });

  describe("drift", () => {
    test("is a record that was changed or deleted outside Pulumi, and the next up repairs it", async () => {
      const given = [a("changed"), a("deleted"), a("same"), a("unmanaged")];
      const { domainId, set } = await setOf(given);
      const [changed, deleted, , unmanaged] = await live(domainId);
      await rig.emulator.call("PUT", `/domains/${domainId}/records/${changed?.id}`, {
        body: { target: "192.0.2.66" },
      });
      await rig.emulator.call("DELETE", `/domains/${domainId}/records/${deleted?.id}`);
      await rig.emulator.call("PUT", `/domains/${domainId}/records/${unmanaged?.id}`, {
        body: { ttl_sec: 3600 },
      });
      expect(await set.drifted()).toBe(true);
      expect(await set.refresh()).toEqual(["records"]);
      expect(set.inputs["records"]).toBe("changed A 192.0.2.66\nsame A 192.0.2.1\nunmanaged A 192.0.2.1\n");
      await rig.requests();
      await set.up({ domainId, ...records(given) });
      expect(await rig.requests()).toEqual({ [LIST]: expect.any(Number), [PUT]: 1, [POST]: 1 });
      expect(await set.drifted()).toBe(false);
    });

    test("stays after an update of another input of the record", async () => {
      const { domainId, set } = await setOf([a("www", "192.0.2.1", { ttlSec: 300 })]);
      const [record] = await live(domainId);
      await rig.emulator.call("PUT", `/domains/${domainId}/records/${record?.id}`, {
        body: { ttl_sec: 3600 },
      });
      const given = { domainId, ...records([a("www", "192.0.2.2", { ttlSec: 300 })]) };
      await set.up(given);
      expect(await byName(domainId, "www")).toMatchObject({ target: "192.0.2.2", ttl_sec: 3600 });
      expect(await set.refresh()).toEqual(["records"]);
      await set.up(given);
      expect(await byName(domainId, "www")).toMatchObject({ ttl_sec: 300 });
      expect(await set.drifted()).toBe(false);
    });

    test("is not an existing record that the list omits", async () => {
      const { domainId, set } = await setOf([a("one"), a("two")]);
      const all = await live(domainId);
      await rig.emulator.control("POST", "/faults", {
        method: "GET",
        path: "/v4/domains/*/records",
        times: 1,
        effect: { status: 200, body: { data: all.slice(0, 1), page: 1, pages: 1, results: 1 } },
      });
      expect(await set.refresh()).toEqual([]);
      expect((await rig.requests())[GET]).toBe(1);
      expect(set.outputs["records"]).toBe("one A 192.0.2.1\ntwo A 192.0.2.1\n");
    });

    test("removes the set from the state if its domain is gone", async () => {
      const { domainId, set } = await setOf([a("one")]);
      await rig.emulator.call("DELETE", `/domains/${domainId}`);
      expect(await set.refresh()).toBeUndefined();
    });

    test("does not include undeclared records", async () => {
      const { domainId, set } = await setOf([a("one")]);
      await create(domainId, { type: "A", name: "of-others", target: "192.0.2.9" });
      expect(await set.drifted()).toBe(false);
      await set.destroy();
      expect(await told(domainId)).toEqual(["of-others A 192.0.2.9"]);
    });
  });

  describe("ignoreChanges, which passes the text of the state instead of the program's records", () => {
    const ignoring = { ignoreChanges: ["records"] };

    test("accepts that text unchanged", async () => {
      const { domainId, set } = await setOf([a("one"), a("two")]);
      const text = set.inputs["records"];
      const { inputs, failures } = await set.check({ domainId, ...records([a("new")]) }, ignoring);
      expect(failures).toEqual([]);
      expect(inputs["records"]).toBe(text);
      expect(await set.preview({ domainId, ...records([a("new")]) }, ignoring)).toMatchObject({
        changes: false,
        replaces: [],
      });
    });

    test("checks that text against a new subdomain", async () => {
      const { domainId, set } = await setOf([a("one")]);
      const { failures } = await set.check(
        { domainId, ...records([a("new")]), subdomain: "below" },
        ignoring,
      );
      expect(failures.map(({ reason }) => reason)).toEqual([
        expect.stringMatching(
          /^records: one .* has the name "one", which is not in the subdomain of the set/,
        ),
      ]);
    });
  });

  describe("an exclusive set", () => {
    test("names in the preview the records that it may delete while exclusive is not known yet", async () => {
      const domainId = await newDomain();
      await create(domainId, { type: "A", name: "stranger", target: "192.0.2.9" });
      const set = rig.resource("DomainRecordSet");
      await set.check({ domainId, exclusive: UNKNOWN, ...records([a("www")]) });
      expect(await saidOf(set, 2)).toEqual([
        "records: 1 to create",
        "+ www A 192.0.2.1",
        "may delete 1 of the existing records, which the program does not declare, because exclusive is not known yet",
        "- stranger A 192.0.2.9",
      ]);
    });

    test("warns in the preview that it may delete records of a domain that is not known yet", async () => {
      await rig.restart();
      const set = rig.resource("DomainRecordSet");
      await set.check({ domainId: UNKNOWN, exclusive: true, ...records([a("www")]) });
      expect(await saidOf(set, 2)).toEqual([
        "records: 1 to create",
        "+ www A 192.0.2.1",
        "may delete existing records which the program does not declare, because domainId is not known yet and exclusive is set",
      ]);
    });

    // A program in TypeScript tells of which domain the unknown id is, and others cannot.
    if (way === "plugin")
      test("warns of nothing that it may delete below a domain that is not known yet, if the run creates domains only", async () => {
        await rig.restart();
        const [ofAny, ofNew] = [rig.resource("DomainRecordSet"), rig.resource("DomainRecordSet")];
        const args = { domainId: UNKNOWN, exclusive: true, ...records([a("www")]) };
        await rig
          .resource("Domain")
          .check({ domain: "unseen.example", type: "master", soaEmail: "a@b.example" });
        await ofNew.check(args);
        await rig.plugin.check(ofAny, { ...(await ofAny.news(args)), [HIDDEN.within]: "" });
        expect((await saidOf(ofAny, 2)).join()).toContain("may delete existing records");
        expect((await saidOf(ofNew)).join()).not.toContain("may delete");
      });

    test("takes over the declared records and deletes the others, which the preview names", async () => {
      const domainId = await newDomain();
      const { body } = await create(domainId, { type: "A", name: "www", target: "192.0.2.1", ttl_sec: 3600 });
      await create(domainId, { type: "A", name: "stranger", target: "192.0.2.9" });
      await rig.requests();
      const set = rig.resource("DomainRecordSet");
      const args = { domainId, exclusive: true, ...records([a("www"), a("new")]) };
      await set.check(args);
      expect(await saidOf(set, 3)).toEqual([
        `takes over 1 of the records, which exist already: ${domainId}/${String(body.id)}`,
        "records: 1 to create",
        "+ new A 192.0.2.1",
        "deletes 1 of the existing records, which the program does not declare, because exclusive is set",
        expect.stringMatching(/^- stranger .*A 192\.0\.2\.9$/),
      ]);
      await set.up(args);
      expect(await told(domainId)).toEqual(["new A 192.0.2.1", "www A 192.0.2.1"]);
      expect(await byName(domainId, "www")).toMatchObject({ id: body.id });
      expect(await set.up(args)).toBe("same");
    });

    test("shows an undeclared record as drift after a refresh, and deletes it", async () => {
      const { domainId, set } = await setOf([a("www")], { exclusive: true });
      await create(domainId, { type: "A", name: "stranger", target: "192.0.2.9" });
      expect(await set.drifted()).toBe(true);
      expect(await set.refresh()).toEqual(["records"]);
      await set.up({ domainId, exclusive: true, ...records([a("www")]) });
      expect(await told(domainId)).toEqual(["www A 192.0.2.1"]);
    });

    test("deletes undeclared records when an update turns exclusive on", async () => {
      const { domainId, set } = await setOf([a("www")]);
      await create(domainId, { type: "A", name: "stranger", target: "192.0.2.9" });
      rig.plugin.logs.length = 0;
      await set.preview({ domainId, exclusive: true, ...records([a("www")]) });
      expect((await saidOf(set)).join()).toContain("stranger");
      expect(await set.up({ domainId, exclusive: true, ...records([a("www")]) })).toBe("updated");
      expect(await told(domainId)).toEqual(["www A 192.0.2.1"]);
    });

    test("manages the whole domain when its subdomain is removed", async () => {
      const domainId = await newDomain();
      await create(domainId, { type: "A", name: "elsewhere", target: "192.0.2.9" });
      const set = rig.resource("DomainRecordSet");
      const all = { domainId, exclusive: true, ...records([a("dev")]) };
      await set.up({ ...all, subdomain: "dev" });
      expect(await told(domainId)).toHaveLength(2);
      expect(await set.preview(all)).toMatchObject({ changes: true, replaces: [] });
      expect(await set.up(all)).toBe("updated");
      expect(await told(domainId)).toEqual(["dev A 192.0.2.1"]);
      expect(await set.preview(all)).toMatchObject({ changes: false });
      expect(await set.drifted()).toBe(false);
    });

    test("with a subdomain does not change the rest of the domain", async () => {
      const domainId = await newDomain();
      for (const name of ["other", "x.dev", "dev", "notdev"])
        await create(domainId, { type: "A", name, target: "192.0.2.9" });
      const set = rig.resource("DomainRecordSet");
      await set.up({ domainId, subdomain: "dev", exclusive: true, ...records([a("dev"), a("api.dev")]) });
      expect(set.id).toBe(`${domainId}/dev`);
      expect(await told(domainId)).toEqual([
        "api.dev A 192.0.2.1",
        "dev A 192.0.2.1",
        "notdev A 192.0.2.9",
        "other A 192.0.2.9",
      ]);
      expect(await set.drifted()).toBe(false);
    });
  });

  describe("import", () => {
    test("takes the declared records unchanged and writes nothing", async () => {
      const domainId = await newDomain();
      await create(domainId, { type: "A", name: "www", target: "192.0.2.1", ttl_sec: 3600 });
      await create(domainId, { type: "A", name: "of-others", target: "192.0.2.9" });
      await rig.requests();
      const set = rig.resource("DomainRecordSet");
      const args = { domainId, ...records([a("www", "192.0.2.1", { ttlSec: 3600 })]) };
      await set.up(args, { import: domainId });
      expect(Object.keys(await rig.requests())).toEqual([LIST]);
      expect(await set.up(args)).toBe("same");
      await set.destroy();
      expect(await told(domainId)).toEqual(["of-others A 192.0.2.9"]);
    });

    test("lists every difference", async () => {
      const domainId = await newDomain();
      await create(domainId, { type: "A", name: "www", target: "192.0.2.1", ttl_sec: 3600 });
      await create(domainId, { type: "A", name: "stranger", target: "192.0.2.9" });
      const set = rig.resource("DomainRecordSet");
      const given = records([a("www", "192.0.2.1", { ttlSec: 300 }), a("missing")]);
      const refusal = await refusalOf(set.up({ domainId, exclusive: true, ...given }, { import: domainId }));
      expect(refusal).toContain("www 300 A 192.0.2.1: ttlSec is 300 in the program and 3600 in the account");
      expect(refusal).toContain("missing A 192.0.2.1 does not exist");
      expect(refusal).toMatch(/stranger .*A 192\.0\.2\.9 exists and is not in the program/);
    });

    async function refusalOfImport(id: string): Promise<string> {
      const domainId = await newDomain();
      const set = rig.resource("DomainRecordSet");
      return refusalOf(set.up({ domainId, ...records([a("www")]) }, { import: id }));
    }

    test("refuses an id of another form", async () => {
      const reason = "is not the id of a DomainRecordSet; the id has the form 123 or 123/subdomain";
      expect(await refusalOfImport("x/y/z")).toContain(reason);
    });

    test("refuses the id of another domain", async () => {
      expect(await refusalOfImport(await newDomain())).toContain("domainId is");
    });

    if (way === "dynamic") {
      test("of a dynamic resource compares the id with the program before it reads", async () => {
        expect(await refusalOfImport("999999")).toContain("domainId is");
      });
    }

    if (way === "plugin") {
      test("of the full plugin refuses the id of a missing domain, because the engine reads first", async () => {
        expect(await refusalOfImport("999999")).toContain("there is no domain 999999");
      });
    }
  });

  test("get reads the records of a domain or subdomain by its id", async () => {
    const domainId = await newDomain();
    await create(domainId, { type: "A", name: "www", target: "192.0.2.1", ttl_sec: 3600 });
    await create(domainId, { type: "MX", name: "x.dev", target: "mx.example.org", priority: 5 });
    const set = rig.resource("DomainRecordSet");
    const whole = await set.get(domainId);
    expect(whole.props["records"]).toMatch(/^www 3600 A 192\.0\.2\.1\nx\.dev .*MX 5 mx\.example\.org\n$/);
    const part = await set.get(`${domainId}/dev`);
    expect(part.props).toMatchObject({
      domainId,
      subdomain: "dev",
      records: expect.stringMatching(/^x\.dev /) as string,
    });
    await expect(set.get("999999")).rejects.toThrow(/999999/);
  });

  describe("a value that is not known yet", () => {
    const unknowns = { type: "A", name: "node", target: UNKNOWN };

    test("appears as (unknown) in the preview, and counts as a change", async () => {
      const { domainId, set } = await setOf([a("www"), a("node")]);
      const given = records([a("www"), unknowns]);
      const { inputs, changes } = await set.preview({ domainId, ...given });
      expect(inputs["records"]).toBe("node A (unknown)\nwww A 192.0.2.1\n");
      expect(changes).toBe(true);
    });

    test("is never sent to the service", async () => {
      const { domainId, set } = await setOf([a("node")]);
      const { inputs } = await set.check({ domainId, ...records([unknowns]) });
      await expect(rig.plugin.update(set, inputs)).rejects.toThrow("records are not known yet");
      expect(await rig.requests()).toEqual({});
    });

    test("can be the whole input records, or the domain", async () => {
      const set = rig.resource("DomainRecordSet");
      expect((await set.check({ domainId: UNKNOWN, ...records([a("www")]) })).failures).toEqual([]);
      const whole = await set.check({ domainId: UNKNOWN, records: UNKNOWN });
      expect(whole).toMatchObject({ failures: [], inputs: { records: UNKNOWN } });
    });
  });

  test.each<[string, Properties, string]>([
    ["no records at all", {}, "records or zoneFile is required; set one of them"],
    [
      "both forms",
      { ...records([]), ...zoneFile("") },
      "zoneFile cannot be set together with records; set one of them",
    ],
    [
      "a wrong target",
      records([a("www"), a("api", "nowhere")]),
      'records[1].target must be an IPv4 address in a record of type A, not "nowhere"',
    ],
    [
      "a wrong target by key",
      records({ api: a("api", "nowhere") }),
      'records["api"].target must be an IPv4 address',
    ],
    [
      "a misspelt property",
      records([{ ...a("www"), ttl: 300 }]),
      "records[0].ttl is not a property of this resource; did you mean ttlSec?",
    ],
    ["a missing type", records([{ name: "www" }]), "records[0].type is required"],
    [
      "a text in place of a number",
      records([a("www", "192.0.2.1", { ttlSec: "300" })]),
      'records[0].ttlSec must be a number, not "300"',
    ],
    [
      "a record twice",
      records([a("www"), a("api"), a("www", "192.0.2.1", { ttlSec: 300 })]),
      "records[2] is equal to records[0]; remove one of them",
    ],
    [
      "a text",
      records("www A 192.0.2.1"),
      "records must be a list of records, or an object that gives each record a key",
    ],
    ["texts as records", records(["www A 192.0.2.1"]), "records[0] must be an object"],
    [
      "a name outside the subdomain",
      { subdomain: "dev", ...records([a("www")]) },
      'records[0] has the name "www", which is not in the subdomain of the set: the name must be "dev" or end in ".dev"',
    ],
    [
      "a broken zone file",
      zoneFile("www A\nx HINFO a b\n"),
      "zoneFile: line 1 must have an address after A [NC1101]; zoneFile: line 2 is of type HINFO",
    ],
    [
      "a wrong target in a zone file",
      zoneFile("\nwww A nowhere\n"),
      "zoneFile: line 2.target must be an IPv4 address",
    ],
    [
      "the text of an object in a zone file",
      zoneFile("www A 192.0.2.1\nwww TXT [object Object]\n"),
      "zoneFile: line 2 contains the text of an object in place of a value",
    ],
    [
      "the text of an Output in a zone file",
      zoneFile("www A Calling [toString] on an [Output<T>] is not supported.\n"),
      "zoneFile: line 1 contains the text of an Output in place of its value; use pulumi.interpolate",
    ],
    [
      "the text of an Output in a record",
      records([a("www", "Calling [toString] on an [Output<T>] is not supported.")]),
      "records[0].target contains the text of an Output in place of its value; use pulumi.interpolate",
    ],
    [
      "the text of an Output in a record by key",
      records({ www: a("www", "Calling [toString] on an [Output<T>] is not supported.") }),
      'records["www"].target contains the text of an Output in place of its value; use pulumi.interpolate',
    ],
    [
      "an unknown input",
      { ...records([]), exclusiv: true },
      "exclusiv is not a property of this resource; did you mean exclusive?",
    ],
    [
      "too many records",
      records(Array.from({ length: 12_001 }, (_, index) => a(`h${index}`))),
      "records has 12001 items; the service keeps at most 12000",
    ],
  ])("%s is refused with the reason", async (_, args, reason) => {
    const set = rig.resource("DomainRecordSet");
    expect(await refusalOf(set.up({ domainId: "1", ...args }))).toContain(reason);
  });

  test("a check finds a wrong record among thousands of known ones", async () => {
    const { domainId, set } = await setOf([a("www"), a("api")]);
    const then = records([a("www"), a("api", "192.0.2.1", { ttlSec: "300" })]);
    expect(await refusalOf(set.up({ domainId, ...then }))).toContain(
      'records[1].ttlSec must be a number, not "300"',
    );
  });

  test("the preview warns of two exclusive sets of one domain", async () => {
    const domainId = await newDomain();
    const [one, two] = [rig.resource("DomainRecordSet"), rig.resource("DomainRecordSet")];
    await one.check({ domainId, exclusive: true, ...records([a("www")]) });
    await two.check({ domainId, exclusive: true, ...records([a("api")]) });
    expect((await saidOf(two)).join()).toContain("each deletes the records of the other");
  });

  describe("existing records that break a rule", () => {
    const strange = (more: Properties = {}) => ({ type: "TXT", name: "a..b", target: "x", ...more });

    test.each<[string, (record: Properties, others: Properties[]) => unknown, string]>([
      ["a list", (record, others) => [record, ...others], "records[0]"],
      [
        "an object",
        (record, others) => ({
          old: record,
          ...Object.fromEntries(others.map((other) => [String(other["name"]), other])),
        }),
        'records["old"]',
      ],
    ])(
      "in %s can change and do not block changes of other records; new ones are refused",
      async (_, given, place) => {
        const domainId = await newDomain();
        await create(domainId, strange());
        const set = rig.resource("DomainRecordSet");
        await set.up({ domainId, ...records(given(strange(), [])) }, { import: domainId });
        await set.up({ domainId, ...records(given(strange(), [a("www")])) });
        await set.up({ domainId, ...records(given(strange({ ttlSec: 3600 }), [a("www")])) });
        expect(await byName(domainId, "a..b")).toMatchObject({ ttl_sec: 3600 });
        expect(await set.refresh()).toEqual([]);
        const { failures } = await rig
          .resource("DomainRecordSet")
          .check({ domainId, ...records(given(strange(), [a("www")])) });
        expect(failures).toEqual([
          { property: "", reason: expect.stringContaining(`${place}.name "a..b" has an empty label`) },
        ]);
      },
    );

    test("without a target can be imported and changed, and not created", async () => {
      const domainId = await newDomain();
      const bare = { domainId, type: "MX", name: "old" };
      const { body } = await create(domainId, { type: "MX", name: "old" });
      const record = rig.resource("DomainRecord");
      await record.up(bare, { import: `${domainId}/${body.id}` });
      expect(await record.up({ ...bare, priority: 10 })).toBe("updated");
      const { failures } = await rig.resource("DomainRecord").check(bare);
      expect(failures).toEqual([{ property: "", reason: "target is required [NC1101]" }]);
    });
  });
});
