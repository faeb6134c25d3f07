/** Measures what a state in a bucket costs: records one by one and in a set, on a server of S3 on this machine. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { json } from "./emulator-process.mjs";
import { commands, withStack } from "./measure.mjs";
import { OutOfTime } from "./stack.mjs";
import { subjects } from "./subjects.mjs";

/** @import { Setting } from "./measure.mjs" */
/** @typedef {"single" | "set"} Program */
/**
 * @typedef {object} Run Of `pulumi up`, also of one that was stopped.
 * @property {Program} program
 * @property {number} seconds
 * @property {number} records that the account then had.
 * @property {number} writes the requests that wrote an object of the bucket.
 * @property {number} bytes that they sent.
 */
/** @typedef {{ size: number; runs: Run[] }} Bucket */

/** A run that takes longer is stopped: its time grows with the square of the records. */
export const mostSeconds = 240;

const server = fileURLToPath(new URL("../tools/s3", import.meta.url));

/**
 * @param {number} size
 * @param {Setting} setting
 * @returns {Promise<Bucket>}
 */
export async function measureBucket(size, setting) {
  /** @type {Run[]} */
  const runs = [];
  for (const program of /** @type {const} */ (["set", "single"])) {
    const run = await measureProgram(program, size, setting);
    setting.tell(`  ${program}: ${run.seconds.toFixed(1)} s, ${run.records} records, ${run.writes} writes`);
    runs.push(run);
  }
  return { size, runs };
}

/** @param {Program} program @param {number} size @param {Setting} setting @returns {Promise<Run>} */
function measureProgram(program, size, setting) {
  return withStack(setting, async ({ emulator, stack, domainId }) => {
    const s3 = await startS3();
    try {
      await stack.pulumi(["stack", "init", "bucket"], s3.env);
      stack.write("index.js", subjects[program].program(size, { domainId }));
      const patience = Math.min(mostSeconds, setting.patienceSeconds);
      const seconds = await stack
        .pulumi([...commands.create, "--stack", "bucket"], s3.env, patience)
        .then((measured) => measured.seconds)
        .catch((error) => {
          if (error instanceof OutOfTime) return patience;
          throw error;
        });
      return { program, seconds, records: await recordsIn(emulator.url), ...(await s3.stop()) };
    } finally {
      await s3.stop();
    }
  });
}

/** @param {string} url */
async function recordsIn(url) {
  const { data } = await json(`${url}/domains`);
  let found = 0;
  for (const { id } of data) found += (await json(`${url}/domains/${id}/records?page_size=25`)).results;
  return found;
}

/** Starts the server of the tests. It needs Go. Its end tells what it was sent. */
async function startS3() {
  const child = spawn("go", ["run", ".", "states"], {
    cwd: server,
    env: { ...process.env, GOWORK: "off", GOFLAGS: "-mod=readonly", GOTOOLCHAIN: "auto" },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const failed = once(child, "error").then(([error]) => Promise.reject(error));
  const nextLine = async () => String((await Promise.race([lines.next(), failed])).value);
  const address = await nextLine();
  /** @type {Promise<{ writes: number; bytes: number }> | undefined} */
  let stopped;
  const stop = async () => {
    child.stdin.end();
    const [writes = NaN, bytes = NaN] = (await nextLine()).split(" ").map(Number);
    return { writes, bytes };
  };
  return {
    env: {
      ...{ AWS_ACCESS_KEY_ID: "test", AWS_SECRET_ACCESS_KEY: "test", AWS_EC2_METADATA_DISABLED: "true" },
      PULUMI_BACKEND_URL: `s3://states?endpoint=http://${address}&s3ForcePathStyle=true&region=us-east-1`,
    },
    stop: () => (stopped ??= stop()),
  };
}
