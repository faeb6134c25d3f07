import { type Call, type MembersInState, type Sent, type State, type Told } from "./call";
import { type Hidden, HIDDEN, named, opened } from "./hidden-names";

export { isHidden } from "./hidden-names";
import { isObject, type Properties, same, valueAt } from "../base/values";

/** Hidden outputs that may hold values of the user: of all resources, of unfinished creations, and of collections. */
export const ENCRYPTED = {
  always: [HIDDEN.sent],
  ofUnfinished: [HIDDEN.memory],
  ofMembers: [HIDDEN.answered, HIDDEN.left],
};

/** An output that each state has, and the preview of a creation or of an update does not. */
export const IN_EACH_STATE = HIDDEN.set;

/** The outputs of a state. `told` is what the state itself does not have. */
export function stateIn(properties: Properties, told: Told = {}): State {
  const { visible, hidden } = opened(properties);
  const members = membersIn(hidden);
  return {
    ...told,
    outputs: visible,
    sent: sentIn(hidden, visible),
    isManaged: typeof hidden.set === "string",
    isAdopted: hidden.adopted === true,
    at: whereaboutsIn(properties),
    ...(isObject(hidden.memory) ? { memory: hidden.memory } : {}),
    ...(hidden.unfinished === true
      ? { isUnfinished: true, begun: new Set(isObject(hidden.sent) ? Object.keys(hidden.sent) : []) }
      : {}),
    ...(hidden.doubtful === true ? { isDoubtful: true } : {}),
    ...(members === undefined ? {} : { members }),
  };
}

/** Where the object of these outputs is, without the rest of its state. */
export function whereaboutsIn(properties: Properties): string | undefined {
  const at = properties[HIDDEN.at];
  return typeof at === "string" ? at : undefined;
}

function sentIn({ set, sent }: Hidden, outputs: Properties): Sent {
  const paths = typeof set === "string" && set !== "" ? set.split(",") : [];
  const different = isObject(sent) ? sent : {};
  return new Map(paths.map((path) => [path, different[path] ?? valueAt(outputs, path)]));
}

function membersIn({ ids, answered, left }: Hidden): MembersInState | undefined {
  if (typeof ids !== "string") return undefined;
  return {
    ids: ids === "" ? [] : ids.split(","),
    answered: isObject(answered) ? answered : {},
    left: (Array.isArray(left) ? left : []).filter(isPair),
  };
}

const isPair = (entry: unknown): entry is [string, string] =>
  Array.isArray(entry) && typeof entry[0] === "string" && typeof entry[1] === "string";

/**
 * The outputs that a state keeps: the service's answers, which inputs the program set, those whose sent values the answers do not show, and where the
 * object has been reached.
 */
export function outputsOfState(
  { outputs, sent, isManaged, isAdopted = false, memory, isUnfinished, isDoubtful, members }: State,
  at?: string,
): Properties {
  const different = [...sent].filter(
    ([path, value]) => value !== undefined && value !== null && !same("value", value, valueAt(outputs, path)),
  );
  return {
    ...outputs,
    ...named({
      set: [...sent.keys()].join(","),
      at: isManaged && sent.size > 0 ? at : undefined,
      sent: different.length === 0 ? undefined : Object.fromEntries(different),
      adopted: isAdopted ? true : undefined,
      memory,
      unfinished: isUnfinished,
      doubtful: isDoubtful,
      ...(members === undefined ? {} : hiddenMembers(members)),
    }),
  };
}

const hiddenMembers = ({ ids, answered, left }: MembersInState): Hidden => ({
  ids: ids.join(","),
  answered: Object.keys(answered).length === 0 ? undefined : answered,
  left: left.length === 0 ? undefined : left,
});

/** The inputs that a check keeps: what programs see, the mark of an automatic name, and what the state remembers of given members and of equal objects. */
export const checkedInputs = ({
  inputs,
  autonamed,
  given,
  before,
  askedAt,
}: Pick<Call, "inputs" | "autonamed" | "given" | "before" | "askedAt">): Properties => ({
  ...inputs,
  ...named({ resourceName: autonamed, given, before, askedAt }),
});

/** The inputs that a check kept. */
export function keptInputs(
  properties: Properties,
): Pick<Call, "inputs" | "autonamed" | "before" | "askedAt"> {
  const { visible: inputs, hidden } = opened(properties);
  const { resourceName, before, askedAt } = hidden;
  return {
    inputs,
    ...(typeof resourceName === "string" ? { autonamed: resourceName } : {}),
    ...(typeof before === "string" ? { before } : {}),
    ...(typeof askedAt === "string" ? { askedAt } : {}),
  };
}

/** Whether inputs are those of an object that the engine has read for an import, before a run compared it with the program's. */
export const areRead = (inputs: unknown): boolean =>
  isObject(inputs) && inputs[HIDDEN.importId] !== undefined;

/** Whether outputs are those of a resource that a program manages. One that `get` reads has no inputs. */
export const areManaged = (outputs: unknown): boolean =>
  isObject(outputs) && typeof outputs[HIDDEN.set] === "string" && outputs[HIDDEN.set] !== "";

/** Whether outputs are those of an object that a resource has adopted. */
export const areAdopted = (outputs: Properties): boolean => outputs[HIDDEN.adopted] === true;

/** The ids that a resource manages, as one text: its id, and those of the members of a collection, as several may have one id. */
export const objectIn = (id: string, members: readonly string[] = []): string => [id, ...members].join(" ");

/** The ids of a collection's members in the outputs of a state. */
export const memberIdsIn = (outputs: Properties): readonly string[] =>
  membersIn(opened(outputs).hidden)?.ids ?? [];
