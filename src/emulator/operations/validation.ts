import { type z } from "zod";
import { requirementOf } from "../../api/issue-words";
import { type Reason, reasonsIf, Refusal, refuseFor } from "../http/refusal";

/** The limits and the default of `page_size`. They are assumptions: the reference does not show them. */
export const PAGE_SIZE = { min: 25, max: 500, default: 100 };

/** The reason for an issue whose schema gives none, so that no answer has the words of the library. */
export function reasonOf(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined) return "is required";
  // The parts of a union may be objects.
  if (issue.code === "invalid_union") return "is not one of the accepted values";
  if (issue.code === "unrecognized_keys") return `must not have ${issue.keys.join(" or ")}`;
  return requirementOf(issue) ?? "is not valid";
}

function reasonsOf({ issues }: z.ZodError): Reason[] {
  return issues.map(({ path, message }) =>
    path.length === 0 ? { reason: `The body ${message}.` } : { field: path.join("."), reason: message },
  );
}

/** Checks a body. The refusal contains all invalid fields, nested ones as `backups.schedule.day`. */
export function parseBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const result = schema.safeParse(body ?? {}, { error: reasonOf });
  if (result.success) return result.data;
  throw new Refusal(400, reasonsOf(result.error));
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

function readInteger(
  text: string | undefined,
  fallback: number,
  min: number,
  max: number,
): number | undefined {
  if (text === undefined) return fallback;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
  return value >= min && value <= max ? value : undefined;
}

/** A list that can be sliced into pages, such as an array. */
export interface Listing<Item> {
  readonly length: number;
  slice(from: number, to: number): readonly Item[];
}

/** Reads `page` and `page_size`, and returns a function that makes the answer with that page of a list. */
export function pageOf(query: Readonly<Record<string, string>>) {
  const page = readInteger(query["page"], 1, 1, Infinity);
  const size = readInteger(query["page_size"], PAGE_SIZE.default, PAGE_SIZE.min, PAGE_SIZE.max);
  refuseFor(
    reasonsIf(
      [page === undefined, "page", "must be an integer of at least 1"],
      [size === undefined, "page_size", `must be an integer from ${PAGE_SIZE.min} to ${PAGE_SIZE.max}`],
    ),
  );
  const [current, length] = [page ?? 1, size ?? PAGE_SIZE.default];
  return <Item>(items: Listing<Item>) => ({
    data: items.slice((current - 1) * length, current * length),
    page: current,
    pages: Math.max(1, Math.ceil(items.length / length)),
    results: items.length,
  });
}
