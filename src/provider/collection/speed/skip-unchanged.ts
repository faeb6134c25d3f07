import {
  type Answers,
  type Ask,
  type Calls,
  type CheckCall,
  type StateCall,
} from "../../engine/provider-interface";
import { ownerOf } from "../../engine/warnings";
import { beginCheck } from "../../hooks/check";
import { placeOf } from "../../inputs/declared-twice";
import { type Session } from "../../process/session";
import { type Properties } from "../../state/values";
import { isGivenAgain } from "./packed-members";

/** What the outline says of a collection: enough for one that did not change. */
interface UnchangedCollection {
  readonly type: string;
  readonly property: string;
  /** The input with the parent's id, and the type of the members. */
  readonly within: string;
  readonly of: string;
}

/** Runs a collection that changed. */
interface Whole {
  readonly ask: Ask;
  /** What a text of the state declares, by identity. */
  listed?(text: unknown): ReadonlyMap<string, string>;
}

/**
 * Answers the checks and diffs of a collection that did not change, without its description. The first call that needs more loads the
 * description. It exists for speed only: most previews are of collections that did not change.
 */
export function unlessChanged(session: Session, kind: UnchangedCollection, load: () => Whole): Ask {
  const { property, within, of } = kind;
  let loaded: Whole | undefined;
  const whole = () => (loaded ??= load());
  const described = { type: kind.type, property };

  /** Whether another resource of the program is about to create one of the members. */
  const isContested = (olds: Properties, call: CheckCall): boolean => {
    const place = placeOf(of, within, call.inputs, call.within);
    const declared = {
      owner: ownerOf(described, call),
      all: () => whole().listed?.(olds[property]) ?? new Map(),
      made: new Set<string>(),
    };
    return place !== undefined && session.declared.declareMany(place, declared) !== undefined;
  };

  /** Notes which members the resource has; false where another resource adopts one of them. */
  const holdsItself = ({ state, ...call }: StateCall): boolean => {
    const parent = String(call.inputs[within]);
    const list = () => state.members?.ids ?? [];
    const owner = ownerOf(described, call);
    return (
      session.owners.holdMany({ type: of }, parent, owner, list, call.importId !== undefined) === undefined
    );
  };

  const check = (call: CheckCall) => {
    const { olds, inputs } = call;
    if (!isGivenAgain(property, olds, inputs[property])) return undefined;
    if (!haveSameSettings(property, olds.inputs, inputs)) return undefined;
    beginCheck(session, call);
    if (isContested(olds.inputs, call)) return undefined;
    return { inputs: Object.fromEntries(givenIn(olds.inputs)), given: olds.given, failures: [] };
  };

  const diff = (call: StateCall) => {
    const { inputs, state } = call;
    const isSame =
      typeof inputs[property] === "string" &&
      state.outputs[property] === inputs[property] &&
      (state.members?.left.length ?? 0) === 0 &&
      haveSameSettings(property, state.outputs, inputs) &&
      holdsItself(call);
    const isFirst = { deleteBeforeReplace: false, shouldDeleteFirst: true };
    return isSame ? { changes: false, replaces: [], ...isFirst, details: [] } : undefined;
  };

  const quick: { readonly [Method in keyof Answers]?: (call: Calls[Method]) => Answers[Method] | undefined } =
    { check, diff };
  return async (method, call) => quick[method]?.(call) ?? whole().ask(method, call);
}

/** The inputs that have a value. */
const givenIn = (properties: Properties): [string, unknown][] =>
  Object.entries(properties).filter(([, value]) => value != null);

/** Whether both have the same settings besides the members, all of them texts or numbers: a boolean may need a warning. */
function haveSameSettings(property: string, olds: Properties, news: Properties): boolean {
  const settingsIn = (properties: Properties) => givenIn(properties).filter(([name]) => name !== property);
  const before = settingsIn(olds);
  const isPlain = ([, value]: [string, unknown]) => typeof value === "string" || typeof value === "number";
  return (
    before.length === settingsIn(news).length &&
    before.every((entry) => isPlain(entry) && String(entry[1]) === String(news[entry[0]]))
  );
}
