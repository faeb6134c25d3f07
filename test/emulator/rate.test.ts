import { startEmulator } from "../../src/emulator";

test("a rate refuses more requests with 429 and Retry-After, and accepts them again after that time", async () => {
  let now = 1_000_000;
  const emulator = await startEmulator({ rate: { requests: 2, seconds: 4 }, realNow: () => now });
  const ask = () =>
    fetch(`${emulator.url}/domains`, { headers: { authorization: `Bearer ${emulator.token}` } });
  const statuses = [(await ask()).status, (await ask()).status];
  const refused = await ask();
  expect([...statuses, refused.status]).toEqual([200, 200, 429]);
  expect(refused.headers.get("retry-after")).toBe("2");
  now += 2000;
  expect([(await ask()).status, (await ask()).status]).toEqual([200, 429]);
  emulator.reset();
  expect((await ask()).status).toBe(200);
  await emulator.stop();
});

test("an invalid rate is an error that names the number", async () => {
  await expect(startEmulator({ rate: { requests: 0 } })).rejects.toThrow("rate.requests must be an integer");
});
