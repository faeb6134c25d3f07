/** How a check ended. `unknown`: it could not be made, or no read can tell. */
export type Status = "ok" | "warning" | "problem" | "unknown";

/** The result of a check. */
export interface Check {
  /** The name of the check: `token`. */
  readonly name: string;
  readonly status: Status;
  /** The finding, in one line. */
  readonly finding: string;
  /** The advice, in one line. */
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
