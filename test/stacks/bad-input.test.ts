import { createServer, type Server } from "node:http";
import { type AddressInfo } from "node:net";
import { startTestEmulator, type TestEmulator } from "../helpers/emulator";
import { type Outcome, testStack, type TestStack } from "../helpers/stack";

let emulator: TestEmulator;
let stack: TestStack;

beforeAll(async () => {
  emulator = await startTestEmulator({ speed: 60_000 });
  stack = await testStack(emulator);
});
beforeEach(() => {
  Object.assign(stack.env, {
    NODECLOUD_TOKEN: emulator.token,
    NODECLOUD_BASE_URL: emulator.url,
    NODECLOUD_VALIDATE: "true",
  });
});
afterAll(async () => {
  stack.remove();
  await emulator.stop();
});

const zone = `new nodecloud.Domain("zone", { domain: "example.org", type: "master", soaEmail: "dns@example.org" });`;

/** Expects that the command failed with one message about one resource, on one line, without a stack trace. */
function expectOneMessage(outcome: Outcome, message: string | RegExp): void {
  expect(outcome.code).not.toBe(0);
  expect(outcome.messages.filter((line) => line.includes("\n    at "))).toEqual([]);
  const ours = outcome.messages.filter((line) =>
    typeof message === "string" ? line.includes(message) : message.test(line),
  );
  expect({ messages: outcome.messages, about: ours.length }).toEqual({
    messages: outcome.messages,
    about: 1,
  });
}

describe("configuration", () => {
  test("without a token, the error names the setting, the command and the variable that set it", async () => {
    delete stack.env["NODECLOUD_TOKEN"];
    stack.program(zone);
    expectOneMessage(
      await stack.preview(),
      "nodecloud:token is not set: run `pulumi config set --secret nodecloud:token`, set NODECLOUD_TOKEN in the environment",
    );
  });

  test("a base URL that does not end in /v4 fails in the preview", async () => {
    stack.env["NODECLOUD_BASE_URL"] = emulator.origin;
    stack.program(zone);
    expectOneMessage(
      await stack.preview(),
      `NODECLOUD_BASE_URL: must end in /v4, the version of the API: write ${emulator.url}, not ${emulator.origin}/`,
    );
  });

  test("a setting of an explicit provider that is misspelt is one message without a stack", async () => {
    stack.program(
      `const provider = new nodecloud.Provider("staging", { baseURL: "https://api.example.org/v4" }); ${zone.replace(/ }\);$/, " }, { provider });")}`,
    );
    expectOneMessage(
      await stack.preview(),
      "baseURL is not a setting of the provider; did you mean baseUrl?",
    );
  });

  test("with a wrong token, the error names the attempt and the token's setting", async () => {
    stack.env["NODECLOUD_VALIDATE"] = "false";
    stack.env["NODECLOUD_TOKEN"] = "wrong-token-1234";
    stack.program(zone);
    const up = await stack.up();
    expectOneMessage(
      up,
      "create Domain example.org: Invalid Token (401); check that the token (of the explicit provider, nodecloud:token or NODECLOUD_TOKEN) is complete and has not expired; refresh, destroy and drift use that of the last `pulumi up`",
    );
    expect(up.printed).not.toContain("wrong-token-1234");
  });
});

/** Runs `use` with a server that replaces the API and always sends this answer. */
async function withAnswer<Result>(
  status: number,
  type: string,
  text: string,
  use: () => Promise<Result>,
): Promise<Result> {
  const server: Server = createServer((_, response) =>
    response.writeHead(status, { "content-type": type }).end(text),
  );
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  stack.env["NODECLOUD_BASE_URL"] = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v4`;
  try {
    return await use();
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

describe("an API that is missing or wrong", () => {
  test("with an unreachable server, the error names the host and suggests causes", async () => {
    stack.env["NODECLOUD_VALIDATE"] = "false";
    // No system gives this port to a process that asks for a free one, unlike the port of a server that has stopped.
    const host = "127\\.0\\.0\\.1:1";
    stack.env["NODECLOUD_BASE_URL"] = "http://127.0.0.1:1/v4";
    stack.program(zone);
    expectOneMessage(
      await stack.up(),
      new RegExp(
        `^create Domain example\\.org: .*could not connect to ${host} .*; is the base URL right, and the service running\\?`,
      ),
    );
  });

  test("with HTML instead of an answer, the error shows it and asks about the base URL", async () => {
    stack.program('nodecloud.Domain.get("zone", "1");');
    const read = await withAnswer(200, "text/html", "<html><body>Welcome</body></html>", () =>
      stack.preview(),
    );
    expectOneMessage(read, "answered text/html instead of JSON (200): <html><body>Welcome");
    expect(read.messages.join()).toContain("is the base URL right?");
  });

  test("with broken JSON as the answer to a creation, the error says that the outcome is not known", async () => {
    stack.env["NODECLOUD_VALIDATE"] = "false";
    stack.program(zone);
    const up = await withAnswer(200, "application/json", "{", () => stack.up());
    expectOneMessage(up, /^create Domain example\.org: .*broken JSON/);
  });

  test("a gateway's page with status 404 does not mean that the object is gone", async () => {
    stack.program(zone);
    expect(await stack.up()).toMatchObject({ code: 0 });
    const refresh = await withAnswer(404, "text/html", "<h1>Not Found</h1>", () => stack.refresh());
    expect(refresh.code).not.toBe(0);
    expect(Object.keys(await stack.state())).toEqual(["zone"]);
    stack.env["NODECLOUD_BASE_URL"] = emulator.url;
    expect(await stack.destroy()).toMatchObject({ code: 0 });
  });
});

describe("properties", () => {
  test("out of their documented limits are named with the reason before anything is created", async () => {
    stack.program(
      'new nodecloud.Node("web", { region: "us-east", type: "g6-nanode-1", label: "ab", swapSize: 0.5 });',
    );
    const preview = await stack.preview();
    expectOneMessage(preview, 'label must be at least 3 characters long, not "ab"');
    expectOneMessage(preview, "swapSize must be a whole number, not 0.5");
    expect((await emulator.call("GET", "/node/instances")).body).toMatchObject({ results: 0 });
  });
});
