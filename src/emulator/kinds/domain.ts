import { z } from "zod";
import { domain as answer } from "../../api/domains";
import { type ObjectKind, onlyFields, type ShapedBy } from "../kind/kind";
import { fieldsOf } from "../kind/field-types";
import { type Entity } from "../store/table";

const fields = {
  ...fieldsOf(answer, ["description", "group", "soa_email"]),
  type: z.enum(["master", "slave"]),
};

export type DomainFields = ShapedBy<typeof fields>;
export type DomainEntity = Entity<DomainFields>;

export const domain: ObjectKind<DomainFields> = {
  ...onlyFields,
  stored: "domains",
  fields,
  statuses: { active: "good", disabled: "idle" },
  name: { column: "domain", of: ({ domain }) => domain },
  collections: {
    domains: {
      place: 60,
      title: "Domains",
      one: "domain",
      many: "domains",
      columns: ["type", "soa_email", "ttl_sec", "tags", "description"],
      changedByHand: ({ type }) =>
        type === "master" ? { soa_email: "by-hand@example.org" } : { master_ips: ["192.0.2.99"] },
      path: "/domains",
      example: { body: { domain: "example.org", type: "master", soa_email: "dns@example.org" } },
    },
  },
};
