import * as fc from "fast-check";
import { autoname } from "../../src/provider/names";

// The same values in every run: a run that fails can be run again.
fc.configureGlobal({ seed: 20_261_121 });

const bytes = (length: number) => Buffer.from("0123456789abcdef0123", "hex").subarray(0, length);

test("a name is the resource's with a random suffix of seven digits", () => {
  expect(autoname({ max: 64 }, "web", bytes)).toBe("web-0123456");
});

test("the resource's name is cut, the suffix never", () => {
  expect(autoname({ max: 12 }, "production", bytes)).toBe("prod-0123456");
});

test("a plain name has letters and digits only", () => {
  expect(autoname({ max: 30, plain: true }, "before-the_upgrade.2", bytes)).toBe("beforetheupgrade20123456");
});

test("two names of one resource differ", () => {
  const names = new Set(Array.from({ length: 20 }, () => autoname({ max: 64 }, "web")));
  expect(names.size).toBe(20);
});

test("a name of any resource fits the limit and ends in the suffix", () => {
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 10, max: 64 }), fc.boolean(), (name, max, plain) => {
      const made = autoname({ max, plain }, name, bytes);
      expect(made.length).toBeLessThanOrEqual(max);
      expect(made.endsWith("0123456")).toBe(true);
      if (plain) expect(made).toMatch(/^[A-Za-z0-9]+$/);
    }),
  );
});
