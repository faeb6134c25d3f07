import { type Context } from "hono";
import { type ContentfulStatusCode } from "hono/utils/http-status";
import { type Env } from "./env";
import { type Refusal } from "../base/refusal";

/** Answers with a value as JSON. The log of requests receives the text. */
export function answer(
  c: Context<Env>,
  value: unknown,
  status: ContentfulStatusCode = 200,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const text = JSON.stringify(value);
  c.set("answer", text);
  return c.body(text, status, { "content-type": "application/json", ...headers });
}

/** Answers with the error envelope. */
export const answerRefusal = (c: Context<Env>, { status, errors, headers }: Refusal): Response =>
  answer(c, { errors }, status, headers);
