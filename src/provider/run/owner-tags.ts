import { type OperationSpec } from "../../api/operation";
import { type BodyOf } from "../describe/define-resource";
import { type Properties } from "../base/values";
import { type CurrentRun } from "./current-run";

/** A tag by which an object names the stack that created it. */
const OWNER_TAG = /^pulumi:(?<stack>[^/]+\/[^/]+)$/;

const stackIn = (tag: unknown): string | undefined => OWNER_TAG.exec(String(tag))?.groups?.["stack"];

const tagsIn = ({ tags }: Properties): readonly unknown[] => (Array.isArray(tags) ? tags : []);

/** Values without these tags, which programs rarely declare. Those in `kept` stay. */
export const withoutOwnerTags = (values: Properties, kept: Properties = {}): Properties =>
  Array.isArray(values["tags"])
    ? {
        ...values,
        tags: tagsIn(values).filter((tag) => stackIn(tag) === undefined || tagsIn(kept).includes(tag)),
      }
    : values;

/** The tags of an object that name stacks. */
export const ownerTagsIn = (values: Properties): string[] =>
  tagsIn(values).flatMap((tag) => (stackIn(tag) === undefined ? [] : [String(tag)]));

/** The stack that created an object, as its tags say, if it is another one than `own`. */
export function taggedOwner(live: Properties, own: string | undefined): string | undefined {
  const stacks = tagsIn(live).flatMap((tag) => stackIn(tag) ?? []);
  return own === undefined || stacks.includes(own) ? undefined : stacks[0];
}

/** Whether a new object lacks the tag of this stack, as a clone does: it has the tags of its source. */
export const lacksOwnerTag = (
  { configuration, stack: { inProject: own } }: CurrentRun,
  live: Properties,
): boolean =>
  configuration.ownerTags && own !== undefined && tagsIn(live).every((tag) => stackIn(tag) !== own);

/**
 * A body with the tag of this stack for a new object, or with those that an object has. An update may clear what it does not send. `isNew`: those that
 * an object has are not its own. `isOwn`: the state says that this stack has made the object, so a tag of another name is that of before a rename.
 */
export function withOwnerTags<Op extends OperationSpec>(
  { configuration, stack }: CurrentRun,
  op: Op,
  body: BodyOf<Op>,
  live?: Properties,
  { isNew = false, isOwn = false } = {},
): BodyOf<Op> {
  const shape = op.body !== undefined && "shape" in op.body ? (op.body.shape as Properties) : {};
  if (!configuration.ownerTags || !("tags" in shape) || stack.inProject === undefined) return body;
  const sent = body as Properties | undefined;
  const tags = sent?.["tags"];
  const kept = isNew ? [] : ownerTagsIn(live ?? {});
  if (live !== undefined && tags === undefined && kept.length === 0) return body;
  const declared = tagsIn(withoutOwnerTags(Array.isArray(tags) ? { tags } : (live ?? {})));
  const owners = kept.length > 0 && !isOwn ? kept : [`pulumi:${stack.inProject}`];
  return { ...sent, tags: [...declared, ...owners] } as BodyOf<Op>;
}
