import { type EngineEvent } from "@pulumi/pulumi/automation";
import { PLUGIN_TYPE_PREFIX, TYPE_PREFIX } from "../../src/provider/describe/type-token";
import { nameInUrn } from "../../src/provider/describe/urn";
import { FORMS } from "../../src/provider/state/packed-members";
import { HIDDEN } from "../../src/provider/state/hidden-names";

type Json = Record<string, unknown>;

/** The outcome of a command of the real CLI. */
export interface Outcome {
  readonly code: number;
  /** All that it printed, and the events of the engine. */
  readonly printed: string;
  /** Its errors and warnings, as the engine reports them. */
  readonly messages: readonly string[];
  /** The messages of all severities. */
  readonly said: readonly string[];
  /** How many resources of this package each kind of step handled. */
  readonly steps: Readonly<Record<string, number>>;
  /** The steps of the resource with this name, in their order. */
  readonly stepsOf: (name: string) => readonly string[];
  /** For each step that changes something: the name of the resource and the step. */
  readonly order: readonly string[];
  /** The planned inputs of each resource of this package, by its name. */
  readonly planned: Readonly<Record<string, Json>>;
  /** The differences that a refresh found: the name of the resource and the path of the input. */
  readonly drifted: readonly string[];
}

/** The types of this package's resources begin with one of these, whichever way serves them. */
const OURS = [TYPE_PREFIX, PLUGIN_TYPE_PREFIX];

/** Whether a type token, or a URN with it, is that of a resource of this package. */
export const isOurs = (text: string): boolean => OURS.some((prefix) => text.includes(prefix));
const CHANGING = ["create", "update", "replace", "delete", "create-replacement", "delete-replaced"];

/** Inputs that a refresh computes again for a collection whose members have drifted, or that only a creation has. */
const DERIVED = [HIDDEN.given, HIDDEN.before, HIDDEN.askedAt, FORMS];

export function outcomeOf(code: number, printed: string, events: readonly EngineEvent[]): Outcome {
  const taken = events
    .flatMap(({ resourcePreEvent }) => resourcePreEvent?.metadata ?? [])
    .filter(({ urn }) => isOurs(urn));
  const steps: Record<string, number> = {};
  for (const { op } of taken) steps[op] = (steps[op] ?? 0) + 1;
  const diagnostics = events.flatMap(({ diagnosticEvent }) => diagnosticEvent ?? []);
  const textOf = ({ message }: { readonly message: string }) => message.trim();
  return {
    code,
    printed,
    messages: diagnostics.filter(({ severity }) => ["error", "warning"].includes(severity)).map(textOf),
    said: diagnostics.map(textOf),
    steps,
    stepsOf: (name) => taken.filter(({ urn }) => nameInUrn(urn) === name).map(({ op }) => op),
    planned: Object.fromEntries(taken.map(({ urn, new: now }) => [nameInUrn(urn), now?.inputs ?? {}])),
    drifted: events
      .flatMap(({ resOutputsEvent }) => resOutputsEvent?.metadata ?? [])
      .filter(({ op, urn }) => op === "update" && isOurs(urn))
      .flatMap(({ urn, old, new: now }) => differences(old?.inputs, now?.inputs, nameInUrn(urn)))
      .sort(),
    order: taken.filter(({ op }) => CHANGING.includes(op)).map(({ op, urn }) => `${nameInUrn(urn)} ${op}`),
  };
}

/** The events that a command prints with `--json`. */
export const eventsIn = (printed: string): EngineEvent[] =>
  printed
    .split("\n")
    .filter((line) => line.startsWith('{"sequence"'))
    .map((line) => JSON.parse(line) as EngineEvent);

/** The paths of the values in which two objects differ. */
function differences(a: unknown, b: unknown, path: string): string[] {
  const isObject = (value: unknown): value is Json =>
    typeof value === "object" && value !== null && !Array.isArray(value);
  if (!isObject(a) || !isObject(b)) return JSON.stringify(a) === JSON.stringify(b) ? [] : [path];
  return [...new Set([...Object.keys(a), ...Object.keys(b)])]
    .filter((key) => !DERIVED.includes(key))
    .flatMap((key) => differences(a[key], b[key], `${path}.${key}`));
}
