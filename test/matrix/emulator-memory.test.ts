import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { withEmulator } from "../helpers/emulator";
import { example } from "../helpers/emulator-page";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

function heapInMb(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed / 1024 / 1024;
}

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
