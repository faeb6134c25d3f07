import { splitCode } from "../../provider/base/codes";
import { buffer as bytesOf } from "node:stream/consumers";
import { urnInReference } from "../../provider/describe/urn";
import { quietly } from "../../api/quietly";
import { isObject, objectsIn, type Properties } from "../../provider/base/values";
import { type Context } from "../context";
import { unreadablePreview } from "../errors";
import { readInput } from "../input";

/** The state of a resource, as the engine prints it. */
export interface ShownState {
  /** Another one than that of the step if an alias leads to it. */
  readonly urn: string | undefined;
  readonly type: string;
  /** Empty if it is not known yet. */
  readonly id: string;
  /** The object of the option `import`, or otherwise the id. */
  readonly importId: string | undefined;
  /** The URN of its provider. */
  readonly provider: string | undefined;
  readonly inputs: Properties;
  readonly outputs: Properties;
  readonly secretOutputs: readonly string[];
  readonly retainOnDelete: boolean;
  /** The URN of the option `deletedWith`, which the engine's events do not have. */
  readonly deletedWith: string | undefined;
  readonly pendingReplacement: boolean;
  /** Whether it is the old object of a replacement, whose deletion is left. */
  readonly isLeft: boolean;
}

/** A step of the engine. */
export interface Step {
  readonly op: string;
  readonly urn: string;
  readonly old?: ShownState | undefined;
  readonly new?: ShownState | undefined;
  readonly reasons: readonly string[];
  /** The paths of the provider's own comparison. */
  readonly detailed: readonly string[];
  /** Whether a refresh found it. */
  readonly isFound: boolean;
}

export interface Diagnostic {
  readonly severity: string;
  /** Without the code at its end. */
  readonly message: string;
  readonly code?: string;
  readonly urn: string | undefined;
}

/** The output of a command of the engine. */
export interface Preview {
  /** The file that it was read from, for messages. */
  readonly source: string;
  readonly steps: readonly Step[];
  readonly diagnostics: readonly Diagnostic[];
  /** How many resources the engine counted for each operation. Undefined if the command did not get that far. */
  readonly counted: Readonly<Record<string, number>> | undefined;
}

/** Reads a file, or stdin for `-`. */
export async function readPreview(context: Context, file: string): Promise<Preview> {
  const source = file === "-" ? "stdin" : file;
  if (file === "-" && context.stdin.isTTY) {
    throw unreadablePreview(
      "nothing to report: give a file, or pipe `pulumi preview --json` into this command",
    );
  }
  const bytes = await (file === "-" ? bytesOf(context.stdin) : readInput(context, file));
  const isWide = bytes[0] === 0xff && bytes[1] === 0xfe;
  return parsePreview(bytes.toString(isWide ? "utf16le" : "utf8"), source);
}

/** Parses the object of `pulumi preview --json`, or the engine's events, one per line. */
export function parsePreview(printed: string, source: string): Preview {
  const text = printed.replace(/^\uFEFF/, "").trim();
  if (text === "") {
    throw unreadablePreview(
      `${source} is empty: \`pulumi preview --json\` printed nothing, so it probably failed before the preview`,
    );
  }
  const parsed = (part: string): unknown => quietly(() => JSON.parse(part));
  const whole = parsed(text) ?? parsed(text.slice(Math.max(0, text.search(/^\{$/m))));
  if (isObject(whole) && !("sequence" in whole)) return ofObject(whole, source);
  const events = text.split("\n").flatMap((line) => {
    const event = line.startsWith("{") ? parsed(line) : undefined;
    return isObject(event) && "sequence" in event ? [event] : [];
  });
  if (events.length > 0) return ofEvents(events, source);
  throw unreadablePreview(
    `${source} is neither the output of \`pulumi preview --json\` nor the engine's events: run the command with --json`,
  );
}

function ofObject(preview: Properties, source: string): Preview {
  const { changeSummary } = preview;
  if (!("steps" in preview || "changeSummary" in preview || "diagnostics" in preview)) {
    throw unreadablePreview(`${source} is JSON, but not that of \`pulumi preview --json\`: it has no steps`);
  }
  return {
    source,
    steps: objectsIn(preview, "steps").map(stepOf),
    diagnostics: objectsIn(preview, "diagnostics").map(diagnosticOf),
    counted: isObject(changeSummary) ? countsIn(changeSummary) : undefined,
  };
}

function ofEvents(events: readonly Properties[], source: string): Preview {
  const steps: Step[] = [];
  const diagnostics: Diagnostic[] = [];
  const refreshed = new Set<unknown>();
  let counted: Readonly<Record<string, number>> | undefined;
  for (const { resourcePreEvent, resOutputsEvent, diagnosticEvent, policyEvent, summaryEvent } of events) {
    const [before, after] = [metadataOf(resourcePreEvent), metadataOf(resOutputsEvent)];
    if (before?.["op"] === "refresh") refreshed.add(before["urn"]);
    else if (before !== undefined) steps.push(stepOf(before));
    // Only the result of an import has the id.
    if (after?.["op"] === "import") steps.push(stepOf(after));
    if (after !== undefined && refreshed.has(after["urn"])) {
      refreshed.delete(after["urn"]);
      steps.push({ ...stepOf(after), isFound: true });
    }
    for (const event of [diagnosticEvent, policyEvent]) {
      if (isObject(event) && event["ephemeral"] !== true) diagnostics.push(diagnosticOf(event));
    }
    if (isObject(summaryEvent)) counted = countsIn(summaryEvent["resourceChanges"]);
  }
  return { source, steps, diagnostics, counted };
}

const metadataOf = (event: unknown): Properties | undefined =>
  isObject(event) && isObject(event["metadata"]) ? event["metadata"] : undefined;

const stringsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];

const countsIn = (value: unknown): Record<string, number> =>
  Object.fromEntries(
    Object.entries(isObject(value) ? value : {}).flatMap(([op, count]) =>
      typeof count === "number" ? [[op, count]] : [],
    ),
  );

/** A step of the object of a preview, or of an event, which has other names for the states and the reasons. */
function stepOf(step: Properties): Step {
  const { op, urn, oldState, newState, replaceReasons, old, new: now, keys, detailedDiff } = step;
  return {
    op: String(op),
    urn: String(urn),
    old: stateOf(oldState ?? old),
    new: stateOf(newState ?? now),
    reasons: stringsOf(replaceReasons ?? keys),
    detailed: isObject(detailedDiff) ? Object.keys(detailedDiff) : [],
    isFound: op === "refresh",
  };
}

/** A resource as a preview, an event or a state has it. */
export function stateOf(state: unknown): ShownState | undefined {
  if (!isObject(state)) return undefined;
  const { urn, type, id, importID, inputs, outputs, provider } = state;
  const { additionalSecretOutputs, retainOnDelete, pendingReplacement, deletedWith } = state;
  return {
    urn: typeof urn === "string" ? urn : undefined,
    type: String(type),
    id: typeof id === "string" ? id : "",
    importId: stringsOf([importID, id]).find((one) => one !== ""),
    provider: typeof provider === "string" ? urnInReference(provider) : undefined,
    inputs: isObject(inputs) ? inputs : {},
    outputs: isObject(outputs) ? outputs : {},
    secretOutputs: stringsOf(additionalSecretOutputs),
    retainOnDelete: retainOnDelete === true,
    deletedWith: typeof deletedWith === "string" ? deletedWith : undefined,
    pendingReplacement: pendingReplacement === true,
    isLeft: state["delete"] === true,
  };
}

function diagnosticOf(event: Properties): Diagnostic {
  const { severity, enforcementLevel, message, prefix, urn, resourceUrn } = event;
  const level =
    typeof severity === "string" ? severity : enforcementLevel === "mandatory" ? "error" : "warning";
  const text = String(message).replace(/<\{%[^%]*%\}>/g, "");
  const lead = typeof prefix === "string" ? prefix : `${level}: `;
  return {
    severity: level,
    ...splitCode((text.startsWith(lead) ? text.slice(lead.length) : text).trim()),
    urn: stringsOf([urn ?? resourceUrn]).find((one) => one !== ""),
  };
}
