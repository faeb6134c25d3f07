import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type OtherStack, stackOf } from "../../../src/provider/engine/other-stacks";
import { stateIn } from "../../../src/provider/engine/stack-state";
import { type Rig, type Managed } from "../../helpers/lifecycle";
import { eventually } from "../../helpers/programs";
import { inEachWay, type Properties } from "../../helpers/plugin";
import { a, reasonsOf, refusalOf, saidOf, startZones, type Zone } from "../collection/zone";

const urn = (type: string, name: string) =>
  `urn:pulumi:prod::shop::pulumi-nodejs:dynamic/nodecloud:${type}::${name}`;

inEachWay((way) => {
  let rig: Rig;
  let newZone: () => Promise<Zone>;
  /** The other stacks of the backend, which a run reads once. */
  const others: OtherStack[] = [];
  const unread: { unread?: number; failed?: readonly string[] } = {};
  beforeAll(async () => {
    ({ rig, newZone } = await startZones(way, { others, unread }));
  });
  beforeEach(() => rig.restart());
  afterEach(() => others.splice(0));
  afterAll(() => rig.stop());

  /** The stack shop/prod manages a resource. */
  const prodHas = (type: string, id: string, more: Properties = {}) => {
    const resource = { type: `pulumi-nodejs:dynamic/nodecloud:${type}`, id, urn: urn(type, "main"), ...more };
    const stack = stackOf({ resources: [resource] });
    if (stack !== undefined) others.push(stack);
  };

  /** A run of the stack shop/prod is creating a resource. */
  const prodCreates = (type: string, inputs: Properties) =>
    others.push({
      name: "shop/prod",
      holdersOf: () => [],
      pending: [{ operation: "creating", urn: urn(type, "main"), inputs }],
    });

  /** A record outside this stack. */
  async function existing() {
    const zone = await newZone();
    await zone.create(a("www"));
    const id = await zone.idOf("www");
    return {
      zone,
      id,
      args: { domainId: zone.domainId, ...a("www") },
      record: rig.resource("DomainRecord"),
    };
  }

  /** Destroys a record in a run of its own. The state of its stack has it. */
  async function destroyed(record: Managed) {
    const own = stackOf({
      resources: [{ type: "pulumi-nodejs:dynamic/nodecloud:DomainRecord", id: record.id, urn: record.urn }],
    });
    if (own !== undefined) others.push(own);
    await rig.restart();
    await record.destroy();
  }

  const said = () => rig.plugin.logs.map(({ message }) => message).join();
  const OWNER = "DomainRecord main of the stack shop/prod";

  test("stacks that failed are named, and those for which there was no time are not called damaged", async () => {
    const { id, args, record } = await existing();
    Object.assign(unread, { unread: 3, failed: ["shop/prod"] });
    await record.up(args, { import: id });
    expect(said()).toContain(
      "looked for other owners in 0 of the backend's 3 stacks: shop/prod could not be read, and the others could not be read in time",
    );
    for (const key of Object.keys(unread)) Reflect.deleteProperty(unread, key);
  });

  test("an import of another stack's object names that stack, and the object is imported", async () => {
    const { id, args, record } = await existing();
    prodHas("DomainRecord", id);
    await record.up(args, { import: id });
    expect(said()).toContain(
      `imports the DomainRecord ${id}, which is also managed by ${OWNER}. A deletion by one stack deletes it for the other too`,
    );
    expect(record.id).toBe(id);
  });

  test.each(["DomainRecord", "DomainRecordSet"])(
    "an import warns of an object that another stack may be creating, as a %s too",
    async (type) => {
      const { zone, id, args, record } = await existing();
      const set = zone.set([a("www")]);
      const { inputs } = await rig.resource("DomainRecordSet", "main").check(set);
      await rig.restart();
      prodCreates(type, type === "DomainRecord" ? args : inputs);
      const rival = `it may be that of ${type} main of the stack shop/prod, which a run is creating`;
      await record.up(args, { import: id });
      expect(said()).toContain(`imports the DomainRecord ${id}, and ${rival}`);
      await rig.restart();
      await rig.resource("DomainRecordSet", "mine").up(set, { import: zone.domainId });
      expect(said()).toContain(`www A 192.0.2.1 exists, and ${rival}`);
    },
  );

  test("an adopted object that another stack manages is not deleted until one of them gives it up", async () => {
    const { zone, id, args, record } = await existing();
    await record.up(args, { import: id });
    prodHas("DomainRecord", id);
    const refusal = await refusalOf(destroyed(record));
    expect(refusal).toContain(`this stack imported it, and it is managed by ${OWNER}`);
    expect(refusal).toContain(
      "so it is not deleted. To leave it to the other stack, run `pulumi state delete` here",
    );
    expect(await zone.names()).toEqual(["www"]);
    others.length = 0;
    await destroyed(record);
    expect(await zone.names()).toEqual([]);
  });

  test("a replacement of such an object warns in the preview that the old one will not be deleted", async () => {
    const { id, args, record } = await existing();
    await record.up(args, { import: id });
    prodHas("DomainRecord", id);
    await rig.restart();
    expect(await record.preview({ ...args, type: "TXT", target: "a text" })).toMatchObject({
      replaces: ["type"],
    });
    expect(said()).toContain(
      `this stack imported the DomainRecord ${id}, and it is managed by ${OWNER}: the replacement fails when it deletes the old object. ` +
        "To leave it to the other stack",
    );
  });

  test("an object that this stack has created is deleted, whatever other states say", async () => {
    const zone = await newZone();
    const record = rig.resource("DomainRecord");
    await record.up({ domainId: zone.domainId, ...a("own") });
    prodHas("DomainRecord", record.id);
    await destroyed(record);
    expect(await zone.names()).toEqual([]);
  });

  test.each([
    ["only reads it", { external: true }],
    ["has deleted it for a replacement", { pendingReplacement: true }],
  ])("a stack that %s does not own it", async (_, more) => {
    const { zone, id, args, record } = await existing();
    prodHas("DomainRecord", id, more);
    await record.up(args, { import: id });
    expect(said()).not.toContain("shop/prod");
    await destroyed(record);
    expect(await zone.names()).toEqual([]);
  });

  test.each([
    ["provider", { "nodecloud:baseUrl": "https://other.example/v4" }, {}],
    ["address in the state", {}, { __at: "other.example#123456" }],
  ])(
    "an object with the same id of another service is another object, by its %s",
    async (_, inputs, outputs) => {
      const { zone, id, args, record } = await existing();
      const provider = {
        type: "pulumi:providers:pulumi-nodejs",
        urn: "urn:pulumi:prod::shop::pulumi:providers:pulumi-nodejs::default",
        id: "1",
        inputs,
      };
      const type = "pulumi-nodejs:dynamic/nodecloud:DomainRecord";
      const other = { type, id, urn: urn("DomainRecord", "main"), provider: `${provider.urn}::1`, outputs };
      const stack = stackOf({ resources: [provider, other] });
      if (stack !== undefined) others.push(stack);
      await record.up(args, { import: id });
      expect(said()).not.toContain("shop/prod");
      await destroyed(record);
      expect(await zone.names()).toEqual([]);
    },
  );

  describe("a unique name of another stack's object", () => {
    const inputs = { domain: "", type: "slave", masterIps: ["192.0.2.1"] };
    const post = (domain: string) =>
      rig.emulator.call<{ id: number }>("POST", "/domains", {
        body: { domain, type: "slave", master_ips: inputs.masterIps },
      });
    const advice = (id: string) =>
      `is managed by Domain main of the stack shop/prod. Choose another domain, or remove it from that stack with \`pulumi state delete\` and give this resource the option import: "${id}"`;

    test("is refused with that stack's name", async () => {
      const domain = `${rig.serial()}-taken.example`;
      const id = String((await post(domain)).body.id);
      prodHas("Domain", id);
      const reason = await reasonsOf(rig.resource("Domain").check({ ...inputs, domain }));
      expect(reason).toContain(`"${domain}" is taken by the Domain ${id}, which ${advice(id)}`);
    });

    test("is not taken over after a lost answer", async () => {
      const domain = `${rig.serial()}-lost.example`;
      const mine = rig.resource("Domain");
      const checked = await mine.check({ ...inputs, domain });
      expect(checked.failures).toEqual([]);
      await rig.emulator.control("POST", "/faults", {
        method: "POST",
        path: "/v4/domains",
        effect: { status: 502 },
      });
      const creation = refusalOf(rig.plugin.create(mine, checked.inputs));
      await eventually("the request is lost", async () =>
        ((await rig.emulator.counts())["POST /v4/domains"] ?? 0) > 0 ? true : undefined,
      );
      const id = String((await post(domain)).body.id);
      prodHas("Domain", id);
      expect(await creation).toContain(`has the domain, which ${advice(id)}`);
    });
  });

  describe("a set", () => {
    test("that imports records of another stack names it, and does not delete them", async () => {
      const { zone, id } = await existing();
      prodHas("DomainRecord", id);
      const set = rig.resource("DomainRecordSet");
      await set.up(zone.set([a("www")]), { import: zone.domainId });
      expect((await saidOf(set)).join()).toContain("imports 1 of the records, which other stacks manage too");
      await rig.restart();
      // A later change of the set does not make the record its own.
      await set.up(zone.set([a("www"), a("more")]));
      await rig.restart();
      expect(await refusalOf(set.destroy())).toContain(`(${id}): ${OWNER}`);
      expect(await zone.names()).toEqual(["more", "www"]);
      others.length = 0;
      await rig.restart();
      await set.destroy();
      expect(await zone.names()).toEqual([]);
    });

    test("that created its records deletes them, whatever other states say", async () => {
      const zone = await newZone();
      const set = await zone.made([a("kept"), a("removed")]);
      prodHas("DomainRecord", await zone.idOf("removed"));
      Object.assign(unread, { unread: 1 });
      await rig.restart();
      await set.up(zone.set([a("kept")]));
      expect(await zone.names()).toEqual(["kept"]);
      Reflect.deleteProperty(unread, "unread");
    });

    test("that is exclusive takes over no records of another stack", async () => {
      const { zone, id } = await existing();
      prodHas("DomainRecord", id);
      const set = rig.resource("DomainRecordSet");
      const args = zone.set([a("mine")], { exclusive: true });
      await set.preview(args);
      const line = `other stacks manage 1 of the records that this takes over or deletes: A www`;
      expect((await saidOf(set)).join()).toContain("`pulumi up` refuses this: other stacks manage 1 of the");
      expect(await refusalOf(set.up(args))).toContain(line.slice(0, 60));
      expect(await zone.names()).toEqual(["www"]);
    });

    test.each(["with records of another stack", "in which another stack may be creating records"])(
      "that is exclusive deletes nothing if it moves to a domain %s",
      async (which) => {
        const { zone: theirs, id } = await existing();
        if (which.startsWith("with")) prodHas("DomainRecord", id);
        else
          others.push({
            name: "shop/prod",
            holdersOf: () => [],
            pending: [
              {
                operation: "creating",
                urn: urn("DomainRecordSet", "main"),
                inputs: { domainId: theirs.domainId },
              },
            ],
          });
        const zone = await newZone();
        const set = await zone.made([a("mine")], { exclusive: true });
        await rig.restart();
        const refusal = await refusalOf(set.up(theirs.set([a("mine")], { exclusive: true })));
        expect(refusal).toMatch(
          /records cannot be created: .*(?:other stacks manage 1 of|of the stack shop\/prod)/,
        );
        expect(await zone.names()).toEqual(["mine"]);
        expect(await theirs.names()).toEqual(["www"]);
      },
    );

    test("that is exclusive deletes nothing for a replacement that only the state shows, as by the command line", async () => {
      const object = { id: "1", object: "1", isRetained: false, isGone: false };
      const state = { ...stateIn({}), standing: () => object };
      const run = await startZones(way, { others, state });
      try {
        const zone = await run.newZone();
        const set = await zone.made([a("mine")], { exclusive: true });
        await zone.create(a("theirs"));
        prodHas("DomainRecord", await zone.idOf("theirs"));
        await run.rig.restart();
        const news = await set.news(zone.set([a("mine")], { exclusive: true }));
        expect(await reasonsOf(run.rig.plugin.check({ urn: set.urn, inputs: {} }, news))).toContain(
          "records cannot be created: other stacks manage 1 of the records",
        );
      } finally {
        await run.rig.stop();
      }
    });

    test("that is exclusive takes and deletes nothing while another stack may be creating it", async () => {
      const { zone } = await existing();
      prodCreates("DomainRecordSet", { domainId: zone.domainId });
      const set = rig.resource("DomainRecordSet");
      const args = zone.set([a("mine")], { exclusive: true });
      expect(await refusalOf(set.up(args))).toContain(
        "www A 192.0.2.1 exists, and it may be that of DomainRecordSet main of the stack shop/prod, which a run is creating",
      );
      expect(await zone.names()).toEqual(["www"]);
      others.length = 0;
      await set.up(args);
      expect(await zone.names()).toEqual(["mine"]);
    });

    test.each([
      ["declares", "theirs", ["theirs"]],
      ["does not declare", "another", []],
    ])(
      "that is exclusive leaves a record to a set that another stack is creating and that %s it",
      async (_, name, left) => {
        const zone = await newZone();
        const set = await zone.made([a("mine")], { exclusive: true });
        await zone.create(a("theirs"));
        const { inputs } = await rig.resource("DomainRecordSet", "main").check(zone.set([a(name)]));
        await rig.restart();
        prodCreates("DomainRecordSet", inputs);
        await set.refresh();
        expect(said().includes("exclusive is set, and other stacks may be creating 1 of the records")).toBe(
          left.length > 0,
        );
        await set.up(zone.set([a("mine")], { exclusive: true }));
        await set.destroy();
        expect(await zone.names()).toEqual(left);
      },
    );

    test("that is exclusive does not delete what another stack created later", async () => {
      const zone = await newZone();
      const set = await zone.made([a("mine")], { exclusive: true });
      await zone.create(a("theirs"));
      prodHas("DomainRecord", await zone.idOf("theirs"));
      await rig.restart();
      const args = zone.set([a("mine")], { exclusive: true });
      await set.refresh();
      expect(said()).toContain(
        "exclusive is set, and other stacks manage 1 of the records that it covers. This does not take them over",
      );
      expect(said()).toContain(OWNER);
      await set.up(args);
      await set.up(zone.set([a("mine")]));
      await set.destroy();
      expect(await zone.names()).toEqual(["theirs"]);
    });

    /** A run is killed before the service receives its request for a record. */
    async function cutOff(zone: Zone, args: Properties) {
      await zone.plan("POST", { effect: "drop-request", times: 100 });
      void refusalOf(rig.resource("DomainRecordSet", "mine").up(args));
      await eventually("the request is lost", async () =>
        ((await rig.emulator.counts())["POST /v4/domains/:id/records"] ?? 0) > 0 ? true : undefined,
      );
      await rig.restart();
      await rig.emulator.control("DELETE", "/faults");
    }

    test("whose creation was interrupted with another token is refused", async () => {
      const zone = await newZone();
      const args = zone.set([a("www")]);
      await cutOff(zone, args);
      const folder = join(rig.folder.path, ".home/nodecloud/creations");
      for (const name of readdirSync(folder)) {
        const file = join(folder, name);
        const text = readFileSync(file, "utf8");
        // `nodecloud doctor` names the stack.
        expect(JSON.parse(text)).toMatchObject({ of: "test/dev" });
        writeFileSync(file, text.replace(/#[0-9a-f]{6}"/, '#another"'));
      }
      expect(await reasonsOf(rig.resource("DomainRecordSet", "mine").check(args))).toContain(
        "an interrupted run requested this DomainRecordSet with another token: it is probably in another account. Restore that token",
      );
    });

    test("whose creation was interrupted takes no equal record that another stack has created since", async () => {
      const zone = await newZone();
      const args = zone.set([a("www")]);
      await cutOff(zone, args);
      await zone.create(a("www"));
      const id = await zone.idOf("www");
      prodHas("DomainRecord", id);
      const again = rig.resource("DomainRecordSet", "mine");
      const line = `www A 192.0.2.1 already exists with the id ${id}, and ${OWNER} has it: declare it in one of the two`;
      expect(await reasonsOf(again.check(args))).toContain(line);
      expect(await refusalOf(again.up(args))).toContain(line);
      expect(await zone.names()).toEqual(["www"]);
    });

    test.each(["DomainRecord", "DomainRecordSet"])(
      "whose creation was interrupted takes no equal record while a %s of another stack may be creating it",
      async (type) => {
        const zone = await newZone();
        const args = zone.set([a("www")]);
        await cutOff(zone, args);
        await zone.create(a("www"));
        const inputs = type === "DomainRecord" ? { domainId: zone.domainId, ...a("www") } : args;
        prodCreates(type, inputs);
        const again = rig.resource("DomainRecordSet", "mine");
        const line = `www A 192.0.2.1 exists, and it may be that of ${type} main of the stack shop/prod, which a run is creating`;
        expect(await reasonsOf(again.check(args))).toContain(line);
        expect(await refusalOf(again.up(args))).toContain(line);
        expect(await zone.names()).toEqual(["www"]);
        others.length = 0;
        await again.up(args);
        expect(await zone.names()).toEqual(["www"]);
      },
    );

    test.each([
      ["continues while a set of another stack is created that does not declare its records", "other", true],
      ["is refused while one is created that does", "www", false],
    ])("whose creation was interrupted %s", async (_, name, isContinued) => {
      const zone = await newZone();
      const args = zone.set([a("www")]);
      await cutOff(zone, args);
      await zone.create(a("www"));
      // As the state has it: the records are one text.
      const { inputs } = await rig.resource("DomainRecordSet", "main").check(zone.set([a(name)]));
      await rig.restart();
      prodCreates("DomainRecordSet", inputs);
      const refusal = await refusalOf(rig.resource("DomainRecordSet", "mine").up(args));
      expect(refusal.includes("it may be that of DomainRecordSet main")).toBe(!isContinued);
      expect(await zone.names()).toEqual(["www"]);
      others.length = 0;
    });

    test("whose members another stack's set manages names that set", async () => {
      const { zone, id } = await existing();
      prodHas("DomainRecordSet", zone.domainId, { outputs: { __ids: id.split("/")[1] } });
      const set = rig.resource("DomainRecordSet");
      await set.up(zone.set([a("www")]), { import: zone.domainId });
      expect((await saidOf(set)).join()).toContain("DomainRecordSet main of the stack shop/prod");
    });
  });
});
