import { Readable } from "node:stream";
import { type Client, createClient, isNotFound, type OperationSpec, service } from "../../src/api";
import { clientFor, type Exchange, failure, sample, withServer } from "./scripted-server";

type Calls = Readonly<Record<string, Readonly<Record<string, (...args: unknown[]) => Promise<unknown>>>>>;

const page = (...data: object[]) => ({ data, page: 1, pages: 1, results: data.length });

test("clients share nothing: each has its own token, address and connections", async () => {
  const exchange: Exchange = ["GET /v4/domains/12", { body: sample.domain }];
  await withServer([exchange, exchange], async ({ baseUrl, received }) => {
    const one = createClient({ baseUrl, token: "token-1" });
    const two = createClient({ baseUrl, token: "token-2" });
    await one.domains.get({ domainId: 12 });
    await two.domains.get({ domainId: 12 });
    expect(received.map(({ headers }) => headers.authorization)).toEqual([
      "Bearer token-1",
      "Bearer token-2",
    ]);
    expect(received[0]?.port).not.toBe(received[1]?.port);
  });
});

test("a client whose service refuses a page size does not request that size again for another list", async () => {
  const refusal = { status: 400, body: { errors: [{ field: "page_size", reason: "must be at most 100" }] } };
  const exchanges: Exchange[] = [
    ["GET /v4/domains?page=1&page_size=500", refusal],
    ["GET /v4/domains?page=1&page_size=100", { body: page(sample.domain) }],
    ["GET /v4/domains/12/records?page=1&page_size=100", { body: page(sample.record) }],
  ];
  await withServer(exchanges, async ({ baseUrl }) => {
    const { client } = clientFor(baseUrl);
    const names: unknown[] = [];
    for await (const { id, domain } of client.domains.list.all()) {
      names.push(domain);
      for await (const record of client.records.list.all({ domainId: id })) names.push(record.name);
    }
    expect(names).toEqual(["example.org", "www"]);
  });
});

test("a client that only reads sends nothing but GET", async () => {
  await withServer([["GET /v4/domains/12", { body: sample.domain }]], async ({ baseUrl }) => {
    const client = createClient({ baseUrl, token: "token-1", readOnly: true });
    expect(await client.domains.get({ domainId: 12 })).toMatchObject({ domain: "example.org" });
    const writes = Object.entries(service).flatMap(([family, operations]) =>
      Object.entries<OperationSpec>(operations).flatMap(([name, { method, path }]) => {
        if (method === "GET") return [];
        const params = [...path.matchAll(/\{(\w+)\}/g)].map(([, param]) => [param, "1"]);
        const call = (client as unknown as Calls)[family]?.[name];
        return [Promise.resolve(call?.(...(params.length === 0 ? [] : [Object.fromEntries(params)]), {}))];
      }),
    );
    const data = Readable.from("an image");
    const upload = client.uploadImage("https://upload.example/1", data, { attempt: "upload it" });
    for (const write of [...writes, upload])
      expect(await failure(write)).toMatchObject({ code: "READ_ONLY" });
    expect(await failure(upload)).toMatchObject({
      message: expect.stringMatching(/^upload it: nothing was sent/),
    });
    expect(writes.length).toBeGreaterThan(20);
    expect(data.destroyed).toBe(true);
  });
});

test("options are the last argument, also without parameters, body or page", async () => {
  const missing = { status: 404, body: { errors: [{ reason: "Not found" }] } };
  const exchanges: Exchange[] = [
    ["GET /v4/domains", missing],
    ["GET /v4/domains?page=1&page_size=500", missing],
    ["GET /v4/domains/12", missing],
    ["POST /v4/node/instances/5/boot", missing],
  ];
  await withServer(exchanges, async ({ baseUrl }) => {
    const { client } = clientFor(baseUrl);
    const options = { attempt: "try it" };
    const errors = [
      await failure(client.domains.list(undefined, options)),
      await failure(first(client.domains.list.all(options))),
      await failure(client.domains.get({ domainId: 12 }, options)),
      await failure(client.nodes.boot({ nodeId: 5 }, undefined, options)),
    ];
    expect(errors.map(({ message }) => message)).toEqual(errors.map(() => "try it: Not found (404)"));
    expect(errors.every(isNotFound)).toBe(true);
  });
});

async function first(items: AsyncIterable<unknown>) {
  for await (const item of items) return item;
  return undefined;
}

/** Never called: only the compiler checks these. */
export async function signatures(client: Client): Promise<void> {
  const node = await client.nodes.get({ nodeId: 1 });
  node.label satisfies string;
  node.status satisfies "running" | (string & Record<never, never>);
  for await (const backup of client.mysql.listBackups.all({ instanceId: 1 })) backup.id satisfies number;
  (await client.domains.list({ page: 2 })).data[0]?.domain satisfies string | undefined;
  await client.nodes.boot({ nodeId: 1 });
  await client.nodeBackups.restore({ nodeId: 1, backupId: "2" }, { node_id: 3 });

  // @ts-expect-error the path has a parameter
  await client.nodes.get();
  // @ts-expect-error the parameter has another name
  await client.nodes.get({ domainId: 1 });
  // @ts-expect-error both parameters are required
  await client.nodeBackups.get({ nodeId: 1 });
  // @ts-expect-error the body is required
  await client.domains.create();
  // @ts-expect-error the API has no such type
  await client.domains.create({ domain: "example.org", type: "primary" });
  const database = { label: "abc", region: "us-east", type: "g6-nanode-1", engine: "mysql/8.0.30" };
  // @ts-expect-error MySQL has no commit type
  await client.mysql.create({ ...database, replication_commit_type: "on" });
  // @ts-expect-error a single object has no pages
  client.nodes.get.all({ nodeId: 1 });
  // @ts-expect-error this operation does not exist
  await client.regions.delete({ regionId: "us-east" });
}
