import { Argument, Option } from "commander";
import { usageError } from "./errors";
import { unknownName } from "./unknown-name";

/** A comma, but not one in the braces of a pattern. */
const SEPARATOR = /,(?![^{}]*\})/;

/** An option that takes several values: separated by commas, and in each repetition of the option. */
export class ListOption extends Option {
  suggested: (() => readonly string[]) | undefined;
  #known: { readonly noun: string; readonly names: readonly string[] } | undefined;

  constructor(flags: string, description: string) {
    super(flags, description);
    this.argParser((text: string, earlier: readonly string[] = []) => [...earlier, ...this.#valuesIn(text)]);
  }

  /** Refuses values that are none of these, without regard to upper and lower case. */
  oneOf(noun: string, names: readonly string[]): this {
    this.argChoices = [...names];
    this.#known = { noun, names };
    return this;
  }

  /** Names values for the completion. The option takes others too. */
  suggest(names: () => readonly string[]): this {
    this.suggested = names;
    return this;
  }

  #valuesIn(text: string): string[] {
    const source = this.long ?? this.flags;
    const values = text.split(SEPARATOR).map((value) => value.trim());
    if (values.includes(""))
      throw usageError(
        `${source}: ${JSON.stringify(text)} has an empty value: separate values with one comma`,
      );
    if (this.#known === undefined) return values;
    const { noun, names } = this.#known;
    return values.map((value) => {
      const name = names.find((one) => one.toLowerCase() === value.toLowerCase());
      if (name === undefined) throw unknownName(source, noun, value, names);
      return name;
    });
  }
}

/** An argument whose values a shell completes. The help does not list them. */
export class SuggestedArgument extends Argument {
  constructor(
    name: string,
    description: string,
    readonly suggested: () => readonly string[],
  ) {
    super(name, description);
  }
}

/** An option that takes one value in each repetition. A value may contain commas, as paths and names of resources can. */
export const repeatedOption = (flags: string, description: string): Option =>
  new Option(flags, `${description}; repeatable`).argParser(
    (value: string, earlier: readonly string[] = []) => [...earlier, value],
  );

/** The option that names the format of a result. The first one is the default. */
export const formatOption = (formats: readonly string[]): Option =>
  new Option("--format <format>", "Print in this format").choices(formats).default(formats[0]);
