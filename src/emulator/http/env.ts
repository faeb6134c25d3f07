import { type HttpBindings } from "@hono/node-server";
import { type Context } from "hono";

/** The path below which the API is served. */
export const BASE_PATH = "/v4";
/** The path below which the control API is served. */
export const CONTROL_PATH = "/_emulator";

/** The body of a request: its value if it is JSON, else its text. Without a body there is no value. */
export interface SentBody {
  readonly isJson: boolean;
  readonly value?: unknown;
  readonly length?: number;
}

/** The values that the request handlers share. */
export interface Env {
  Bindings: HttpBindings;
  Variables: {
    sent: SentBody;
    /** The text of the answer. */
    answer?: string;
  };
}

/** The parts of a request that its body is read from. */
export type ReadableRequest = Pick<Context<{ Bindings: HttpBindings }>, "env" | "req">;
