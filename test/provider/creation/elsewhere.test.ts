import {
  type CutOff,
  type Interrupted,
  type PendingOperation,
} from "../../../src/provider/engine/stack-state";
import { type Rig, type Managed } from "../../helpers/lifecycle";
import { inEachWay, type Properties } from "../../helpers/plugin";
import { eventually } from "../../helpers/programs";
import { whereabouts } from "../../../src/provider/settings/whereabouts";
import { a, reasonsOf, refusalOf, startZones, type Zone } from "../collection/zone";

/** A run on another machine was interrupted: only the state and the account tell of it, and there is no note here. */
describe.each([true, false])("an object that exists already (nodecloud:resume is %s)", (resume) => {
  inEachWay((way) => {
    let rig: Rig;
    let newZone: () => Promise<Zone>;
    let cutOff: CutOff | undefined;
    let known: string[];
    /** Interrupted operations of resources that the program may no longer have. */
    let left: Interrupted[];
    /** The inputs of the interrupted creation. */
    let asked: Properties;
    /** The equal objects that the interrupted run had found. A run of an earlier version did not say. */
    let before: string | undefined;
    /** The name of the resource, if that of the object is automatic. */
    let autonamed: string | undefined;
    /** When the state was saved last. */
    let savedAt: number | undefined;
    let environment: Record<string, string>;
    /** Where the interrupted run asked. Runs of earlier versions said only the base URL, or nothing. */
    let askedAt: string | undefined;
    /** The ids of the objects that another stack of the backend manages. */
    let ofOthers: string[];
    const unread: { isUnknown?: true } = {};
    /** The operations that another stack is at. */
    let pending: PendingOperation[];
    beforeAll(async () => {
      const state = {
        objects: [],
        settingsOf: () => undefined,
        knows: (_: string, id: string) => known.includes(id),
        otherIdOf: () => undefined,
        cutOff: [],
        standing: () => undefined,
        hasImported: () => false,
        makerOf: () => undefined,
        holdersOf: () => [],
        wasCutOff: (operation: CutOff) => operation === cutOff,
        interrupted: (type: string) => left.filter(({ urn }) => urn.includes(`:${type}::`)),
        pendingCreation: () =>
          cutOff === "creating"
            ? { requested: [{ inputs: asked, before, askedAt, autonamed }], isOpen: true, savedAt }
            : undefined,
      };
      environment = { NODECLOUD_RESUME: String(resume) };
      const others = [
        {
          name: "shop/other",
          get pending() {
            return pending;
          },
          holdersOf: (_: string, id: string) =>
            ofOthers.includes(id) ? [{ urn: "urn:pulumi:other::shop::nodecloud:index:Domain::theirs" }] : [],
        },
      ];
      ({ rig, newZone } = await startZones(way, { state, environment, others, unread }));
    });
    beforeEach(async () => {
      [cutOff, known, asked, left] = [undefined, [], {}, []];
      delete environment["NODECLOUD_SAME_ACCOUNT"];
      [before, savedAt, askedAt, ofOthers, pending] = [undefined, undefined, undefined, [], []];
      autonamed = undefined;
      await rig.restart();
    });
    afterAll(() => rig.stop());

    const args = (zone: Zone, more: Properties = {}): Properties => ({
      domainId: zone.domainId,
      ...a("www"),
      ...more,
    });
    async function withRecords(count = 1) {
      const zone = await newZone();
      const ids: string[] = [];
      for (let made = 0; made < count; made++)
        ids.push(`${zone.domainId}/${(await zone.create(a("www"))).id}`);
      return { zone, ids, record: rig.resource("DomainRecord") };
    }
    const logged = () => rig.plugin.logs.map(({ message }) => message).join("\n");
    const checked = (record: Managed, inputs: Properties) => reasonsOf(record.check(inputs));
    const cutOffIn = (inputs: Properties) => {
      [cutOff, asked] = ["creating", inputs];
    };

    test("and has no name is refused without an interrupted run, with its id and what to do", async () => {
      const { zone, ids, record } = await withRecords();
      expect(await checked(record, args(zone))).toBe(
        `cannot be created: the DomainRecord ${ids.join()} has the same content, and is not in the state. ` +
          `If an interrupted run of this stack created it, give this resource the option import: "${ids.join()}". ` +
          "If another resource manages it, remove this resource from the program [NC1306]",
      );
      expect(await refusalOf(record.up(args(zone)))).toContain("cannot be created");
      expect(await zone.names()).toEqual(["www"]);
    });

    test("and has no name is continued with after an interrupted run, or the setting is named", async () => {
      const { zone, ids, record } = await withRecords();
      cutOffIn(args(zone));
      if (resume) {
        await record.up(args(zone));
        expect(record.id).toBe(ids.join());
        expect(logged()).toContain(
          `continues with the DomainRecord ${ids.join()}, which has the same inputs and is not in the state`,
        );
      } else {
        expect(await checked(record, args(zone))).toContain(
          `If an interrupted run of this stack created it, set nodecloud:resume (or NODECLOUD_RESUME=true), or give this resource the option import: "${ids.join()}"`,
        );
      }
      expect(await zone.names()).toEqual(["www"]);
    });

    test("and has no name is refused after an interrupted creation of another record", async () => {
      const { zone, ids, record } = await withRecords();
      cutOffIn(args(zone, { name: "ftp" }));
      expect(await checked(record, args(zone))).toContain(`import: "${ids.join()}"`);
      expect(await zone.names()).toEqual(["www"]);
    });

    test("is refused if several are alike", async () => {
      const { zone, ids, record } = await withRecords(2);
      cutOffIn(args(zone));
      expect(await checked(record, args(zone))).toContain(
        `cannot be created: the DomainRecords ${ids.join(", ")} have the same content, and are not in the state`,
      );
    });

    test("with another value that the service may have rounded is continued with, and updated", async () => {
      const { zone, ids, record } = await withRecords();
      const other = args(zone, { ttlSec: 3600 });
      cutOffIn(other);
      if (!resume) expect(await checked(record, other)).toContain("cannot be created");
      else {
        await record.up(other);
        expect(await zone.live()).toMatchObject([{ id: Number(ids.join().split("/")[1]), ttl_sec: 3600 }]);
      }
    });

    describe("and has the name that the program sets", () => {
      async function withImage() {
        const label = `label-${rig.serial()}`;
        const { body } = await rig.emulator.call<{ image: { id: string } }>("POST", "/images/upload", {
          body: { label, region: "us-east" },
        });
        rig.folder.write("disk.img", "a small disk");
        const inputs = { region: "us-east", source: "disk.img", label };
        return { inputs, id: body.image.id, image: rig.resource("Image") };
      }

      test("is a warning, because names are not unique, and another one is created", async () => {
        const { inputs, id, image } = await withImage();
        await image.up(inputs);
        expect(image.id).not.toBe(id);
        expect((await image.warnings())[0]).toMatch(
          new RegExp(
            `the Image ${id} has the same label, and is not in the state. ` +
              `If an interrupted run of this stack created it, give this resource the option import: "${id}"$`,
          ),
        );
      });

      test("is refused after an interrupted run, also with nodecloud:resume, as a name proves nothing", async () => {
        const { inputs, id, image } = await withImage();
        cutOffIn(inputs);
        const reason = await checked(image, inputs);
        expect(reason).toContain(`give this resource the option import: "${id}"`);
        expect(reason).toContain(
          "; to create another, first run `pulumi refresh --clear-pending-creates`, after which no interrupted creation of the stack is resumed",
        );
        expect(reason).not.toContain("nodecloud:resume");
      });
    });

    describe("and has the name that the program sets, and the state tells which objects existed before", () => {
      const nodes = async (label: string) => {
        const { body } = await rig.emulator.call<{ data: { id: number; label: string }[] }>(
          "GET",
          "/node/instances?page_size=500",
        );
        return body.data.filter((one) => one.label === label).map(({ id }) => String(id));
      };
      /** Nodes that are alike, and the inputs of one more. */
      async function withNodes(count: number) {
        const label = `node-${rig.serial()}`;
        const shown = { region: "us-east", type: "g6-nanode-1", image: "node/debian12", label };
        // The service shows no keys, so only the state keeps them.
        const keys = ["ssh-ed25519 AAAA"];
        for (let made = 0; made < count; made++)
          await rig.emulator.call("POST", "/node/instances", { body: { ...shown, authorized_keys: keys } });
        const inputs = { ...shown, authorizedKeys: keys };
        return { inputs, ids: await nodes(inputs.label), node: rig.resource("Node") };
      }

      test("is continued with if it is the only one since, or the setting is named", async () => {
        const { inputs, ids, node } = await withNodes(2);
        cutOffIn(inputs);
        before = ids[0];
        const made = String(ids[1]);
        if (resume) {
          await node.up(inputs);
          expect(node.id).toBe(made);
          expect(await node.up(inputs)).toBe("same");
          expect(logged()).toContain(`continues with the Node ${made}, which has the same inputs`);
        } else {
          expect(await checked(node, inputs)).toContain(
            `the Node ${made} has the same label, and is not in the state. If an interrupted run of this stack created it, ` +
              `set nodecloud:resume (or NODECLOUD_RESUME=true), or give this resource the option import: "${made}"`,
          );
        }
        expect(await nodes(inputs.label)).toEqual(ids);
      });

      test("is no obstacle if it existed before: the interrupted run has created none", async () => {
        const { inputs, ids, node } = await withNodes(2);
        cutOffIn(inputs);
        before = ids.join(",");
        await node.up(inputs);
        expect(ids).not.toContain(node.id);
        expect((await node.warnings())[0]).toContain(`the Nodes ${ids.join(", ")} have the same label`);
        expect(await nodes(inputs.label)).toHaveLength(3);
      });

      test("is no obstacle if it existed before and pulumi:autonaming has made the name, as it may for other stacks", async () => {
        if (way !== "plugin") return;
        const { inputs, ids, node } = await withNodes(1);
        const { label, ...unnamed } = inputs;
        cutOffIn(inputs);
        [before, autonamed] = [ids.join(), node.name];
        const checked = await rig.plugin.check(node, await node.news(unnamed), { proposed: label });
        expect(checked).toMatchObject({ failures: [], inputs: { label, __before: ids.join() } });
        await rig.plugin.create(node, checked.inputs);
        expect(await nodes(label)).toHaveLength(2);
      });

      test("is refused if there are several since, or the interrupted creation had other inputs", async () => {
        const { inputs, ids, node } = await withNodes(2);
        cutOffIn(inputs);
        before = "";
        expect(await checked(node, inputs)).toContain(`the Nodes ${ids.join(", ")} have the same label`);
        await rig.restart();
        before = ids[0];
        cutOffIn({ ...inputs, region: "us-west" });
        expect(await checked(rig.resource("Node"), inputs)).toContain("cannot be created");
        expect(await nodes(inputs.label)).toEqual(ids);
      });

      test("is continued with by one of two equal resources, whose creations were both interrupted", async () => {
        const { inputs, ids, node } = await withNodes(1);
        if (!resume) return;
        cutOffIn(inputs);
        before = "";
        const other = rig.resource("Node");
        await Promise.all([node.up(inputs), other.up(inputs)]);
        expect([node.id, other.id].sort()).toEqual(await nodes(inputs.label));
        expect([node.id, other.id]).toContain(ids[0]);
        expect(node.id).not.toBe(other.id);
      });

      test("stays this resource's if the next run is interrupted too", async () => {
        const { inputs, ids, node } = await withNodes(2);
        cutOffIn(inputs);
        before = ids[0];
        // Without the setting, the check refuses.
        expect((await node.check(inputs)).inputs["__before"]).toBe(resume ? before : undefined);
      });
    });

    test("and has the unique name that the program sets is continued with only if an interrupted creation asked for equal inputs", async () => {
      const domain = `${rig.serial()}-unique.example`;
      const inputs = { domain, type: "slave", masterIps: ["192.0.2.1"] };
      const { body } = await rig.emulator.call<{ id: number }>("POST", "/domains", {
        body: { domain, type: "slave", master_ips: ["192.0.2.1"] },
      });
      const taken = `is taken by the Domain ${body.id}. To manage the existing Domain, give this resource the option import: "${body.id}"`;
      const declared = () => rig.resource("Domain");
      expect(await checked(declared(), inputs)).toContain(taken);
      await rig.restart();
      cutOffIn({ ...inputs, domain: "other.example" });
      expect(await checked(declared(), inputs)).toContain(taken);
      await rig.restart();
      cutOffIn(inputs);
      const mine = declared();
      if (!resume)
        expect(await checked(mine, inputs)).toContain(
          `is taken by the Domain ${body.id}, which an interrupted run has requested for this resource. To continue with it, set nodecloud:resume (or NODECLOUD_RESUME=true), or give this resource the option import: "${body.id}"`,
        );
      else {
        await mine.up(inputs);
        expect(mine.id).toBe(String(body.id));
      }
    });

    test("and was requested under another label is named, if the state may tell", async () => {
      const labelled = { region: "us-east", type: "g6-nanode-1", label: `left-${rig.serial()}` };
      const { body } = await rig.emulator.call<{ id: number }>("POST", "/node/instances", {
        body: labelled,
      });
      const node = rig.resource("Node");
      left = [{ urn: node.urn, inputs: labelled }];
      await node.preview({ ...labelled, label: "corrected" });
      const line = `it does not have what they may have created: Node ${node.name} (${body.id}). Of what`;
      if (resume) expect(logged()).toContain(line);
      else expect(logged()).not.toContain(line);
      await rig.restart();
      const said = rig.plugin.logs.length;
      left = [{ urn: node.urn, inputs: labelled, before: String(body.id) }];
      await node.preview({ ...labelled, label: "corrected" });
      expect(rig.plugin.logs.slice(said).map(({ message }) => message)).not.toContainEqual(
        expect.stringContaining("it does not have what they may have created"),
      );
    });

    test("and is managed by another stack of the backend is not continued with, whatever was interrupted", async () => {
      const { zone, ids, record } = await withRecords();
      cutOffIn(args(zone));
      ofOthers = ids;
      expect(await checked(record, args(zone))).toContain(
        `the DomainRecord ${ids.join()} has the same content, and is managed by Domain theirs of the stack shop/other. An object can have only one owner`,
      );
      const domain = `${rig.serial()}-theirs.example`;
      const inputs = { domain, type: "slave", masterIps: ["192.0.2.1"] };
      const { body } = await rig.emulator.call<{ id: number }>("POST", "/domains", {
        body: { domain, type: "slave", master_ips: ["192.0.2.1"] },
      });
      await rig.restart();
      cutOffIn(inputs);
      ofOthers = [String(body.id)];
      expect(await checked(rig.resource("Domain"), inputs)).toContain(
        `is taken by the Domain ${body.id}, which is managed by Domain theirs of the stack shop/other`,
      );
    });

    test("and has a label, but is managed by another stack of the backend, is left to it, and a new one is created", async () => {
      const inputs = { region: "us-east", type: "g6-nanode-1", label: `main-${rig.serial()}` };
      const { body } = await rig.emulator.call<{ id: number }>("POST", "/node/instances", { body: inputs });
      cutOffIn(inputs);
      [before, ofOthers] = ["", [String(body.id)]];
      const node = rig.resource("Node");
      await node.check(inputs);
      expect((await node.warnings()).join("\n")).toContain(
        `the Node ${body.id} has the same label, and is managed by Domain theirs of the stack shop/other. A new one is created`,
      );
      await node.up(inputs);
      expect(node.id).not.toBe(String(body.id));
    });

    test("and was requested in an interrupted run at another base URL is not continued with", async () => {
      const { zone, ids, record } = await withRecords();
      cutOffIn(args(zone));
      askedAt = "api.elsewhere.example";
      expect(await checked(record, args(zone))).toContain(`import: "${ids.join()}"`);
      await rig.restart();
      askedAt = new URL(rig.emulator.url).host;
      if (!resume) return;
      await record.up(args(zone));
      expect(record.id).toBe(ids.join());
    });

    test.each(["DomainRecord", "DomainRecordSet"] as const)(
      "and may be another stack's, as the stacks of the backend cannot be listed, is not continued with (%s)",
      async (type) => {
        const { zone, ids } = await withRecords();
        const inputs =
          type === "DomainRecord" ? args(zone) : { domainId: zone.domainId, records: [a("www")] };
        cutOffIn(inputs);
        unread.isUnknown = true;
        const resource = rig.resource(type);
        const said = await checked(resource, inputs);
        expect(said.includes("it is not known whether another stack manages")).toBe(resume);
        if (resume) expect(await refusalOf(resource.up(inputs))).toContain("could not be listed");
        delete unread.isUnknown;
        await rig.restart();
        if (!resume) return;
        await resource.up(inputs);
        expect(await zone.idOf("www")).toBe(ids.join());
      },
    );

    test("and may be one that another stack is creating is not continued with", async () => {
      const { zone, ids, record } = await withRecords();
      cutOffIn(args(zone));
      const urn = "urn:pulumi:other::shop::nodecloud:index:DomainRecordSet::theirs";
      pending = [{ operation: "updating", urn, inputs: { domainId: zone.domainId } }];
      const line = `the DomainRecord ${ids.join()} has the same content, and `;
      const said = await checked(record, args(zone));
      expect(said).toContain(`the DomainRecord ${ids.join()} has the same content, and `);
      expect(said.includes("it may be that of DomainRecordSet theirs of the stack shop/other")).toBe(resume);
      if (!resume) return;
      expect(await refusalOf(record.up(args(zone)))).toContain(line);
      pending = [{ operation: "updating", urn, inputs: { domainId: "1" } }];
      await record.up(args(zone));
      expect(record.id).toBe(ids.join());
    });

    test.each(["DomainRecord", "DomainRecordSet"] as const)(
      "and was requested in an interrupted run with another token is not continued with (%s)",
      async (type) => {
        const { zone, ids } = await withRecords();
        const inputs =
          type === "DomainRecord" ? args(zone) : { domainId: zone.domainId, records: [a("www")] };
        cutOffIn(inputs);
        askedAt = whereabouts({ baseUrl: rig.emulator.url, token: "another" });
        const line = `an interrupted run requested this ${type} with another token: it is probably in another account. Restore that token`;
        const resource = rig.resource(type);
        const said = await checked(resource, inputs);
        if (!resume && type === "DomainRecordSet") {
          expect(said).not.toContain(line);
          return;
        }
        expect(said).toContain(line);
        expect(await refusalOf(resource.up(inputs))).toContain(line);
        expect(await zone.names()).toEqual(["www"]);
        left = [{ urn: resource.urn, inputs, askedAt }];
        await rig.restart();
        await checked(rig.resource(type, "unrelated"), inputs);
        expect(logged().includes("(requested with another token)")).toBe(resume);
        if (!resume) return;
        environment["NODECLOUD_SAME_ACCOUNT"] = "true";
        await rig.restart();
        await resource.up(inputs);
        expect(await zone.idOf("www")).toBe(ids.join());
      },
    );

    test("and has an automatic name is continued with only if the interrupted run asked for what the service does not show too", async () => {
      if (!resume) return;
      const node = rig.resource("Node");
      const args = (key: string) => ({
        ...{ region: "us-east", type: "g6-nanode-1", image: "node/debian12" },
        authorizedKeys: [`ssh-ed25519 ${key}`],
      });
      const { inputs } = await node.check(args("AAAA"));
      const body = { region: "us-east", type: "g6-nanode-1", image: "node/debian12", label: inputs["label"] };
      const keys = { authorized_keys: ["ssh-ed25519 AAAA"] };
      const made = await rig.emulator.call<{ id: number }>("POST", "/node/instances", {
        body: { ...body, ...keys },
      });
      await rig.restart();
      cutOffIn({ ...args("AAAA"), label: inputs["label"] });
      autonamed = node.name;
      expect(await checked(rig.resource("Node", node.name), args("BBBB"))).toContain(
        "but it was created with other inputs",
      );
      await rig.restart();
      const same = rig.resource("Node", node.name);
      await same.up(args("AAAA"));
      expect(same.id).toBe(String(made.body.id));
      expect(logged()).not.toContain("The state encrypts");
    });

    test("and has an automatic name is continued with if the state encrypts what the interrupted run asked for, and the line says so", async () => {
      if (!resume) return;
      const node = rig.resource("Node");
      const shown = { region: "us-east", type: "g6-nanode-1", image: "node/debian12" };
      const args = { ...shown, rootPass: "correct-horse-battery", userData: "#cloud-config" };
      const { inputs } = await node.check(args);
      const { label } = inputs;
      await rig.emulator.call("POST", "/node/instances", {
        body: { ...shown, label, root_pass: args.rootPass },
      });
      await rig.restart();
      const encrypted = {
        "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
        ciphertext: "…",
      };
      cutOffIn({ ...shown, rootPass: encrypted, metadata: encrypted, userData: encrypted, label });
      autonamed = node.name;
      await rig.resource("Node", node.name).up(args);
      expect(logged()).toContain(
        "which has the same inputs and is not in the state. The state encrypts rootPass and userData of the interrupted run: if the program has changed since, replace the Node",
      );
    });

    test("in another account, whose token an interrupted run had, is not created in this one with the setting", async () => {
      const zone = await newZone();
      cutOffIn(args(zone));
      askedAt = whereabouts({ baseUrl: rig.emulator.url, token: "another" });
      const refusal = await refusalOf(rig.resource("DomainRecord").up(args(zone)));
      expect(refusal.includes("requested this DomainRecord with another token")).toBe(resume);
      expect(await zone.names()).toEqual(resume ? [] : ["www"]);
    });

    describe("only later, because the service carries out the interrupted request late", () => {
      const LINE = "an interrupted run requested this DomainRecord: the creation looks for it first";
      const second = 1_000;

      if (!resume) {
        test("is not waited for", async () => {
          const { zone, record } = await withRecords(0);
          cutOffIn(args(zone));
          const now = (savedAt = rig.clock.now());
          await record.up(args(zone));
          expect(rig.clock.now() - now).toBeLessThan(10 * second);
          expect(await zone.names()).toEqual(["www"]);
        });
        return;
      }

      test("is waited for after a state that was saved just now", async () => {
        const { zone, record } = await withRecords(0);
        cutOffIn(args(zone));
        savedAt = rig.clock.now() - 30 * second;
        rig.stopTime();
        const up = record.up(args(zone));
        await eventually("the creation looks for the record", async () => {
          const { "GET /v4/domains/:id/records": looks = 0 } = await rig.requests();
          return looks > 0 ? true : undefined;
        });
        const { id } = await zone.create(a("www"));
        rig.runTime();
        await up;
        expect(logged()).toContain(LINE);
        expect(record.id).toBe(`${zone.domainId}/${id}`);
        expect(await zone.names()).toEqual(["www"]);
      });

      test.each([
        ["for 90 seconds after the state was saved, and then requested again", 30, 60],
        ["not at all if these are over", 90, 0],
        ["for 90 seconds from now on if the clock of the other machine is ahead", -3_600, 90],
      ])("is waited for, %s", async (_, ago, seconds) => {
        const { zone, record } = await withRecords(0);
        cutOffIn(args(zone));
        const now = rig.clock.now();
        savedAt = now - ago * second;
        await record.up(args(zone));
        const waited = (rig.clock.now() - now) / second;
        expect(waited).toBeGreaterThanOrEqual(seconds);
        expect(waited).toBeLessThan(seconds + 10);
        expect(await zone.names()).toEqual(["www"]);
      });

      test("is not waited for if the interrupted run asked for another one", async () => {
        const { zone, record } = await withRecords(0);
        cutOffIn(args(zone, { name: "ftp" }));
        const now = (savedAt = rig.clock.now());
        await record.up(args(zone));
        expect(rig.clock.now() - now).toBeLessThan(10 * second);
        expect(logged()).not.toContain(LINE);
      });
    });

    test.each(["Mysql", "Postgresql"] as const)(
      "as a backup of a %sDatabase is looked for when it is complete, and no second one is taken",
      async (engine) => {
        const database = rig.resource(`${engine}Database`);
        const version = engine === "Mysql" ? "mysql/8.0.30" : "postgresql/14.6";
        await database.up({ region: "us-east", type: "g6-nanode-1", engine: version });
        const [path, label] = [`/databases/${engine.toLowerCase()}/instances/${database.id}/backups`, "shop"];
        rig.stopTime();
        expect(await rig.emulator.call("POST", path, { body: { label } })).toMatchObject({ status: 200 });
        const backup = rig.resource(`${engine}DatabaseBackup`);
        const inputs = { databaseId: database.id, label };
        cutOffIn(inputs);
        before = "";
        const up = resume ? backup.up(inputs) : refusalOf(backup.up(inputs));
        await eventually("the creation waits", () =>
          backup.progress().find((line) => line.startsWith("database backing_up")),
        );
        rig.runTime();
        const refusal = await up;
        const { body } = await rig.emulator.call<{ data: { id: number; type: string }[] }>("GET", path);
        const [taken, ...others] = body.data.filter(({ type }) => type === "snapshot");
        expect(others).toEqual([]);
        const id = `${database.id}/${taken?.id ?? ""}`;
        if (resume) expect(backup.id).toBe(id);
        else expect(refusal).toContain(`import: "${id}"`);
      },
    );

    test("is no obstacle if the state has it for another resource", async () => {
      const { zone, ids, record } = await withRecords();
      known = ids;
      await record.up(args(zone));
      expect(ids).not.toContain(record.id);
      expect(await zone.names()).toEqual(["www", "www"]);
    });
  });
});

inEachWay((way) => {
  test("if the state cannot be read, the refusal of an object that exists says so", async () => {
    const { rig, newZone } = await startZones(way);
    const zone = await newZone();
    await zone.create(a("www"));
    const record = rig.resource("DomainRecord");
    expect(await reasonsOf(record.check({ domainId: zone.domainId, ...a("www") }))).toContain(
      "has the same content, and the state, which may contain it, could not be read",
    );
    await rig.stop();
  });

  test("with nodecloud:validate off, nothing looks for objects that exist", async () => {
    const { rig, newZone } = await startZones(way, { environment: { NODECLOUD_VALIDATE: "false" } });
    const zone = await newZone();
    await zone.create(a("www"));
    const record = rig.resource("DomainRecord");
    await record.up({ domainId: zone.domainId, ...a("www") });
    expect(await zone.names()).toEqual(["www", "www"]);
    await rig.stop();
  });
});
