import { z } from "zod";
import { type Properties } from "../../provider/base/values";
import { update } from "../../provider/describe/fields";
import { UNSENT } from "./ready-when";
import { parseZone } from "./zone-file";

/** The input of records and sets. */
export const recordServed = update(z.boolean(), {
  doc: "Whether to wait until the rendered zone of the domain shows what was changed. The service stores a record at once, and renders the zone later. See `docs/ready.md`.",
  ...UNSENT,
  default: false,
  changeDoc: "looks at the zone, and sends nothing",
  awaited: true,
});

/** The records of a rendered zone, in the form of records of the API. */
export const renderedZone = (lines: readonly string[]): Properties[] =>
  parseZone(lines.join("\n")).records.map(({ inputs }) => inputs);

/** A record by the name that a zone has for it. That of an SRV record begins with the service and the protocol, with or without underscores. */
export const inZone = ({ service, protocol, name, ...rest }: Properties): Properties => {
  const labels = [service, protocol, name].filter((label) => typeof label === "string" && label !== "");
  return { ...rest, name: labels.map((label) => String(label).replace(/^_+/, "")).join(".") };
};
