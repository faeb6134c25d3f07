import { type Description, type Ref } from "../../../src/provider/describe/define-resource";
import { kindOf } from "../../../src/provider/kind/kind";
import { type Properties, UNKNOWN } from "../../../src/provider/base/values";
import { fakeDescription, fakeSession } from "../fake-service";

describe("the name of a resource in messages", () => {
  const child = {
    id: { form: "domainId/id", pattern: /^(?<parent>\d+)\/(?<id>\d+)$/, parent: "domainId" },
  } satisfies Partial<Description>;

  test.each<[string, [Description, Properties, Ref?]]>([
    ["Widget", [fakeDescription(), {}]],
    ["Widget web", [fakeDescription(), { label: "web" }]],
    ["Widget web (12)", [fakeDescription(), { label: "web" }, { id: "12" }]],
    ["Widget 12", [fakeDescription(), {}, { id: "12" }]],
    ["Widget www of domain 12", [fakeDescription(child), { label: "www", domainId: "12" }]],
    ["Widget www", [fakeDescription(child), { label: "www", domainId: UNKNOWN }]],
    ["Widget www (12/34)", [fakeDescription(child), { label: "www" }, { parent: "12", id: "34" }]],
    ["Widget it", [fakeDescription({ called: () => "it" }), { label: "web" }]],
    ["Widget", [fakeDescription(), { label: UNKNOWN }]],
  ])("%s", (name, [description, ...args]) => {
    expect(kindOf(fakeSession(), description).nameOf(...args)).toBe(name);
  });
});
