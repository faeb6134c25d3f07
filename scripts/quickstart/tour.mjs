/** The tour of the quickstart, step by step. */
import { join } from "node:path";
import { createClient } from "pulumi-nodecloud/api";
import { changeFromOutside, countObjects, findRecord } from "./account.mjs";
import { findDrift } from "./drift.mjs";
import { token } from "./emulator.mjs";
import { mustSucceed } from "./pulumi.mjs";
import { QuickstartError } from "./stop.mjs";
import { heading, look } from "./terminal.mjs";

/** @import { Place } from "./pulumi.mjs" */
/** @import { Client } from "pulumi-nodecloud/api" */
/**
 * @typedef {object} Setting
 * @property {Place} place
 * @property {string} directory for temporary files.
 * @property {string} stack
 * @property {import("./emulator.mjs").Emulator} emulator
 * @property {boolean} keep whether the stack stays at the end.
 */

/** @param {Setting} setting */
export async function tour({ place, directory, stack, emulator, keep }) {
  const client = createClient({ token, baseUrl: emulator.url });
  await mustSucceed(place, `pulumi stack init ${stack}`);
  await deploy(place);

  heading("Change a record outside Pulumi");
  const target = await changeFromOutside(client);

  heading("Find the drift");
  await findDrift(place, join(directory, "drift.events"));
  look("Only this record has changed, and the exit code makes a nightly job fail.");

  await repair(place, client, target);
  if (!keep) await remove(place, client);
}

/** @param {Place} place */
async function deploy(place) {
  heading("Preview the program");
  await mustSucceed(place, "pulumi preview");
  look("Nothing is created yet. Values that the API will choose are [unknown].");

  heading("Create the resources");
  await mustSucceed(place, "pulumi up --yes --skip-preview");
  look(
    "Each row showed the status of its resource. The emulator's clock runs 600 times faster than real time.",
  );

  heading("Show the outputs of the program");
  await mustSucceed(place, "pulumi stack output");
  look("The password is a secret. The state holds it encrypted, and only --show-secrets shows it.");
}

/**
 * @param {Place} place
 * @param {Client} client
 * @param {string | null | undefined} wanted the record's target in the program.
 */
async function repair(place, client, wanted) {
  heading("Repair the drift");
  await mustSucceed(place, "pulumi up --refresh --yes --skip-preview");
  const { target } = (await findRecord(client)).record;
  if (target !== wanted) {
    throw new QuickstartError(`The record points to ${target}, and should point to ${wanted} again.`);
  }
  look(`The record points to ${wanted} again.`);

  heading("Check that no changes are left");
  await mustSucceed(place, "pulumi preview --expect-no-changes");
  look("The account matches the program.");
}

/** @param {Place} place @param {Client} client */
async function remove(place, client) {
  heading("Destroy the resources");
  await mustSucceed(place, "pulumi destroy --yes --skip-preview --remove");
  const left = await countObjects(client);
  if (left > 0) throw new QuickstartError(`${left} objects are left in the account.`);
  look("The account is empty again.");
}
