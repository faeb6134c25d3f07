/** What a change of an input does besides changing it, for reports of previews. */
export interface Effect {
  readonly line: string;
  /** The value whose setting has this effect. If omitted, every change has it. */
  readonly to?: unknown;
}

/** An effect of a change in place that users should know, and the inputs that cause it. */
export interface Warning<Path extends string = string> {
  readonly about: readonly Path[];
  readonly line: string;
  /** Whether the change loses data. */
  readonly loses?: true;
}
