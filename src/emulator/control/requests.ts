import { keepable, keepableText } from "./redaction";

/** A request before its answer. */
export interface Request {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** The number of characters that the log keeps of the address and the body. */
  readonly length: number;
}

/** One request in the log. */
export interface LoggedRequest extends Omit<Request, "length"> {
  /** The number of the request. A reset does not restart the count. */
  readonly serial: number;
  /** The emulated time of the request, in milliseconds. */
  readonly at: number;
  /** The status of the answer. It is null until the answer, and if the connection closes without one. */
  status: number | null;
  /** The body of the answer without secrets. Only the start of a long one is kept. */
  answer?: string;
  /** The number of characters that the log keeps of the request and its answer. */
  length: number;
}

const KEPT = 500;
/** The most characters of bodies, answers and addresses that the log keeps for all requests together. */
const MAX_KEPT_LENGTH = 20_000_000;
/** The most patterns with a counter of their own. The number of unserved paths has no limit. */
const MAX_PATTERNS = 1000;
/** The most characters that the log keeps of an answer. */
const MAX_ANSWER_LENGTH = 10_000;

/** The requests to the API since the start or the last reset. It does not contain control requests. */
export class RequestLog {
  #counts = new Map<string, number>();
  #last: LoggedRequest[] = [];
  #length = 0;
  #serial = 0;
  #total = 0;

  /** Counts a request under its pattern, such as `GET /v4/domains/:id`. */
  add(pattern: string, at: number, { length, ...request }: Request): LoggedRequest {
    const isFull = this.#counts.size >= MAX_PATTERNS && !this.#counts.has(pattern);
    const counted = isFull ? `${request.method} **` : pattern;
    this.#counts.set(counted, (this.#counts.get(counted) ?? 0) + 1);
    this.#total += 1;
    const logged: LoggedRequest = {
      serial: ++this.#serial,
      at,
      method: request.method,
      path: withoutUploadKey(request.path),
      query: keepable(request.query) as Request["query"],
      ...("body" in request && { body: keepable(request.body) }),
      status: null,
      length,
    };
    this.#last.push(logged);
    this.#length += length;
    if (this.#last.length > 2 * KEPT || this.#length > MAX_KEPT_LENGTH) this.#forgetOldest();
    return logged;
  }

  /** Adds the answer to a request. */
  answered(logged: LoggedRequest, status: number, answer: string | undefined): void {
    logged.status = status;
    if (answer === undefined) return;
    logged.answer = keepableText(answer, MAX_ANSWER_LENGTH);
    logged.length += logged.answer.length;
    this.#length += logged.answer.length;
  }

  /** Keeps as many of the latest requests as there is room for. */
  #forgetOldest(): void {
    const kept = this.last.toReversed();
    let length = 0;
    const tooMany = kept.findIndex((logged) => (length += logged.length) > MAX_KEPT_LENGTH / 2);
    this.#last = (tooMany === -1 ? kept : kept.slice(0, Math.max(1, tooMany))).reverse();
    this.#length = this.#last.reduce((sum, logged) => sum + logged.length, 0);
  }

  /** The latest requests, oldest first. */
  get last(): readonly LoggedRequest[] {
    return this.#last.slice(-KEPT);
  }

  /** The answer to `GET /_emulator/requests`: a count for each operation, and the latest requests without their answers. */
  report() {
    return {
      counts: Object.fromEntries(this.#counts),
      last: this.last.map(
        ({ serial: _serial, at: _at, answer: _answer, length: _length, ...request }) => request,
      ),
    };
  }

  /** The number of requests. */
  get total(): number {
    return this.#total;
  }

  clear(): void {
    this.#counts.clear();
    this.#total = 0;
    this.#last = [];
    this.#length = 0;
  }
}

/** Removes the key from an upload path. Anybody with the key can send the data. */
export const withoutUploadKey = (path: string): string =>
  path.replace(/^(\/uploads\/[^/]+\/).+/, "$1[redacted]");
