import { type Properties } from "../state/values";

/** The methods of a provider that the dynamic plugin calls: the interface `pulumi.dynamic.ResourceProvider`, with the engine's values. */
export interface DynamicLifecycle {
  configure(request: { config: { get(key: string): string | undefined } }): void;
  check(olds: Properties, news: Properties): Promise<Checked>;
  diff(id: string, olds: Properties, news: Properties): Promise<Difference>;
  create(inputs: Properties): Promise<Created>;
  read(id: string, props: Properties): Promise<{ id?: string; props?: Properties; inputs?: Properties }>;
  update(id: string, olds: Properties, news: Properties): Promise<{ outs: Properties }>;
  delete(id: string, props: Properties): Promise<void>;
}

/** All methods of a provider: those of the dynamic plugin, and those that only the full plugin can use. */
export interface Lifecycle extends DynamicLifecycle {
  /** Reads an object for the engine's import: its outputs, and the inputs with which a program declares it. */
  readForImport(id: string): Promise<{ id: string; props: Properties; inputs: Properties }>;
  /** The outputs that a creation will have, as far as they are known. All others are `UNKNOWN`. */
  previewCreate(inputs: Properties): Promise<Properties>;
  /** The outputs that an update will have, as far as they are known. All others are `UNKNOWN`. */
  previewUpdate(olds: Properties, news: Properties): Promise<Properties>;
}

/** The answer of `check`. */
export interface Checked {
  readonly inputs: Properties;
  readonly failures: { property: string; reason: string }[];
}

/** The answer of `create`. */
export interface Created {
  readonly id: string;
  readonly outs: Properties;
}

/** The answer of `diff`. */
export interface Difference {
  readonly changes: boolean;
  readonly replaces: string[];
  readonly deleteBeforeReplace: boolean;
  /** Whether a replacement on which the engine itself decides should delete the old object first. */
  readonly shouldDeleteFirst: boolean;
  /** Each change, for the full plugin. */
  readonly details: readonly Detail[];
}

/** A changed input. */
export interface Detail {
  /** Its path as the engine writes it. */
  readonly path: string;
  readonly kind: "add" | "delete" | "update";
  readonly replaces: boolean;
}
