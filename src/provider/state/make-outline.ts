import { z } from "zod";
import { type AnyDescription, type CollectionDescription, isCollection } from "../describe/define-collection";
import { type Description, keepsUrn } from "../describe/define-resource";
import { isField, isOtherSpelling, leavesOf, topLevel } from "../describe/fields";
import { ENCRYPTED } from "./codec";
import { compact } from "../base/values";
import { type Outline, type OutputParts } from "../describe/outline";

/** The outline of a description. */
export function outlineOf(description: AnyDescription): Outline {
  const { type, fields, outputs, secretOutputs = [] } = description;
  const secretInputs = leavesOf(fields).flatMap((leaf) => (leaf.secret ? [topLevel(leaf.path)] : []));
  const files = leavesOf(fields).flatMap((leaf) => (leaf.file ? [leaf.path] : []));
  const ofMembers = isCollection(description) ? ENCRYPTED.ofMembers : [];
  const set = (names: readonly string[]) => (names.length === 0 ? undefined : [...new Set(names)]);
  const outline = {
    type,
    properties: set([...Object.keys(fields), ...Object.keys(outputs)]),
    secretInputs: set(secretInputs),
    // An input that the program no longer sets leaves its value in the outputs. Only this marks it as secret there.
    secretOutputs: set([...secretOutputs, ...ofMembers, ...secretInputs]),
    files: set(files),
    keepsUrn: isCollection(description) || keepsUrn(description) || undefined,
    ...(isCollection(description) ? collectionOutline(description) : objectOutline(description)),
  };
  return compact(outline) as Outline;
}

/** The part of the outline that only resources of one object have. */
function objectOutline(description: Description) {
  const { autoname, onlyOnePer, finishCreation, steady } = description;
  const together = ignoredTogether(description);
  return {
    autoname: autoname?.path,
    steady,
    rewritten: rewrittenInputs(description),
    partial: partialOutputs(description),
    together: Object.keys(together).length === 0 ? undefined : together,
    onlyOnePer: onlyOnePer && { path: onlyOnePer.path, of: onlyOnePer.of },
    contentIdentity: contentIdentityIn(description),
    remembers: finishCreation && true,
  };
}

function rewrittenInputs({ fields }: Description): string[] | undefined {
  const rewritten = leavesOf(fields).filter(
    ({ path, rewritten, comparison, followsService }) =>
      topLevel(path) === path &&
      (rewritten !== undefined || ["addresses", "set"].includes(comparison) || followsService === true),
  );
  return rewritten.length === 0 ? undefined : rewritten.map(({ path }) => path);
}

/** The part of the outline that only collections have. */
const collectionOutline = ({ item, property, forms, exclusive }: CollectionDescription) => ({
  contentIdentity: contentIdentityIn(item),
  membersProperty: property,
  forms,
  exclusive,
});

const contentIdentityIn = ({ type, contentIdentity }: Description) =>
  contentIdentity && { within: contentIdentity.within, type };

/** The outputs of which programs can set a part. */
export function partialOutputs({ fields, outputs }: Description): Outline["partial"] {
  const groups = Object.entries(fields).flatMap(([name, node]) => (isField(node) ? [] : [name]));
  const partial = groups.flatMap((name): [string, OutputParts][] => {
    const parts = partsOf(outputs[name]?.schema);
    return Object.keys(parts).length === 0 ? [] : [[name, parts]];
  });
  return partial.length === 0 ? undefined : Object.fromEntries(partial);
}

/** The parts of a schema. Only an object has some. */
function partsOf(schema: z.ZodType | undefined): OutputParts {
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
