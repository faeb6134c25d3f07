import { createServer, type IncomingMessage } from "node:http";
import { type AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** A server with empty lists. It refuses all other requests with a text from the test. */
export interface HostileServer {
  readonly baseUrl: string;
  /** The number of requests with this method. */
  count(method: string): number;
  stop(): Promise<void>;
}

/** @param words returns the reason of a refusal for the address and body of the request */
export async function startHostileServer(
  words: (url: string, body: string) => string,
): Promise<HostileServer> {
  const counts = new Map<string, number>();
  const server = createServer((incoming, outgoing) => {
    const { method = "" } = incoming;
    counts.set(method, (counts.get(method) ?? 0) + 1);
    void buffer(incoming).then((body) => {
      const isList = isListOf(incoming);
      outgoing.writeHead(isList ? 200 : 400, { "content-type": "application/json" });
      const said = words(incoming.url ?? "", body.toString());
      const errors = [{ field: said, reason: `refused: ${said}` }];
      outgoing.end(JSON.stringify(isList ? { data: [], page: 1, pages: 1, results: 0 } : { errors }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v4`,
    count: (method) => counts.get(method) ?? 0,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const isListOf = ({ method, url = "" }: IncomingMessage): boolean =>
  method === "GET" && !/\/\d+($|\?)/.test(url);

/** A text in the encodings in which a service may repeat it. */
export function spellingsOf(text: string): string[] {
  const encoded = (before: string) => Buffer.from(`${before}${text}...`).toString("base64");
  return [
    text,
    JSON.stringify(text),
    encodeURIComponent(text),
    Buffer.from(text).toString("hex"),
    Buffer.from(text).toString("base64"),
    ...["", "x", "xy"].map(encoded),
  ];
}
