import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { type Readable } from "node:stream";
import axios, { type AxiosInstance, type AxiosResponse } from "axios";
import { type z } from "zod";
import { ACCEPTED_ENCODINGS, readBody } from "./body";
import { failedConnection, TimedOut } from "./connection";
import { type Endpoint, isLoopback } from "./endpoint";
import { type About, isNodeCloudError, ReadOnlyError } from "./errors";
import { OverLimit } from "./answer-limits";
import { type OperationSpec } from "./operation";
import { type PageQuery } from "./paginate";
import { checkProxy, proxyFor } from "./proxy";
import { secretsIn } from "./redact";
import { type Answer, parseReply, refusal } from "./reply";
import { type RequestEvent, SPEED_HEADER } from "./request-event";
import { retrying, type RetrySettings } from "./retry";
import { type Secrets, SecretValues } from "./secrets";

/** The client closes idle connections first: servers usually close them after 5 s, which can break a request that was just sent. */
const IDLE_MS = 4_000;

/** One call of an operation. */
export interface OperationCall {
  readonly spec: OperationSpec;
  /** Schema of the whole response. */
  readonly schema: z.ZodType;
  readonly params: Readonly<Record<string, string | number>>;
  /** The path with its parameters filled in. */
  readonly path: string;
  readonly query?: PageQuery | undefined;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
  readonly attempt?: string | undefined;
}

export type Transport = (call: OperationCall) => Promise<unknown>;

export interface TransportSettings {
  readonly base: Endpoint;
  readonly token: string | undefined;
  readonly userAgent: string;
  readonly timeoutMs: number;
  readonly maxSockets: number;
  /** Whether only a GET is sent. */
  readonly readOnly: boolean;
  readonly retry: RetrySettings;
  readonly onRequest?: ((event: RequestEvent) => void) | undefined;
  /** Values that messages must not show, in addition to the token and the secrets of the request. */
  readonly secrets?: Secrets | undefined;
}

/** A request in the chain. */
interface Request extends About {
  readonly method: OperationSpec["method"];
  readonly url: string;
  readonly headers: Readonly<Record<string, string | false>>;
  readonly data: string | undefined;
  readonly signal: AbortSignal | undefined;
  /** The path of the operation, without ids. */
  readonly kind: string;
  /** Values that messages must not show. */
  readonly secrets: Secrets;
}

/** The chain of every request: auth → read-only → turn → send → error → retry → parse. */
export function createTransport(settings: TransportSettings): Transport {
  const plain = sender(settings);
  return async (call) => {
    const request = authorized(call, settings);
    const { onRequest } = settings;
    if (settings.readOnly && request.method !== "GET") {
      const { operation, attempt } = request;
      throw new ReadOnlyError({ operation, attempt });
    }
    const send = onRequest === undefined ? plain : watched(plain, shownPath(call), onRequest);
    const answer = await retrying(
      request,
      async () => {
        const answer = await send(request);
        const error = refusal(request, answer, call.spec);
        if (error !== undefined) throw error;
        return answer;
      },
      settings.retry,
    );
    return parseReply(request, answer, call.schema);
  };
}

/** Reports each attempt of one request, starting now. */
function watched(
  send: (request: Request) => Promise<Answer>,
  path: string,
  tell: (event: RequestEvent) => void,
): typeof send {
  let attempt = 0;
  let idleSince = performance.now();
  return async (request) => {
    const started = performance.now();
    const waitedMs = started - idleSince;
    const end = (status: number | undefined, code: string | undefined, headers: Answer["headers"] = {}) => {
      idleSince = performance.now();
      const serverTime = headers[SPEED_HEADER] === undefined ? Date.parse(String(headers["date"])) : NaN;
      tell({
        method: request.method,
        path,
        status,
        code,
        ...(Number.isNaN(serverTime) ? {} : { serverTime }),
        ms: idleSince - started,
        attempt: ++attempt,
        waitedMs,
      });
    };
    try {
      const answer = await send(request);
      end(answer.status, undefined, answer.headers);
      return answer;
    } catch (error) {
      end(undefined, isNodeCloudError(error) ? error.code : "ABORTED");
      throw error;
    }
  };
}

/** The form of the service's ids. Any other value that a program uses as an id may be a secret. */
const ID = /^(\d+|(private|node|mysql|postgresql)\/[\w.-]{1,40}|[a-z]{2}-[a-z]+(-\d)?)$/;

/** The path with its ids. A value that does not look like an id is hidden. */
function shownPath({ spec, params, query }: OperationCall): string {
  const path = spec.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const id = String(params[name]);
    return ID.test(id) ? id : "[…]";
  });
  return `${path}${search(query)}`;
}

/** Builds the request with the token. Its URL always begins with the base URL, so the token goes to no other origin. */
function authorized(
  { spec, path, query, body, signal, attempt }: OperationCall,
  settings: TransportSettings,
): Request {
  const { base, token, userAgent } = settings;
  const operation = `${spec.method} ${path}`;
  return {
    operation,
    attempt,
    kind: spec.path,
    method: spec.method,
    url: `${base.href}${path}${search(query)}`,
    headers: {
      Accept: "application/json",
      "Accept-Encoding": ACCEPTED_ENCODINGS,
      "User-Agent": userAgent,
      // False, as axios otherwise declares a POST without a body a form.
      "Content-Type": body !== undefined && "application/json",
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    },
    data: body === undefined ? undefined : JSON.stringify(body),
    signal,
    // A getter, as only error messages need them.
    get secrets() {
      return new SecretValues(
        [...(token === undefined ? [] : [token]), ...secretsIn(body)],
        settings.secrets,
      );
    },
  };
}

function search(query: PageQuery | undefined): string {
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined);
  if (given.length === 0) return "";
  return `?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))}`;
}

/** Sends requests over this client's connections. It returns every answer, whatever its status; only a missing answer is an error. */
function sender({ base, timeoutMs, maxSockets }: TransportSettings): (request: Request) => Promise<Answer> {
  const target = new URL(base.href);
  const http = createHttp({ keepAlive: true, maxSockets, timeout: IDLE_MS });
  return async (request) => {
    const { method, url, headers, data, signal } = request;
    const proxy = proxyFor(target);
    checkProxy(proxy);
    const deadline = withDeadline(signal, timeoutMs);
    const answer: { status?: number; came: number } = { came: -Infinity };
    try {
      const response: AxiosResponse<Readable> = await http.request({
        method,
        url,
        headers,
        data,
        signal: deadline.signal,
        ...pastProxies(target),
      });
      answer.status = response.status;
      const text = await readBody(response, () => (answer.came = performance.now()));
      return { status: response.status, headers: { ...response.headers }, text };
    } catch (error) {
      const ended: unknown = deadline.signal.aborted ? deadline.signal.reason : error;
      const isComing = performance.now() - answer.came < STILL_COMING * timeoutMs;
      const reason = ended instanceof TimedOut && isComing ? new OverLimit("time", answer.status) : ended;
      throw failedConnection(request, base.host, reason, request.secrets, proxy);
    } finally {
      deadline.clear();
    }
  };
}

/** At a timeout, an answer that received data in this last part of the time is too slow. Any other answer is lost. */
const STILL_COMING = 1 / 6;

/** The value that axios sets on the socket of each request. With another value in the agent, each request costs two system calls. */
const KEEP_ALIVE_MS = 60_000;

/** Creates an axios instance that leaves statuses and bodies to the caller and follows no redirect. */
export function createHttp(agent: {
  keepAlive: boolean;
  maxSockets?: number;
  timeout?: number;
}): AxiosInstance {
  return axios.create({
    httpAgent: new HttpAgent({ ...agent, keepAliveMsecs: KEEP_ALIVE_MS }),
    httpsAgent: new HttpsAgent({ ...agent, keepAliveMsecs: KEEP_ALIVE_MS }),
    maxRedirects: 0,
    // Axios would read and decompress an answer without limit.
    responseType: "stream",
    decompress: false,
    transformRequest: (data: unknown) => data,
    transformResponse: (data: unknown) => data,
    validateStatus: null,
  });
}

/**
 * Keeps requests to this machine away from the proxy of the environment. The setting is omitted without a proxy, because with it axios links
 * each request to the one before until a full garbage collection: 9 KB for each.
 */
export const pastProxies = (target: URL): { readonly proxy?: false } =>
  isLoopback(target) && namesProxy() ? { proxy: false } : {};

const namesProxy = (): boolean =>
  ["http_proxy", "https_proxy", "all_proxy"].some(
    (name) => process.env[name] || process.env[name.toUpperCase()],
  );

/** Combines the caller's signal with a timeout. */
export function withDeadline(
  outer: AbortSignal | undefined,
  ms: number,
): { readonly signal: AbortSignal; extend(): void; clear(): void } {
  const controller = new AbortController();
  const forward = () => controller.abort(outer?.reason);
  const timer = setTimeout(() => controller.abort(new TimedOut(ms)), ms);
  if (outer?.aborted) forward();
  outer?.addEventListener("abort", forward, { once: true });
  return {
    signal: controller.signal,
    /** Restarts the timeout. */
    extend: () => void timer.refresh(),
    clear: () => {
      clearTimeout(timer);
      outer?.removeEventListener("abort", forward);
    },
  };
}
