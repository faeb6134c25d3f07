import { Agent, request } from "node:http";
import { deployedNode, type TestEmulator } from "./emulator";

/** The address of the emulator's page, below its origin. */
export const PAGE = "/_emulator/page";

export const example = { domain: "example.org", type: "master", soa_email: "dns@example.org" };
export const database = { region: "us-east", type: "g6-nanode-1", engine: "mysql/8.0.30" };

/** Creates an object, and returns its id. */
export async function create(emulator: TestEmulator, path: string, body: object): Promise<number> {
  const answer = await emulator.call<{ id: number }>("POST", path, { body });
  expect(answer.status).toBe(200);
  return answer.body.id;
}

export async function htmlOf({ origin }: TestEmulator, path: string): Promise<string> {
  const answer = await fetch(origin + path);
  expect(answer.headers.get("content-type")).toMatch(/^text\/html/);
  return answer.text();
}

/** The visible text of the page. */
export async function textOf(emulator: TestEmulator, path: string): Promise<string> {
  const main = /<main[^>]*>(.*)<\/main>/s.exec(await htmlOf(emulator, path))?.[1] ?? "";
  const text = main.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
  return text
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&#39;", "'");
}

/** Every view that links lead to, with its HTML. */
export async function everyView(emulator: TestEmulator): Promise<Map<string, string>> {
  const views = new Map<string, string>();
  const waiting = ["/"];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (views.has(path)) continue;
    const html = await htmlOf(emulator, path);
    views.set(path, html);
    const links = [...html.matchAll(/<a href="([^"#]+)/g)].map(([, href = ""]) =>
      href.replaceAll("&amp;", "&"),
    );
    waiting.push(...links.map((href) => (href.startsWith("?") ? path.replace(/\?.*|$/, href) : href)));
  }
  return views;
}

/** Creates objects of every kind, some with pending changes, requests of every sort, and faults. */
export async function fill(emulator: TestEmulator): Promise<void> {
  const node = await create(emulator, "/node/instances", { ...deployedNode, label: "web-1", tags: ["prod"] });
  const mysql = await create(emulator, "/databases/mysql/instances", { ...database, label: "shop" });
  await create(emulator, "/databases/postgresql/instances", {
    ...database,
    engine: "postgresql/14.6",
    label: "events",
  });
  const domain = await create(emulator, "/domains", example);
  await create(emulator, `/domains/${domain}/records`, { type: "A", name: "www", target: "192.0.2.1" });
  await create(emulator, "/domains", { domain: "example.net", type: "slave", master_ips: ["192.0.2.9"] });
  emulator.clock.advance(25 * 60);
  await create(emulator, `/node/instances/${node}/backups`, { label: "before" });
  await create(emulator, `/databases/mysql/instances/${mysql}/backups`, { label: "nightly" });
  await create(emulator, "/images/upload", { label: "golden", region: "us-east" });
  await create(emulator, "/node/instances", { ...deployedNode, label: "web-2" });
  await create(emulator, "/node/instances", { label: "empty", region: "us-east", type: "g6-nanode-1" });
  await emulator.call("GET", "/domains/4711");
  await emulator.control("POST", "/faults", [
    { method: "GET", path: "/v4/regions", effect: { status: 503 } },
    { method: "POST", path: "/v4/domains/*/records", times: 3, effect: "drop-response" },
  ]);
  await emulator.call("GET", "/regions");
}

/** Creates many records over one connection, several times faster than `fetch`. */
export async function createRecords(emulator: TestEmulator, domain: number, count: number): Promise<void> {
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
