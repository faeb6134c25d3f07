import { type Properties } from "../state/values";

/** The methods of a provider that the plugin calls: the interface `pulumi.dynamic.ResourceProvider`, with the engine's values. */
export interface Lifecycle {
  configure(request: { config: { get(key: string): string | undefined } }): void;
  check(olds: Properties, news: Properties): Promise<Checked>;
  diff(id: string, olds: Properties, news: Properties): Promise<Difference>;
  create(inputs: Properties): Promise<{ id: string; outs: Properties }>;
  read(id: string, props: Properties): Promise<{ id?: string; props?: Properties; inputs?: Properties }>;
  update(id: string, olds: Properties, news: Properties): Promise<{ outs: Properties }>;
  delete(id: string, props: Properties): Promise<void>;
}

/** The answer of `check`. */
export interface Checked {
  readonly inputs: Properties;
  readonly failures: { property: string; reason: string }[];
}

/** The answer of `diff`. */
export interface Difference {
  readonly changes: boolean;
  readonly replaces: string[];
  readonly deleteBeforeReplace: boolean;
}
