import { domainRecord } from "../../api/records";
import { type ObjectKind, onlyFields, type ShapedBy } from "../kind/kind";
import { fieldsOf } from "../kind/field-types";
import { type Entity } from "../store/table";
import { domain } from "./domain";

const fields = fieldsOf(domainRecord, ["service", "protocol", "tag"]);

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
      path: "/records",
      example: { body: { type: "A", name: "www", target: "192.0.2.1" } },
    },
  },
};
