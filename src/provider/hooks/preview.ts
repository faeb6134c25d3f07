import { type Description } from "../describe/define-resource";
import { isField, type Leaf, topLevel } from "../describe/fields";
import { partialOutputs } from "../state/make-outline";
import { type OutputParts } from "../describe/outline";
import { type StateCall } from "../state/provider-interface";
import { type ObjectKind } from "../kind/kind";
import { refusalAfterCutOff } from "../object/act-once";
import { ProviderError } from "../base/errors";
import { lookUp } from "../object/look-up";
import { asLastWritten, driftedIn } from "../state/drift";
import { asStored } from "../state/sent";
import { type Call, type State } from "../state/call";
import { type ChangedInput, changedInputs, pendingAt } from "../state/update-or-replace";
import { compact, isObject, type Properties, setAt, UNKNOWN, valueAt } from "../base/values";
import { cached } from "../../api/cached";

/** The outputs that a creation will have: the inputs that the service keeps as they are. */
export function previewCreate({ description, leaves }: ObjectKind, { inputs }: Call): Properties {
  const outputs: Properties = {};
  for (const name of namesOf(description)) outputs[name] = UNKNOWN;
  for (const name of groupNames(description)) {
    if (isObject(inputs[name])) outputs[name] = unknownParts(partsOf(description, name));
  }
  for (const leaf of leaves) {
    const value = valueAt(inputs, leaf.path);
    if (value !== undefined) setAt(outputs, leaf.path, shownLater(leaf, value));
  }
  return outputs;
}

/** The outputs that an update will have. Only what it may change is unknown. */
export async function previewUpdate(kind: ObjectKind, call: StateCall): Promise<Properties> {
  const { description, leaves } = kind;
  const { state } = call;
  const olds = await outputsNow(kind, call);
  const changed = changedInputs(leaves, state, call);
  const ref = kind.parseId(call.id);
  const refusal = ref && (await refusalAfterCutOff(kind, ref, call, changed, "operation"));
  if (refusal !== undefined) throw new ProviderError(refusal.message, { cause: refusal });
  const mayChangeAll = changesAll(description, changed, state);
  const staying = mayChangeAll ? leaves.filter(({ path }) => state.sent.has(path)) : leaves;
  const isSteady = steadyIn(description, changed, mayChangeAll ? staying : undefined);
  const outputs = structuredClone(
    Object.fromEntries(namesOf(description).map((name) => [name, isSteady(name) ? olds[name] : UNKNOWN])),
  );
  for (const name of groupNames(description)) {
    const isTouched = mayChangeAll || changed.some(({ leaf }) => topLevel(leaf.path) === name);
    const parts = unknownParts(partsOf(description, name));
    if (isChangedBy(description, name, changed)) outputs[name] = parts;
    else if (isTouched && outputs[name] !== UNKNOWN)
      outputs[name] = { ...parts, ...partsSet(staying, name, olds[name]) };
  }
  for (const { leaf, value } of changed) setAt(outputs, leaf.path, shownLater(leaf, value));
  return compact(outputs) as Properties;
}

/** The outputs of the object as an update finds it. As in the state, if the preview does not look at the account. */
async function outputsNow(kind: ObjectKind, { id, state }: StateCall): Promise<Properties> {
  const { description, run, account, leaves } = kind;
  const found = run.configuration.validate ? await seen(kind, id) : undefined;
  if (found === undefined) return state.outputs;
  const { ref, live } = found;
  const more = await description.extraOutputs?.(account.client, ref, live, state.outputs);
  const shown = kind.outputsOf(live, ref);
  const { outputs } = asStored(leaves, state.sent, { ...shown, ...more }, state.outputs);
  return asLastWritten(outputs, driftedIn(leaves, state, shown), state.outputs);
}

const seen = (kind: ObjectKind, id: string) =>
  lookUp(kind, id, "lately").catch((error: unknown) => {
    if (kind.account.hides(error)) return undefined;
    throw error;
  });

const namesOf = ({ fields, outputs }: Description): string[] => [
  ...new Set([...Object.keys(fields), ...Object.keys(outputs)]),
];

/** The inputs that are objects of inputs. */
const groupNames = ({ fields }: Description): string[] =>
  Object.entries(fields).flatMap(([name, node]) => (isField(node) ? [] : [name]));

const partial = new WeakMap<Description, OutputParts>();

/** The parts of an output. They are computed once for each kind. */
const partsOf = (description: Description, name: string): OutputParts =>
  cached(partial, description, () => partialOutputs(description) ?? {})[name] ?? {};

const unknownParts = (parts: OutputParts): Properties =>
  Object.fromEntries(
    Object.entries(parts).map(([name, below]) => [
      name,
      Object.keys(below).length === 0 ? UNKNOWN : unknownParts(below),
    ]),
  );

/** The parts of an old output that are inputs. Its other parts are set by the service. */
function partsSet(leaves: readonly Leaf[], name: string, old: unknown): Properties {
  const parts: Properties = {};
  for (const { path } of leaves) {
    const value = topLevel(path) === name ? valueAt({ [name]: old }, path) : undefined;
    if (value !== undefined) setAt(parts, path.slice(name.length + 1), value);
  }
  return parts;
}

/** Whether the update may change anything that the program does not manage. The rest of a creation may, too. */
const changesAll = ({ steady }: Description, changed: readonly ChangedInput[], { memory }: State): boolean =>
  memory !== undefined || (steady?.unless ?? []).some((path) => pendingAt(changed, path).length > 0);

/** Tells which outputs certainly stay, apart from those of the changed inputs. If anything may change, only the `managed` inputs stay. */
function steadyIn(
  description: Description,
  changed: readonly ChangedInput[],
  managed: readonly Leaf[] | undefined,
): (name: string) => boolean {
  const { fields, steady } = description;
  const names = managed && new Set(managed.map(({ path }) => topLevel(path)));
  return (name) => {
    if (names !== undefined) return names.has(name);
    if (changed.length === 0 || fields[name] !== undefined || steady?.outputs.includes(name) === true)
      return true;
    return description.changedBy?.[name] !== undefined && !isChangedBy(description, name, changed);
  };
}

const isChangedBy = ({ changedBy }: Description, name: string, changed: readonly ChangedInput[]): boolean =>
  changed.some(({ leaf }) => changedBy?.[name]?.includes(leaf.path));

/** An input's value as the output will show it. Unknown if the service may round, reorder or respell it. */
function shownLater({ comparison, rewritten }: Leaf, value: unknown): unknown {
  if (rewritten !== undefined || comparison === "addresses") return UNKNOWN;
  const isOrdered = !Array.isArray(value) || value.length < 2;
  return comparison !== "set" || isOrdered ? value : UNKNOWN;
}
