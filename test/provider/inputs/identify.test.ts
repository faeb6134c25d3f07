import { identify } from "../../../src/provider/inputs/identify";
import { fakeSession } from "../fake-service";

const urn = "urn:pulumi:dev::app::my:Tier$pulumi-nodejs:dynamic/nodecloud:Widget::web";

test("a kind that stores its URN stores it without the organization", () => {
  const session = fakeSession();
  expect(identify(session, true, { __urn: `acme/${urn}`, size: 1 })).toEqual({
    urn,
    news: { __urn: urn, size: 1 },
  });
  expect(session.stack.name).toBe("acme/app/dev");
  expect(session.stack.organization).toBe("acme");
});

test("a kind that does not store its URN stores its name in the program", () => {
  const session = fakeSession();
  expect(identify(session, false, { __urn: urn })).toEqual({ urn, news: { __programName: "web" } });
  expect(session.stack.name).toBe("organization/app/dev");
  expect(session.stack.organization).toBe("");
});

test("the stack is unknown before the first check", () => {
  expect(fakeSession().stack.name).toBeUndefined();
});
