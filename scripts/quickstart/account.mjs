/** The objects of the quickstart in the account, through the API. */
import { look, say } from "./terminal.mjs";
import { QuickstartError } from "./stop.mjs";

/** @import { Client } from "pulumi-nodecloud/api" */

const elsewhere = "198.51.100.7";

/**
 * Changes the target of a DNS record through the API, outside Pulumi.
 * @param {Client} client
 * @returns its target in the program.
 */
export async function changeFromOutside(client) {
  const { record, at } = await findRecord(client);
  say(`PUT /domains/${at.domainId}/records/${at.recordId} {"target": "${elsewhere}"}`);
  await client.records.update(at, { target: elsewhere });
  look(`The A record "${record.name}" pointed to ${record.target}, and now points to ${elsewhere}.`);
  return record.target;
}

/** @param {Client} client */
export async function findRecord(client) {
  for await (const { id: domainId } of client.domains.list.all()) {
    for await (const record of client.records.list.all({ domainId })) {
      if (record.type === "A") return { record, at: { domainId, recordId: record.id } };
    }
  }
  throw new QuickstartError("The A record of the quickstart is missing.");
}

/**
 * @param {Client} client
 * @returns {Promise<number>} the number of the program's objects that remain in the account.
 */
export async function countObjects({ nodes, domains, mysql, postgresql, images }) {
  const pages = await Promise.all([nodes.list(), domains.list(), mysql.list(), postgresql.list()]);
  const own = (await images.list()).data.filter((image) => !image.is_public);
  return pages.reduce((count, page) => count + page.results, own.length);
}
