import { createClient } from "../../src/api";
import { never } from "../../src/api/retry";
import { lifecycle } from "../provider/lifecycle";
import { type Properties, UNKNOWN } from "../../src/provider/base/values";
import { Domain } from "../../src/sdk";
import { withEmulator } from "../helpers/emulator";
import { FakeEngine } from "../provider/fake-engine";
import { descriptionOf, rulesOf } from "./describe";
import { sessionFor } from "./session";

const description = descriptionOf(Domain);
const base = { domain: "example.org", type: "master", soaEmail: "dns@example.org" };
const rules = (inputs: Properties) => rulesOf(description, { ...base, ...inputs });

test("a domain can have the records of only one source", () => {
  expect(rules({})).toEqual([]);
  expect(rules({ cloneFrom: "12" })).toEqual([]);
  expect(rules({ importFrom: "ns1.example.net" })).toEqual([]);
  const both = ["importFrom cannot be set together with cloneFrom; set one of them"];
  expect(rules({ cloneFrom: "12", importFrom: "ns1.example.net" })).toEqual(both);
  expect(rules({ cloneFrom: UNKNOWN, importFrom: "ns1.example.net" })).toEqual(both);
});

test("a clone has its source's records and the program's inputs, which are written after its creation", async () => {
  await withEmulator(async (emulator) => {
    const client = createClient({ baseUrl: emulator.url, token: emulator.token, retry: never });
    const source = await client.domains.create({
      domain: "source.example",
      type: "master",
      soa_email: "a@example.org",
    });
    await client.records.create({ domainId: source.id }, { type: "A", name: "www", target: "192.0.2.1" });

    const session = sessionFor(emulator);
    const resource = new FakeEngine(lifecycle(session, description));
    const args = {
      ...base,
      domain: "copy.example",
      description: "A copy",
      tags: ["a"],
      cloneFrom: source.id,
    };
    await resource.up(args);
    const copy = await client.domains.get({ domainId: resource.id ?? "" });
    expect(copy).toMatchObject({
      domain: "copy.example",
      description: "A copy",
      tags: ["a"],
      soa_email: base.soaEmail,
    });
    const records = await client.records.list({ domainId: copy.id });
    expect(records.data).toMatchObject([{ type: "A", name: "www", target: "192.0.2.1" }]);
    expect(await resource.up(args)).toBe("unchanged");
    expect(await resource.refresh()).toBe(false);
  });
});
