import { checkedCallIn, keptOfCheck } from "../../../src/provider/state/handed";
import { fakeSession } from "../fake-service";

const urn = "urn:pulumi:dev::app::my:Tier$pulumi-nodejs:dynamic/nodecloud:Widget::web";

test("a kind that stores its URN stores it without the organization and the parent", () => {
  const handed = { __urn: `acme/${urn}\nurn:pulumi:dev::app::Zone::zone`, size: 1 };
  const call = checkedCallIn(handed, true);
  expect(call).toMatchObject({
    inputs: { size: 1 },
    urn,
    fullUrn: urn,
    name: "web",
    organization: "acme",
    within: "urn:pulumi:dev::app::Zone::zone",
  });
  expect(keptOfCheck(handed, call)).toEqual({ __urn: urn });
});

test("a kind that does not store its URN stores its name in the program", () => {
  const handed = { __urn: urn, __source: "urn:source", __standing: "goes first" };
  const call = checkedCallIn(handed, false);
  expect(call).toMatchObject({ fullUrn: urn, name: "web", source: "urn:source" });
  expect(call.urn).toBeUndefined();
  expect(call.replacedByCommand).toEqual({ goesFirst: true });
  expect(keptOfCheck(handed, call)).toEqual({ __programName: "web" });
});

test("a check keeps the options of a resource, and itself decides on the mark of an automatic name", () => {
  const kept = {
    ...{ __importId: "1", __timeouts: { create: "1m" }, __replaceOn: ["a"], __ignored: ["b"] },
    ...{ __secrets: ["c"], __guarded: true, __provider: "text" },
  };
  const handed = { ...kept, __resourceName: "web", __imports: ["X 1 a"], __within: "urn", __given: "hash" };
  const call = checkedCallIn(handed, true);
  expect(call.autonamed).toBeUndefined();
  expect(keptOfCheck(handed, call)).toEqual(kept);
});

test("a check tells the stack and its organization, which are unknown before", () => {
  const session = fakeSession();
  expect(session.run.stack.name).toBeUndefined();
  session.run.hasChecked(checkedCallIn({ __urn: `acme/${urn}` }, true));
  expect(session.run.stack.name).toBe("acme/app/dev");
  expect(session.run.stack.organization).toBe("acme");
  const without = fakeSession();
  without.run.hasChecked(checkedCallIn({ __urn: urn }, true));
  expect(without.run.stack.name).toBe("organization/app/dev");
  expect(without.run.stack.organization).toBe("");
});
