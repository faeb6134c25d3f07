import { createServer } from "node:http";
import { networkInterfaces } from "node:os";
import { createEmulator, startEmulator } from "../../src/emulator";
import { withEmulator } from "../helpers/emulator";
import { sendRaw } from "../helpers/raw-request";

test("several emulators run at once, each with its own objects", () =>
  withEmulator((one) =>
    withEmulator(async (other) => {
      await one.call("POST", "/domains", {
        body: { domain: "example.org", type: "master", soa_email: "dns@example.org" },
      });
      expect((await one.call("GET", "/domains")).body["results"]).toBe(1);
      expect((await other.call("GET", "/domains")).body["results"]).toBe(0);
    }),
  ));

test("stopping frees the port, even with open connections", async () => {
  const first = await startEmulator();
  await fetch(`${first.url}/regions`);
  await first.stop();
  const second = await startEmulator({ port: Number(new URL(first.url).port) });
  expect(second.url).toBe(first.url);
  await second.stop();
});

test("a start on a used port rejects", () =>
  withEmulator(async ({ url }) => {
    await expect(startEmulator({ port: Number(new URL(url).port) })).rejects.toThrow("EADDRINUSE");
  }));

test("a custom server can use the listener", async () => {
  const { listener, token } = createEmulator();
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing)).listen(
    0,
    "127.0.0.1",
  );
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const answer = await fetch(`http://127.0.0.1:${port}/v4/domains`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(answer.status).toBe(200);
  server.closeAllConnections();
  server.close();
});

test("the token is the first token of the accounts", () =>
  withEmulator(
    async ({ token, call }) => {
      expect(token).toBe("mine");
      expect((await call("GET", "/domains")).status).toBe(200);
    },
    { accounts: { users: [{ username: "ada", tokens: [{ token: "mine", scopes: "*" }] }] } },
  ));

const outside = Object.values(networkInterfaces())
  .flat()
  .find((address) => address?.family === "IPv4" && !address.internal)?.address;

(outside === undefined ? test.skip : test)("the control API answers only on this machine's loopback", () =>
  withEmulator(
    async ({ url, control }) => {
      const { port } = new URL(url);
      expect((await fetch(`http://${outside}:${port}/v4/regions`)).status).toBe(200);
      expect((await fetch(`http://${outside}:${port}/_emulator/requests`)).status).toBe(403);
      expect((await control("GET", "/requests")).status).toBe(200);
    },
    { host: "0.0.0.0" },
  ),
);

test("the upload URL has the address that the client reached, and ignores the Host header", () =>
  withEmulator(
    async ({ url, token }) => {
      const { port } = new URL(url);
      for (const address of ["127.0.0.1", ...(outside === undefined ? [] : [outside])]) {
        for (const host of ["evil.test:99", "localhost:1", "192.0.2.9"]) {
          const { status, text } = await sendRaw(`http://${address}:${port}`, {
            ...{
              method: "POST",
              path: "/v4/images/upload",
              body: '{"label": "golden", "region": "us-east"}',
            },
            headers: { host, authorization: `Bearer ${token}` },
          });
          expect({ status, body: JSON.parse(text) }).toMatchObject({
            status: 200,
            body: { upload_to: expect.stringMatching(`^http://${address}:${port}/uploads/`) },
          });
        }
      }
    },
    { host: "0.0.0.0" },
  ));

test.each(["https://cloud.example.com", "http://[2001:db8::1]:8080"])(
  "the upload URL begins with %s if that is the public origin",
  (publicOrigin) =>
    withEmulator(
      async ({ call }) => {
        const { body } = await call("POST", "/images/upload", {
          body: { label: "golden", region: "us-east" },
        });
        expect(String(body["upload_to"]).startsWith(`${publicOrigin}/uploads/`)).toBe(true);
      },
      { publicOrigin },
    ),
);

test("a start with an invalid public origin rejects", async () => {
  await expect(startEmulator({ publicOrigin: "https://cloud.example.com/v4" })).rejects.toThrow(
    "must be an origin",
  );
});

test("an idle connection stays open longer than on the client's side", () =>
  withEmulator(async ({ call }) => {
    const { headers } = await call("GET", "/regions");
    expect(Number(/timeout=(\d+)/.exec(headers.get("keep-alive") ?? "")?.[1])).toBeGreaterThan(60);
  }));
