/** One of the known values, which editors suggest, or any other string: the service may add values. */
export type Known<Text extends string> = Text | (string & Record<never, never>);

/** A JSON value. */
export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/** The empty object that operations without a result answer. */
export interface Empty {
  [field: string]: unknown;
}
