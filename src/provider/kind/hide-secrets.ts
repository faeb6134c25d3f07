import { type ServedKind } from "./kind";
import { type Call, type State } from "../state/call";
import { isSecretAt, secretPathsOf, valueIn } from "../state/secret-inputs";

/** Hides the secrets of a call from everything that is printed from now on. */
export function hideSecrets(
  { screen: { words }, description }: ServedKind,
  { state, olds, ...call }: Call & { readonly state?: State; readonly olds?: Call | undefined },
): void {
  const paths = secretPathsOf(description, call, state ?? {}, olds ?? {});
  for (const properties of [call.inputs, olds?.inputs, state?.outputs]) {
    if (properties !== undefined) for (const path of paths) words.hide(valueIn(properties, path));
  }
  for (const [path, value] of state?.sent ?? []) if (isSecretAt(paths, path)) words.hide(value);
}
