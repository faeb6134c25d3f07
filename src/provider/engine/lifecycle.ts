import { type Properties } from "../state/values";

/** What the plugin calls of a provider; the shape of `pulumi.dynamic.ResourceProvider`, with what the engine hands over. */
export interface Lifecycle {
  configure(request: { config: { get(key: string): string | undefined } }): void;
  check(olds: Properties, news: Properties): Promise<Checked>;
  diff(id: string, olds: Properties, news: Properties): Promise<Difference>;
  create(inputs: Properties): Promise<{ id: string; outs: Properties }>;
  read(id: string, props: Properties): Promise<{ id?: string; props?: Properties; inputs?: Properties }>;
  update(id: string, olds: Properties, news: Properties): Promise<{ outs: Properties }>;
  delete(id: string, props: Properties): Promise<void>;
}

/** What `check` answers. */
export interface Checked {
  readonly inputs: Properties;
  readonly failures: { property: string; reason: string }[];
}

/** What `diff` answers. */
export interface Difference {
  readonly changes: boolean;
  readonly replaces: string[];
  readonly deleteBeforeReplace: boolean;
}
