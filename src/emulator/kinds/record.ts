import { domainRecord } from "../../api/records";
import { type ObjectKind, onlyFields, type ShapedBy } from "../kind/kind";
import { fieldsOf } from "../kind/field-types";
import { type Entity } from "../store/table";
import { domain } from "./domain";

const fields = fieldsOf(domainRecord, ["service", "protocol", "tag"]);

/** The types that take a number or a tag. The API answers 0 for the others. */
const TAKEN: Readonly<Record<string, readonly string[]>> = {
  priority: ["MX", "SRV"],
  weight: ["SRV"],
  port: ["SRV"],
  tag: ["CAA"],
};

const BY_HAND: Readonly<Record<string, string>> = { A: "192.0.2.99", AAAA: "2001:db8::99" };

export type RecordFields = ShapedBy<typeof fields>;
export type RecordEntity = Entity<RecordFields>;

export const record: ObjectKind<RecordFields> = {
  ...onlyFields,
  stored: "records",
  fields,
  parent: { kind: domain, isCounted: true },
  name: {
    column: "name",
    of: ({ service, protocol, name }) => [service, protocol, name].filter(Boolean).join(".") || "@",
  },
  collections: {
    records: {
      place: 70,
      title: "Domain records",
      one: "record",
      many: "records",
      columns: ["type", "target", "ttl_sec", "priority", "weight", "port", "tag"],
      applies: ({ type }, column) => TAKEN[column]?.includes(type) ?? true,
      changedByHand: ({ type }) => ({
        target: BY_HAND[type] ?? (type === "TXT" || type === "CAA" ? "by-hand" : "by-hand.example.net"),
      }),
      path: "/records",
      example: { body: { type: "A", name: "www", target: "192.0.2.1" } },
    },
  },
};
