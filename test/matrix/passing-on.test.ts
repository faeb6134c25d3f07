import { type TestStack } from "../helpers/stack";
import { stackForEachTest } from "../helpers/with-stack";

let stack: TestStack;
stackForEachTest(async (own) => {
  ({ stack } = own);
  stack.program(`${zone("a", "one")}${zone("b", "two")}`);
  expect(await stack.up()).toMatchObject({ code: 0 });
});

const zone = (name: string, domain: string, options = "{}") => `
  const ${name} = new nodecloud.Domain("${name}",
    { domain: "${domain}.example", type: "master", soaEmail: "dns@b.example" }, ${options});`;

const ADVICE =
  "If another resource of this program gives up the name in the same run, add that resource to the option dependsOn; " +
  "to swap two names, first give one resource a third name in a separate run";

const namesOf = async () => {
  const { a, b, c } = await stack.state();
  return [a, b, c].map((resource) => resource?.outputs["domain"]);
};

test("a name moves from one resource to another in one run with dependsOn", async () => {
  stack.program(
    `${zone("a", "three")}${zone("b", "one", "{ dependsOn: [a] }")}${zone("c", "two", "{ dependsOn: [b] }")}`,
  );
  expect(await stack.preview()).toMatchObject({ code: 0 });
  expect(await stack.up()).toMatchObject({ code: 0, order: ["a update", "b update", "c create"] });
  expect(await namesOf()).toEqual(["three.example", "one.example", "two.example"]);
});

test("the preview refuses an exchange of names, and the third name that it suggests works", async () => {
  stack.program(`${zone("a", "two")}${zone("b", "one", "{ dependsOn: [a] }")}`);
  const refused = await stack.preview();
  expect(refused.code).not.toBe(0);
  expect(refused.messages.join()).toContain(ADVICE);

  stack.program(`${zone("a", "between")}${zone("b", "one", "{ dependsOn: [a] }")}`);
  expect(await stack.up()).toMatchObject({ code: 0 });
  stack.program(`${zone("a", "two")}${zone("b", "one")}`);
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(await namesOf()).toEqual(["two.example", "one.example", undefined]);
});
