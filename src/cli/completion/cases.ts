import { type Completed, type Values } from "./completed";

/** A text in single quotes, for bash and zsh. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** A case of `case` in bash and zsh. */
export const caseOf = (patterns: readonly string[], action: string): string =>
  patterns.length === 0 ? "" : `      ${patterns.map(quoted).join(" | ")}) ${action} ;;\n`;

/** The cases of `$name $word` that note an option whose value follows, and whether it is a list. */
export function openingCases({ commands }: Completed): string {
  const patterns = (ofLists: boolean) =>
    commands.flatMap(({ name, options }) =>
      options
        .filter(({ values, isList }) => values !== undefined && isList === ofLists)
        .map((option) => `${name} ${option.name}`),
    );
  return caseOf(patterns(false), "open=$word") + caseOf(patterns(true), "open=$word list=1");
}

/** The cases of `$name $open`, which offer the values of an option, or otherwise the arguments. */
export const valueCases = (
  { commands }: Completed,
  offer: (values: Exclude<Values, "any">) => string,
): string =>
  commands
    .flatMap((command) => [
      ...command.options.map(({ name, values = "any" }) => ({ pattern: `${command.name} ${name}`, values })),
      { pattern: `${command.name} `, values: command.arguments },
    ])
    .map(({ pattern, values }) => (values === "any" ? "" : caseOf([pattern], offer(values))))
    .join("");
