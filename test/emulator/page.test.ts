import { Agent, createServer, request } from "node:http";
import { type AddressInfo } from "node:net";
import axe, { type AxeResults } from "axe-core";
import { type Browser, type BrowserContextOptions, type Page } from "playwright-core";
import { createEmulator } from "../../src/emulator";
import { HANGS_MS, LOWEST_CONTRAST, startBrowser } from "../helpers/browser";
import { findTool } from "../helpers/debian-tools";
import { type TestEmulator, deployedNode, startTestEmulator, withEmulator } from "../helpers/emulator";

const PAGE = "/_emulator/page";
const example = { domain: "example.org", type: "master", soa_email: "dns@example.org" };
const database = { region: "us-east", type: "g6-nanode-1", engine: "mysql/8.0.30" };

let emulator: TestEmulator;
beforeEach(async () => {
  emulator = await startTestEmulator();
});
afterEach(() => emulator.stop());

/** Creates an object, and returns its id. */
async function create(path: string, body: object): Promise<number> {
  const answer = await emulator.call<{ id: number }>("POST", path, { body });
  expect(answer.status).toBe(200);
  return answer.body.id;
}

async function htmlOf(path: string, { origin } = emulator): Promise<string> {
  const answer = await fetch(origin + path);
  expect(answer.headers.get("content-type")).toMatch(/^text\/html/);
  return answer.text();
}

/** The visible text of the page. */
async function textOf(path: string): Promise<string> {
  const main = /<main[^>]*>(.*)<\/main>/s.exec(await htmlOf(path))?.[1] ?? "";
  const text = main.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
  return text
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&#39;", "'");
}

/** Every view that links lead to, with its HTML. */
async function everyView(start = "/"): Promise<Map<string, string>> {
  const views = new Map<string, string>();
  const waiting = [start];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (views.has(path)) continue;
    const html = await htmlOf(path);
    views.set(path, html);
    const links = [...html.matchAll(/<a href="([^"#]+)/g)].map(([, href = ""]) =>
      href.replaceAll("&amp;", "&"),
    );
    waiting.push(...links.map((href) => (href.startsWith("?") ? path.replace(/\?.*|$/, href) : href)));
  }
  return views;
}

/** Creates objects of every kind, some with pending changes, requests of every sort, and faults. */
async function fill(): Promise<void> {
  const node = await create("/node/instances", { ...deployedNode, label: "web-1", tags: ["prod"] });
  const mysql = await create("/databases/mysql/instances", { ...database, label: "shop" });
  await create("/databases/postgresql/instances", {
    ...database,
    engine: "postgresql/14.6",
    label: "events",
  });
  const domain = await create("/domains", example);
  await create(`/domains/${domain}/records`, { type: "A", name: "www", target: "192.0.2.1" });
  await create("/domains", { domain: "example.net", type: "slave", master_ips: ["192.0.2.9"] });
  emulator.clock.advance(25 * 60);
  await create(`/node/instances/${node}/backups`, { label: "before" });
  await create(`/databases/mysql/instances/${mysql}/backups`, { label: "nightly" });
  await create("/images/upload", { label: "golden", region: "us-east" });
  await create("/node/instances", { ...deployedNode, label: "web-2" });
  await create("/node/instances", { label: "empty", region: "us-east", type: "g6-nanode-1" });
  await emulator.call("GET", "/domains/4711");
  await emulator.control("POST", "/faults", [
    { method: "GET", path: "/v4/regions", effect: { status: 503 } },
    { method: "POST", path: "/v4/domains/*/records", times: 3, effect: "drop-response" },
  ]);
  await emulator.call("GET", "/regions");
}

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

/** Creates many records over one connection, several times faster than `fetch`. */
async function createRecords(domain: number, count: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { authorization: `Bearer ${emulator.token}` };
  const send = (name: string) =>
    new Promise<void>((resolve, reject) => {
      request(`${emulator.url}/domains/${domain}/records`, { method: "POST", agent, headers }, (response) => {
        response.resume().on("end", () => resolve());
      })
        .on("error", reject)
        .end(JSON.stringify({ type: "A", name, target: "192.0.2.1" }));
    });
  for (let index = 0; index < count; index++) await send(`host${index}`);
  agent.destroy();
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

  test("12,000 records in pages of 100, and their zone file in pages of 200 lines", async () => {
    const id = await create("/domains", example);
    await createRecords(id, 12_000);
    const last = await textOf(`${PAGE}/domains/${id}?page=120&lines=61`);
    expect(last).toContain("12,000 records");
    expect(last).toContain("Page 120 of 120");
    expect(last).toContain("Page 61 of 61");
    const { body } = await emulator.call<{ zone_file: string[] }>("GET", `/domains/${id}/zone-file`);
    expect(last).toContain(body.zone_file.at(-1));
    const html = await htmlOf(`${PAGE}/domains/${id}?page=120&lines=61`);
    expect(html.match(/<tr data-key="\d+">/g)).toHaveLength(100);
    expect(html.match(/class="line plain"/g)).toHaveLength(6);
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
        const kept = emulator;
        emulator = custom;
        const views = await everyView().finally(() => (emulator = kept));
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

const chromiumPath = findTool("chromium");

// Registered only if Chromium is installed: a skipped test would look forgotten.
if (chromiumPath !== undefined) {
  describe("the page in Chromium", () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await startBrowser(chromiumPath);
    });
    afterAll(() => browser.close());

    /** Opens the page in a new profile, and records every error. */
    async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
      const context = await browser.newContext({ baseURL: emulator.origin, ...options });
      context.setDefaultTimeout(HANGS_MS);
      const page = await context.newPage();
      page.on("pageerror", (error) => troubles.push(String(error)));
      page.on("console", (message) => {
        if (message.type() === "error" && !/Failed to load resource/.test(message.text()))
          troubles.push(message.text());
      });
      page.on("request", (sent) => asked.push(sent.url()));
      await page.goto(path);
      return page;
    }

    let troubles: string[];
    let asked: string[];
    beforeEach(() => {
      [troubles, asked] = [[], []];
    });
    afterEach(async () => {
      await Promise.all(browser.contexts().map((context) => context.close()));
      expect(troubles).toEqual([]);
      // The page sends requests only to the emulator.
      expect(asked.filter((url) => !url.startsWith(`${emulator.origin}/`))).toEqual([]);
    });

    const statusIn = (page: Page, text: string) => page.locator("main .status", { hasText: text });

    test("updates statuses without a reload", async () => {
      const id = await create("/node/instances", deployedNode);
      const list = await open(`${PAGE}/nodes`);
      const one = await open(`${PAGE}/nodes/${id}`);
      for (const page of [list, one]) await page.evaluate("window.isSame = true");
      await statusIn(list, "provisioning").waitFor();
      emulator.clock.advance(20 * 60);
      for (const page of [list, one]) {
        await statusIn(page, "running").first().waitFor();
        expect(await page.evaluate("window.isSame")).toBe(true);
      }
      await emulator.call("DELETE", `/node/instances/${id}`);
      emulator.clock.advance(60);
      await list.getByText("There are no nodes yet").waitFor();
      await one.getByText("This object does not exist").waitFor();
    });

    test("keeps open details, focus and scroll position while requests arrive", async () => {
      for (let count = 0; count < 40; count++) await emulator.call("GET", `/domains/${count}`);
      const page = await open(`${PAGE}/requests`, { viewport: { width: 1000, height: 600 } });
      const summary = page.locator("summary", { hasText: "/v4/domains/15" });
      await summary.press("Enter");
      const where = `(() => {
        // The window scrolls by whole pixels.
        const top = Math.round(document.activeElement.getBoundingClientRect().top / 3);
        return { top, text: document.activeElement.textContent, isOpen: document.activeElement.parentElement.open };
      })()`;
      const before = await page.evaluate<{ text: string; isOpen: boolean }>(where);
      expect(before).toMatchObject({ text: expect.stringContaining("/v4/domains/15"), isOpen: true });
      for (let count = 0; count < 5; count++) await emulator.call("GET", `/images?page=${count + 1}`);
      await page.locator("summary", { hasText: "/v4/images?page=5" }).waitFor();
      expect(await page.evaluate(where)).toEqual(before);
      expect(await page.locator("details[open]").count()).toBe(1);
    });

    test("reports that the emulator is gone, and continues when it is back", async () => {
      const page = await open(`${PAGE}/domains`);
      const told = page.getByRole("status");
      await told.filter({ hasText: "Live" }).waitFor();
      await emulator.stop();
      await told.filter({ hasText: "The emulator does not answer" }).waitFor();
      emulator = await startTestEmulator({ port: Number(new URL(emulator.origin).port) });
      await create("/domains", example);
      await page.getByRole("link", { name: "example.org" }).waitFor();
      expect(await told.textContent()).toBe("Live");
    });

    test("can be paused, also across pages, and resumed", async () => {
      const page = await open(`${PAGE}/domains`);
      await page.getByRole("button", { name: "Pause" }).press("Enter");
      await page.getByRole("link", { name: "Nodes", exact: false }).first().press("Enter");
      await page.getByRole("heading", { name: "Nodes" }).waitFor();
      await page.getByRole("status").filter({ hasText: "Paused" }).waitFor();
      await create("/node/instances", deployedNode);
      const resumed = page.waitForRequest((sent) => sent.resourceType() === "fetch");
      expect(await page.getByText("There are no nodes yet").count()).toBe(1);
      await page.getByRole("button", { name: "Resume" }).press("Enter");
      await resumed;
      await statusIn(page, "provisioning").waitFor();
    });

    test("shows every label as text", async () => {
      const label = `</script><img src=x onerror="alert(1)">'"&amp;`;
      await emulator.control("POST", "/faults", { path: "/v4/<b>", effect: { status: 500, body: "<i>" } });
      const id = await create("/node/instances", { ...deployedNode, label });
      await emulator.control("PATCH", `/objects/nodes/${id}`, {
        region: { isEscaped: true, callbacks: ["<b>"] },
      });
      await emulator.call("GET", "/domains?q=<b>x</b>");
      for (const path of [
        `${PAGE}/nodes`,
        `${PAGE}/nodes/${id}`,
        `${PAGE}/requests?q=<b>x`,
        `${PAGE}/faults`,
        "/",
      ]) {
        const page = await open(path);
        page.on("dialog", (dialog) => troubles.push(dialog.message()));
        await page.getByRole("status").filter({ hasText: "Live" }).waitFor();
        expect(await page.locator("main :is(img, script, b, i)").count()).toBe(0);
        if (path.includes("/nodes")) expect(await page.locator("main").textContent()).toContain(label);
      }
    });

    test("reaches every view with Tab and Enter, with visible focus", async () => {
      await fill();
      const page = await open("/");
      const focused = `(() => {
        const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement);
        const { top, bottom } = document.activeElement.getBoundingClientRect();
        const isInSight = top < innerHeight && bottom > 0;
        return { href: document.activeElement.getAttribute("href"), outlineStyle, outlineWidth, isInSight };
      })()`;
      async function follow(target: string) {
        for (let presses = 0; presses < 100; presses++) {
          await page.keyboard.press("Tab");
          const { href, ...rest } = await page.evaluate<{ href: string | null }>(focused);
          expect(rest).toEqual({ outlineStyle: "solid", outlineWidth: "2px", isInSight: true });
          if (href !== target) continue;
          await page.keyboard.press("Enter");
          await page.waitForURL((url) => url.pathname + url.hash === target || url.hash === target);
          return;
        }
        throw new Error(`Tab does not lead to ${target}`);
      }
      const views = (await page.locator("nav.views a").all()).map((link) => link.getAttribute("href"));
      for (const view of await Promise.all(views)) {
        await follow(view ?? "");
        expect(await page.locator("nav.views [aria-current=page]").getAttribute("href")).toBe(view);
      }
      await follow(`${PAGE}/domains`);
      await follow((await page.locator("tbody a").first().getAttribute("href")) ?? "");
      await page.getByRole("heading", { name: "example.org" }).waitFor();
      await follow("#main");
      expect(await page.evaluate("document.activeElement.id")).toBe("main");
      await follow((await page.locator("tbody a").first().getAttribute("href")) ?? "");
      await page.getByRole("heading", { name: "www" }).waitFor();
    });

    describe.each(["light", "dark"] as const)("in %s", (colorScheme) => {
      test("passes axe, has contrast and fits 320 pixels on every view", async () => {
        await fill();
        const paths = [
          "/",
          ...new Set([...(await everyView()).keys()].map((path) => path.replace(/\?.*/, ""))),
        ];
        const page = await open("/", { colorScheme, viewport: { width: 320, height: 640 } });
        const ground = await page.evaluate<string>(
          "getComputedStyle(document.documentElement).backgroundColor",
        );
        expect(ground).toBe(colorScheme === "light" ? "rgb(255, 255, 255)" : "rgb(20, 23, 26)");
        for (const path of paths) {
          await page.goto(path);
          await page.getByRole("status").filter({ hasText: "Live" }).waitFor();
          for (const summary of await page.locator("summary").all()) await summary.press("Enter");
          await page.evaluate(axe.source);
          const { violations } = await page.evaluate<AxeResults>('axe.run({ resultTypes: ["violations"] })');
          expect([path, violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])]).toEqual([
            path,
            [],
          ]);
          const { ratio, text } = await page.evaluate<{ ratio: number; text: string }>(LOWEST_CONTRAST);
          expect({ path, text, isEnough: ratio >= 4.5 }).toEqual({ path, text, isEnough: true });
          expect([path, await page.evaluate("document.documentElement.scrollWidth <= innerWidth")]).toEqual([
            path,
            true,
          ]);
        }
      });
    });

    test("works without scripts: links, details and reloads", async () => {
      const id = await create("/node/instances", deployedNode);
      const page = await open("/", { javaScriptEnabled: false });
      await page.getByText("Reload to see changes").waitFor();
      await page.locator("nav.views").getByRole("link", { name: "Nodes" }).click();
      await page.locator(`a[href="${PAGE}/nodes/${id}"]`).click();
      await statusIn(page, "provisioning").first().waitFor();
      emulator.clock.advance(20 * 60);
      await page.reload();
      await statusIn(page, "running").first().waitFor();
      await page.goto(`${PAGE}/requests`);
      await page.locator("summary").first().press("Enter");
      await page.locator("details[open]").getByText("root_pass").waitFor();
    });
  });
}
