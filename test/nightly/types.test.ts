import { CASES, compile, COMPILERS, type Consumers, titleOf } from "../helpers/compilers";

let consumers: Consumers;

beforeAll(async () => {
  consumers = await compile(CASES);
});

afterAll(() => consumers?.remove());

describe.each(COMPILERS)("TypeScript %s", (compiler) => {
  test.each(CASES.filter((one) => one.compiler === compiler).map((one) => [titleOf(one), one] as const))(
    "compiles a program and the package's declarations: %s",
    (_title, one) => expect(consumers.complaints(one)).toEqual([]),
  );
});
