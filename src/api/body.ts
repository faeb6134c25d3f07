import { type Duplex, pipeline, type Readable, Transform } from "node:stream";
import { createBrotliDecompress, createUnzip } from "node:zlib";
import { LIMITS, OverLimit } from "./answer-limits";

/** The content encodings that the client accepts. */
export const ACCEPTED_ENCODINGS = "gzip, deflate, br";

/** A response whose body is still to be read. */
export interface Incoming {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly data: Readable;
}

/**
 * Reads the text of a response. It stops at the size limits, before and after decompression.
 *
 * @param onData called for each chunk that arrives
 * @throws OverLimit
 */
export async function readBody(
  { status, headers, data }: Incoming,
  onData: () => void = () => undefined,
): Promise<string> {
  const isError = status >= 300;
  const most = isError ? LIMITS.errorBytes : LIMITS.bytes;
  const over = (limit: "bytes" | "packedBytes") => new OverLimit(isError ? "errorBytes" : limit, status);
  const packedMost = Math.min(most, LIMITS.packedBytes);
  if (Number(headers["content-length"]) > packedMost) {
    data.destroy();
    throw over("packedBytes");
  }
  const collected = new Collected(most, () => over("bytes"));
  const unpacker = status === 204 ? undefined : unpackerFor(headers["content-encoding"]);
  const source =
    unpacker === undefined
      ? data
      : unpacked(
          data,
          unpacker,
          counting((bytes, isEnd) => {
            if (!isEnd) onData();
            return bytes > packedMost ? over("packedBytes") : undefined;
          }),
        );
  // Leaving the loop destroys the source.
  for await (const chunk of source) {
    onData();
    collected.add(chunk as Buffer);
  }
  return collected.text();
}

function unpacked(data: Readable, unpacker: Duplex, counter: Transform): Readable {
  // A failure of the pipeline destroys the unpacker, so the reader gets it.
  pipeline(data, counter, unpacker, () => undefined);
  return unpacker;
}

const UNPACKERS: ReadonlyMap<string, () => Duplex> = new Map([
  ["gzip", createUnzip],
  ["x-gzip", createUnzip],
  ["deflate", createUnzip],
  ["br", createBrotliDecompress],
]);

const unpackerFor = (encoding: unknown): Duplex | undefined =>
  UNPACKERS.get(String(encoding).trim().toLowerCase())?.();

/** Passes data on. After each chunk and at the end, `check` gets the number of bytes so far, and may return why the stream fails. */
export function counting(check: (bytes: number, isEnd: boolean) => Error | undefined): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      done(check(bytes, false) ?? null, chunk);
    },
    flush: (done) => done(check(bytes, true) ?? null),
  });
}

const FIRST_BYTES = 16 * 1024;

/** Collects chunks in one buffer: a list of millions of tiny chunks would take a hundred times their size. */
class Collected {
  #buffer = Buffer.alloc(0);
  #length = 0;

  constructor(
    private readonly most: number,
    private readonly over: () => Error,
  ) {}

  add(chunk: Buffer): void {
    const length = this.#length + chunk.length;
    if (length > this.most) throw this.over();
    if (length > this.#buffer.length) {
      const grown = Buffer.allocUnsafe(
        Math.min(this.most, Math.max(length, 2 * this.#buffer.length, FIRST_BYTES)),
      );
      this.#buffer.copy(grown, 0, 0, this.#length);
      this.#buffer = grown;
    }
    chunk.copy(this.#buffer, this.#length);
    this.#length = length;
  }

  text(): string {
    const text = this.#buffer.toString("utf8", 0, this.#length);
    return text.startsWith("\ufeff") ? text.slice(1) : text;
  }
}
