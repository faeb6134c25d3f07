import { type Readable } from "node:stream";
import { checkBaseUrl, checkMaxConcurrency, checkToken, MOST_CONCURRENT } from "./endpoint";
import { ReadOnlyError } from "./errors";
import { lazily } from "./lazily";
import { type Limiter, limiterOf, newLimiter } from "./throttle";
import { fillPath, type OperationSpec, type PathParams, type Schema, type ValueOf } from "./operation";
import { type Page, pageLadder, pages, type PageQuery } from "./paginate";
import { type RetryEvent, type RetryPolicy, patiently, sleepFor } from "./retry";
import { pageOf } from "./schema";
import { zodOf } from "./zod-of";
import { type Secrets } from "./secrets";
import { service, type Service } from "./service";
import { type RequestEvent } from "./request-event";
import { createTransport, type Transport } from "./transport";
import { createUploader, type UploadOptions } from "./upload";

/** How to reach the API. */
export interface ClientOptions {
  /** The access token. Without it, only operations that need no token work. */
  readonly token?: string | undefined;
  /** The address of the API, which ends in `/v4`. Plain http is accepted only for this machine. */
  readonly baseUrl: string;
  /** @default "pulumi-nodecloud" */
  readonly userAgent?: string | undefined;
  /** The timeout of one request and its response, in milliseconds. Each retry has its own. @default 60_000 */
  readonly timeoutMs?: number | undefined;
  /**
   * How many requests run at a time, from 1 to 256. All clients of an origin share the smallest number that one of them sets.
   * @default 16, or the number that other clients of the origin set
   */
  readonly maxConcurrency?: number | undefined;
  /** Whether every request but a GET fails before it is sent, with a `ReadOnlyError`. @default false */
  readonly readOnly?: boolean | undefined;
  /** How often requests are retried, and how long the waits are. @default patiently */
  readonly retry?: RetryPolicy | undefined;
  /** Waits before a retry. Tests pass a function that does not wait. A client with its own `sleep` or `now` shares no limits with others. */
  readonly sleep?: ((ms: number, signal?: AbortSignal) => Promise<void>) | undefined;
  /** The time in milliseconds since any point. @default performance.now */
  readonly now?: (() => number) | undefined;
  /** A number from 0 to below 1, for the jitter of the waits. @default Math.random */
  readonly random?: (() => number) | undefined;
  /** Once aborted, the client sends nothing more and ends uploads. Requests in flight complete; other calls fail with the signal's reason. */
  readonly stop?: AbortSignal | undefined;
  /** Called before each wait for a retry. */
  readonly onRetry?: ((event: RetryEvent) => void) | undefined;
  /** Called after each attempt of a request, for logs. */
  readonly onRequest?: ((event: RequestEvent) => void) | undefined;
  /** Values that messages must not show, in addition to the token and passwords. Values can be added at any time. */
  readonly secrets?: Secrets | undefined;
}

/** Options of a single request. */
export interface RequestOptions {
  /** Aborts the request, or the wait for its retry, with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** The attempt that error messages name: `create DomainRecord www in domain 12`. */
  readonly attempt?: string | undefined;
}

type Flat<T> = { [Key in keyof T]: T[Key] };

type ParamArgs<Op extends OperationSpec> = Op["path"] extends `${string}{${string}`
  ? [params: Flat<PathParams<Op["path"]>>]
  : [];

type BodyArgs<Op extends OperationSpec> = Op extends { readonly body: infer Body extends Schema }
  ? Op extends { readonly bodyOptional: true }
    ? [body?: ValueOf<Body>]
    : [body: ValueOf<Body>]
  : Op extends { readonly paged: true }
    ? [query?: PageQuery]
    : [];

type Reply<Op extends OperationSpec> = Op extends { readonly paged: true }
  ? Page<ValueOf<Op["reply"]>>
  : ValueOf<Op["reply"]>;

/** The method of one operation. It takes the path parameters, the body or page, if the operation has these, and then options. */
export type Method<Op extends OperationSpec> = ((
  ...args: [...params: ParamArgs<Op>, ...body: BodyArgs<Op>, options?: RequestOptions]
) => Promise<Reply<Op>>) &
  (Op extends { readonly paged: true }
    ? {
        /** Yields every item of every page once, in as few requests as the server allows. */
        all(
          ...args: [...params: ParamArgs<Op>, options?: RequestOptions]
        ): AsyncIterable<ValueOf<Op["reply"]>>;
      }
    : unknown);

/** A method for every operation of the service, by family. */
export type Client = {
  readonly [Family in keyof Service]: {
    readonly [Name in keyof Service[Family]]: Service[Family][Name] extends OperationSpec
      ? Method<Service[Family][Name]>
      : never;
  };
} & {
  /** The address of the API, without a trailing slash. */
  readonly baseUrl: string;
  /**
   * Sends the data of an image to the address that `images.upload` returned, without the token. It is never retried, as the first
   * attempt consumes the stream. A failed upload destroys the stream.
   * @throws UploadError
   */
  uploadImage(uploadTo: string, data: Readable, options?: UploadOptions): Promise<void>;
};

/**
 * Creates a client of the API with its own connections. Clients of one origin share the limits on concurrency and request rate.
 * @throws ConfigurationError if the address, the token or the number of requests is invalid
 */
export function createClient(options: ClientOptions): Client {
  const base = checkBaseUrl(options.baseUrl);
  const token = checkToken(options.token);
  const limiter = limiterFor(base.origin, options);
  const maxConcurrency = checkMaxConcurrency(options.maxConcurrency);
  limiter.restrict(maxConcurrency);
  const transport = createTransport({
    base,
    token,
    userAgent: options.userAgent ?? "pulumi-nodecloud",
    timeoutMs: options.timeoutMs ?? 60_000,
    maxSockets: maxConcurrency ?? MOST_CONCURRENT,
    readOnly: options.readOnly === true,
    retry: {
      policy: options.retry ?? patiently,
      sleep: options.sleep ?? sleepFor,
      random: options.random ?? Math.random,
      onRetry: options.onRetry,
      stop: options.stop,
      limiter,
    },
    onRequest: options.onRequest,
    secrets: options.secrets,
  });
  const ladder = pageLadder();
  const families = lazily(Object.keys(service) as (keyof Service)[], (family) =>
    Object.fromEntries(
      Object.entries<OperationSpec>(service[family]).map(([name, spec]) => [
        name,
        method(spec, transport, ladder),
      ]),
    ),
  );
  return Object.assign(families, {
    baseUrl: base.href,
    uploadImage:
      options.readOnly === true
        ? refuseUpload
        : createUploader(undefined, options.onRequest, options.secrets, options.stop),
  }) as unknown as Client; // the mapped type follows `service`, as the loops above do
}

const refuseUpload: Client["uploadImage"] = (_, data, { attempt } = {}) => {
  data.destroy();
  return Promise.reject(new ReadOnlyError({ operation: "PUT image data", attempt }));
};

/** A client with its own time gets its own limiter. */
function limiterFor(origin: string, { now, sleep }: ClientOptions): Limiter {
  const time = { now: now ?? (() => performance.now()), sleep: sleep ?? sleepFor };
  return now === undefined && sleep === undefined ? limiterOf(origin, time) : newLimiter(time);
}

/** Builds the method of an operation. The operation decides how positional arguments are read. */
function method(spec: OperationSpec, transport: Transport, ladder: ReturnType<typeof pageLadder>) {
  const schema = spec.paged ? pageOf(zodOf(spec.reply)) : zodOf(spec.reply);
  const hasParams = spec.path.includes("{");
  const takeParams = (args: unknown[]) => {
    const params = (hasParams ? args.shift() : {}) as Record<string, string | number>;
    return { params, path: fillPath(spec.path, params) };
  };

  const send = async (
    place: ReturnType<typeof takeParams>,
    query: PageQuery | undefined,
    body: unknown,
    options?: RequestOptions,
  ) => transport({ spec, schema, ...place, query, body, ...options });

  const call = async (...args: unknown[]) => {
    const place = takeParams(args);
    const body = spec.body === undefined ? undefined : args.shift();
    const query = spec.paged ? (args.shift() as PageQuery | undefined) : undefined;
    return send(place, query, body, args.shift() as RequestOptions | undefined);
  };
  if (!spec.paged) return call;

  const all = (...args: unknown[]) => {
    const place = takeParams(args);
    const options = args.shift() as RequestOptions | undefined;
    const about = { operation: `${spec.method} ${place.path}`, attempt: options?.attempt };
    return pages((query) => send(place, query, undefined, options) as Promise<Page<unknown>>, ladder, about);
  };
  return Object.assign(call, { all });
}
