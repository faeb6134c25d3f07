import { inputAt, isOtherSpelling, type Leaf } from "../describe/fields";
import { type State } from "./call";
import { type Properties } from "../base/values";

/** Whether the state forgets a removed input: the object keeps the value, or the same value can run the action again. */
export const isForgotten = ({ removed }: Leaf): boolean => removed === "stays" || removed === "forgotten";

/** The removed inputs that the state forgets: from now on the program does not manage them. */
export function releasedInputs(leaves: readonly Leaf[], { sent }: State, inputs: Properties): Leaf[] {
  const isGone = (leaf: Leaf) => inputAt(inputs, leaf) === undefined;
  const isRespelt = (leaf: Leaf) => leaves.some((other) => isOtherSpelling(leaf, other) && !isGone(other));
  return leaves.filter(
    (leaf) => isForgotten(leaf) && (sent.get(leaf.path) ?? null) !== null && isGone(leaf) && !isRespelt(leaf),
  );
}

/** Says which removed inputs keep their values, and what changes them: one line for each way. */
export function releaseLines(released: readonly Leaf[]): string[] {
  const paths = (isFixed: boolean) =>
    released
      .filter(({ change, removed }) => removed !== "forgotten" && (change !== "update") === isFixed)
      .map(({ path }) => path);
  return [
    staying(
      paths(false),
      (it, value) => `the provider no longer manages ${it}. To change ${it}, set the ${value} that you want`,
    ),
    staying(
      paths(true),
      (it) => `only a replacement changes ${it}, for example with \`pulumi up --replace\``,
    ),
  ].flat();
}

function staying(paths: readonly string[], because: (it: string, value: string) => string): string[] {
  if (paths.length === 0) return [];
  const [was, keeps, it, value] =
    paths.length === 1
      ? (["was", "keeps its value", "it", "value"] as const)
      : (["were", "keep their values", "them", "values"] as const);
  return [`${paths.join(", ")} ${was} removed from the program and ${keeps}: ${because(it, value)}`];
}
