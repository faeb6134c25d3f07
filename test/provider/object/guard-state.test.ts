import { partsOfUrn } from "../../../src/provider/describe/urn";
import { stackOf } from "../../../src/provider/engine/other-stacks";
import { stateIn } from "../../../src/provider/engine/stack-state";
import { type Kinds, startRig } from "../../helpers/lifecycle";
import { inEachWay, type Properties } from "../../helpers/plugin";
import { a, refusalOf } from "../collection/zone";

const NODE = { region: "us-east", type: "n1-standard-1", image: "node/debian12", label: "web" };
const ALL = "data-loss,interruption,replacement,deletion,shared";
const zoneArgs = (domain: string) => ({ domain, type: "master", soaEmail: `dns@${domain}` });

/** The rules of the run, together with the state of the stack. */
inEachWay((way) => {
  const environment: Record<string, string> = {};
  beforeEach(() => (environment["NODECLOUD_DENY"] = ""));

  /** A rig whose state gets resources later. */
  async function withResources(kinds: Kinds) {
    const left: Properties[] = [];
    const standing: ReturnType<typeof stateIn>["standing"] = (who) =>
      stateIn({ resources: left }).standing(who);
    const state = {
      ...stateIn({}),
      standing,
      get objects() {
        return stateIn({ resources: left }).objects;
      },
    };
    const others: ReturnType<typeof stackOf>[] = [];
    const run = { environment, state, others: others as never };
    return { left, others, second: await startRig(kinds, {}, way, run) };
  }

  test.each([
    [
      "that has deleted the old object already",
      { pendingReplacement: true },
      ALL,
      "creates it again: a replacement that was not finished has deleted the old object",
    ],
    [
      "that has given up the old object already, which is retained,",
      { pendingReplacement: true, retainOnDelete: true },
      ALL,
      "creates it again: a replacement that was not finished has given up the old object, which retainOnDelete keeps",
    ],
    [
      "whose old object is retained, as the state says,",
      { retainOnDelete: true },
      "data-loss,interruption,deletion",
      "replacing it, because region changed, and the API has no operation to change it",
    ],
  ])("a replacement %s loses nothing, and is not refused", async (_, more, deny, line) => {
    const { second, left } = await withResources({ Node: "nodes" });
    const node = second.resource("Node");
    await node.up(NODE);
    environment["NODECLOUD_DENY"] = deny;
    await second.restart();
    const { urn, id } = node;
    left.push({ urn, type: urn.split("::")[2], id, ...more });
    const there = { ...NODE, region: "eu-west" };
    // The engine asks for no deletion of the old object.
    expect(await refusalOf(node.preview(there))).toBe("it is not refused");
    expect(await refusalOf(second.resource("Node", node.name).up(there))).toBe("it is not refused");
    const said = second.plugin.logs.map(({ message }) => message);
    expect(said).toContain(`Node ${node.name}: ${line}`);
    expect(said.join("\n")).not.toContain("are lost");
    await second.stop();
  });

  test.each([
    ["Node", { ...NODE, backupsEnabled: true }, { ...NODE, backupsEnabled: false }],
    ["Domain", zoneArgs("kept.example"), zoneArgs("new.example")],
  ] as const)(
    "a %s that the engine replaces although it could be updated, and keeps, neither loses nor interrupts",
    async (type, args, news) => {
      const { second, left } = await withResources({ Node: "nodes", Domain: "domains" });
      const one = second.resource(type);
      await one.up(args);
      environment["NODECLOUD_DENY"] = "data-loss,interruption";
      await second.restart();
      const { urn, id } = one;
      left.push({ urn, type: urn.split("::")[2], id, retainOnDelete: true });
      await one.preview(news);
      // It checks it as a new one then, as `replaceOnChanges` asks for.
      expect(await refusalOf(second.resource(type, one.name).up(news))).toBe("it is not refused");
      await second.stop();
    },
  );

  test("a node that the engine replaces after `pulumi state taint` is said to lose its disks", async () => {
    const { second, left } = await withResources({ Node: "nodes" });
    const unnamed = { ...NODE, label: undefined };
    const old = second.resource("Node", "old");
    await old.up(unnamed);
    const { urn, id, outputs } = old;
    left.push({ urn, type: urn.split("::")[2], id, outputs, taint: true });
    await second.restart();
    await second.resource("Node", "old").check(unnamed);
    expect(second.plugin.logs.map(({ message }) => message).join("\n")).toMatch(
      /replacing it, because the command or an option of the program asks for it: .*disks/,
    );
    await second.stop();
  });

  describe.each([
    ["replacementTrigger", true],
    ["--replace", false],
  ])("a replacement by %s, which the engine decides without a comparison,", (_, isCheckedBefore) => {
    test.each([
      ["is deleted", {}, true],
      ["is retained", { retainOnDelete: true }, false],
    ])("of a node that %s is said to lose its disks: %o, %s", async (_, more, isSaid) => {
      const { second, left } = await withResources({ Node: "nodes" });
      const old = second.resource("Node", "old");
      await old.up(NODE);
      const { urn, id, outputs } = old;
      left.push({ urn, type: urn.split("::")[2], id, outputs, ...more });
      await second.restart();
      if (isCheckedBefore) await old.preview(NODE);
      await second.resource("Node", "old").check(NODE);
      const said = second.plugin.logs.map(({ message }) => message).join("\n");
      const loss = /replacing it, because the command or an option of the program asks for it: .*disks/;
      // Without a comparison, only the arguments of the command tell of a replacement.
      expect(loss.test(said)).toBe(isSaid && isCheckedBefore);
      await second.stop();
    });

    test.each([
      ["a node", "Node"],
      ["a set", "DomainRecordSet"],
    ] as const)(
      "of %s that another stack manages too is refused in the preview and by the up",
      async (_what, type) => {
        const { second, left, others } = await withResources({ Node: "nodes", Domain: "domains" });
        const zone = second.resource("Domain");
        await zone.up(zoneArgs("shared.example"));
        const records = { domainId: zone.id, records: [a("www")], exclusive: true };
        const args = type === "Node" ? NODE : records;
        const old = second.resource(type, "old");
        await old.up(args);
        const { urn, id, outputs } = old;
        left.push({ urn, type: urn.split("::")[2], id, outputs });
        const shared = type === "Node" ? id : `${zone.id}/${String(outputs["__ids"])}`;
        const token = `nodecloud:index:${type.replace("Set", "")}`;
        const theirs = `urn:pulumi:prod::shop::${token}::copy`;
        others.push(stackOf({ resources: [{ type: token, id: shared, urn: theirs }] }));
        environment["NODECLOUD_DENY"] = "shared";
        await second.restart();
        if (isCheckedBefore) await old.check(args);
        const again = second.resource(type, "old");
        await again.check(args);
        const owner = `${type.replace("Set", "")} copy of the stack shop/prod`;
        expect(second.plugin.logs.map(({ message }) => message).join("\n")).toMatch(
          new RegExp(`\`pulumi up\` refuses this: NODECLOUD_DENY denies shared: .*${owner}`),
        );
        await second.requests();
        expect(await refusalOf(again.up(args))).toContain(owner);
        expect(Object.keys(await second.requests()).filter((name) => !name.startsWith("GET"))).toEqual([]);
        await second.stop();
      },
    );
  });

  test.each([
    ["under the name that the state has", "DomainRecordSet", { records: [a("www")] }, "", "renamed"],
    ["under the name that the state has", "DomainRecord", a("www"), "", "renamed"],
    ["in a component", "DomainRecord", a("www"), "test:index:Group$", "www"],
  ] as const)(
    "a deletion counts %s, though the program has a new %s of the old name",
    async (_, type, content, above, name) => {
      const { second, left } = await withResources({ Domain: "domains" });
      const zone = second.resource("Domain");
      await zone.up({ domain: "example.org", type: "master", soaEmail: "dns@example.org" });
      const old = second.resource(type, "www");
      await old.up({ domainId: zone.id, ...content });
      environment["NODECLOUD_DENY"] = "deletion";
      await second.restart();
      const { id, inputs, outputs } = old;
      const { types } = partsOfUrn(old.urn);
      const token = String(types[0]);
      const urn = old.urn.replace(`${token}::www`, `${above}${token}::${name}`);
      left.push({ urn, type: token, id, outputs });
      await second.resource(type, "www").check({ domainId: zone.id, ...content });
      const gone = Object.assign(second.resource(type, name), { id, inputs, outputs });
      Object.defineProperty(gone, "urn", { value: urn });
      const refusal = await refusalOf(gone.destroy());
      expect(refusal).toContain("NODECLOUD_DENY denies deletion: it is deleted. ");
      const allowed = above === "" ? `deletion:${type}:${name}` : `deletion:${urn}`;
      expect(refusal).toContain(`or add ${allowed} to nodecloud:allow`.replace(/ (\S*\$\S*) /, " '$1' "));
      await second.stop();
    },
  );

  test("a replacement of a set whose records are retained, as the state says, deletes nothing first, and says nothing of it", async () => {
    const { second, left } = await withResources({ Domain: "domains" });
    const zoneOf = async (domain: string) => {
      const zone = second.resource("Domain");
      await zone.up({ domain, type: "master", soaEmail: "dns@example.org" });
      return zone.id;
    };
    const [from, to] = [await zoneOf("from.example"), await zoneOf("to.example")];
    const set = second.resource("DomainRecordSet");
    await set.up({ domainId: from, records: [a("www")] });
    const other = second.resource("DomainRecordSet");
    await other.up({ domainId: from, records: [a("api")] });
    environment["NODECLOUD_DENY"] = "interruption";
    await second.restart();
    const { urn, id, outputs } = set;
    left.push({ urn, type: urn.split("::")[2], id, outputs, retainOnDelete: true });
    await set.preview({ domainId: to, records: [a("www")] });
    const said = second.plugin.logs.map(({ message }) => message).join("\n");
    expect(said).toContain("replacing it, because domainId changed");
    expect(said).not.toMatch(/refuses this|deleted first/);
    // Another deletion of the run does not wait for it.
    expect(await refusalOf(other.destroy())).toBe("it is not refused");
    environment["NODECLOUD_DENY"] = "replacement";
    await second.restart();
    await set.preview({ domainId: to, records: [a("www")] });
    const again = second.resource("DomainRecordSet", set.name);
    expect(await refusalOf(again.up({ domainId: to, records: [a("www")] }))).toContain(
      `To allow this change of the DomainRecordSet ${id}, set`,
    );
    await second.stop();
  });

  test.each(["Node", "DomainRecordSet"] as const)(
    "a replacement that was cut off and that the engine goes on with, as nothing has changed, is no loss: %s",
    async (type) => {
      const { second, left } = await withResources({ Node: "nodes", Domain: "domains" });
      const zone = second.resource("Domain");
      await zone.up({ domain: "cut.example", type: "master", soaEmail: "dns@cut.example" });
      const args = type === "Node" ? NODE : { domainId: zone.id, records: [a("www")] };
      const one = second.resource(type);
      await one.up(args);
      const { urn, id, outputs } = one;
      await one.destroy();
      environment["NODECLOUD_DENY"] = ALL;
      await second.restart();
      left.push({ urn, type: urn.split("::")[2], id, outputs, pendingReplacement: true });
      expect(await one.preview(args)).toMatchObject({ changes: false });
      const again = second.resource(type, one.name);
      expect(await refusalOf(again.up(args))).toBe("it is not refused");
      // Of dynamic resources, the engine asks for the deletion of the old object too.
      expect(await refusalOf(one.destroy())).toBe("it is not refused");
      expect(second.plugin.logs.map(({ message }) => message)).toContain(
        `${type} ${one.name}: creates it again: a replacement that was not finished has deleted the old object`,
      );
      await second.stop();
    },
  );

  test.each([
    ["that the command line asks for", {}, "data-loss and replacement"],
    ["whose old object is retained", { retainOnDelete: true }, "replacement"],
  ])("a replacement %s is refused", async (_, more, classes) => {
    const { second, left } = await withResources({ Node: "nodes" });
    const node = second.resource("Node");
    await node.up(NODE);
    environment["NODECLOUD_DENY"] = ALL;
    await second.restart();
    const { urn, id, outputs } = node;
    left.push({ urn, type: urn.split("::")[2], id, outputs, ...more });
    const again = second.resource("Node", node.name);
    // The engine checks it as a new one, and compares nothing.
    expect(await refusalOf(again.up(NODE))).toContain(`NODECLOUD_DENY denies ${classes}: `);
    await second.stop();
  });
});
