import { html } from "hono/html";
import { type PlannedFault } from "../control/faults";
import { showable } from "../control/redaction";
import { controlCommand } from "./curl";
import { count, table, command } from "./parts";
import { type View } from "./view";

const EXAMPLE = { method: "POST", path: "/v4/domains/*/records", times: 2, effect: { status: 503 } };

const MEANINGS = {
  "drop-response": "runs, and the connection closes without an answer",
  "drop-request": "does not run, and the connection closes",
  reset: "does not run, and the connection is reset",
} as const;

function meaningOf({ plan: { effect } }: PlannedFault): string {
  if (typeof effect === "string") return MEANINGS[effect];
  return "status" in effect ? `is answered with ${effect.status}` : `runs after ${effect.delayMs} ms`;
}

/** The planned failures that are still to come. */
export function faultsPage(view: View) {
  const { planned } = view.emulation.faults;
  const main = html`<h1>Faults</h1>
    ${
      planned.length === 0
        ? html`<p>No failure is planned. This command plans one for the next two new records:</p>
            ${command("Command that plans a fault", controlCommand(view, "/faults", EXAMPLE))}`
        : html`<p>
              ${count(planned.length, "failure is", "failures are")} planned. The first one that fits a
              request applies.
            </p>
            ${table({
              caption: "Planned failures",
              columns: [
                { title: "path", cell: ({ plan }) => html`<code>${plan.path}</code>` },
                { title: "method", cell: ({ plan }) => (plan.method === "*" ? "any" : plan.method) },
                { title: "the request", cell: meaningOf },
                { title: "left", cell: ({ plan, left }) => `${left} of ${plan.times}`, isNumber: true },
                {
                  title: "effect",
                  cell: ({ plan }) =>
                    html`<code>${JSON.stringify(showable(plan.effect)).slice(0, 300)}</code>`,
                },
              ],
              rows: planned,
              keyOf: (fault) => planned.indexOf(fault),
            })}`
    }`;
  return { title: "Faults", main };
}
