import { pipeline, type Readable, Transform } from "node:stream";
import { type AxiosResponse } from "axios";
import { ACCEPTED_ENCODINGS, readBody } from "./body";
import { describeFailure } from "./connection";
import { isLoopback } from "./endpoint";
import { describeReasons, UploadError } from "./errors";
import { OverLimit } from "./limits";
import { checkProxy, proxyFor } from "./proxy";
import { safeCause } from "./redact";
import { reasonsIn } from "./reply";
import { type RequestEvent } from "./request-event";
import { noSecrets, type Secrets, SecretValues } from "./secrets";
import { eitherOf } from "./retry";
import { createHttp, pastProxies, withDeadline } from "./transport";

/** Options of an image upload. */
export interface UploadOptions {
  /** How many bytes the stream holds. Left out, the data is sent in chunks, without its size being announced. */
  readonly contentLength?: number | undefined;
  /** Ends the upload with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Told of each piece that is on its way: how many bytes of the stream have been taken so far. */
  readonly onProgress?: ((bytes: number) => void) | undefined;
  /** What is being attempted, for messages: `upload image backup.img.gz`. */
  readonly attempt?: string | undefined;
}

/** How long an upload may stand still, in milliseconds; how long it takes in all is not limited. */
const STALL_MS = 5 * 60_000;

/** Sends image data by PUT: no token, no redirect, no repetition, and no more of it in memory than the socket takes. */
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
      // A file must not stay open behind an upload that ended before its data.
      data.destroy();
    }
  };
}

/** All that may be shown of such an address: its path and query are a credential. */
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
    throw new UploadError({ ...about, problem: "the address to upload to is not an http URL" });
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
    metered(contentLength, (bytes) => {
      deadline.extend();
      onProgress?.(bytes);
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
      throw new UploadError({ ...about, problem: `the data broke off: ${cause?.message}`, cause });
    }
    const reason: unknown = deadline.signal.aborted ? deadline.signal.reason : error;
    throw new UploadError({ ...about, ...describeFailure(target.host, reason, secrets, proxy) });
  } finally {
    deadline.clear();
  }
  const { status } = answer;
  if (status >= 200 && status < 300) return status;
  const problem =
    status < 400
      ? "was redirected, which is not followed"
      : describeReasons(reasonsIn(text, secrets) ?? []) || "the data was refused";
  throw new UploadError({ ...about, status, problem: `${problem} (${status})` });
}

/** What an answer says of an upload beside its status may be left out. */
function nothingOver(error: unknown): string {
  if (error instanceof OverLimit) return "";
  throw error;
}

/** Passes data on, tells of each piece, and fails when it is not as much as was announced. */
function metered(contentLength: number | undefined, onData: (bytes: number) => void): Transform {
  let sent = 0;
  const mismatch = () =>
    new Error(`${sent} bytes came where ${contentLength} were announced; did the file change?`);
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sent += chunk.length;
      onData(sent);
      if (contentLength !== undefined && sent > contentLength) done(mismatch());
      else done(null, chunk);
    },
    flush(done) {
      done(contentLength !== undefined && sent < contentLength ? mismatch() : null);
    },
  });
}
