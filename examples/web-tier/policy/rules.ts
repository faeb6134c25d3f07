import {
  type ReportViolation,
  type ResourceValidationArgs,
  type ResourceValidationPolicy,
  validateResourceOfType,
} from "@pulumi/policy";
import * as nodecloud from "pulumi-nodecloud";

/** Stacks with data that must not be lost. */
const PRODUCTION = ["prod"];
/** Seconds. With a shorter time to live, caches hardly help. */
const SHORTEST_TTL = 300;

/** A URN is `urn:pulumi:STACK::PROJECT::…`. */
const isProduction = ({ urn }: ResourceValidationArgs) => PRODUCTION.includes(urn.split(":")[2]);

function eachOpening(allowList: string[] = [], reportViolation: ReportViolation) {
  for (const range of allowList.filter((each) => /\/0+$/.test(each))) {
    reportViolation(`allowList has ${range}, which allows everybody.`);
  }
}

const databaseIsClosed: ResourceValidationPolicy = {
  name: "database-is-closed",
  description: "A database allows only known addresses.",
  validateResource: [
    validateResourceOfType(nodecloud.MysqlDatabase, ({ allowList }, _, reportViolation) =>
      eachOpening(allowList, reportViolation),
    ),
    validateResourceOfType(nodecloud.PostgresqlDatabase, ({ allowList }, _, reportViolation) =>
      eachOpening(allowList, reportViolation),
    ),
  ],
};

const nodesAreBackedUp: ResourceValidationPolicy = {
  name: "nodes-are-backed-up",
  description: "Production nodes use the backup service.",
  validateResource: validateResourceOfType(nodecloud.Node, ({ backupsEnabled }, args, reportViolation) => {
    if (isProduction(args) && !backupsEnabled) reportViolation("backupsEnabled must be true in production.");
  }),
};

const dataIsProtected: ResourceValidationPolicy = {
  name: "data-is-protected",
  description: "Production resources with data have the option protect.",
  validateResource: (args, reportViolation) => {
    const holdsData =
      args.isType(nodecloud.Node) ||
      args.isType(nodecloud.MysqlDatabase) ||
      args.isType(nodecloud.PostgresqlDatabase) ||
      args.isType(nodecloud.Domain);
    if (holdsData && isProduction(args) && !args.opts.protect) reportViolation("Set the option protect.");
  },
};

const recordsAreCached: ResourceValidationPolicy = {
  name: "records-are-cached",
  description: `A record that sets a time to live sets at least ${SHORTEST_TTL} seconds.`,
  enforcementLevel: "advisory",
  validateResource: [
    validateResourceOfType(
      nodecloud.DomainRecord,
      ({ name = "@", ttlSec = SHORTEST_TTL }, _, reportViolation) => {
        if (ttlSec < SHORTEST_TTL) reportViolation(`${name} has a ttlSec of ${ttlSec}.`);
      },
    ),
    validateResourceOfType(nodecloud.DomainRecordSet, ({ records }, _, reportViolation) => {
      for (const { name, ttlSec } of linesOf(records)) {
        if (ttlSec < SHORTEST_TTL) reportViolation(`${name} has a ttlSec of ${ttlSec}.`);
      }
    }),
  ],
};

/** A policy sees the records of a set as text: one line per record, with name, time to live if it is set, type and data. */
function linesOf(records: unknown): { name: string; ttlSec: number }[] {
  return [...String(records).matchAll(/^(\S+) (\d+) /gm)].map(([, name, ttlSec]) => ({
    name,
    ttlSec: Number(ttlSec),
  }));
}

export const rules = [databaseIsClosed, nodesAreBackedUp, dataIsProtected, recordsAreCached];
