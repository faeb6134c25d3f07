/** An object without undefined values. Null counts as a value. */
export type WithoutUndefined<Values extends object> = {
  [Key in keyof Values]?: Exclude<Values[Key], undefined>;
};

/** Removes undefined values, so that omitted fields change nothing. */
export function withoutUndefined<Values extends object>(values: Values): WithoutUndefined<Values> {
  const result: WithoutUndefined<Values> = { ...values };
  for (const key in result) if (result[key] === undefined) Reflect.deleteProperty(result, key);
  return result;
}
