/** It does not use `instanceof`: in jest, system errors come from another realm. */
export function messageOf(error: unknown): string {
  return typeof error === "object" && error !== null && "message" in error
    ? String(error.message)
    : String(error);
}
