/** An object's keys that hold something, null included. */
export type Given<Values extends object> = {
  [Key in keyof Values]?: Exclude<Values[Key], undefined>;
};

/** Leaves out what is undefined: a field that was not sent changes nothing. */
export function given<Values extends object>(values: Values): Given<Values> {
  const result: Given<Values> = { ...values };
  for (const key in result) if (result[key] === undefined) Reflect.deleteProperty(result, key);
  return result;
}
