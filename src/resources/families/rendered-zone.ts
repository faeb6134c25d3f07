import { z } from "zod";
import { type Properties } from "../../provider/base/values";
import { update } from "../../provider/describe/fields";
import { UNSENT } from "./ready-when";
import { parseZone } from "./zone-file";

/** The input of records and sets. */
export const recordServed = update(z.boolean(), {
  doc: "Whether to wait until the rendered zone of the domain shows what was changed. The service stores a record at once, and renders the zone later. See `docs/ready.md`.",
  ...UNSENT,
  omittedDoc: "`false`",
  omitted: false,
  changeDoc: "looks at the zone, and sends nothing",
  awaited: true,
  removed: "nothing",
});

/** The records of a rendered zone, in the form of records of the API. */
export const renderedZone = (lines: readonly string[]): Properties[] =>
  parseZone(lines.join("\n")).records.map(({ inputs }) => inputs);
