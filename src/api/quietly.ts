/** Runs a step that may fail. Undefined if it fails. */
export function quietly<Result>(step: () => Result): Result | undefined {
  try {
    return step();
  } catch {
    return undefined;
  }
}
