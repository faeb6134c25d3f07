import { stateIn } from "../../../src/provider/engine/stack-state";
import { type Rig, type Managed, startRig } from "../../helpers/lifecycle";
import { inEachWay, type Properties } from "../../helpers/plugin";

inEachWay((way) => {
  let rig: Rig;
  let domains: string[];
  beforeAll(async () => {
    rig = await startRig({ Node: "nodes", Domain: "domains", DomainRecord: "records" }, {}, way);
    domains = [];
    for (const name of ["one.example", "two.example"]) {
      const domain = rig.resource("Domain");
      await domain.up({ domain: name, type: "master", soaEmail: `dns@${name}` });
      domains.push(domain.id);
    }
  });
  // Each test is a run of the command line of its own.
  beforeEach(() => rig.restart());
  afterAll(() => rig.stop());

  const a = (name: string): Properties => ({ type: "A", name, target: "192.0.2.1" });
  const args = {
    DomainRecord: (name: string, at = 0) => ({ domainId: domains[at], ...a(name) }),
    DomainRecordSet: (name: string, at = 0) => ({ domainId: domains[at], records: [a(name)] }),
  };
  const node = { region: "us-east", type: "g6-nanode-1", image: "node/debian12" };

  const newName = () => `host${rig.serial()}`;
  const fails = (inputs: Promise<{ failures: readonly { reason: string }[] }>) =>
    inputs.then(({ failures }) => failures.map(({ reason }) => reason).join("; "));
  /** The reason for which a preview or an import is refused. */
  const refusal = async (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => "nothing",
      (error: Error) => error.message,
    );

  async function newNode(name?: string): Promise<Managed> {
    const made = rig.resource("Node", name);
    await made.up({ ...node, label: `label-${rig.serial()}` });
    return made;
  }

  /** The inputs of a program for a node that exists. */
  const declared = ({ outputs }: Managed): Properties => ({ ...node, label: outputs["label"] });

  if (way === "plugin")
    test("an object that the engine has only read for an import is not deleted for its old resource", async () => {
      const old = await newNode();
      await rig.restart();
      // With --exclude it neither checks nor compares the new resource.
      await rig.plugin.readForImport(rig.resource("Node"), old.id);
      await old.destroy();
      expect(await rig.emulator.call("GET", `/node/instances/${old.id}`)).toMatchObject({ status: 200 });
    });

  test("an object of the state's two resources stays for the second one when the first is replaced, and goes with it", async () => {
    const holders: string[] = [];
    const holdersOf = () => holders.map((urn) => ({ urn }));
    const run = await startRig({ Node: "nodes" }, {}, way, { state: { ...stateIn({}), holdersOf } });
    const status = async (id: string) => (await run.emulator.call("GET", `/node/instances/${id}`)).status;
    const one = run.resource("Node");
    await one.up({ ...node, label: "twice" });
    await run.restart();
    const other = run.resource("Node");
    await other.up({ ...node, label: "twice" }, { import: one.id });
    holders.push(one.urn, other.urn);
    await run.restart();
    await one.preview({ ...node, label: "again", region: "eu-west" });
    // The engine has not asked about the second one yet.
    await one.destroy();
    expect(await status(one.id)).toBe(200);
    expect(run.plugin.logs.map(({ message }) => message).join()).toContain(
      `forgets the Node ${one.id} without deleting it: Node ${other.name} manages it now`,
    );
    await other.destroy();
    expect(await status(one.id)).toBe(404);
    await run.stop();
  });

  describe("a program that declares one record twice", () => {
    test.each([
      ["DomainRecord", "DomainRecord"],
      ["DomainRecord", "DomainRecordSet"],
      ["DomainRecordSet", "DomainRecord"],
      ["DomainRecordSet", "DomainRecordSet"],
    ] as const)("is refused, as a %s and then a %s, with the name of the first", async (first, second) => {
      const name = newName();
      const one = rig.resource(first);
      expect(await fails(one.check(args[first](name)))).toBe("");
      expect(await fails(rig.resource(second).check(args[second](name)))).toContain(
        `${first} ${one.name} in this program declares the same object. The provider cannot distinguish the two`,
      );
    });

    test.each(["DomainRecord", "DomainRecordSet"] as const)(
      "is not one that declares equal records in two domains (%s)",
      async (type) => {
        const name = newName();
        for (const at of [0, 1]) expect(await fails(rig.resource(type).check(args[type](name, at)))).toBe("");
      },
    );

    test.each(["DomainRecord", "DomainRecordSet"] as const)(
      "is refused if an unchanged set has the record, and a %s is new",
      async (type) => {
        const name = newName();
        const set = rig.resource("DomainRecordSet");
        await set.up(args.DomainRecordSet(name));
        await rig.restart();
        expect(await set.preview(args.DomainRecordSet(name))).toMatchObject({ changes: false });
        expect(await fails(rig.resource(type).check(args[type](name)))).toContain(
          `DomainRecordSet ${set.name} in this program declares the same object`,
        );
        await rig.restart();
        const first = rig.resource(type);
        await first.check(args[type](name));
        expect(await refusal(set.preview(args.DomainRecordSet(name)))).toContain(
          `${type} ${first.name} in this program declares the same object`,
        );
      },
    );
  });

  describe("two resources that manage one object", () => {
    /** A run imported the object for the second one, and did not know of the first. */
    async function twoOfOne() {
      const one = await newNode();
      await rig.restart();
      const two = rig.resource("Node");
      await two.up(declared(one), { import: one.id });
      await rig.restart();
      return { one, two };
    }

    test("cause a warning that names the other one", async () => {
      const { one, two } = await twoOfOne();
      await one.preview(declared(one));
      await two.preview(declared(one));
      expect((await two.warnings()).slice(-1)).toEqual([
        expect.stringContaining(
          `manages the Node ${one.id}, and so does Node ${one.name}: remove one of the two from the program. The object is not deleted`,
        ),
      ]);
    });

    test("keep the object when the program drops one of them", async () => {
      const { one, two } = await twoOfOne();
      await two.preview(declared(one));
      await one.destroy();
      expect(await two.live()).toBeDefined();
      expect(await one.warnings()).toEqual([
        expect.stringContaining(
          `forgets the Node ${one.id} without deleting it: Node ${two.name} manages it now`,
        ),
      ]);
      await two.destroy();
      expect(await one.live()).toBeUndefined();
    });
  });

  describe("an import", () => {
    if (way === "dynamic") {
      test("of an id that another resource imports is refused, and names that one", async () => {
        const there = await newNode();
        await rig.restart();
        const [one, two] = [rig.resource("Node"), rig.resource("Node")];
        expect(await fails(one.check(declared(there), { import: there.id }))).toBe("");
        expect(await fails(two.check(declared(there), { import: there.id }))).toBe(
          `import "${there.id}": Node ${one.name} in this program manages it. ` +
            `An object can have only one owner: remove import here, or remove Node ${one.name} from the program [NC1308]`,
        );
      });

      test("of another resource's object is refused if that one is compared first", async () => {
        const one = await newNode();
        await rig.restart();
        await one.preview(declared(one));
        expect(await fails(rig.resource("Node").check(declared(one), { import: one.id }))).toContain(
          `import "${one.id}": Node ${one.name} in this program manages it`,
        );
      });

      test("of another resource's object is refused if the import is checked first", async () => {
        const one = await newNode();
        await rig.restart();
        const two = rig.resource("Node");
        expect(await fails(two.check(declared(one), { import: one.id }))).toBe("");
        expect(await refusal(one.preview(declared(one)))).toContain(
          `Node ${one.name} manages the Node ${one.id}: Node ${two.name} in this program imports it. ` +
            "An object can have only one owner: remove import there, or remove this resource from the program",
        );
      });

      test("of a member of a set is refused, whichever is checked first", async () => {
        const name = newName();
        const set = rig.resource("DomainRecordSet");
        await set.up(args.DomainRecordSet(name));
        const id = `${domains[0] ?? ""}/${await idOf(name)}`;
        await rig.restart();
        await set.preview(args.DomainRecordSet(name));
        const record = rig.resource("DomainRecord");
        expect(await fails(record.check(args.DomainRecord(name), { import: id }))).toContain(
          `import "${id}": DomainRecordSet ${set.name} in this program manages it`,
        );
        await rig.restart();
        expect(await fails(record.check(args.DomainRecord(name), { import: id }))).toBe("");
        expect(await refusal(set.preview(args.DomainRecordSet(name)))).toContain(
          `DomainRecordSet ${set.name} manages the DomainRecord ${id}: DomainRecord ${record.name} in this program imports it`,
        );
      });

      test("of the object that this run has deleted for the resource creates another one", async () => {
        const one = await newNode();
        const again = rig.resource("Node", one.name);
        await one.destroy();
        await again.up(declared(one), { import: one.id });
        expect(again.id).not.toBe(one.id);
        expect(await again.live()).toBeDefined();
      });
    }

    test.each(["DomainRecord", "DomainRecordSet"] as const)(
      "by a %s that fails keeps the object from being deleted for its old resource, as with --continue-on-error",
      async (type) => {
        const name = newName();
        const old = rig.resource("DomainRecord");
        await old.up(args.DomainRecord(name));
        const id = type === "DomainRecord" ? old.id : (domains[0] ?? "");
        await rig.restart();
        const next = rig.resource(type);
        const path = `/v4/domains/${domains[0]}${type === "DomainRecord" ? "/records/*" : "/records"}`;
        const effect = { status: 403, body: { errors: [{ reason: "Unauthorized" }] } };
        await rig.emulator.control("POST", "/faults", { method: "GET", path, times: 1, effect });
        const imported =
          way === "plugin"
            ? rig.plugin.readForImport(next, id)
            : next.check(args[type](name), { import: id });
        expect(await refusal(imported)).toContain("403");
        expect(await refusal(old.destroy())).toContain(
          `${type} ${next.name} imports it, and that import has failed, so nothing is deleted. Run the command again`,
        );
        await rig.restart();
        await old.destroy();
        expect(await old.live()).toBeUndefined();
      },
    );

    test("that is left out, because what it waits for has failed, keeps the object and its old resource", async () => {
      const old = await newNode();
      await rig.restart();
      const next = rig.resource("Node");
      if (way === "plugin") await rig.plugin.readForImport(next, old.id);
      expect(await fails(next.check(declared(old), { import: old.id }))).toBe("");
      expect(await refusal(old.destroy())).toContain(
        `Node ${next.name} imports it, and has not done so in this run, so nothing is deleted. Run the command again`,
      );
      await rig.restart();
      await next.up(declared(old), { import: old.id });
      await old.destroy();
      expect(await next.live()).toBeDefined();
    });

    test("of an object takes it from a resource that leaves the program, which forgets it", async () => {
      const one = await newNode();
      await rig.restart();
      const two = rig.resource("Node");
      await two.up(declared(one), { import: one.id });
      await rig.requests();
      await one.destroy();
      expect(Object.keys(await rig.requests())).not.toContainEqual(expect.stringMatching(/^DELETE/));
      expect(await two.live()).toBeDefined();
      expect(await one.warnings()).toEqual([
        expect.stringContaining(
          `forgets the Node ${one.id} without deleting it: Node ${two.name} manages it now`,
        ),
      ]);
    });

    test("by the same resource again keeps the object, and says how to replace it", async () => {
      const one = await newNode();
      await rig.restart();
      const again = rig.resource("Node", one.name);
      await again.up(declared(one), { import: one.id });
      await one.destroy();
      expect(await again.live()).toBeDefined();
      expect((await again.warnings()).slice(-1)).toEqual([
        expect.stringContaining(
          `imported the Node ${one.id} again instead of replacing it. To replace it, remove the option import`,
        ),
      ]);
    });

    if (way === "dynamic") {
      test("of an id by a resource that manages another object is refused", async () => {
        const [one, two] = [await newNode(), await newNode()];
        await rig.restart();
        expect(await refusal(one.preview(declared(one), { import: two.id }))).toContain(
          `import Node ${two.id}: this resource already manages the Node ${one.id}. ` +
            `Import ${two.id} with another resource, or first remove ${one.id} from the state`,
        );
      });
    }
  });

  test("an object that a refresh has found changed stays with the resource that manages it", async () => {
    const one = await newNode();
    await rig.restart();
    const other = rig.resource("Node");
    Object.assign(other, { id: one.id, inputs: one.inputs, outputs: one.outputs });
    await other.patch({ region: "us-west" });
    expect(await other.drifted()).toBe(true);
    await other.preview(declared(one));
    await one.destroy();
    expect(await other.live()).toBeDefined();
  });

  test("an object is deleted whose resource is replaced and renamed by an alias", async () => {
    const [one, record] = [await newNode(), rig.resource("DomainRecord")];
    await record.up(args.DomainRecord(newName()));
    await rig.restart();
    for (const [old, next] of [
      [one, { ...declared(one), region: "us-west" }],
      [record, args.DomainRecord(newName(), 1)],
    ] as const) {
      const renamed = rig.resource(old.type);
      Object.assign(renamed, { id: old.id, inputs: old.inputs, outputs: old.outputs });
      expect((await renamed.preview(next)).replaces).not.toEqual([]);
      // The engine deletes the object under the name that the state has.
      await old.destroy();
      expect(await old.live()).toBeUndefined();
    }
  });

  async function idOf(name: string): Promise<number> {
    const { body } = await rig.emulator.call<{ data: { id: number; name: string }[] }>(
      "GET",
      `/domains/${domains[0] ?? ""}/records?page_size=500`,
    );
    return body.data.find((record) => record.name === name)?.id ?? 0;
  }
});
