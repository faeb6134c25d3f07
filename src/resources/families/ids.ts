import { z } from "zod";

/** The id of an object that another resource manages, as an input. */
export const idOf = (what: string) =>
  z.string().regex(/^[1-9]\d*$/, `must be the id of ${what} (a whole number)`);

/** The id of a resource that cannot be read without the id of its parent. */
export const childId = <const Parent extends string>(parent: Parent, own: string, parentType: string) => ({
  form: `${parent}/${own}, such as 12/345`,
  pattern: /^(?<parent>[1-9]\d*)\/(?<id>[1-9]\d*)$/,
  parent,
  parentType,
});
