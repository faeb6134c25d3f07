import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import type * as api from "../../src/api";
import { createClient } from "../../src/api";

type Handler = (respond: (status: number, body: unknown) => void, body: string) => void;

/** Runs `use` with a server that counts connections and concurrent requests. */
async function withServer(handle: Handler, use: (baseUrl: string) => Promise<void>) {
  const seen = { connections: 0, running: 0, mostRunning: 0 };
  const respondTo = (outgoing: ServerResponse) => (status: number, body: unknown) => {
    seen.running--;
    outgoing.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  };
  const server = createServer((incoming, outgoing) => {
    seen.mostRunning = Math.max(seen.mostRunning, ++seen.running);
    void buffer(incoming).then((body) => handle(respondTo(outgoing), body.toString()));
  });
  server.on("connection", () => seen.connections++);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v4`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  return seen;
}

const region = { id: "us-east", label: "East", country: "us", capabilities: [], status: "ok" };
const times = <Result>(count: number, run: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, index) => run(index)));

test("a rate-limited service receives every creation once, after few refusals and over few connections", async () => {
  const accepted: string[] = [];
  let refused = 0;
  let tokens = 20;
  let last = performance.now();
  const limited: Handler = (respond, body) => {
    const now = performance.now();
    tokens = Math.min(20, tokens + (now - last) * 0.15);
    last = now;
    if (tokens < 1) {
      refused++;
      respond(429, { errors: [{ reason: "Too many requests" }] });
      return;
    }
    tokens--;
    const { domain } = JSON.parse(body) as { domain: string };
    accepted.push(domain);
    respond(200, { id: accepted.length, domain, type: "master", status: "active" });
  };
  const names = Array.from({ length: 300 }, (_, index) => `d${index}.example.org`);
  const seen = await withServer(limited, async (baseUrl) => {
    const client = createClient({ baseUrl, token: "token", maxConcurrency: 8 });
    const made = await times(names.length, (index) =>
      client.domains.create({ domain: names[index] ?? "", type: "master", soa_email: "a@example.org" }),
    );
    expect(made.map(({ domain }) => domain)).toEqual(names);
  });
  expect([...accepted].sort()).toEqual([...names].sort());
  expect(refused).toBeGreaterThan(0);
  // Each wave of refusals refuses at most the requests in flight.
  expect(refused).toBeLessThan(80);
  expect(seen.mostRunning).toBeLessThanOrEqual(8);
  // A connection that is idle for seconds is closed, and a new one is opened.
  expect(seen.connections).toBeLessThanOrEqual(16);
});

describe("concurrent requests", () => {
  /** Answers only after `count` requests have arrived. */
  const together = (count: number): Handler => {
    const waiting: (() => void)[] = [];
    return (respond) => {
      waiting.push(() => respond(200, region));
      if (waiting.length === count) for (const answer of waiting.splice(0)) answer();
    };
  };

  test("share one bound for all clients of an origin, also across two copies of the package", async () => {
    let copy: typeof api | undefined;
    jest.isolateModules(() => {
      copy = jest.requireActual<typeof api>("../../src/api");
    });
    const seen = await withServer(together(3), async (baseUrl) => {
      const clients = [
        createClient({ baseUrl, maxConcurrency: 3 }),
        createClient({ baseUrl, maxConcurrency: 9 }),
        copy?.createClient({ baseUrl }),
      ];
      expect(copy?.createClient).not.toBe(createClient);
      await Promise.all(
        clients.map((client) => times(20, async () => client?.regions.get({ regionId: "us-east" }))),
      );
    });
    expect(seen.mostRunning).toBe(3);
  });

  test("are not bounded by clients with their own clock", async () => {
    const seen = await withServer(together(4), async (baseUrl) => {
      const options = { baseUrl, maxConcurrency: 2 };
      const clients = [createClient(options), createClient({ ...options, sleep: async () => undefined })];
      await Promise.all(clients.map((client) => times(2, () => client.regions.get({ regionId: "us-east" }))));
    });
    expect(seen.mostRunning).toBe(4);
  });
});
