import { type Properties } from "../plugin";
import { type Bench } from "./bench";
import { type ResourceType } from "./description";
import { type Options } from "./managed";

/** Inputs that `check` refuses, each with the line that the user sees. */
export function refusals(
  bench: () => Bench,
  type: ResourceType,
  base: () => Properties | Promise<Properties>,
  cases: readonly (readonly [inputs: Properties, line: string, options?: Options])[],
): void {
  describe("refuses", () => {
    for (const [inputs, line, options] of cases) {
      test(line, async () => {
        const checked = bench()
          .resource(type)
          .check({ ...(await base()), ...inputs }, options);
        expect((await checked).failures.map(({ reason }) => reason)).toEqual([line]);
      });
    }
  });
}
