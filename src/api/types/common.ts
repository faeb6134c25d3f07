/** One of the known texts, which editors suggest, or any other: the service may add to them. */
export type Known<Text extends string> = Text | (string & Record<never, never>);

/** A value of JSON. */
export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/** The empty object that operations without a result answer. */
export interface Empty {
  [field: string]: unknown;
}
