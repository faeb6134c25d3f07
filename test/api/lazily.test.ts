import { lazily } from "../../src/api/lazily";

test("a value is computed once, on first access", () => {
  const made: string[] = [];
  const object = lazily(["a", "b"], (key) => {
    made.push(key);
    return { key };
  });
  expect(Object.keys(object)).toEqual(["a", "b"]);
  expect(made).toEqual([]);
  expect(object.b).toBe(object.b);
  expect(made).toEqual(["b"]);
});

test("a value whose computation failed is computed again on the next access", () => {
  let fails = true;
  const object = lazily(["a"], () => {
    if (fails) throw new Error("not yet");
    return 1;
  });
  expect(() => object.a).toThrow("not yet");
  fails = false;
  expect(object.a).toBe(1);
});
