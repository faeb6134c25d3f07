import * as fc from "fast-check";
import { autoname, isAutoname } from "../../../src/provider/inputs/autoname-formula";

// The same values in every run, so that a failure can be repeated.
fc.configureGlobal({ seed: 20_261_121 });

const origin = {
  backend: "https://api.pulumi.com",
  organization: "acme",
  urn: "urn:pulumi:prod::shop::pulumi-nodejs:dynamic/nodecloud:Node::web",
};
const suffixOf = (name: string) => name.slice(-7);

test("a name is the resource's name with a suffix of seven digits, the same in every run", () => {
  const name = autoname({ max: 64 }, "web", origin);
  expect(name).toMatch(/^web-[0-9a-f]{7}$/);
  expect(autoname({ max: 64 }, "web", { ...origin })).toBe(name);
});

test("the resource's name is truncated if necessary, and the suffix never", () => {
  const name = autoname({ max: 12 }, "production", origin);
  expect(name).toMatch(/^prod-[0-9a-f]{7}$/);
  expect(suffixOf(name)).toBe(suffixOf(autoname({ max: 64 }, "production", origin)));
});

test("a plain name has only letters and digits", () => {
  expect(autoname({ max: 30, plain: true }, "before-the_upgrade.2", origin)).toMatch(
    /^beforetheupgrade2[0-9a-f]{7}$/,
  );
});

test.each<[string, object]>([
  ["backend", { backend: "s3://bucket" }],
  ["organization", { organization: "other" }],
  ["stack", { urn: origin.urn.replace("prod", "dev") }],
  ["project", { urn: origin.urn.replace("shop", "blog") }],
  ["kind", { urn: origin.urn.replace("Node", "Image") }],
  ["name that it follows", { after: "web-0123456" }],
])("a different %s gives a different name", (_, other) => {
  expect(autoname({ max: 64 }, "web", { ...origin, ...other })).not.toBe(
    autoname({ max: 64 }, "web", origin),
  );
});

test("a name of any resource fits the limit, and is recognised as that resource's name", () => {
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 10, max: 64 }), fc.boolean(), (name, max, plain) => {
      const made = autoname({ max, plain }, name, origin);
      expect(made.length).toBeLessThanOrEqual(max);
      expect(isAutoname({ max, plain }, name, made)).toBe(true);
      expect(isAutoname({ max, plain }, name, `${made}0`)).toBe(false);
      if (plain) expect(made).toMatch(/^[A-Za-z0-9]+$/);
    }),
  );
});

test.each(["web", "web-one", "web-123456g", "other-0123456", "", undefined, 7])(
  "%p is not an automatic name of web",
  (name) => {
    expect(isAutoname({ max: 64 }, "web", name)).toBe(false);
  },
);
