import { type ContentfulStatusCode } from "hono/utils/http-status";
import { type Scope } from "../../api/scopes-and-params";

/** One entry of the error envelope. It has `field` if one field is at fault. */
export interface Reason {
  readonly field?: string;
  readonly reason: string;
}

/** Refuses a request. It becomes an answer with the error envelope. */
export class Refusal extends Error {
  override readonly name = "Refusal";

  constructor(
    readonly status: ContentfulStatusCode,
    readonly errors: readonly Reason[],
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(errors.map(({ reason }) => reason).join(" "));
  }
}

/** A refusal for one reason. */
export const refuse = (status: ContentfulStatusCode, reason: string, field?: string): Refusal =>
  new Refusal(status, [field === undefined ? { reason } : { field, reason }]);

/** A refusal because of one field. */
export const invalid = (field: string, reason: string): Refusal => refuse(400, reason, field);

export const forbidden = (reason: string, field?: string): Refusal => refuse(403, reason, field);

export const lacksScope = (missing: readonly Scope[]): Refusal =>
  forbidden(`Your token lacks the scope ${missing.join(" ")}.`);

export const notFound = (): Refusal => refuse(404, "Not found");

/** A refusal because of too many requests, with the seconds to wait. */
export const tooManyRequests = (seconds: number): Refusal =>
  new Refusal(429, [{ reason: "Too many requests" }], { "retry-after": String(seconds) });

/** One of several objects, by its id. */
export function among<Item extends { readonly id: number }>(items: readonly Item[], id: number): Item {
  const found = items.find((item) => item.id === id);
  if (!found) throw notFound();
  return found;
}

/** The reasons whose condition is true. */
export const reasonsIf = (...all: readonly [isAtFault: boolean, field: string, reason: string][]): Reason[] =>
  all.flatMap(([isAtFault, field, reason]) => (isAtFault ? [{ field, reason }] : []));

/** Refuses with all reasons. Without reasons it does nothing. */
export function refuseFor(reasons: readonly Reason[]): void {
  if (reasons.length > 0) throw new Refusal(400, reasons);
}
