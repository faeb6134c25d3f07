import { Readable } from "node:stream";
import { createClient, type RequestEvent } from "../../src/api";
import { clientFor, failure, sample, withServer } from "./scripted-server";

/** The event of each request, without the times, which vary. */
const toldBy = () => {
  const events: RequestEvent[] = [];
  const onRequest = (event: RequestEvent) => events.push(event);
  const told = () =>
    events.map(({ method, path, status, code, attempt }) => [method, path, status ?? code, attempt]);
  return { events, onRequest, told };
};

test("each attempt is an event with its number and its status or error code", async () => {
  const get = "GET /v4/domains/12";
  const { events, onRequest, told } = toldBy();
  await withServer(
    [
      [get, { status: 500 }],
      [get, "reset"],
      [get, { body: sample.domain }],
    ],
    ({ baseUrl }) => clientFor(baseUrl, { onRequest }).client.domains.get({ domainId: 12 }),
  );
  expect(told()).toEqual([
    ["GET", "/domains/12", 500, 1],
    ["GET", "/domains/12", "CONNECTION_LOST", 2],
    ["GET", "/domains/12", 200, 3],
  ]);
  for (const { ms, waitedMs } of events) expect(Math.min(ms, waitedMs)).toBeGreaterThanOrEqual(0);
});

test("the event of a list request contains the page", async () => {
  const page = { data: [sample.domain], page: 1, pages: 1, results: 1 };
  const { onRequest, told } = toldBy();
  await withServer([["GET /v4/domains?page=1&page_size=500", { body: page }]], async ({ baseUrl }) => {
    await clientFor(baseUrl, { onRequest }).client.domains.list.all()[Symbol.asyncIterator]().next();
  });
  expect(told()).toEqual([["GET", "/domains?page=1&page_size=500", 200, 1]]);
});

test.each([
  ["private/123", "private/123"],
  ["node/debian12", "node/debian12"],
  ["hunter2", "[…]"],
  ["node/hunter2 and more", "[…]"],
  ["a-token-of-somebody", "[…]"],
])("the image id %j appears in the event as %j", async (imageId, shown) => {
  const { onRequest, told } = toldBy();
  const request = `GET /v4/images/${imageId.split("/").map(encodeURIComponent).join("/")}`;
  await withServer([[request, { status: 404, body: { errors: [] } }]], ({ baseUrl }) =>
    failure(clientFor(baseUrl, { onRequest }).client.images.get({ imageId })),
  );
  expect(told()).toEqual([["GET", `/images/${shown}`, 404, 1]]);
});

test("the event of an upload contains only the origin and the status", async () => {
  const target = "/put/image?signature=s3cret";
  for (const [status, expected] of [
    [200, 200],
    [403, 403],
  ] as const) {
    const { onRequest, told } = toldBy();
    let at = "";
    await withServer([[`PUT ${target}`, { status, body: "" }]], async ({ origin, baseUrl }) => {
      at = origin;
      const { client } = clientFor(baseUrl, { onRequest });
      await client.uploadImage(origin + target, Readable.from([Buffer.from("data")])).catch(() => undefined);
    });
    expect(told()).toEqual([["PUT", at, expected, 1]]);
  }
});

test("a request that is aborted before it is sent causes no event", async () => {
  const { onRequest, told } = toldBy();
  const client = createClient({ baseUrl: "http://127.0.0.1:1/v4", token: "t0ken-of-the-test", onRequest });
  await failure(client.domains.get({ domainId: 1 }, { signal: AbortSignal.abort(new Error("enough")) }));
  expect(told()).toEqual([]);
});
