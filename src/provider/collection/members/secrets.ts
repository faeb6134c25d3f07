import { leavesOf } from "../../describe/fields";
import { type Call, type State, type Told } from "../../state/call";
import { parsePath, type Path, pathsIn } from "../../base/property-paths";
import { valueIn } from "../../state/secret-inputs";
import { type Screen } from "../../run/screen";
import { type Properties } from "../../base/values";
import { type CollectionDescription, type Entry } from "../../describe/define-collection";
import { heldIn, linesOf } from "../../state/members";

/** Whether the program's members hold a secret, so that nothing shows their values. */
export const isGuarded = (told: Told): boolean => told.isGuarded === true;

/** Hides the secrets of the program's members in everything that is printed: secret fields, or all fields if the whole input is secret. */
export function hideDeclared(
  screen: Screen,
  description: CollectionDescription,
  told: Told,
  entries: readonly Entry[],
): void {
  if (!isGuarded(told)) return;
  const secret = pathsIn(told.secrets);
  const forms = new Set(secret.filter(({ length }) => length === 1).map(([form]) => form));
  for (const entry of entries) {
    // An entry from a text, such as a zone file or a text that `ignoreChanges` keeps, has no path.
    const place: Path = parsePath(entry.path.split(":", 1)[0] ?? "") ?? [];
    const isWhole = entry.path.includes(":") || forms.has(String(place[0]));
    const below = secret.filter(
      (path) => place.length > 1 && place.every((name, index) => name === path[index]),
    );
    if (isWhole || below.some(({ length }) => length <= place.length))
      hideMember(screen, description, entry.inputs);
    else for (const path of below) screen.words.hide(valueIn(entry.inputs, path.slice(place.length)));
  }
}

/**
 * Hides the secrets of the state's members, except those that the program declares unchanged. The state does not say which of its members
 * had a secret field, so a field that is secret in one member is hidden in all of them.
 */
export function hideHeld(
  screen: Screen,
  description: CollectionDescription,
  state: State,
  news?: Call,
): void {
  if (!isGuarded(state) && !(news !== undefined && isGuarded(news))) return;
  const secret = [...pathsIn(state.secrets), ...pathsIn(news?.secrets)];
  // A state of an earlier version names no fields.
  const isAny = secret.length === 0 ? news === undefined : secret.some(({ length }) => length < FIELD);
  const fields = new Set(secret.map((path) => path[FIELD - 1]));
  const kept = new Set(linesOf(news?.inputs[description.property]));
  for (const { line, inputs } of heldIn(description, state)) {
    if (kept.has(line)) continue;
    if (isAny) hideMember(screen, description, inputs);
    else
      screen.words.hide(
        ...Object.entries(inputs).flatMap(([field, value]) => (fields.has(field) ? [value] : [])),
      );
  }
}

/** The path of a member's field: `records[3].target`. */
const FIELD = 3;

/** Hides the values of a member, except of fields that cannot be changed: the kind of a member is no secret. */
function hideMember(screen: Screen, { item }: CollectionDescription, inputs: Properties): void {
  for (const { path, change } of leavesOf(item.fields)) {
    if (change !== "replace") screen.words.hide(inputs[path]);
  }
}
