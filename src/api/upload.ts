import { pipeline, type Readable } from "node:stream";
import { type AxiosResponse } from "axios";
import { ACCEPTED_ENCODINGS, counting, readBody } from "./body";
import { describeFailure } from "./connection";
import { isLoopback } from "./endpoint";
import { describeReasons, UploadError } from "./errors";
import { OverLimit } from "./answer-limits";
import { checkProxy, proxyFor } from "./proxy";
import { safeCause } from "./redact";
import { reasonsIn } from "./reply";
import { type RequestEvent } from "./request-event";
import { noSecrets, type Secrets, SecretValues } from "./secrets";
import { eitherOf } from "./retry";
import { createHttp, pastProxies, withDeadline } from "./transport";

/** Options of an image upload. */
export interface UploadOptions {
  /** The size of the stream in bytes. Without it, the data is sent in chunks, without a Content-Length. */
  readonly contentLength?: number | undefined;
  /** Aborts the upload with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called for each chunk, with the number of bytes read from the stream so far. */
  readonly onProgress?: ((bytes: number) => void) | undefined;
  /** The attempt that error messages name: `upload image backup.img.gz`. */
  readonly attempt?: string | undefined;
}

/** How long an upload may stall, in milliseconds. Its total time is not limited. */
const STALL_MS = 5 * 60_000;

/** Sends image data with PUT, without the token, redirects or retries. It holds no more data in memory than the socket accepts. */
export function createUploader(
  stallMs = STALL_MS,
  onRequest?: (event: RequestEvent) => void,
  secrets: Secrets = noSecrets,
  stop?: AbortSignal,
) {
  return async (uploadTo: string, data: Readable, options: UploadOptions = {}): Promise<void> => {
    const started = performance.now();
    const tell = (status: number | undefined, code?: string) =>
      onRequest?.({
        method: "PUT",
        path: originOf(uploadTo),
        status,
        code,
        ms: performance.now() - started,
        attempt: 1,
        waitedMs: 0,
      });
    try {
      const signal = eitherOf(options.signal, stop);
      tell(await upload(uploadTo, data, { ...options, signal }, stallMs, secrets));
    } catch (error) {
      const { status, code } = error instanceof UploadError ? error : { status: undefined, code: "ABORTED" };
      tell(status, status === undefined ? code : undefined);
      throw error;
    } finally {
      // A file must not stay open after an upload that failed early.
      data.destroy();
    }
  };
}

/** The part of the address that messages may show. Its path and query are a credential. */
const originOf = (uploadTo: string) => (URL.canParse(uploadTo) ? new URL(uploadTo).origin : "image data");

async function upload(
  uploadTo: string,
  data: Readable,
  options: UploadOptions,
  stallMs: number,
  others: Secrets,
): Promise<number> {
  const { contentLength, signal, attempt, onProgress } = options;
  const target = URL.canParse(uploadTo) ? new URL(uploadTo) : undefined;
  const about = { operation: `PUT ${originOf(uploadTo)}`, attempt };
  if (target === undefined || !["http:", "https:"].includes(target.protocol)) {
    throw new UploadError({ ...about, problem: "the upload address is not an http URL" });
  }
  if (target.protocol === "http:" && !isLoopback(target)) {
    throw new UploadError({
      ...about,
      problem: `the data would cross the network to ${target.host} unencrypted`,
    });
  }
  const secrets = new SecretValues([uploadTo, target.href, target.search.slice(1)], others);
  const proxy = proxyFor(target);
  checkProxy(proxy);
  const deadline = withDeadline(signal, stallMs);
  const sending = pipeline(
    data,
    counting((bytes, isEnd) => {
      if (!isEnd) {
        deadline.extend();
        onProgress?.(bytes);
      }
      const fits = contentLength === undefined || (isEnd ? bytes === contentLength : bytes <= contentLength);
      return fits
        ? undefined
        : new Error(`${bytes} bytes were read instead of ${contentLength}; did the file change?`);
    }),
    () => undefined,
  );
  let answer: AxiosResponse<Readable>;
  let text: string;
  try {
    answer = await createHttp({ keepAlive: false }).put(target.href, sending, {
      headers: {
        "Content-Type": "application/octet-stream",
        "Accept-Encoding": ACCEPTED_ENCODINGS,
        ...(contentLength !== undefined && { "Content-Length": String(contentLength) }),
      },
      signal: deadline.signal,
      ...pastProxies(target),
    });
    text = await readBody(answer).catch(nothingOver);
  } catch (error) {
    signal?.throwIfAborted();
    if (sending.errored) {
      const cause = safeCause(sending.errored, secrets);
      throw new UploadError({ ...about, problem: `reading the data failed: ${cause?.message}`, cause });
    }
    const reason: unknown = deadline.signal.aborted ? deadline.signal.reason : error;
    const { hint, ...failure } = describeFailure(target.host, reason, secrets, proxy);
    // The service gives this address, not the program.
    throw new UploadError({ ...about, ...failure, hint: hint?.replace("base URL", "upload address") });
  } finally {
    deadline.clear();
  }
  const { status } = answer;
  if (status >= 200 && status < 300) return status;
  const problem =
    status < 400
      ? "was redirected, and redirects are not followed"
      : describeReasons(reasonsIn(text, secrets) ?? []) || "the data was refused";
  throw new UploadError({ ...about, status, problem: `${problem} (${status})` });
}

/** Ignores a body that exceeds a limit, as the status is enough. */
function nothingOver(error: unknown): string {
  if (error instanceof OverLimit) return "";
  throw error;
}
