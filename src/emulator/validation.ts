import { type z } from "zod";
import { type Reason, Refusal, refuseFor } from "./refusal";

/** Bounds and default of `page_size`: not shown in the reference, decided here. */
export const PAGE_SIZE = { min: 25, max: 500, default: 100 };

/** What a body is held to, in the words of the API rather than of the library. */
function reasonOf(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.input === undefined) return "is required";
  if (issue.code === "invalid_union") return "is not one of the accepted values";
  return undefined;
}

function reasonsOf({ issues }: z.ZodError): Reason[] {
  return issues.map(({ path, message }) =>
    path.length === 0 ? { reason: message } : { field: path.join("."), reason: message },
  );
}

/** A body that satisfies the schema; all failing fields are refused at once, nested ones as `backups.schedule.day`. */
export function parseBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const result = schema.safeParse(body ?? {}, { error: reasonOf });
  if (result.success) return result.data;
  throw new Refusal(400, reasonsOf(result.error));
}

/** The fields of a body that satisfy the schema, and what is wrong with the others. */
export function readBody(schema: z.ZodType, body: unknown): { sound: unknown; reasons: Reason[] } {
  const result = schema.safeParse(body ?? {}, { error: reasonOf });
  if (result.success) return { sound: result.data, reasons: [] };
  const failing = new Set(result.error.issues.map(({ path }) => path[0]));
  // What is no object at all fails without a path, and has no fields.
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

/** The items of a list, for whom a page of them is enough. An array is one. */
export interface Listing<Item> {
  readonly length: number;
  slice(from: number, to: number): readonly Item[];
}

/** Reads `page` and `page_size`, and gives what puts that page of a collection into its envelope. */
export function pageOf(query: Readonly<Record<string, string>>) {
  const page = readInteger(query["page"], 1, 1, Infinity);
  const size = readInteger(query["page_size"], PAGE_SIZE.default, PAGE_SIZE.min, PAGE_SIZE.max);
  const reasons: Reason[] = [];
  if (page === undefined) reasons.push({ field: "page", reason: "must be an integer from 1 on" });
  if (size === undefined) {
    reasons.push({
      field: "page_size",
      reason: `must be an integer from ${PAGE_SIZE.min} to ${PAGE_SIZE.max}`,
    });
  }
  refuseFor(reasons);
  const [current, length] = [page ?? 1, size ?? PAGE_SIZE.default];
  return <Item>(items: Listing<Item>) => ({
    data: items.slice((current - 1) * length, current * length),
    page: current,
    pages: Math.max(1, Math.ceil(items.length / length)),
    results: items.length,
  });
}
