import { createServer, request } from "node:http";
import { type AddressInfo } from "node:net";
import { createEmulator } from "../../src/emulator";
import { type TestEmulator, deployedNode, startTestEmulator, withEmulator } from "../helpers/emulator";
import * as helpers from "../helpers/emulator-page";
import { database, example, PAGE } from "../helpers/emulator-page";

let emulator: TestEmulator;
beforeEach(async () => {
  emulator = await startTestEmulator();
});
afterEach(() => emulator.stop());

const create = (path: string, body: object) => helpers.create(emulator, path, body);
const htmlOf = (path: string) => helpers.htmlOf(emulator, path);
const textOf = (path: string) => helpers.textOf(emulator, path);
const fill = () => helpers.fill(emulator);

/** Sends a request with this Host header, which `fetch` cannot set. */
function get(host: string, path = "/", { origin } = emulator): Promise<{ status: number; text: string }> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const outgoing = request({ hostname, port, path, headers: { host } }, (response) => {
      let text = "";
      response.on("data", (chunk: Buffer) => (text += chunk.toString()));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
    });
    outgoing.on("error", reject).end();
  });
}

describe("the page", () => {
  test("is uncached HTML at / that loads only its own files", async () => {
    const answer = await fetch(`${emulator.origin}/`);
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "text/html; charset=UTF-8",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "content-security-policy": expect.stringMatching(/^default-src 'none'; .*frame-ancestors 'none'$/),
    });
    expect(answer.headers.get("content-security-policy")).not.toMatch(/unsafe|\*|http|data:/);
  });

  test("does not change other routes", async () => {
    for (const [method, path] of [
      ["GET", "/nothing"],
      ["POST", "/"],
      ["GET", "/_emulator/pages"],
    ] as const) {
      const answer = await fetch(emulator.origin + path, { method });
      expect({ status: answer.status, body: await answer.json() }).toEqual({
        status: 404,
        body: { errors: [{ reason: "Not found" }] },
      });
    }
  });

  test("shows as HTML that an object or kind does not exist", async () => {
    for (const path of ["/nodes/4711", "/nodes/x", "/dogs", "/images/1"]) {
      const answer = await fetch(emulator.origin + PAGE + path);
      expect(answer.status).toBe(404);
      expect(await answer.text()).toContain("This object does not exist");
    }
  });

  test.each(["localhost", "127.0.0.1", "[::1]:8080", "192.0.2.1:80", "dev.localhost:8080"])(
    "answers under %s",
    async (host) => {
      expect(await get(host)).toMatchObject({ status: 200 });
    },
  );

  test.each(["evil.example", "127.0.0.1.evil.example:8080", "localhost.evil.example", "emulator"])(
    "does not answer under %s, a name that DNS rebinding could point here",
    async (host) => {
      for (const path of ["/", `${PAGE}/requests`, `${PAGE}/page.js`]) {
        const { status, text } = await get(host, path);
        expect({ status, body: JSON.parse(text) }).toMatchObject({
          status: 403,
          body: { errors: [{ reason: expect.stringMatching(/^The page answers under localhost/) }] },
        });
      }
    },
  );

  test("answers only this machine", async () => {
    const { listener } = createEmulator();
    const server = createServer((incoming, outgoing) => {
      Object.defineProperty(incoming.socket, "remoteAddress", { value: "192.0.2.1" });
      void listener(incoming, outgoing);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      for (const path of ["/", `${PAGE}/nodes`]) expect((await fetch(origin + path)).status).toBe(403);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  test("is not logged, and has no latency and no faults", () =>
    withEmulator(
      async ({ origin, control }) => {
        await control("POST", "/faults", { path: "/**", effect: "drop-request" });
        for (const path of ["/", `${PAGE}/nodes`, `${PAGE}/page.css`]) {
          expect((await fetch(origin + path)).status).toBe(200);
        }
        expect((await control("GET", "/requests")).body).toEqual({ counts: {}, last: [] });
        expect((await control<{ faults: object[] }>("GET", "/faults")).body.faults).toHaveLength(1);
      },
      { latencyMs: 600_000 },
    ));
});

describe("the page shows", () => {
  test("each kind with the statuses of its objects, and the end of a change", async () => {
    await fill();
    expect(await textOf("/")).toMatch(/Nodes 3 1 running 1 provisioning 1 offline/);
    expect(await textOf(`${PAGE}/nodes`)).toMatch(/web-2 provisioning running in 20 min · \d\d:\d\d:\d\d /);
    expect(await textOf(`${PAGE}/nodeBackups`)).toMatch(/before pending running in 60 s .* web-1 /);
    expect(await textOf(`${PAGE}/mysql`)).toMatch(/shop backing_up active in 5 min/);
    expect(await textOf(`${PAGE}/databaseBackups`)).toMatch(/nightly being taken listed in 5 min .* shop /);
    expect(await textOf(`${PAGE}/domains`)).toMatch(/example\.org active \d+ 1 master/);
    expect(await textOf(`${PAGE}/images`)).toMatch(/golden pending_upload gone in 24 h/);
    expect(await textOf(`${PAGE}/catalogue`)).toMatch(/ap-northeast Tokyo, Kanto, Japan jp outage/);
  });

  test("the base URL, the tokens and the clock", async () => {
    expect(await htmlOf("/")).toContain('aria-label="Tokens"');
    const { host } = new URL(emulator.origin);
    expect(await textOf("/")).toContain(
      `NODECLOUD_BASE_URL=http://${host}/v4 export NODECLOUD_TOKEN=emulator-token`,
    );
    expect(await htmlOf("/")).toContain("stands still");
    await emulator.control("POST", "/clock", { speed: 600 });
    expect(await htmlOf("/")).toContain("600 × real time");
  });

  test("every field of an object, its disks, its backups and its pending changes", async () => {
    await fill();
    const { body } = await emulator.control<{ data: { id: number; host_uuid: string }[] }>(
      "GET",
      "/objects/nodes",
    );
    const [node] = body.data;
    const text = await textOf(`${PAGE}/nodes/${node?.id}`);
    expect(text).toContain(`host_uuid ${node?.host_uuid} `);
    expect(text).toMatch(/specs\.vcpus 1 /);
    expect(text).toMatch(/group "" /);
    expect(text).toMatch(/disks .* ready /);
    expect(text).toMatch(/before pending /);
    const [backup] = (await emulator.control<{ data: { id: number }[] }>("GET", "/objects/nodeBackups")).body
      .data;
    expect(await textOf(`${PAGE}/nodeBackups/${backup?.id}`)).toMatch(
      /Changes to come .* running 60 s .* needsPostProcessing 9 min .* successful 10 min/,
    );
  });

  test("the zone file with line numbers, and the records", async () => {
    const id = await create("/domains", example);
    await create(`/domains/${id}/records`, { type: "A", name: "www", target: "192.0.2.1", ttl_sec: 300 });
    await create(`/domains/${id}/records`, { type: "CNAME", name: "www", target: "example.net" });
    const html = await htmlOf(`${PAGE}/domains/${id}`);
    const { body } = await emulator.call<{ zone_file: string[] }>("GET", `/domains/${id}/zone-file`);
    const lines = [...html.matchAll(/<span class="line ([\w-]+)" data-line="(\d+)">(.*)<\/span>/g)];
    expect(lines.map(([, , number, text]) => [Number(number), text])).toEqual(
      body.zone_file.map((text, index) => [index + 1, text]),
    );
    expect(lines.filter(([, kind]) => kind === "left-out").map(([, , , text]) => text)).toEqual([
      expect.stringMatching(/^; record \d+ \(CNAME\) is left out/),
    ]);
    expect(await textOf(`${PAGE}/domains/${id}`)).toMatch(/2 records .* www \d+ A 192\.0\.2\.1 300 /);
    const slave = await create("/domains", {
      domain: "example.net",
      type: "slave",
      master_ips: ["192.0.2.9"],
    });
    expect(await textOf(`${PAGE}/domains/${slave}`)).toContain("Nothing is served");
  });

  test("no numbers that the type of a record does not take, and a column only if a record has it", async () => {
    const id = await create("/domains", example);
    const www = { type: "A", name: "www", target: "192.0.2.1" };
    await create(`/domains/${id}/records`, www);
    const rowsOf = async () => {
      const table =
        /<table class="plain">.*?<\/table>/s.exec(await htmlOf(`${PAGE}/domains/${id}`))?.[0] ?? "";
      return table
        .split("<tr")
        .slice(1)
        .map((row) =>
          [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = ""]) =>
            cell.replace(/<[^>]*>|\s/g, ""),
          ),
        );
    };
    expect(await rowsOf()).toEqual([
      ["name", "id", "type", "target", "ttl_sec"],
      ["www", expect.any(String), "A", "192.0.2.1", "0"],
    ]);
    await create(`/domains/${id}/records`, { type: "MX", target: "mx.example.net", priority: 0 });
    expect(await rowsOf()).toEqual([
      ["name", "id", "type", "target", "ttl_sec", "priority"],
      ["www", expect.any(String), "A", "192.0.2.1", "0", "–"],
      ["@", expect.any(String), "MX", "mx.example.net", "0", "0"],
    ]);
  });

  test("a picture of a zone: its names, their data, and arrows between them", async () => {
    const id = await create("/domains", example);
    const page = `${PAGE}/domains/${id}`;
    expect(await htmlOf(page)).not.toContain("<svg");
    for (const body of [
      { type: "A", name: "a.b", target: "192.0.2.1" },
      { type: "CNAME", name: "www", target: "A.b.example.org." },
      { type: "MX", target: "mx.example.net", priority: 10 },
      { type: "CNAME", name: "a.b", target: "example.net" },
      { type: "TXT", name: "t", target: '<b>"' },
    ])
      await create(`/domains/${id}/records`, body);
    const picture = /<svg.*<\/svg>/s.exec(await htmlOf(page))?.[0] ?? "";
    const texts = [...picture.matchAll(/<text x="(\d+)[^>]*?y="(\d+)"[^>]*>(.*?)<\/text>/gs)];
    const rows = Map.groupBy(texts, ([, , y]) => y);
    expect([...rows.values()].map((row) => row.map(([, , , text]) => text))).toEqual([
      ["example.org", "MX 10 mx.example.net."],
      ["b"],
      ["a", "A 192.0.2.1"],
      ["t", "TXT &quot;&lt;b&gt;\\&quot;&quot;"],
      ["www", "CNAME A.b.example.org."],
    ]);
    // Names below others are further right.
    const [apex = 0, b = 0, a = 0] = [...rows.values()].map(([first]) => Number(first?.[1]));
    expect([b > apex, a > b]).toEqual([true, true]);
    expect(picture.match(/class="lead"/g)).toHaveLength(1);
    expect(await textOf(page)).toContain("It does not show 1 record.");
  });

  test("working commands that change and remove an object of each kind", async () => {
    await fill();
    // Objects go with those that they belong to.
    for (const kind of [
      ...["nodeBackups", "nodes", "databaseBackups", "mysql", "postgresql", "records", "domains", "images"],
    ]) {
      const read = async () =>
        (await emulator.control<{ data: { id: number | string }[] }>("GET", `/objects/${kind}`)).body.data;
      const [before] = await read();
      const text = await textOf(`${PAGE}/${kind}/${before?.id}`);
      const commands = [...text.matchAll(/curl -X (PATCH|DELETE) (\S+)(?: -d '([^']+)')? /g)];
      expect([kind, commands.map(([, method]) => method)]).toEqual([
        kind,
        /Backups/.test(kind) ? ["DELETE"] : ["PATCH", "DELETE"],
      ]);
      for (const [, method = "", url = "", body] of commands) {
        const answer = await fetch(url, { method, ...(body === undefined ? {} : { body }) });
        expect([kind, method, answer.status]).toEqual([kind, method, 200]);
        const [now] = (await read()).filter(({ id }) => id === before?.id);
        if (method === "DELETE") expect(now).toBeUndefined();
        else expect(now).not.toEqual(before);
      }
    }
  });

  test("the last requests with query, body, status and answer, the latest first", async () => {
    await emulator.call("GET", "/domains?page_size=25");
    await emulator.call("POST", "/domains", { body: { ...example, domain: "x" } });
    await emulator.call("POST", "/domains", { body: "no json" });
    await emulator.control("POST", "/faults", [
      { path: "/v4/regions", effect: { status: 503, body: "come back later" } },
      { path: "/v4/databases/**", effect: "drop-response" },
    ]);
    await emulator.call("GET", "/regions").catch(() => undefined);
    await emulator.call("GET", "/databases/engines").catch(() => undefined);
    const html = await htmlOf(`${PAGE}/requests`);
    const entries = html
      .split("<details>")
      .slice(1)
      .map((part) => part.replace(/<[^>]*>/g, " ").replace(/\s+/g, " "));
    expect(entries).toEqual([
      expect.stringMatching(
        /^ GET \/v4\/databases\/engines no answer .* Answer The connection closed without an answer/,
      ),
      expect.stringMatching(/^ GET \/v4\/regions 503 .* Answer come back later/),
      expect.stringMatching(/^ POST \/v4\/domains 400 .* Body no json Answer .*The body is not valid JSON/),
      expect.stringMatching(/^ POST \/v4\/domains 200 .* Body .*&quot;x&quot;.* Answer .*&quot;id&quot;: 1,/),
      expect.stringMatching(
        /^ GET \/v4\/domains\?page_size=25 200 .* Query .*25.* Answer .*&quot;pages&quot;: 1/,
      ),
    ]);
  });

  test("the start of a long answer", async () => {
    const id = await create("/domains", example);
    for (let count = 0; count < 30; count++) {
      await create(`/domains/${id}/records`, { type: "TXT", name: `t${count}`, target: "x".repeat(1000) });
    }
    await emulator.call("GET", `/domains/${id}/records`);
    const [, first = ""] = (await htmlOf(`${PAGE}/requests`)).split("<details>");
    expect(first).toMatch(/x… \[\d{5} characters\]/);
    expect(first.length).toBeLessThan(15_000);
  });

  test("no secret in the start of a long answer, or in an answer that is not JSON", async () => {
    const long = { password: "hunter2-json", text: "x".repeat(20_000) };
    await emulator.control("POST", "/faults", [
      { path: "/v4/domains", effect: { status: 200, body: long } },
      { path: "/v4/domains", effect: { status: 200, body: "password: hunter2-text" } },
    ]);
    await emulator.call("GET", "/domains");
    await emulator.call("GET", "/domains").catch(() => undefined);
    const html = await htmlOf(`${PAGE}/requests`);
    expect(html).not.toContain("hunter2");
    expect(html).toContain("{&quot;password&quot;:&quot;[redacted]&quot;,&quot;text&quot;:&quot;xxx");
    expect(html).toContain("[redacted: 22 characters]");
  });

  test("the planned faults, and how often each remains", async () => {
    expect(await textOf(`${PAGE}/faults`)).toContain("No failure is planned");
    await fill();
    await emulator.call("POST", "/domains/1/records", { body: { type: "A" } }).catch(() => undefined);
    expect(await textOf(`${PAGE}/faults`)).toMatch(
      /1 failure is planned.* \/v4\/domains\/\*\/records POST runs, and the connection closes without an answer 2 of 3/,
    );
  });

  test("only what matches a search", async () => {
    const id = await create("/domains", example);
    for (let count = 0; count < 12; count++) {
      await create(`/domains/${id}/records`, { type: "A", name: `w${count}`, target: `192.0.2.${count}` });
    }
    const text = await textOf(`${PAGE}/domains/${id}?q=2.11`);
    expect(text).toContain("12 records, 1 with “2.11”");
    expect(text).toMatch(/ w11 \d+ A 192\.0\.2\.11 /);
    expect(text).not.toMatch(/ w10 \d+ A /);
    expect(await textOf(`${PAGE}/requests?q=POST+%2Fv4%2Fdomains+200`)).toContain(
      "13 requests to the API, 1 with",
    );
  });

  test("a working command that creates the first object of a kind", async () => {
    const kinds = [
      "nodes",
      "nodeBackups",
      "mysql",
      "databaseBackups",
      "postgresql",
      "domains",
      "records",
      "images",
    ];
    for (const kind of kinds) {
      await emulator.control("POST", "/reset");
      if (kind === "nodeBackups") await create("/node/instances", deployedNode);
      if (kind === "databaseBackups")
        await create("/databases/mysql/instances", { ...database, label: "one" });
      if (kind === "records") await create("/domains", example);
      emulator.clock.advance(30 * 60);
      const text = await textOf(`${PAGE}/${kind}`);
      const [, url = "", type = "", body = ""] =
        /curl (\S+) .*-H "Content-Type: ([^"]+)" \\ -d '([^']+)'/.exec(text) ?? [];
      const headers = { authorization: `Bearer ${emulator.token}`, "content-type": type };
      expect({ kind, status: (await fetch(url, { method: "POST", headers, body })).status }).toEqual({
        kind,
        status: 200,
      });
    }
  });
});

describe("the page does not show", () => {
  const secrets = ["hunter2-root", "custom-token-1", "c2VjcmV0LWRhdGE=", "hunter2-form"];

  test("passwords, tokens, user data and upload keys, in any view", () =>
    withEmulator(
      async (custom) => {
        const body = {
          ...deployedNode,
          image: "node/debian12",
          root_pass: secrets[0],
          metadata: { user_data: secrets[2] },
        };
        await custom.call("POST", "/node/instances", { body });
        await custom.call("POST", "/node/instances", { body: JSON.stringify(body).slice(0, -1) });
        await custom.call("POST", "/domains?token=custom-token-1", { body: `password=${secrets[3]}` });
        const { id } = (
          await custom.call("POST", "/databases/mysql/instances", { body: { ...database, label: "shop" } })
        ).body;
        custom.clock.advance(30 * 60);
        const credentials = await custom.call<{ password: string }>(
          "GET",
          `/databases/mysql/instances/${Number(id)}/credentials`,
        );
        const upload = await custom.call<{ upload_to: string }>("POST", "/images/upload", {
          body: { label: "golden", region: "us-east" },
        });
        const key = upload.body.upload_to.split("/").at(-1) ?? "";
        await fetch(upload.body.upload_to, { method: "PUT", body: "no gzip" });
        await custom.control("POST", "/faults", {
          path: "/x",
          effect: { status: 500, body: { password: secrets[3] } },
        });

        const { body: log } = await custom.control("GET", "/requests");
        const views = await helpers.everyView(custom);
        expect([...views.keys()]).toEqual(
          expect.arrayContaining([`${PAGE}/mysql/${Number(id)}`, `${PAGE}/requests`]),
        );
        for (const secret of [...secrets, credentials.body.password, key]) {
          expect(secret.length).toBeGreaterThan(8);
          for (const [path, html] of views) expect([path, html.includes(secret)]).toEqual([path, false]);
        }
        for (const secret of [secrets[0], secrets[1], secrets[3], key])
          expect(JSON.stringify(log)).not.toContain(secret);
        expect(views.get("/")).toContain("not shown");
      },
      { accounts: { users: [{ username: "ada", tokens: [{ token: secrets[1] ?? "", scopes: "*" }] }] } },
    ));
});
