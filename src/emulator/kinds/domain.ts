import { z } from "zod";
import { type Kind, onlyFields, type ShapedBy } from "../kind";
import { text, texts, whole } from "../store/field-types";
import { type Entity } from "../store/table";

const fields = {
  id: whole,
  domain: text,
  type: z.enum(["master", "slave"]),
  status: text,
  description: text.nullable(),
  group: text.nullable(),
  soa_email: text.nullable(),
  master_ips: texts,
  axfr_ips: texts,
  expire_sec: whole,
  refresh_sec: whole,
  retry_sec: whole,
  ttl_sec: whole,
  tags: texts,
};

export type DomainFields = ShapedBy<typeof fields>;
export type DomainEntity = Entity<DomainFields>;

export const domain: Kind<DomainFields> = {
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
      path: "/domains",
      example: { body: { domain: "example.org", type: "master", soa_email: "dns@example.org" } },
    },
  },
};
