/** Does what may fail where there is no such place, or nothing can be read or written there; undefined then. */
export function quietly<Result>(step: () => Result): Result | undefined {
  try {
    return step();
  } catch {
    return undefined;
  }
}
