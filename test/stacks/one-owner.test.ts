import { type TestEmulator } from "../helpers/emulator";
import { type TestStack } from "../helpers/stack";
import { expectSettled, stackForEachTest } from "../helpers/with-stack";
import { inOrder, recordA, recordInOrder, ZONE } from "../helpers/zone";
import { HIDDEN } from "../../src/provider/state/hidden-names";
import { atNight } from "../helpers/whole";

let emulator: TestEmulator;
let stack: TestStack;
stackForEachTest((own) => {
  ({ emulator, stack } = own);
});

const refusalOf = async (): Promise<string> => {
  const { code, messages } = await stack.preview();
  expect(code).not.toBe(0);
  return messages.join("\n");
};

test("an imported object stays if the resource that created it manages it through another provider", async () => {
  const own = `{ token: "${emulator.token}", baseUrl: "${emulator.url}" }`;
  const node = 'new nodecloud.Node("one", { region: "us-east", type: "g6-nanode-1", label: "web" });';
  const nodes = async () => (await emulator.call<{ results: number }>("GET", "/node/instances")).body.results;
  stack.program(node);
  expect(await stack.up()).toMatchObject({ code: 0 });
  const { id } = (await stack.state())["one"] ?? {};
  const two = node
    .replace('"one"', '"two"')
    .replace(");", `, { import: "${id}", provider: new nodecloud.Provider("given", ${own}) });`);
  const addTwo = async () => {
    stack.program(node + two);
    expect(await refusalOf()).toContain("An object can have only one owner");
    // With targets, the engine asks about no other resource.
    const targets = ["--target", "**::given", "--target", "**::two"];
    expect(await stack.up(...targets)).toMatchObject({ code: 0 });
  };
  await addTwo();
  stack.program(node);
  const { code, printed } = await stack.up();
  expect(code).toBe(0);
  expect(printed).toContain("without deleting it: Node one has created and manages it");
  expect(await nodes()).toBe(1);
  await addTwo();
  expect(await stack.destroy()).toMatchObject({ code: 0 });
  expect(await nodes()).toBe(0);
});

atNight(
  "a renamed stack takes itself for no other one, and a new stack with its old name for another",
  async () => {
    const { body: domain } = await emulator.call<{ id: number }>("POST", "/domains", {
      body: { domain: "a.example", type: "slave", master_ips: ["192.0.2.1"] },
    });
    const records = async () =>
      (await emulator.control<{ data: { name: string }[] }>("GET", "/objects/records")).body.data.map(
        ({ name }) => name,
      );
    const set = (name: string, more = "") =>
      `new nodecloud.DomainRecordSet("${name}", { domainId: ${domain.id}, records: [${recordA(name)}], ${more} });`;
    const run = (...args: string[]) => stack.pulumi(...args, "--yes", "--skip-preview");
    stack.program(
      `new nodecloud.Domain("zone", { domain: "a.example", type: "slave", masterIps: ["192.0.2.1"] }, { import: "${domain.id}" });
     ${set("own", "exclusive: true")}`,
    );
    expect(await run("up")).toMatchObject({ code: 0 });
    expect(await stack.pulumi("stack", "rename", "renamed")).toMatchObject({ code: 0 });
    stack.folder.write("Pulumi.renamed.yaml", "config:\n  nodecloud:deny: deletion\n");
    expect((await run("destroy")).printed).toContain("nodecloud:deny");
    stack.folder.write("Pulumi.renamed.yaml", "config: {}\n");
    expect(await stack.pulumi("stack", "init", "dev")).toMatchObject({ code: 0 });
    stack.program(set("theirs"));
    expect(await run("up")).toMatchObject({ code: 0 });
    expect(await run("destroy", "--refresh", "--stack", "renamed", "--target", "**::own")).toMatchObject({
      code: 0,
    });
    expect(await records()).toEqual(["theirs"]);
    expect(await run("destroy")).toMatchObject({ code: 0 });
    expect(await stack.pulumi("stack", "select", "renamed")).toMatchObject({ code: 0 });
    expect(await run("destroy")).toMatchObject({ code: 0 });
    expect((await emulator.call<{ results: number }>("GET", "/domains")).body.results).toBe(0);
  },
);

test("two resources with different providers that import one id, or the id of another's object, are refused in either order", async () => {
  const { body } = await emulator.call<{ id: number }>("POST", "/node/instances", {
    body: { region: "us-east", type: "g6-nanode-1", label: "web" },
  });
  const given = `const provider = new nodecloud.Provider("given", { token: "${emulator.token}", baseUrl: "${emulator.url}" });`;
  const node = (name: string, opts: string) =>
    `new nodecloud.Node("${name}", { region: "us-east", type: "g6-nanode-1", label: "web" }, { ...order, ${opts} });`;
  const imported = `import: "${body.id}"`;
  const [one, two] = [node("one", imported), node("two", `provider, ${imported}`)];
  stack.program(given + inOrder(two, one));
  expect(await refusalOf()).toContain("An object can have only one owner");
  stack.program(`const order = {}; ${given} ${one}`);
  expect(await stack.up()).toMatchObject({ code: 0 });
  stack.program(given + inOrder(one, two));
  expect(await refusalOf()).toContain("Node one in this program manages it");
  stack.program(given + inOrder(two, one));
  expect(await refusalOf()).toContain(
    `Node one manages the Node ${body.id}: Node two in this program imports it`,
  );
});

test("an object stays if a run leaves the resource out that imports it, and the next run moves it", async () => {
  const node = (name: string, opts = "{}") =>
    `new nodecloud.Node("${name}", { region: "us-east", type: "g6-nanode-1", label: "web" }, ${opts});`;
  stack.program(`const order = {}; ${ZONE}${node("server")}${recordInOrder("one")}`);
  expect(await stack.up()).toMatchObject({ code: 0 });
  const { server, zone, one } = await stack.state();
  const set = `new nodecloud.DomainRecordSet("all", { domainId: zone.id, records: [${recordA("www")}] }, { import: "${zone?.id}" });`;
  stack.program(ZONE + node("web", `{ import: "${server?.id}" }`) + set);
  await emulator.newCounts();
  for (const options of [
    ["--exclude", "**::web", "--exclude", "**::all"],
    ["--exclude", "**::all"],
  ]) {
    const { code, printed } = await stack.up(...options);
    expect(code).not.toBe(0);
    expect(printed).toContain("DomainRecordSet all imports it, and this run leaves it out");
  }
  const moved = await stack.up();
  expect(moved.code).toBe(0);
  expect(Object.keys(await emulator.newCounts()).filter((one) => one.startsWith("DELETE"))).toEqual([]);
  const { web, all, ...others } = await stack.state();
  expect(web?.id).toBe(server?.id);
  expect(`${zone?.id}/${String(all?.outputs[HIDDEN.ids])}`).toBe(one?.id);
  expect(Object.keys(others).sort()).not.toEqual(expect.arrayContaining(["server", "one"]));
  await expectSettled(stack);
  stack.program(ZONE + node("late", `{ import: "${server?.id}" }`));
  expect(await stack.pulumi("destroy", "--run-program", "--yes", "--skip-preview")).toMatchObject({
    code: 0,
  });
  expect((await emulator.call<{ results: number }>("GET", "/node/instances")).body.results).toBe(0);
});

describe("objects that the state has under two resources, as after an import with --target,", () => {
  const node = (name: string, opts = "{}") =>
    `new nodecloud.Node("${name}", { region: "us-east", type: "g6-nanode-1", label: "web" }, ${opts});`;
  const before = `const order = {}; ${ZONE}${node("server")}${recordInOrder("one")}`;
  const both = async (option = "") => {
    stack.program(before);
    expect(await stack.up()).toMatchObject({ code: 0 });
    const { server, zone } = await stack.state();
    const set = `new nodecloud.DomainRecordSet("all", { domainId: zone.id, records: [${recordA("www")}] }, { import: "${zone?.id}", ${option} });`;
    stack.program(ZONE + node("web", `{ import: "${server?.id}", ${option} }`) + set);
    expect(await stack.up("--target", "**::web", "--target", "**::all")).toMatchObject({ code: 0 });
    expect(Object.keys(await stack.state())).toEqual(expect.arrayContaining(["server", "web", "one", "all"]));
    await emulator.newCounts();
  };
  const deletions = async () =>
    Object.keys(await emulator.newCounts())
      .filter((one) => one.startsWith("DELETE"))
      .sort();
  const left = async () => {
    const count = async (path: string) =>
      (await emulator.call<{ results: number }>("GET", path)).body.results;
    return [await count("/node/instances"), await count("/domains")];
  };

  test("stay if only the old ones are deleted, and go with the new ones", async () => {
    await both();
    expect(await stack.up("--target", "**::server", "--target", "**::one")).toMatchObject({ code: 0 });
    expect(await deletions()).toEqual([]);
    expect(Object.keys(await stack.state()).sort()).toEqual(expect.arrayContaining(["all", "web"]));
    await expectSettled(stack);
    expect(await stack.destroy()).toMatchObject({ code: 0 });
    expect(await left()).toEqual([0, 0]);
  });

  test("go if a run that leaves others out deletes both", async () => {
    await both();
    const run = ["destroy", "--yes", "--skip-preview"];
    expect(await stack.pulumi(...run, "--exclude", "**::zone")).toMatchObject({ code: 0 });
    expect(await deletions()).toEqual([
      "DELETE /v4/domains/:id/records/:id",
      "DELETE /v4/node/instances/:id",
    ]);
    expect(await left()).toEqual([0, 1]);
  });

  atNight("stay in a destroy of the old ones alone", async () => {
    await both();
    const run = ["destroy", "--yes", "--skip-preview", "--target", "**::server", "--target", "**::one"];
    expect(await stack.pulumi(...run)).toMatchObject({ code: 0 });
    expect(await deletions()).toEqual([]);
    await expectSettled(stack);
  });

  atNight("stay in a destroy that excludes the new ones as they are protected", async () => {
    await both("protect: true");
    const run = ["destroy", "--yes", "--skip-preview", "--exclude-protected"];
    expect(await stack.pulumi(...run)).toMatchObject({ code: 0 });
    expect(await deletions()).toEqual([]);
    await stack.pulumi("state", "unprotect", "--all", "--yes");
    expect(await stack.destroy()).toMatchObject({ code: 0 });
    expect(await left()).toEqual([0, 0]);
  });

  atNight("stay if only the new ones are deleted, because the program goes back", async () => {
    await both();
    stack.program(before);
    expect(await stack.up("--target", "**::web", "--target", "**::all")).toMatchObject({ code: 0 });
    expect(await deletions()).toEqual([]);
    await expectSettled(stack);
    expect(await stack.destroy()).toMatchObject({ code: 0 });
    expect(await left()).toEqual([0, 0]);
  });
});

test("a destroy that leaves a record which names its domain by a text leaves the domain too", async () => {
  stack.program(ZONE);
  await stack.up();
  const zone = (await stack.state())["zone"]?.id;
  const www = `new nodecloud.DomainRecord("www", { domainId: "${zone}", ...${recordA("www")} }, { protect: true });`;
  stack.program(ZONE + www);
  expect(await stack.up()).toMatchObject({ code: 0 });
  for (const which of [["--target", "**::zone"], ["--exclude-protected"]]) {
    const { code, printed } = await stack.pulumi("destroy", "--yes", "--skip-preview", ...which);
    expect(code).not.toBe(0);
    expect(printed).toContain("the state has DomainRecord www below it, which would be deleted with it");
  }
  expect(await emulator.call("GET", `/domains/${zone}/records`)).toMatchObject({ body: { results: 1 } });
  await stack.pulumi("state", "unprotect", "--all", "--yes");
  const both = ["--target", "**::zone", "--target", "**::www"];
  const { code } = await stack.pulumi("destroy", "--yes", "--skip-preview", ...both);
  expect(code).toBe(0);
});
