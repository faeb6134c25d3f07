import { type z } from "zod";
import { requirementOf } from "../../api/issue-words";
import { type Reason, reasonsIf, refuseFor } from "../base/refusal";

/** The limits and the default of `page_size`. They are assumptions: the reference does not show them. */
export const PAGE_SIZE = { minimum: 25, maximum: 500, default: 100 };

/** The reason for an issue whose schema gives none, so that no answer has the words of the library. */
export function reasonOf(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined) return "is required";
  // The parts of a union may be objects.
  if (issue.code === "invalid_union") return "is not one of the accepted values";
  if (issue.code === "unrecognized_keys") return `must not have ${issue.keys.join(" or ")}`;
  return requirementOf(issue) ?? "is not valid";
}

const reasonsOf = ({ issues }: z.ZodError): Reason[] =>
  issues.map(({ path, message }) =>
    path.length === 0 ? { reason: `The body ${message}.` } : { field: path.join("."), reason: message },
  );

/** Checks a body. The refusal contains all invalid fields, nested ones as `backups.schedule.day`. */
export function parseBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const { sound, reasons } = readBody(schema, body);
  refuseFor(reasons);
  return sound as z.output<Schema>;
}

/** The valid fields of a body, and the reasons to refuse the others. */
export function readBody(schema: z.ZodType, body: unknown): { sound: unknown; reasons: Reason[] } {
  const result = schema.safeParse(body ?? {}, { error: reasonOf });
  if (result.success) return { sound: result.data, reasons: [] };
  const failing = new Set(result.error.issues.map(({ path }) => path[0]));
  // A body that is not an object fails without a path, and has no fields.
  const fields = failing.has(undefined) ? [] : Object.entries(Object(body));
  return {
    sound: Object.fromEntries(fields.filter(([field]) => !failing.has(field))),
    reasons: reasonsOf(result.error),
  };
}

/** Reads an integer of up to nine digits. It is not a number outside the limits. */
function readInteger(text: string, min: number, max: number): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
  return value >= min && value <= max ? value : NaN;
}

/** A list that can be sliced into pages, such as an array. */
export interface Listing<Item> {
  readonly length: number;
  slice(from: number, to: number): readonly Item[];
}

/** Reads `page` and `page_size`, and returns a function that makes the answer with that page of a list. */
export function pageOf(query: Readonly<Record<string, string>>) {
  const { minimum, maximum, default: usual } = PAGE_SIZE;
  const page = readInteger(query["page"] ?? "1", 1, Infinity);
  const size = readInteger(query["page_size"] ?? String(usual), minimum, maximum);
  refuseFor(
    reasonsIf(
      [isNaN(page), "page", "must be an integer of at least 1"],
      [isNaN(size), "page_size", `must be an integer from ${minimum} to ${maximum}`],
    ),
  );
  return <Item>(items: Listing<Item>) => ({
    data: items.slice((page - 1) * size, page * size),
    page,
    pages: Math.max(1, Math.ceil(items.length / size)),
    results: items.length,
  });
}
