import { type z } from "zod";
import {
  type About,
  AnswerLimitError,
  ApiError,
  type NodeCloudError,
  type Reason,
  type Requirements,
  UnexpectedReplyError,
} from "./errors";
import { overJsonLimit, WORDS } from "./answer-limits";
import { quietly } from "./quietly";
import { excerpt } from "./redact";
import { errorEnvelope } from "./schema";
import { type Secrets } from "./secrets";
import { bounded, counted } from "./text";

/** An answer with its body as text. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

type Asked = About & { readonly url: string; readonly secrets: Secrets };

/** The error for the status of an answer. Undefined for a success. */
export function refusal(asked: Asked, answer: Answer, requires: Requirements): NodeCloudError | undefined {
  const { status } = answer;
  if (status >= 200 && status < 300) return undefined;
  if (status < 400) return redirect(asked, answer);
  const reasons = reasonsIn(answer.text, asked.secrets);
  // A 404 from anything but the API means that the address is wrong, not that the object is gone.
  if (status === 404 && reasons === undefined) return unreadable(asked, answer);
  return new ApiError({
    ...asked,
    status,
    reasons: reasons ?? [],
    retryAfter: retryAfterSeconds(answer),
    requires,
  });
}

/** Parses and checks the JSON of an answer. */
export function parseReply(asked: Asked, answer: Answer, schema: z.ZodType): unknown {
  const limit = overJsonLimit(answer.text);
  if (limit !== undefined) throw new AnswerLimitError({ ...asked, limit, status: answer.status });
  const json = answer.status === 204 && answer.text === "" ? {} : parseJson(answer.text);
  if (json === undefined) throw unreadable(asked, answer);
  const reply = schema.safeParse(json);
  if (reply.success) return reply.data;
  const [first, ...others] = reply.error.issues.map((issue) => describeIssue(issue, json));
  const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
  throw new UnexpectedReplyError({
    ...asked,
    status: answer.status,
    problem: `the answer does not match the API's reference: ${first}${more}`,
  });
}

/** The wait that `Retry-After` asks for, in seconds. It is a number, or a date, which is compared with the server's `Date` if there is one. */
export function retryAfterSeconds({ headers }: Pick<Answer, "headers">): number | undefined {
  const value = headers["retry-after"];
  if (typeof value !== "string") return undefined;
  if (/^\s*\d+\s*$/.test(value)) return Number(value);
  const until = Date.parse(value);
  if (Number.isNaN(until)) return undefined;
  const told = Date.parse(String(headers["date"]));
  const now = Number.isNaN(told) ? Date.now() : told;
  return Math.max(0, Math.ceil((until - now) / 1000));
}

/** The reasons of an error answer, redacted and shortened for messages. Undefined if the answer does not have the API's error format. */
export function reasonsIn(text: string, secrets: Secrets): Reason[] | undefined {
  if (overJsonLimit(text) !== undefined) return undefined;
  const errors = errorEnvelope.safeParse(parseJson(text)).data?.errors;
  const told = errors?.slice(0, WORDS.reasons).map(({ field, reason }) => ({
    ...(field && { field: excerpt(field, secrets, WORDS.field) }),
    reason: excerpt(reason, secrets, WORDS.reason),
  }));
  const untold = (errors?.length ?? 0) - (told?.length ?? 0);
  return untold > 0 ? [...(told ?? []), { reason: `and ${counted(untold, "more reason")}` }] : told;
}

function redirect(asked: Asked, { status, headers }: Answer): UnexpectedReplyError {
  const location = headers["location"];
  const target =
    typeof location === "string" && URL.canParse(location, asked.url)
      ? new URL(location, asked.url)
      : undefined;
  return new UnexpectedReplyError({
    ...asked,
    status,
    redirected: true,
    // Without the query, which can contain a credential.
    problem: `was redirected to ${target === undefined ? "nowhere" : excerpt(target.origin + target.pathname, asked.secrets, 200)} (${status})`,
    hint: "redirects are not followed: is the base URL right?",
  });
}

function unreadable(asked: Asked, { status, headers, text }: Answer): UnexpectedReplyError {
  const type = String(headers["content-type"] ?? "")
    .split(";")[0]
    ?.trim();
  const what =
    text.trim() === ""
      ? "nothing"
      : parseJson(text) !== undefined
        ? "something other than the API's error"
        : !type || type.endsWith("json")
          ? "broken JSON"
          : `${excerpt(type, asked.secrets)} instead of JSON`;
  const start = text.trim() === "" ? "" : `: ${excerpt(text, asked.secrets)}`;
  return new UnexpectedReplyError({
    ...asked,
    status,
    problem: `answered ${what} (${status})${start}`,
    hint: "is the base URL right?",
  });
}

const parseJson = (text: string): unknown => quietly((): unknown => JSON.parse(text));

/** Describes where the answer is wrong, what was expected and what came. It names types only, as the value may be a password. */
function describeIssue(issue: z.core.$ZodIssue, json: unknown): string {
  const where = bounded(issue.path.map(String).join("."), WORDS.field);
  const came = typeName(issue.path.reduce<unknown>(inside, json));
  const expected = issue.code === "invalid_type" ? `should be ${issue.expected}` : issue.message;
  return `${where === "" ? "the body" : where} ${expected}, but is ${came}`;
}

const inside = (value: unknown, key: PropertyKey): unknown =>
  typeof value === "object" && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined;

function typeName(value: unknown): string {
  if (value === undefined) return "missing";
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
