/** The drift check of the quickstart. */
import { existsSync, readFileSync } from "node:fs";
import { pulumi } from "./pulumi.mjs";
import { QuickstartError } from "./stop.mjs";

/** @typedef {{ resource: string; op: string; inputs: string[] }} Change `resource` is "DomainRecord www", for example. */

/**
 * Runs a drift check, and fails unless it finds exactly the change outside Pulumi.
 * @param {import("./pulumi.mjs").Place} place
 * @param {string} eventLog
 */
export async function findDrift(place, eventLog) {
  const command = "pulumi refresh --preview-only --expect-no-changes --diff";
  // The flag for the event log needs this variable. The display stays the same.
  const environment = { ...place.environment, PULUMI_DEBUG_COMMANDS: "true" };
  const code = await pulumi({ ...place, environment }, command, {
    unshown: ["--event-log", eventLog],
  });
  if (code === 0) throw new QuickstartError("The drift check found no drift.");
  if (!existsSync(eventLog)) throw new QuickstartError(`\`${command}\` failed with exit code ${code}.`);
  const found = changesIn(eventLog).map(
    ({ op, resource, inputs }) => `${op} ${resource} ${inputs.join(", ")}`,
  );
  const expected = "update DomainRecord www target";
  if (found.join("; ") !== expected) {
    throw new QuickstartError(`The drift check found "${found.join("; ")}" instead of "${expected}".`);
  }
}

/**
 * @param {string} log the engine's events, one per line.
 * @returns {Change[]} the changes that a preview proposes.
 */
function changesIn(log) {
  return readFileSync(log, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line).resOutputsEvent?.metadata)
    .filter((metadata) => metadata !== undefined && !["same", "refresh", "read"].includes(metadata.op))
    .map((metadata) => ({
      resource:
        String(metadata.urn).split("::").slice(2).join(" ").split("/").at(-1)?.split(":").at(-1) ?? "",
      op: metadata.op,
      inputs: changedKeys(metadata.old?.inputs ?? {}, metadata.new?.inputs ?? {}),
    }));
}

/** @param {Record<string, unknown>} olds @param {Record<string, unknown>} news */
function changedKeys(olds, news) {
  // The engine shows no key that begins with two underscores.
  return [...new Set([...Object.keys(olds), ...Object.keys(news)])].filter(
    (key) => !key.startsWith("__") && JSON.stringify(olds[key]) !== JSON.stringify(news[key]),
  );
}
