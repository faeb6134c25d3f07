import { createServer, type IncomingMessage, request as send, type ServerResponse } from "node:http";
import { type AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** A request on its way to the service. */
export interface Passing {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** The token of the sender. */
  readonly token: string | undefined;
  /** 1 for the first one since the rule was set. */
  readonly number: number;
}

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What happens to a request instead of passing: its connection is closed or reset, or the client receives half an answer or another one. */
export type Ending = "drop" | "reset" | "half" | Answer;

/** What happens to one request. Undefined lets it pass. */
export interface Treatment {
  /** Before the service receives it. */
  readonly before?: () => Promise<Ending | undefined> | Ending | undefined;
  /** After the service has acted, and before the client knows. */
  readonly after?: () => Promise<Ending | undefined> | Ending | undefined;
  /** After the client has received the answer. */
  readonly answered?: () => void;
}

export type Rule = (request: Passing) => Treatment | undefined;

/** A server in front of the service that delays, loses and counts requests. */
export interface Gate {
  /** The API's base URL, which ends in `/v4`. */
  readonly url: string;
  /** Requests since the rule was set, as `POST /v4/domains`. */
  readonly passed: readonly string[];
  /** Sets the rule for requests from now on. Without a rule they pass. */
  rule(rule?: Rule): void;
  /** Waits until no request is under way. The service may still carry out a request that the client gave up. */
  idle(): Promise<void>;
  /** Sets the address of the service from now on. */
  lead(origin: string): void;
  stop(): Promise<void>;
}

/** Opens a gate to the service at this origin. */
export async function openGate(service: string): Promise<Gate> {
  let origin = service;
  let treat: Rule = () => undefined;
  let passed: string[] = [];
  const underWay = new Set<Promise<void>>();

  async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = "GET", url: path = "/" } = incoming;
    const token = incoming.headers.authorization?.replace(/^Bearer /, "");
    const treatment = treat({ method, path, token, number: passed.push(`${method} ${path}`) });
    const body = await buffer(incoming);
    const early = await treatment?.before?.();
    if (early !== undefined) {
      end(outgoing, early);
      return;
    }
    const answer = await forward(new URL(path, origin), incoming, body);
    const late = await treatment?.after?.();
    outgoing.once("finish", () => treatment?.answered?.());
    end(outgoing, late === "half" ? half(answer) : (late ?? answer));
  }

  const server = createServer((incoming, outgoing) => {
    // The client sees a failed request to the service as a lost connection.
    const passing = pass(incoming, outgoing)
      .catch(() => void outgoing.destroy())
      .finally(() => underWay.delete(passing));
    underWay.add(passing);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v4`,
    get passed() {
      return passed;
    },
    rule: (rule = () => undefined) => {
      treat = rule;
      passed = [];
    },
    async idle() {
      while (underWay.size > 0) await Promise.all(underWay);
    },
    lead: (elsewhere) => {
      origin = elsewhere;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** An answer that ends before its announced length. */
type Cut = Answer & { readonly cut: true };

const half = (answer: Answer): Cut => ({ ...answer, cut: true });

function end(outgoing: ServerResponse, ending: Exclude<Ending, "half"> | "half" | Cut): void {
  if (ending === "drop" || ending === "half") {
    outgoing.destroy();
  } else if (ending === "reset") {
    outgoing.socket?.resetAndDestroy();
  } else if ("cut" in ending) {
    outgoing.writeHead(ending.status, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(ending.body) + 1,
    });
    outgoing.write(ending.body.slice(0, ending.body.length / 2), () => outgoing.destroy());
  } else {
    outgoing.writeHead(ending.status, ending.headers);
    outgoing.end(ending.body);
  }
}

function forward(url: URL, { method, headers }: IncomingMessage, body: Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    // The service makes its own addresses from this host.
    const outgoing = send(url, { method, headers }, (incoming) => {
      incoming.on("error", reject);
      const kept = ["content-type", "date", "location", "retry-after", "x-emulator-speed"].flatMap((name) => {
        const value = incoming.headers[name];
        return typeof value === "string" ? [[name, value]] : [];
      });
      buffer(incoming).then(
        (content) =>
          resolve({
            status: incoming.statusCode ?? 0,
            headers: Object.fromEntries(kept) as Record<string, string>,
            body: content.toString(),
          }),
        reject,
      );
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}
