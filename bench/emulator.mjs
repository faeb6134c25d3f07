/**
 * Measures the speed and the memory of the emulator: `npm run bench:emulator` prints the table of docs/emulator.md. The
 * exit code is 1 if a target is missed. The emulator has its own core, and the load comes from another.
 */
import { spawnSync } from "node:child_process";
import { availableParallelism, cpus } from "node:os";
import { performance } from "node:perf_hooks";
import autocannon from "autocannon";
import { table } from "../scripts/generate/docs/markdown.mjs";
import { json, startEmulator, token } from "./emulator-process.mjs";
import { median, middleOf } from "./measure.mjs";
import { memoryOf, secondsOf } from "./processes.mjs";

const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };

const few = 100;
const many = 12_000;
const connections = 10;
const rounds = 5;
/** Even for each connection, because it deletes each record that it creates. */
const requestsOfRound = 10_000;

const targets = { reads: 2000, writes: 1000, megabytes: 300, objects: 100_000 };
/** The largest ratio that counts as the same cost. Runs of the same request differ by almost this much. */
const flat = 1.25;

/** @import { Emulator } from "./emulator-process.mjs" */
/** @typedef {{ emulator: Emulator; domain: number; ids: number[]; pages: number }} Bed A domain with records to measure on. */
/** @typedef {Pick<autocannon.Options, "requests">} Load */
/** @typedef {{ perSecond: number; p50: number; p99: number }} Figures */

/** @param {string} line */
const tell = (line) => process.stderr.write(`${line}\n`);
/** @param {number} value */
const whole = (value) => Math.round(value).toLocaleString("en-US");

const hasTwoCores = availableParallelism() > 1 && spawnSync("taskset", ["-c", "0,1", "true"]).status === 0;

const start = () => startEmulator(["--speed", "0"], hasTwoCores ? ["taskset", "-c", "0"] : []);

/**
 * Sends requests on all connections at once. Each connection waits for an answer before its next request.
 * @param {string} url
 * @param {Partial<autocannon.Options>} options
 * @returns {Promise<Figures>}
 */
async function load(url, options) {
  /** @type {number[]} */
  const times = [];
  const started = performance.now();
  let ended = started;
  /** @param {autocannon.Client} client */
  const setupClient = (client) =>
    client.on("response", (_status, _bytes, milliseconds) => {
      times.push(milliseconds);
      ended = performance.now();
    });
  const { non2xx, errors } = await autocannon({ url, connections, headers, setupClient, ...options });
  if (non2xx + errors > 0) throw new Error(`${non2xx} refusals and ${errors} errors at ${url}`);
  times.sort((one, other) => one - other);
  /** @param {number} part */
  const quantile = (part) => times[Math.floor(times.length * part)] ?? NaN;
  return { perSecond: (times.length / (ended - started)) * 1000, p50: quantile(0.5), p99: quantile(0.99) };
}

const record = JSON.stringify({ type: "A", name: "www", target: "192.0.2.1" });

/** @param {Emulator} emulator @param {number} records */
async function addDomain({ url }, records, domain = "example.org") {
  const { id } = await json(`${url}/domains`, { domain, type: "master", soa_email: "dns@example.org" });
  await load(`${url}/domains/${id}/records`, { method: "POST", body: record, amount: records });
  return id;
}

/** @param {number} records @returns {Promise<Bed>} */
async function makeBed(records) {
  const emulator = await start();
  // Leaves room for the records that the load creates.
  const domain = await addDomain(emulator, records - connections);
  const list = `${emulator.url}/domains/${domain}/records?page_size=100`;
  const { pages } = await json(list);
  const all = Array.from({ length: pages }, (_, page) => json(`${list}&page=${page + 1}`));
  const ids = (await Promise.all(all)).flatMap(({ data }) =>
    data.map((/** @type {{ id: number }} */ { id }) => id),
  );
  return { emulator, domain, ids, pages };
}

/** @param {Bed} bed @returns {string[]} the paths of a hundred records, spread over the whole domain. */
function somePaths({ domain, ids }) {
  const step = Math.max(1, Math.floor(ids.length / 100));
  return ids.filter((_, index) => index % step === 0).map((id) => `/v4/domains/${domain}/records/${id}`);
}

/** @type {{ title: string; wanted: number; load: (bed: Bed) => Load }[]} */
const rows = [
  {
    title: "GET a record",
    wanted: targets.reads,
    load: (bed) => ({ requests: somePaths(bed).map((path) => ({ path })) }),
  },
  {
    title: "GET a page of 100 records",
    wanted: targets.reads,
    load: ({ domain }) => ({ requests: [{ path: `/v4/domains/${domain}/records` }] }),
  },
  {
    title: "GET the last page",
    wanted: targets.reads,
    load: ({ domain, pages }) => ({ requests: [{ path: `/v4/domains/${domain}/records?page=${pages}` }] }),
  },
  {
    title: "PUT a record",
    wanted: targets.writes,
    load: (bed) => ({ requests: somePaths(bed).map((path) => ({ path, method: "PUT", body: record })) }),
  },
  {
    title: "POST a record and DELETE it",
    wanted: targets.writes,
    load: ({ domain }) => {
      const path = `/v4/domains/${domain}/records`;
      return {
        requests: [
          {
            ...{ method: "POST", path, body: record },
            onResponse: (_status, body, context) => Object.assign(context, { id: JSON.parse(body).id }),
          },
          {
            method: "DELETE",
            setupRequest: (request, context) => ({
              ...request,
              path: `${path}/${"id" in context ? context.id : ""}`,
            }),
          },
        ],
      };
    },
  },
];

/** @param {boolean} isMet */
const verdict = (isMet) => (isMet ? "met" : "MISSED");

/** @param {Bed} bed @param {(bed: Bed) => Load} loadOf */
async function measure(bed, loadOf) {
  const { url, pid } = bed.emulator;
  const before = secondsOf(pid);
  const figures = await load(new URL(url).origin, { ...loadOf(bed), amount: requestsOfRound });
  const seconds = secondsOf(pid) - before;
  return { ...figures, cost: Number.isNaN(seconds) ? 1 / figures.perSecond : seconds };
}

async function measureSpeed() {
  tell(`Filling a domain with ${whole(few)} records, and one with ${whole(many)} …`);
  const [small, large] = [await makeBed(few), await makeBed(many)];
  const figures = [few, many].map((records) => `per second, ${whole(records)} records`);
  const lines = [["Request", ...figures, "p50", "p99", "cost", "target"]];
  let good = true;
  for (const { title, wanted, load: loadOf } of rows) {
    tell(`${title} …`);
    /** @type {Record<"withFew" | "withMany", Figures & { cost: number }>[]} */
    const measured = [];
    for (let round = 0; round < rounds; round++) {
      // Directly after each other, so that other load on the machine affects both.
      const [withFew, withMany] = [await measure(small, loadOf), await measure(large, loadOf)];
      measured.push({ withFew, withMany });
    }
    const perSecond = (/** @type {Figures} */ figures) => figures.perSecond;
    const withFew = middleOf(
      measured.map((round) => round.withFew),
      perSecond,
    );
    const withMany = middleOf(
      measured.map((round) => round.withMany),
      perSecond,
    );
    const cost = median(measured.map((round) => round.withMany.cost / round.withFew.cost));
    const isMet = withMany.perSecond >= wanted && cost <= flat;
    good &&= isMet;
    const milliseconds = [withMany.p50, withMany.p99].map((time) => `${time.toFixed(1)} ms`);
    const cells = [title, whole(withFew.perSecond), whole(withMany.perSecond), ...milliseconds];
    const target = `at least ${whole(wanted)}/s, cost at most × ${flat}: ${verdict(isMet)}`;
    lines.push([...cells, `× ${cost.toFixed(2)}`, target]);
  }
  await Promise.all([small, large].map(({ emulator }) => emulator.stop()));
  return { good, text: table(lines) };
}

async function measureMemory() {
  tell(`Creating ${whole(targets.objects)} objects …`);
  const emulator = await start();
  const domains = Math.floor(targets.objects / (many + 1));
  for (let count = 0; count < domains; count++) await addDomain(emulator, many, `example-${count}.org`);
  const nodes = targets.objects - domains * (many + 1);
  const node = JSON.stringify({ region: "us-east", type: "g6-nanode-1" });
  await load(`${emulator.url}/node/instances`, { method: "POST", body: node, amount: nodes });
  await load(`${emulator.url}/node/instances?page_size=500`, { amount: 1000 });
  const { now, peak } = memoryOf(emulator.pid);
  await emulator.stop();
  const isMet = peak < targets.megabytes;
  const what = `${domains} domains with ${whole(many)} records each and ${whole(nodes)} nodes`;
  const target = `below ${targets.megabytes} MB: ${verdict(isMet)}`;
  const rows = [
    ["Memory", "resident", "peak", "target"],
    [what, `${whole(now)} MB`, `${whole(peak)} MB`, target],
  ];
  return { good: isMet, text: table(rows) };
}

if (hasTwoCores) spawnSync("taskset", ["-acp", "1", String(process.pid)]);
const speed = await measureSpeed();
const memory = await measureMemory();
const cores = hasTwoCores ? "core 0, the load from core 1" : "a shared core";
const machine = `${cpus()[0]?.model ?? "unknown processor"}, ${cpus().length} cores (the emulator on ${cores})`;
process.stdout.write(
  `${speed.text}\n\n${memory.text}\n\nNode ${process.version}, ${process.platform}, ${machine}.\n`,
);
process.exitCode = speed.good && memory.good ? 0 : 1;
