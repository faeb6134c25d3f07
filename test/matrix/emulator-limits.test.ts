import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { withEmulator } from "../helpers/emulator";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

function heapInMb(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed / 1024 / 1024;
}

const example = { domain: "example.org", type: "master", soa_email: "dns@example.org" };

test("requests that store nothing do not increase memory", () =>
  withEmulator(async ({ call }) => {
    let serial = 0;
    async function load(rounds: number) {
      for (let round = 0; round < rounds; round++) {
        const { body } = await call("POST", "/domains", { body: example });
        const path = `/domains/${String(body["id"])}`;
        await call("POST", `${path}/records`, { body: { type: "TXT", target: "x".repeat(2000) } });
        await call("DELETE", path);
        await call("GET", `/nothing/x${++serial}${"y".repeat(2000)}`);
      }
    }
    // After this, the request log and its number of counted paths are at their limits.
    await load(1100);
    const before = heapInMb();
    await load(1500);
    expect(heapInMb() - before).toBeLessThan(4);
  }));

test("a domain has up to 12,000 records, in pages of up to 500", () =>
  withEmulator(async ({ call }) => {
    const { body: domain } = await call("POST", "/domains", { body: example });
    const records = `/domains/${String(domain["id"])}/records`;
    const add = (name: string) => call("POST", records, { body: { type: "A", name, target: "192.0.2.1" } });
    for (let start = 0; start < 12_000; start += 500) {
      await Promise.all(Array.from({ length: 500 }, (_, index) => add(`n${start + index}`)));
    }
    expect((await add("one-more")).status).toBe(400);
    const last = await call<{ data: unknown[] }>("GET", `${records}?page=24&page_size=500`);
    expect(last.body).toMatchObject({ page: 24, pages: 24, results: 12_000 });
    expect(last.body.data).toHaveLength(500);
  }));
