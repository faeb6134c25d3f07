import { keepable, keepableText } from "./redaction";

/** What is known of a request when it comes. */
export interface Request {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** How many characters the address and the body have, as far as they are kept. */
  readonly length: number;
}

/** One request that came. */
export interface LoggedRequest extends Omit<Request, "length"> {
  /** They count up, also over a reset. */
  readonly serial: number;
  /** The emulated time at which it came, in milliseconds. */
  readonly at: number;
  /** Null as long as there is no answer, and where none was sent. */
  status: number | null;
  /** The body of the answer, without secrets; its start where it is long. */
  answer?: string;
  /** How many characters are kept of it and of its answer. */
  length: number;
}

const KEPT = 500;
/** How many characters of bodies, answers and addresses are kept of all requests together. */
const MAX_KEPT_LENGTH = 20_000_000;
/** How many patterns are counted apart: paths that nothing serves are without number. */
const MAX_PATTERNS = 1000;
/** How many characters of an answer are kept. */
const MAX_ANSWER_LENGTH = 10_000;

/** What came to the API since the start or the last reset. Control requests are not among it. */
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

  /** Keeps what a request was answered with. */
  answered(logged: LoggedRequest, status: number, answer: string | undefined): void {
    logged.status = status;
    if (answer === undefined) return;
    logged.answer = keepableText(answer, MAX_ANSWER_LENGTH);
    logged.length += logged.answer.length;
    this.#length += logged.answer.length;
  }

  /** The latest stay, as many as there is room for. */
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

  /** How often each operation was asked for, and the latest requests without their answers, as `GET /_emulator/requests` tells them. */
  report() {
    return {
      counts: Object.fromEntries(this.#counts),
      last: this.last.map(
        ({ serial: _serial, at: _at, answer: _answer, length: _length, ...request }) => request,
      ),
    };
  }

  /** How many came. */
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

/** Who knows the key of an upload can send its data. */
export function withoutUploadKey(path: string): string {
  return path.replace(/^(\/uploads\/[^/]+\/).+/, "$1[redacted]");
}
