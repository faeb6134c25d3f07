/** How a check ended. `unknown`: it could not be made, or no read can tell. */
export type Status = "ok" | "warning" | "problem" | "unknown";

/** What a check found. */
export interface Check {
  /** What was checked: `token`. */
  readonly name: string;
  readonly status: Status;
  /** What was found, in one line. */
  readonly finding: string;
  /** What to do, in one line. */
  readonly advice?: string | undefined;
}

/** The outcomes of a check of this name. */
export const outcomesOf = (name: string) => {
  const outcome =
    (status: Status) =>
    (finding: string, advice?: string): Check => ({ name, status, finding, advice });
  return {
    ok: outcome("ok"),
    warning: outcome("warning"),
    problem: outcome("problem"),
    unknown: outcome("unknown"),
  };
};
