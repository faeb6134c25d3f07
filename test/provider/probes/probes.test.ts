import { createServer as createHttpServer, type RequestListener } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, createServer, type Server } from "node:net";
import { ask } from "../../../src/provider/probes/ask";
import { askHttp } from "../../../src/provider/probes/http-probe";
import { type Question } from "../../../src/provider/probes/probe";
import { askTcp } from "../../../src/provider/probes/tcp-probe";
import { closedPort } from "../../helpers/answering";
import { CERTIFICATE } from "../../helpers/certificate";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function listening(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

const site = (answer: RequestListener) => listening(createHttpServer(answer));
const secureSite = (answer: RequestListener) => listening(createHttpsServer(CERTIFICATE, answer));
const talking = (text: string) =>
  listening(
    createServer((socket) => {
      socket.on("error", () => undefined);
      if (text !== "") socket.write(text);
    }),
  );

const never = new AbortController().signal;
type Http = Extract<Question, { protocol: "http" }>;
const http = (port: number, more: Partial<Http> = {}): Http => ({
  ...{ protocol: "http", address: "127.0.0.1", port, path: "/", tls: false, verify: true },
  ...more,
});

test("an HTTP probe sends one GET with the path and the host, and judges the status", async () => {
  const seen: unknown[] = [];
  const port = await site((request, response) => {
    seen.push([request.method, request.url, request.headers.host]);
    response.writeHead(request.url === "/moved" ? 301 : 204, { location: "/" }).end();
  });
  await expect(ask(http(port, { path: "/a?b", host: "web.example.org" }), never)).resolves.toEqual({
    ...{ isReady: true, isHeard: true, said: "204" },
  });
  await expect(ask(http(port, { path: "/moved" }), never)).resolves.toMatchObject({
    isReady: false,
    said: "301",
  });
  await expect(ask(http(port, { path: "/moved", status: 301 }), never)).resolves.toMatchObject({
    isReady: true,
  });
  expect(seen.map((one) => String(one))).toEqual([
    "GET,/a?b,web.example.org",
    `GET,/moved,127.0.0.1:${port}`,
    `GET,/moved,127.0.0.1:${port}`,
  ]);
});

test("the text must be in the first 64 KiB, and no more is read of an endless answer", async () => {
  let sent = 0;
  const port = await site((request, response) => {
    response.on("error", () => undefined);
    if (request.url === "/ready") return response.end("all is well");
    const more = () => {
      while (!response.destroyed && sent < 50_000_000 && response.write("x".repeat(10_000))) sent += 10_000;
      if (!response.destroyed) response.once("drain", more);
    };
    return more();
  });
  await expect(ask(http(port, { path: "/ready", body: "is well" }), never)).resolves.toMatchObject({
    isReady: true,
  });
  await expect(ask(http(port, { body: "is well" }), never)).resolves.toMatchObject({
    ...{ isReady: false, said: "200 without the wanted text" },
  });
  expect(sent).toBeLessThan(40_000_000);
});

test("the certificate is checked unless it may be any", async () => {
  const port = await secureSite((_, response) => response.end());
  const tls = { tls: true, host: "web.example.org" };
  await expect(ask(http(port, tls), never)).resolves.toEqual({
    ...{ isReady: false, isHeard: true, said: "TLS: DEPTH_ZERO_SELF_SIGNED_CERT" },
  });
  await expect(ask(http(port, { ...tls, verify: false }), never)).resolves.toMatchObject({ isReady: true });
});

test("what says nothing, or something else, is told in words", async () => {
  const closed = await closedPort();
  const soon = () => AbortSignal.timeout(100);
  const silent = await talking("");
  await expect(ask(http(closed), never)).resolves.toEqual({
    ...{ isReady: false, isHeard: false, said: "connection refused" },
  });
  await expect(askHttp(http(silent), soon())).resolves.toMatchObject({
    ...{ isHeard: true, said: "connected, but no answer within 5 s" },
  });
  const at = { address: "127.0.0.1" };
  await expect(ask({ protocol: "tcp", port: silent, ...at }, never)).resolves.toMatchObject({
    isReady: true,
  });
  const greeting = await talking("hello\r\n");
  await expect(askTcp({ protocol: "ssh", port: greeting, ...at }, soon())).resolves.toMatchObject({
    ...{ isReady: false, isHeard: true, said: "it is not an SSH server" },
  });
  await expect(askTcp({ protocol: "ssh", port: silent, ...at }, soon())).resolves.toMatchObject({
    ...{ isReady: false, isHeard: true, said: "connected, but silent" },
  });
  const greeted = await talking("welcome\r\nSSH-2.0-OpenSSH_9.6\r\n");
  await expect(ask({ protocol: "ssh", port: greeted, ...at }, never)).resolves.toMatchObject({
    isReady: true,
  });
  const chatty = await talking("220 mail ".repeat(1_000));
  await expect(ask({ protocol: "ssh", port: chatty, ...at }, never)).resolves.toMatchObject({
    ...{ isReady: false, said: "it is not an SSH server" },
  });
});
