import { inputAt, type Leaf } from "../describe/fields";
import { lastSent } from "./sent";
import { type Properties } from "./values";

/** Whether the state forgets an input that was removed: it keeps its value, or its action can be asked for again. */
export const isForgotten = ({ removed }: Leaf): boolean => removed === "stays" || removed === "forgotten";

/** The inputs that were removed from the program and are forgotten: from now on the program does not manage them. */
export function releasedInputs(leaves: readonly Leaf[], stored: Properties, inputs: Properties): Leaf[] {
  const sent = lastSent(stored);
  return leaves.filter(
    (leaf) =>
      isForgotten(leaf) && (sent.get(leaf.path) ?? null) !== null && inputAt(inputs, leaf) === undefined,
  );
}

/** Says of removed inputs that they keep their values, and why: one line for each reason. */
export function releaseLines(released: readonly Leaf[]): string[] {
  const paths = (isFixed: boolean) =>
    released
      .filter(({ change, removed }) => removed !== "forgotten" && (change !== "update") === isFixed)
      .map(({ path }) => path);
  return [
    staying(paths(false), "the API shows no way to reset. Set the value that you want"),
    staying(paths(true), "only a replacement changes, such as that of `pulumi up --replace`"),
  ].flat();
}

function staying(paths: readonly string[], because: string): string[] {
  if (paths.length === 0) return [];
  const keeps = paths.length === 1 ? "keeps its value" : "keep their values";
  return [`removed from the program, ${paths.join(", ")} ${keeps}, which ${because}`];
}
