import { z } from "zod";
import { type AnyDescription, type CollectionDescription, isCollection } from "./define-collection";
import { type Description, keepsUrn } from "./define-resource";
import { isField, isOtherSpelling, leavesOf, topLevel } from "./fields";
import { ENCRYPTED } from "../state/codec";
import { type Outline, type Parts } from "./outline";

/** The outline of a description. */
export function outlineOf(description: AnyDescription): Outline {
  const { type, fields, outputs, secretOutputs = [] } = description;
  const secretInputs = leavesOf(fields).flatMap((leaf) => (leaf.secret ? [topLevel(leaf.path)] : []));
  const files = leavesOf(fields).flatMap((leaf) => (leaf.file ? [leaf.path] : []));
  const ofMembers = isCollection(description) ? ENCRYPTED.ofMembers : [];
  const encrypted = [...new Set([...secretOutputs, ...ofMembers, ...secretInputs])];
  return {
    type,
    properties: [...new Set([...Object.keys(fields), ...Object.keys(outputs)])],
    ...(secretInputs.length === 0 ? {} : { secretInputs: [...new Set(secretInputs)] }),
    // An input that the program no longer sets leaves its value in the outputs. Only this marks it as secret there.
    ...(encrypted.length === 0 ? {} : { secretOutputs: encrypted }),
    ...(files.length === 0 ? {} : { files }),
    ...(isCollection(description) || keepsUrn(description) ? { keepsUrn: true } : {}),
    ...(isCollection(description) ? collectionOutline(description) : objectOutline(description)),
  };
}

/** The part of the outline that only resources of one object have. */
function objectOutline(description: Description): Partial<Outline> {
  const { type, autoname, onePer, finishCreation, steady, declaredOnce } = description;
  const together = ignoredTogether(description);
  const partial = partialOutputs(description);
  return {
    ...(autoname === undefined ? {} : { autoname: autoname.path }),
    ...(steady === undefined ? {} : { steady }),
    ...(partial === undefined ? {} : { partial }),
    ...(Object.keys(together).length === 0 ? {} : { together }),
    ...(onePer === undefined ? {} : { onePer: { path: onePer.path, of: onePer.of } }),
    ...(declaredOnce === undefined ? {} : { declaredOnce: { within: declaredOnce.within, type } }),
    ...(finishCreation === undefined ? {} : { remembers: true }),
  };
}

/** The part of the outline that only collections have. */
function collectionOutline({ item, property, forms }: CollectionDescription): Partial<Outline> {
  const { type, declaredOnce } = item;
  return {
    ...(declaredOnce === undefined ? {} : { declaredOnce: { within: declaredOnce.within, type } }),
    holds: property,
    forms,
  };
}

/** The outputs of which programs can set a part. */
export function partialOutputs({ fields, outputs }: Description): Outline["partial"] {
  const groups = Object.entries(fields).flatMap(([name, node]) => (isField(node) ? [] : [name]));
  const partial = groups.flatMap((name): [string, Parts][] => {
    const parts = partsOf(outputs[name]?.schema);
    return Object.keys(parts).length === 0 ? [] : [[name, parts]];
  });
  const sign = Object.keys(outputs).find((name) => !(name in fields) && !outputs[name]?.schema.isOptional());
  return partial.length === 0 || sign === undefined
    ? undefined
    : { outputs: Object.fromEntries(partial), sign };
}

/** The parts of a schema. Only an object has some. */
function partsOf(schema: z.ZodType | undefined): Parts {
  if (schema instanceof z.ZodOptional) return partsOf(schema.unwrap() as z.ZodType);
  if (!(schema instanceof z.ZodObject)) return {};
  const shape = Object.entries(schema.shape as Readonly<Record<string, z.ZodType>>);
  return Object.fromEntries(shape.map(([name, part]) => [name, partsOf(part)]));
}

/** The inputs that are the same for the service, or are derived from another one. */
function ignoredTogether({ fields, derived = {} }: Description): Record<string, string[]> {
  const leaves = leavesOf(fields).filter(({ notSent: local }) => local !== true);
  const together: Record<string, string[]> = {};
  for (const leaf of leaves) {
    const { path } = leaf;
    const others = leaves.filter((other) => isOtherSpelling(leaf, other));
    // The engine passes over a path below an input that is not there before and after.
    const isAlone = leaves.every((other) => other.path === path || topLevel(other.path) !== topLevel(path));
    for (const other of others) {
      (together[path] ??= []).push(
        topLevel(other.path),
        ...(isAlone && topLevel(path) !== path ? [topLevel(path)] : []),
      );
    }
  }
  for (const [path, { from }] of Object.entries(derived)) (together[from] ??= []).push(path);
  return together;
}
