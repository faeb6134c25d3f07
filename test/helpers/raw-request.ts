import { request } from "node:http";

export interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Without it the body is sent in chunks, and its length is not announced. */
  readonly announced?: boolean;
}

/** Sends a request exactly as it is. `fetch` may change it. */
export function sendRaw(
  server: string,
  { method, path, headers = {}, body = "", announced = true }: RawRequest,
): Promise<{ status: number; text: string }> {
  const { hostname, port } = new URL(server);
  const length = announced ? { "content-length": String(Buffer.byteLength(body)) } : {};
  return new Promise((resolve, reject) => {
    const outgoing = request({ hostname, port, method, path, headers: { ...length, ...headers } });
    outgoing.on("response", (response) => {
      let text = "";
      response.on("data", (chunk: Buffer) => (text += chunk.toString()));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}
