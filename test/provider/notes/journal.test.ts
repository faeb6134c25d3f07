import { z } from "zod";
import { replace, update } from "../undocumented";
import { creationKey, creations, fixedIn, formerKey } from "../../../src/provider/notes/journal";
import { callIn } from "../../../src/provider/state/handed";
import { fakeDescription } from "../fake-service";

test.each<[object, boolean]>([
  [{ id: "12" }, true],
  [{ before: ["1", "2"], accepted: true }, true],
  [{ before: [] }, true],
  [{ id: 12 }, false],
  [{ before: [1] }, false],
  [{ before: "" }, false],
  [{}, false],
])("%j is a note of a creation: %s", (noted, isOne) => {
  expect(creations.isNote({ ...noted })).toBe(isOne);
});

const description = fakeDescription({
  fields: {
    label: update(z.string()),
    size: update(z.int()),
    region: replace(z.string()),
    tags: update(z.array(z.string())),
  },
  identity: ["label"],
  autoname: { path: "label", max: 64 },
});
const place = {
  baseUrl: "https://one.example/v4",
  backend: "file:///one",
  stack: "organization/project/dev",
};
const base = {
  ...{ size: 1, region: "us-east", tags: ["a"] },
  ...{ __resourceName: "web", __urn: "urn:web", __provider: "text" },
};

describe("the key of a creation", () => {
  const key = (inputs: object, where = place) => creationKey(description, where, callIn({ ...inputs }));

  test("is the same for a resource with any inputs", () => {
    expect(key({ ...base, size: 2, label: "web-1111111", __provider: "another text" })).toBe(key(base));
  });

  test("differs with the URN, the account, the backend, the stack and the type", () => {
    const keys = [
      key(base),
      key({ ...base, __urn: "urn:other" }),
      key(base, { ...place, baseUrl: "https://two.example/v4" }),
      key(base, { ...place, backend: "file:///two" }),
      key(base, { ...place, stack: "organization/project/prod" }),
      creationKey({ ...description, type: "Other" }, place, callIn(base)),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });

  test("of a kind without a URN in its state differs with the name and the inputs, and not with hidden inputs", () => {
    const unkept = { size: 1, tags: ["a"], __programName: "www" };
    const keys = [unkept, { ...unkept, size: 2 }, { ...unkept, __programName: "web" }].map((inputs) =>
      key(inputs),
    );
    expect(new Set(keys).size).toBe(3);
    expect(key({ ...Object.fromEntries(Object.entries(unkept).reverse()), __timeouts: {} })).toBe(keys[0]);
  });

  test("contains no value", () => {
    expect(key({ ...base, label: "s3cret" })).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe("the digest of the inputs in a note", () => {
  const fixed = (inputs: object) => fixedIn(description, callIn({ ...inputs }));

  test("differs with inputs that no update changes, and with a name that the program sets", () => {
    expect(fixed({ ...base, region: "eu-west" })).not.toBe(fixed(base));
    expect(fixed({ label: "one" })).not.toBe(fixed({ label: "two" }));
  });

  test("is the same with another automatic name, and with other updatable inputs", () => {
    expect(fixed({ ...base, label: "web-1111111", size: 2, tags: [] })).toBe(fixed(base));
  });
});

test("notes of earlier versions are found by all inputs except the automatic name and hidden inputs", () => {
  const key = (inputs: object) => formerKey(description, place.baseUrl, callIn({ ...inputs }));
  expect(key({ ...base, label: "web-1111111", __provider: "another text" })).toBe(key(base));
  expect(key({ ...base, size: 2 })).not.toBe(key(base));
});
