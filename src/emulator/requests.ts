/** One request that came, as `GET /_emulator/requests` tells it. */
export interface LoggedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Null as long as there is no answer, and where none was sent. */
  status: number | null;
}

const KEPT = 500;
/** How many patterns are counted apart: paths that nothing serves are without number. */
const MAX_PATTERNS = 1000;
const SECRET = new Set(["root_pass"]);

/** What came to the API since the start or the last reset. Control requests are not among it. */
export class RequestLog {
  #counts = new Map<string, number>();
  #last: LoggedRequest[] = [];

  /** Counts a request under its pattern, such as `GET /v4/domains/:id`. */
  add(pattern: string, request: LoggedRequest): LoggedRequest {
    const isFull = this.#counts.size >= MAX_PATTERNS && !this.#counts.has(pattern);
    const counted = isFull ? `${request.method} **` : pattern;
    this.#counts.set(counted, (this.#counts.get(counted) ?? 0) + 1);
    const logged = { ...request, ...("body" in request && { body: redacted(request.body) }) };
    this.#last.push(logged);
    if (this.#last.length > 2 * KEPT) this.#last = this.#last.slice(-KEPT);
    return logged;
  }

  /** How often each operation was asked for, and the latest requests, oldest first. */
  report() {
    return { counts: Object.fromEntries(this.#counts), last: this.#last.slice(-KEPT) };
  }

  clear(): void {
    this.#counts.clear();
    this.#last = [];
  }
}

/** The same value without the passwords in it. */
function redacted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(redacted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, SECRET.has(key) ? "[redacted]" : redacted(inner)]),
  );
}
