import { type Outline } from "../describe/outline";
import { parsePath, type Path } from "../state/property-paths";
import { handedName } from "./handing";
import * as sdk from "./sdk";

/** What the engine is to ignore where the program ignores these: with an input goes what is made of it, and the name under which it travels. */
export function ignoredOf(
  outline: Outline,
  name: string,
  ignored: readonly string[] | undefined,
): readonly string[] | undefined {
  if (ignored === undefined) return undefined;
  const { together = {} } = outline;
  refuseParts(outline, name, "ignoreChanges", ignored, (path) => path.length > 1);
  const also = ignored.flatMap((path) => [
    handedName(outline, path),
    ...Object.entries(together).flatMap(([input, others]) =>
      path === input || path === input.split(".", 1)[0] ? others : [],
    ),
  ]);
  return [...new Set([...ignored, ...also])];
}

/** The engine knows what a collection holds as one text, so it would pass over a path below it. */
export function refuseParts(
  { type, holds }: Outline,
  name: string,
  option: string,
  paths: readonly string[] | undefined,
  isPart: (path: Path) => boolean,
): void {
  if (holds === undefined) return;
  for (const text of paths ?? []) {
    const path = parsePath(text) ?? [];
    if (path[0] === holds && isPart(path)) {
      throw new sdk.RunError(
        `${type} ${name}: ${option} cannot name ${text}: name ${holds}, which are one text to the engine, or give that one a resource of its own`,
      );
    }
  }
}
