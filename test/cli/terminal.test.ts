import { PassThrough } from "node:stream";
import { coloursFor, hasColours } from "../../src/cli/terminal";
import { contextIn } from "../helpers/command-line";

test("a pipe gets no colours, also in CI", () => {
  const context = contextIn({ directory: ".", environment: { CI: "true" } });
  // As with a real pipe, its isTTY is undefined.
  const pipe = new PassThrough() as unknown as typeof context.stdout;
  expect(hasColours(context, pipe)).toBe(false);
  expect(coloursFor(context, pipe).bold("text")).toBe("text");
});
