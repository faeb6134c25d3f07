import { type Outline } from "../describe/outline";
import { parsePath, type Path } from "../base/property-paths";
import { handedName } from "./engine-inputs";
import { refuse } from "./refuse";

/** The paths for the engine, from the program's `ignoreChanges`: with inputs that are derived from ignored ones, and with the names that the engine knows. */
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

/** Refuses paths to single members: the engine sees the members of a collection as one text, and would skip such a path. */
export function refuseParts(
  { type, membersProperty }: Outline,
  name: string,
  option: string,
  paths: readonly string[] | undefined,
  isPart: (path: Path) => boolean,
): void {
  if (membersProperty === undefined) return;
  for (const text of paths ?? []) {
    const path = parsePath(text) ?? [];
    if (path[0] === membersProperty && isPart(path)) {
      refuse(
        `${type} ${name}: ${option} cannot name ${text}, because the engine sees ${membersProperty} as one text: name ${membersProperty}, or declare the member as a separate resource`,
        "OPTION_REFUSED",
      );
    }
  }
}
