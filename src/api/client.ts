import { type Readable } from "node:stream";
import { checkBaseUrl, checkMaxConcurrency, checkToken, MOST_CONCURRENT } from "./endpoint";
import { lazily } from "./lazily";
import { Limiter, limiterOf } from "./limiter";
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
  /** The access token. Left out, only what the API answers without one can be asked for. */
  readonly token?: string | undefined;
  /** The address of the API, ending in `/v4`. Plain http is taken for this machine only. */
  readonly baseUrl: string;
  /** @default "pulumi-nodecloud" */
  readonly userAgent?: string | undefined;
  /** How long one request may take, in milliseconds, its answer included. A retry starts anew. @default 60_000 */
  readonly timeoutMs?: number | undefined;
  /**
   * How many requests run at a time, from 1 to 256. All clients of one origin share the number: the smallest that one of them asks for.
   * @default 16, or what other clients of the origin ask for
   */
  readonly maxConcurrency?: number | undefined;
  /** How often and how patiently to repeat what may be repeated. @default patiently */
  readonly retry?: RetryPolicy | undefined;
  /** Waits before a retry; tests hand in one that does not. A client with time of its own shares no limits with others. */
  readonly sleep?: ((ms: number, signal?: AbortSignal) => Promise<void>) | undefined;
  /** The time in milliseconds, from any beginning. @default performance.now */
  readonly now?: (() => number) | undefined;
  /** A number from 0 up to 1, for the jitter of the waits. @default Math.random */
  readonly random?: (() => number) | undefined;
  /** Once aborted, nothing more is sent, and uploads end; a request that was sent is still answered. Calls then fail with the signal's reason. */
  readonly stop?: AbortSignal | undefined;
  /** Told before each wait for a retry. */
  readonly onRetry?: ((event: RetryEvent) => void) | undefined;
  /** Told after each try of a request, for a log of them. */
  readonly onRequest?: ((event: RequestEvent) => void) | undefined;
  /** What no message may show, besides the token and passwords. Values can be added to it at any time. */
  readonly secrets?: Secrets | undefined;
}

/** Options of a single request. */
export interface RequestOptions {
  /** Ends the request, or the wait for its retry, with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** What is being attempted, for messages: `create DomainRecord www in domain 12`. */
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

/** The method of one operation: its path parameters, then its body or page, each only where it has one, then options. */
export type Method<Op extends OperationSpec> = ((
  ...args: [...params: ParamArgs<Op>, ...body: BodyArgs<Op>, options?: RequestOptions]
) => Promise<Reply<Op>>) &
  (Op extends { readonly paged: true }
    ? {
        /** Every item of every page, each once, in as few requests as the server allows. */
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
  /** The address of the API, without a slash at its end. */
  readonly baseUrl: string;
  /**
   * Sends the data of an image to the address that `images.upload` answered, without the token. Not repeated by itself: a stream is
   * used up by the first try. The stream is destroyed when the upload fails.
   * @throws UploadError
   */
  uploadImage(uploadTo: string, data: Readable, options?: UploadOptions): Promise<void>;
};

/**
 * A client of the API with its own connections. Clients of one origin share how many requests may run, and how fast.
 * @throws ConfigurationError when the address, the token or the number of requests cannot be used
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
    mapValues(service[family], (spec: OperationSpec) => method(spec, transport, ladder)),
  );
  return Object.assign(families, {
    baseUrl: base.href,
    uploadImage: createUploader(undefined, options.onRequest, options.secrets, options.stop),
  }) as unknown as Client; // the mapped type follows `service`, which the loops above walk
}

/** Time of its own is not to be mixed with that of other clients. */
function limiterFor(origin: string, { now, sleep }: ClientOptions): Limiter {
  const make = () => new Limiter({ now: now ?? (() => performance.now()), sleep: sleep ?? sleepFor });
  return now === undefined && sleep === undefined ? limiterOf(origin, make) : make();
}

function mapValues<In extends object, Out>(
  object: In,
  change: (value: In[keyof In]) => Out,
): Record<string, Out> {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [key, change(value as In[keyof In])]),
  );
}

/** Reads the positional arguments by what the operation has. */
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
