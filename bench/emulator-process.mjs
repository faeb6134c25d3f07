import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { cleanEnvironment } from "../scripts/environment.cjs";

const program = fileURLToPath(new URL("../dist/bin/nodecloud-emulator.js", import.meta.url));

/** The token of the default user of an emulator. */
export const token = "emulator-token";

/** @typedef {{ url: string; pid: number; stop: () => Promise<void> }} Emulator */

/**
 * Starts an emulator in its own process, on a free port.
 * @param {string[]} options of its command line.
 * @param {string[]} [under] a command that starts the emulator, such as taskset.
 * @returns {Promise<Emulator>}
 */
export async function startEmulator(options, under = []) {
  const [first = "", ...rest] = [...under, process.execPath, program, "--port", "0", ...options];
  const child = spawn(first, rest, { env: cleanEnvironment(), stdio: ["ignore", "pipe", "inherit"] });
  const kill = () => child.kill();
  // No emulator survives a failed measurement.
  process.once("exit", kill);
  const lines = createInterface(child.stdout);
  const [line] = await Promise.race([
    once(lines, "line"),
    once(child, "close").then(([code]) => {
      throw new Error(`The emulator ended with exit code ${code} before it was ready.`);
    }),
  ]);
  const stop = async () => {
    process.off("exit", kill);
    child.kill();
    await once(child, "close");
  };
  return { url: String(line).replace(/^.* on /, ""), pid: child.pid ?? 0, stop };
}

/**
 * @param {string} url
 * @param {unknown} [body] makes it a POST.
 * @param {string} [method]
 * @returns {Promise<any>} the answer.
 */
export async function json(url, body, method = body === undefined ? "GET" : "POST") {
  const response = await fetch(url, {
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    method,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${url} answers ${response.status}: ${await response.text()}`);
  const text = await response.text();
  return text === "" ? undefined : JSON.parse(text);
}

/**
 * The number of requests of each route since the counts were reset.
 * @param {Emulator} emulator
 * @returns {Promise<Record<string, number>>}
 */
export async function requestsOf({ url }) {
  const { counts } = await json(new URL("/_emulator/requests", url).href);
  return counts;
}

/** @param {Emulator} emulator */
export async function forgetRequests({ url }) {
  await json(new URL("/_emulator/reset?only=requests", url).href, {});
}
