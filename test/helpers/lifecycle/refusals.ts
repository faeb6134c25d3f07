import { type Properties } from "../plugin";
import { type Rig } from "./rig";
import { type ResourceType } from "./description";
import { type Options } from "./managed";

/** Inputs that `check` refuses, each with the line that the user sees. */
export function refusals(
  rig: () => Rig,
  type: ResourceType,
  base: () => Properties | Promise<Properties>,
  cases: readonly (readonly [inputs: Properties, line: string, options?: Options])[],
): void {
  describe("refuses", () => {
    for (const [inputs, line, options] of cases) {
      test(line, async () => {
        const checked = rig()
          .resource(type)
          .check({ ...(await base()), ...inputs }, options);
        expect((await checked).failures.map(({ reason }) => reason)).toEqual([`${line} [NC1101]`]);
      });
    }
  });
}
