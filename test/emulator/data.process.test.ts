import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { startEmulator } from "../../src/emulator";
import { DataFile } from "../../src/emulator/data/data-file";
import { messageIn } from "../../src/api/redact";
import { type TestEmulator, deployedNode, withEmulator } from "../helpers/emulator";
import { run, runLimited, start, startLimited } from "../helpers/emulator-process";

const directory = mkdtempSync(join(tmpdir(), "nodecloud-data-"));
afterAll(() => {
  rmSync(directory, { recursive: true });
});

let serial = 0;
const newFile = () => join(directory, `data-${++serial}`);

const keeping = <Result>(data: string, use: (emulator: TestEmulator) => Promise<Result>) =>
  withEmulator(use, { data });

const example = { domain: "example.org", type: "master", soa_email: "dns@example.org" };

/** Every object as stored, including what the API does not show. */
async function contents({ control }: TestEmulator) {
  const kinds = ["nodes", "nodeBackups", "mysql", "postgresql", "databaseBackups", "domains", "records"];
  return Promise.all(
    [...kinds, "images"].map(async (kind) => [kind, (await control("GET", `/objects/${kind}`)).body]),
  );
}

const node = async ({ call }: TestEmulator) => {
  const { body } = await call<{ id: number }>("POST", "/node/instances", { body: deployedNode });
  return body.id;
};

/** A data file with a domain and some records. */
async function writtenFile(): Promise<string> {
  const file = newFile();
  await keeping(file, async ({ call }) => {
    const { body } = await call("POST", "/domains", { body: example });
    for (let count = 0; count < 5; count++) {
      const record = { type: "A", name: `r${count}`, target: "192.0.2.1" };
      await call("POST", `/domains/${String(body["id"])}/records`, { body: record });
    }
  });
  return file;
}

test("a restart keeps objects of all kinds, their hidden parts, the ids and the clock", async () => {
  const file = newFile();
  const database = { region: "us-east", type: "g6-nanode-1", engine: "mysql/8.0.30", label: "shop" };
  const before = await keeping(file, async (emulator) => {
    const { call, clock } = emulator;
    const nodeId = await node(emulator);
    const { body: created } = await call("POST", "/databases/mysql/instances", { body: database });
    clock.advance(30 * 60);
    await call("POST", `/node/instances/${nodeId}/backups`, { body: { label: "first" } });
    await call("POST", `/databases/mysql/instances/${String(created["id"])}/backups`, {
      body: { label: "first" },
    });
    const { body: domain } = await call("POST", "/domains", { body: example });
    await call("POST", `/domains/${String(domain["id"])}/records`, {
      body: { type: "A", target: "192.0.2.1" },
    });
    await call("POST", "/images/upload", { body: { label: "golden", region: "us-east" } });
    clock.advance(1);
    return { contents: await contents(emulator), now: clock.now(), next: await node(emulator) };
  });
  await keeping(file, async (emulator) => {
    await emulator.call("DELETE", `/node/instances/${before.next}`);
    emulator.clock.advance(30);
    expect(emulator.clock.now()).toBe(before.now + 30_000);
    expect(await contents(emulator)).toEqual(before.contents);
    expect(await node(emulator)).toBeGreaterThan(before.next);
  });
});

test("pending changes continue after a restart, and the clock includes the time in between", async () => {
  const file = newFile();
  let real = Date.UTC(2026, 0, 1);
  const options = { data: file, realNow: () => real };
  const status = ({ call }: TestEmulator, id: number) =>
    call("GET", `/node/instances/${id}`).then(({ body }) => body["status"]);
  const id = await withEmulator(node, { ...options, speed: 60 });
  await withEmulator(
    async (emulator) => {
      expect(await status(emulator, id)).toBe("provisioning");
      expect((await emulator.control("GET", "/clock")).body["speed"]).toBe(30);
    },
    { ...options, speed: 30 },
  );
  real += 40_000;
  await withEmulator(async (emulator) => expect(await status(emulator, id)).toBe("running"), options);
});

test("a restart keeps the speed unless the options set another", async () => {
  const file = newFile();
  await withEmulator(({ control }) => control("POST", "/clock", { speed: 7 }), { data: file });
  const emulator = await startEmulator({ data: file });
  expect(emulator.clock.speed).toBe(7);
  await emulator.stop();
  await keeping(file, ({ clock }) => Promise.resolve(expect(clock.speed).toBe(0)));
});

test("an upload can be sent after a restart, and still expires", async () => {
  const file = newFile();
  const upload = () =>
    keeping(file, async ({ call }) => {
      const body = { label: "golden", region: "us-east" };
      const answer = await call<{ image: { id: string }; upload_to: string }>("POST", "/images/upload", {
        body,
      });
      return { id: answer.body.image.id, path: new URL(answer.body.upload_to).pathname };
    });
  const sent = await upload();
  const late = await upload();
  const put = ({ origin }: TestEmulator, path: string) =>
    fetch(origin + path, { method: "PUT", body: gzipSync("disk") }).then(({ status }) => status);
  await keeping(file, async (emulator) => expect(await put(emulator, sent.path)).toBe(200));
  await keeping(file, async (emulator) => {
    emulator.clock.advance(24 * 60 * 60);
    expect((await emulator.call("GET", `/images/${sent.id}`)).body).toMatchObject({ status: "available" });
    expect(await put(emulator, late.path)).toBe(404);
  });
});

test("a restart does not bring back deleted objects or the objects that belonged to them", async () => {
  const file = await writtenFile();
  const rest = await keeping(file, async (emulator) => {
    await emulator.call("DELETE", "/domains/1");
    return contents(emulator);
  });
  await keeping(file, async (emulator) => expect(await contents(emulator)).toEqual(rest));
});

test("a reset also empties the file, and ids start again at 1", async () => {
  const file = await writtenFile();
  await keeping(file, ({ control }) => control("POST", "/reset"));
  await keeping(file, async (emulator) => {
    expect((await emulator.call("GET", "/domains")).body["results"]).toBe(0);
    expect((await emulator.call("POST", "/domains", { body: example })).body["id"]).toBe(1);
  });
});

test("a read writes to the file only if it creates an automatic backup", async () => {
  const file = newFile();
  const written = () => readFileSync(file, "utf8");
  const options = { data: file, realNow: () => Date.UTC(2026, 0, 1, 12) };
  await withEmulator(async ({ call, clock }) => {
    const { body } = await call("POST", "/databases/mysql/instances", {
      body: { region: "us-east", type: "g6-nanode-1", engine: "mysql/8.0.30", label: "shop" },
    });
    const create = { ...deployedNode, backups_enabled: true };
    const { body: backedUp } = await call("POST", "/node/instances", { body: create });
    await call("POST", "/node/instances", { body: deployedNode });
    clock.advance(60 * 60);
    const read = async () => {
      await call("GET", `/databases/mysql/instances/${String(body["id"])}/backups`);
      await call("GET", `/node/instances/${String(backedUp["id"])}/backups`);
      await call("GET", "/node/instances");
    };
    // The first read also writes the moved clock.
    await read();
    const before = written();
    await read();
    expect(written()).toBe(before);
    expect(before).not.toContain('"type":"auto"');
    clock.advance(24 * 60 * 60);
    await read();
    const after = written();
    expect(after).toContain('"type":"auto"');
    await read();
    expect(written()).toBe(after);
  }, options);
});

test("a large file is rewritten, and only its owner can read it", async () => {
  const file = newFile();
  const text = (count: number) => `${count}`.padEnd(60_000, "x");
  const { id, size } = await keeping(file, async ({ call }) => {
    const { body } = await call<{ image: { id: string } }>("POST", "/images/upload", {
      body: { label: "golden", region: "us-east" },
    });
    for (let count = 0; count < 100; count++) {
      await call("PUT", `/images/${body.image.id}`, { body: { description: text(count) } });
    }
    return { id: body.image.id, size: statSync(file).size };
  });
  expect(size).toBeLessThan(4_500_000);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await keeping(file, async ({ call }) => {
    expect((await call("GET", `/images/${id}`)).body["description"]).toBe(text(99));
  });
});

test("a link at the temporary file is not followed, and a leftover file there does not stay readable", async () => {
  const file = newFile();
  const other = join(directory, "other");
  writeFileSync(other, "somebody else's");
  symlinkSync(other, `${file}.tmp`);
  await keeping(file, ({ call }) => call("GET", "/domains"));
  expect(readFileSync(other, "utf8")).toBe("somebody else's");
  writeFileSync(`${file}.tmp`, "left by a killed process", { mode: 0o644 });
  await keeping(file, ({ call }) => call("GET", "/domains"));
  expect(lstatSync(file)).toMatchObject({ mode: 0o100600 });
});

test("a truncated last line is ignored, and everything before it is kept", async () => {
  const file = newFile();
  const emulator = await startEmulator({ data: file, speed: 0 });
  const headers = { authorization: `Bearer ${emulator.token}` };
  const add = (domain: string) =>
    fetch(`${emulator.url}/domains`, {
      method: "POST",
      headers,
      body: JSON.stringify({ ...example, domain }),
    });
  await add("example.org");
  const sizes = [statSync(file).size];
  await add("example.net");
  sizes.push(statSync(file).size);
  const written = readFileSync(file);
  await emulator.stop();
  const [first = 0, second = 0] = sizes;
  for (const cut of [first + 1, Math.floor((first + second) / 2), second - 2]) {
    writeFileSync(file, written.subarray(0, cut));
    await keeping(file, async ({ call }) => {
      const { body } = await call<{ data: { domain: string }[] }>("GET", "/domains");
      expect(body.data.map(({ domain }) => domain)).toEqual(["example.org"]);
    });
  }
});

describe("the emulator refuses and does not change", () => {
  const linesOf = (file: string) => readFileSync(file, "utf8").trimEnd().split("\n");
  const join = (lines: string[]) => `${lines.join("\n")}\n`;

  test.each<[string, number, (lines: string[]) => string]>([
    ["a changed byte", 4, (lines) => join(lines).replace("r3", "r4")],
    ["a missing line", 3, ([one = "", two = "", ...rest]) => join([one, two, ...rest.slice(1)])],
    [
      "a line out of place",
      2,
      ([one = "", two = "", three = "", ...rest]) => join([one, three, two, ...rest]),
    ],
    ["a missing end", 4, (lines) => join(lines.slice(0, -1))],
    ["a truncated line that the header counts", 4, (lines) => join(lines).slice(0, -20)],
    ["another file", 1, () => '{"users": []}\n'],
    ["an empty file", 1, () => ""],
    ["zeros", 1, () => "\0".repeat(100)],
  ])("%s", async (_, line, damaged) => {
    const file = await writtenFile();
    await keeping(file, () => Promise.resolve());
    const text = damaged(linesOf(file));
    writeFileSync(file, text);
    await expect(startEmulator({ data: file })).rejects.toThrow(
      `cannot use the data in ${file}, line ${line}: `,
    );
    expect(readFileSync(file, "utf8")).toBe(text);
    expect(existsSync(`${file}.lock`)).toBe(false);
  });

  test("a file of another version of the format", async () => {
    const file = newFile();
    const json = '{"format":"nodecloud-emulator data","version":2,"lines":0}';
    const sum = createHash("sha256").update(json).digest("hex").slice(0, 16);
    writeFileSync(file, `${sum} ${json}\n`);
    await expect(startEmulator({ data: file })).rejects.toThrow("another version");
  });

  test("a directory", async () => {
    await expect(startEmulator({ data: directory })).rejects.toThrow(`cannot use the data in ${directory}: `);
  });

  test("an invalid file, for which the command line prints one line and exits with 1", async () => {
    const file = newFile();
    writeFileSync(file, "{}\n");
    const { code, out, err } = await run("--port", "0", "--data", file);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toMatch(/^nodecloud-emulator: cannot use the data in .*, line 1: .*\n$/);
  });
});

test("a second emulator on the same file is refused, even under another name of the file", async () => {
  const file = newFile();
  const link = newFile();
  await keeping(file, async () => {
    symlinkSync(file, link);
    await expect(startEmulator({ data: file })).rejects.toThrow(`process ${process.pid}`);
    const { code, err } = await run("--port", "0", "--data", link);
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining("is in use by another emulator") });
  });
  expect(existsSync(`${file}.lock`)).toBe(false);
});

test.each([
  ["of a dead process", "4194305 1\n"],
  ["whose process id now belongs to another process", `${process.ppid} 1\n`],
  ["that is empty", ""],
])("an emulator takes over a lock %s", async (_, text) => {
  const file = newFile();
  writeFileSync(`${file}.lock`, text);
  await keeping(file, () => Promise.resolve(expect(readFileSync(`${file}.lock`, "utf8")).not.toBe(text)));
});

test("an emulator whose port is in use releases the file", async () => {
  const file = newFile();
  await withEmulator(async ({ url }) => {
    const port = Number(new URL(url).port);
    await expect(startEmulator({ data: file, port })).rejects.toThrow("EADDRINUSE");
  });
  await keeping(file, () => Promise.resolve());
});

/** Repeatable random numbers below 1 (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

test("kill -9 at any moment loses no answered change", async () => {
  const file = newFile();
  const random = seeded(4);
  /** The answered target of each record; null after an answered deletion. */
  const answered = new Map<string, string | null>();
  /** The requested target of each record without an answer: the change may have happened or not. */
  const open = new Map<string, string | null>();
  let created = 0;

  /** Sends changes one after another until the emulator dies. */
  async function load(url: string, domain: string, worker: number) {
    const headers = { authorization: "Bearer emulator-token" };
    const mine: string[] = [];
    for (let count = 0; ; count++) {
      const target = `192.0.${worker}.${count % 256}`;
      const known = random() < 0.5 ? mine[Math.floor(random() * mine.length)] : undefined;
      const method = known === undefined ? "POST" : random() < 0.3 ? "DELETE" : "PUT";
      const path = `/domains/${domain}/records${known === undefined ? "" : `/${known}`}`;
      const next = method === "DELETE" ? null : target;
      const body = method === "DELETE" ? null : JSON.stringify({ type: "A", name: "w", target });
      if (known !== undefined) open.set(known, next);
      try {
        const response = await fetch(url + path, { method, headers, body });
        const { id = known } = (await response.json()) as { id?: number | string };
        if (response.status !== 200 || id === undefined) throw new Error(`${method} ${response.status}`);
        // Two objects never have the same id.
        if (known === undefined && answered.has(String(id))) throw new Error(`id ${id} came twice`);
        answered.set(String(id), next);
        open.delete(String(id));
        if (method === "POST") mine.push(String(id));
        if (method === "DELETE") mine.splice(mine.indexOf(String(id)), 1);
        created++;
      } catch (error) {
        // The connection breaks before or during the answer.
        if (/^(fetch failed|terminated)$/.test(messageIn(error))) return;
        throw error;
      }
    }
  }

  let domain = "";
  for (let round = 0; round < 4; round++) {
    const { child, url } = await start("--data", file, "--speed", "0");
    const headers = { authorization: "Bearer emulator-token" };
    const json = async (path: string, init = {}) =>
      (await (await fetch(url + path, { headers, ...init })).json()) as {
        id: number;
        pages: number;
        data: { id: number; target: string }[];
      };
    if (round === 0) {
      domain = String((await json("/domains", { method: "POST", body: JSON.stringify(example) })).id);
    }
    const found = new Map<string, string>();
    for (let page = 1, pages = 1; page <= pages; page++) {
      const answer = await json(`/domains/${domain}/records?page_size=500&page=${page}`);
      pages = answer.pages;
      for (const { id, target } of answer.data) found.set(String(id), target);
    }
    const lost = [...answered].filter(([id, target]) => {
      const now = found.get(id) ?? null;
      return now !== target && !(open.has(id) && now === open.get(id));
    });
    expect(lost).toEqual([]);
    answered.clear();
    open.clear();
    for (const [id, target] of found) answered.set(id, target);
    const workers = Array.from({ length: 8 }, (_, worker) => load(url, domain, worker));
    const closed = once(child, "close");
    setTimeout(() => child.kill("SIGKILL"), 50 + random() * 500);
    await Promise.all([closed, ...workers]);
  }
  expect(created).toBeGreaterThan(20);
});

test("an emulator starts with a file whose last write a kill truncated", async () => {
  const file = newFile();
  const { child, url } = await start("--data", file);
  await fetch(`${url}/domains`, {
    method: "POST",
    headers: { authorization: "Bearer emulator-token" },
    body: JSON.stringify(example),
  });
  child.kill("SIGKILL");
  await once(child, "close");
  truncateSync(file, statSync(file).size - 3);
  await keeping(file, async ({ call }) => {
    expect((await call("GET", "/domains")).body["results"]).toBe(0);
  });
});

// Windows has no `ulimit`.
const describeOnUnix = process.platform === "win32" ? describe.skip : describe;

describeOnUnix("when the disk is full", () => {
  test("every answer gives the reason, and a restart keeps all answered changes", async () => {
    const file = newFile();
    const { child, url } = await startLimited(32, "--data", file);
    const closed = once(child, "close");
    const headers = { authorization: "Bearer emulator-token" };
    const send = async (method: string, path: string, sent?: object) => {
      const body = sent && JSON.stringify(sent);
      const response = await fetch(url + path, { method, headers, ...(body && { body }) });
      return { status: response.status, body: (await response.json()) as { id?: number; errors?: object[] } };
    };
    const record = { type: "TXT", name: "w", target: "x".repeat(1000) };
    const why =
      /^The emulator failed: .* cannot be written \(EFBIG: .*\), so the emulator answers no more requests\./;
    const refused = { status: 500, body: { errors: [{ reason: expect.stringMatching(why) }] } };
    const answered: unknown[] = [];
    let domain: number | undefined;
    try {
      domain = (await send("POST", "/domains", example)).body.id;
      const add = () => send("POST", `/domains/${domain}/records`, record);
      let last = await add();
      for (; last.status === 200 && answered.length < 100; last = await add()) answered.push(last.body.id);
      expect(answered.length).toBeGreaterThan(10);
      expect(last).toEqual(refused);
      expect(await add()).toEqual(refused);
      expect(await send("GET", `/domains/${domain}`)).toEqual(refused);
    } finally {
      child.kill();
      const [code] = await closed;
      expect({ code, err: child.text().err }).toEqual({ code: 0, err: "" });
    }

    await keeping(file, async ({ call }) => {
      const { body } = await call<{ data: { id: number }[] }>("GET", `/domains/${domain}/records`);
      expect(body.data.map(({ id }) => id)).toEqual(answered);
    });
  });

  test("an emulator does not start, and does not change the file", async () => {
    const file = newFile();
    await keeping(file, async ({ call }) => {
      for (let count = 0; count < 20; count++) {
        const body = { ...example, domain: `example-${count}.org`, description: "x".repeat(200) };
        expect((await call("POST", "/domains", { body })).status).toBe(200);
      }
    });
    const before = readFileSync(file, "utf8");
    expect(await runLimited(4, "--port", "0", "--data", file)).toEqual({
      code: 1,
      out: "",
      err: expect.stringMatching(/^nodecloud-emulator: cannot use the data in .*: EFBIG: .*\n$/),
    });
    expect(readFileSync(file, "utf8")).toBe(before);
    expect([existsSync(`${file}.tmp`), existsSync(`${file}.lock`)]).toEqual([false, false]);
  });
});

test("after a failed write, the emulator accepts no change, even if the disk works again", async () => {
  const file = newFile();
  const full = new Error("ENOSPC: no space left on device, write");
  const add = ({ call }: TestEmulator, domain: string) =>
    call("POST", "/domains", { body: { ...example, domain } });
  await keeping(file, async (emulator) => {
    expect((await add(emulator, "one.org")).status).toBe(200);
    const append = jest.spyOn(DataFile.prototype, "append").mockRejectedValueOnce(full);
    expect((await add(emulator, "two.org")).status).toBe(500);
    append.mockRestore();
    expect((await add(emulator, "three.org")).status).toBe(500);
  });
  await keeping(file, async ({ call }) => {
    const { body } = await call("GET", "/domains");
    expect(body).toMatchObject({ data: [{ domain: "one.org" }] });
  });
});
