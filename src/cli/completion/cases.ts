import { type Completed, type Values } from "./completed";

/** A text in single quotes, for bash and zsh. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** A case of `case` in bash and zsh. */
export const caseOf = (patterns: readonly string[], action: string): string =>
  patterns.length === 0 ? "" : `      ${patterns.map(quoted).join(" | ")}) ${action} ;;\n`;

/** The case of `$name $word` that notes an option whose value follows. */
export const openingCase = ({ commands }: Completed): string =>
  caseOf(
    commands.flatMap(({ name, options }) =>
      options.filter(({ values }) => values !== undefined).map((option) => `${name} ${option.name}`),
    ),
    "open=$word",
  );

/** The cases of `$name $open`, which offer the values of an option, or otherwise the arguments. */
export const valueCases = (
  { commands }: Completed,
  offer: (values: Exclude<Values, "any">, isList: boolean) => string,
): string =>
  commands
    .flatMap((command) => [
      ...command.options.map(({ name, values = "any", isList }) => ({
        ...{ pattern: `${command.name} ${name}`, values, isList },
      })),
      { pattern: `${command.name} `, values: command.arguments, isList: false },
    ])
    .map(({ pattern, values, isList }) => (values === "any" ? "" : caseOf([pattern], offer(values, isList))))
    .join("");
