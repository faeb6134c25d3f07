import { type TestEmulator } from "../helpers/emulator";
import { type TestStack } from "../helpers/stack";
import { stackForEachTest } from "../helpers/with-stack";
import { inOrder, recordA, recordInOrder, ZONE } from "../helpers/zone";
import { atNight } from "../helpers/whole";

let emulator: TestEmulator;
let stack: TestStack;
stackForEachTest((own) => {
  ({ emulator, stack } = own);
});

test("an exclusive set leaves a record alone that the program declares with another provider", async () => {
  const given = `const provider = new nodecloud.Provider("given", { token: "${emulator.token}", baseUrl: "${emulator.url}" });`;
  const exclusive = `new nodecloud.DomainRecordSet("set", { domainId: zone.id, exclusive: true, records: [${recordA("api")}] }, { ...order });`;
  stack.program(`const order = {}; ${ZONE}${given}${recordInOrder("one", "www", "provider")}`);
  expect(await stack.up()).toMatchObject({ code: 0 });
  stack.program(ZONE + given + inOrder(recordInOrder("one", "www", "provider"), exclusive));
  expect(await stack.up()).toMatchObject({ code: 0, steps: { create: 1 } });
  const zone = (await stack.state())["zone"]?.id;
  const { body } = await emulator.call<{ data: { name: string }[] }>("GET", `/domains/${zone}/records`);
  expect(body.data.map(({ name }) => name).sort()).toEqual(["api", "www"]);
});

test("an exclusive set leaves a record alone that another resource of the program will import", async () => {
  stack.program(ZONE);
  await stack.up();
  const zone = (await stack.state())["zone"]?.id;
  const names = async () => {
    const { body } = await emulator.call<{ data: { name: string }[] }>("GET", `/domains/${zone}/records`);
    return body.data.map(({ name }) => name).sort();
  };
  const { body } = await emulator.call("POST", `/domains/${zone}/records`, {
    body: { type: "A", name: "www", target: "192.0.2.1" },
  });
  const exclusive = `new nodecloud.DomainRecordSet("set", { domainId: zone.id, exclusive: true, records: [${recordA("api")}] });`;
  stack.program(ZONE + inOrder(exclusive, recordInOrder("one", "www", `import: "${zone}/${body["id"]}"`)));
  const { code, messages } = await stack.preview();
  expect({ code, text: messages.join("\n") }).toEqual({
    code: 0,
    text: expect.not.stringContaining("deletes") as string,
  });
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(await names()).toEqual(["api", "www"]);
});

atNight(
  "an exclusive set that is the target leaves the records alone that the state has for other resources",
  async () => {
    const exclusive = (more = "") =>
      `new nodecloud.DomainRecordSet("set", { domainId: zone.id, exclusive: true, records: [${recordA("api")}${more}] }, { ...order });`;
    const names = async () => {
      const zone = (await stack.state())["zone"]?.id;
      const { body } = await emulator.call<{ data: { name: string }[] }>("GET", `/domains/${zone}/records`);
      return body.data.map(({ name }) => name).sort();
    };
    stack.program(`const order = {}; ${ZONE}${recordInOrder("one")}`);
    expect(await stack.up()).toMatchObject({ code: 0 });
    const zone = (await stack.state())["zone"]?.id;
    await emulator.call("POST", `/domains/${zone}/records`, {
      body: { type: "A", name: "foreign", target: "192.0.2.9" },
    });
    const copies = `new nodecloud.DomainRecordSet("copies", { domainId: zone.id, records: [${recordA("www")}] });`;
    stack.program(`const order = {}; ${ZONE}${recordInOrder("one")}${recordInOrder("copy")}${copies}`);
    for (const [resource, says] of [
      [
        "copy",
        /DomainRecord copy: DomainRecord one has the same content, the DomainRecord \d+\/\d+\. Unless/,
      ],
      ["copies", /already exists with the id \d+\/\d+, and DomainRecord one has it: declare it in one/],
    ] as const) {
      const copied = await stack.preview("--target", `**::${resource}`);
      expect(copied.messages.join("\n")).toMatch(says);
    }
    stack.program(ZONE + inOrder(recordInOrder("one"), exclusive()));
    const target = ["--target", "**::set"];
    const { code, messages } = await stack.preview(...target);
    expect({ code, text: messages.join("\n") }).toEqual({
      code: 0,
      text: expect.stringContaining("deletes 1 of the existing records") as string,
    });
    expect(await stack.up(...target)).toMatchObject({ code: 0 });
    expect(await names()).toEqual(["api", "www"]);
    // The engine deletes the record whose resource is gone.
    stack.program(`const order = {}; ${ZONE}${exclusive()}`);
    expect(await stack.up()).toMatchObject({ code: 0 });
    expect(await names()).toEqual(["api"]);
  },
);
