import { readFileSync } from "node:fs";
import * as nodecloud from "pulumi-nodecloud";

const zone = new nodecloud.Domain("zone", {
  domain: "many.example",
  type: "master",
  soaEmail: "dns@many.example",
});

// One resource for all records: the engine takes one step, and the provider works out which records differ.
new nodecloud.DomainRecordSet("records", {
  domainId: zone.id,
  zoneFile: readFileSync("many.example.zone", "utf8"),
});

export const domain = zone.domain;
