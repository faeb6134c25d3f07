/** An object without undefined values. Null counts as a value. */
export type Given<Values extends object> = {
  [Key in keyof Values]?: Exclude<Values[Key], undefined>;
};

/** Removes undefined values, so that omitted fields change nothing. */
export function given<Values extends object>(values: Values): Given<Values> {
  const result: Given<Values> = { ...values };
  for (const key in result) if (result[key] === undefined) Reflect.deleteProperty(result, key);
  return result;
}
