import { textsIn } from "../../api/redact";
import { printable } from "../../api/text";
import { ARCHIVE, ASSET, SIGNATURE } from "../../provider/engine/signatures";
import { quietly } from "../../api/quietly";
import { parsePath, type Path, pathsIn } from "../../provider/base/property-paths";
import { mayBeGuarded, toldIn } from "../../provider/state/handed";
import { isObject, type Properties } from "../../provider/base/values";
import { type Context } from "../context";
import { type Preview, type ShownState } from "./read-preview";
import { isHidden } from "../../provider/state/codec";

/** The text in place of a secret. The engine prints the same text. */
export const SECRET = "[secret]";

/** Environment variables that may contain a secret. */
const SECRET_NAME = /token|secret|password|passphrase|credential|key/i;

/** A shorter value can be an ordinary word, such as "true". */
const SHORTEST = 6;

/** Removes secrets and control characters from a text. */
export type Mask = (text: string) => string;

/** The mask of the values of secret environment variables, and of secrets that a preview shows with `--show-secrets`. */
export function maskFor({ environment }: Pick<Context, "environment">, previews: readonly Preview[]): Mask {
  const found = previews.flatMap(({ steps }) =>
    steps.flatMap(({ old, new: now }) => [old, now].flatMap((state) => (state ? secretsIn(state) : []))),
  );
  const ofProcess = Object.entries(environment).flatMap(([name, value = ""]) =>
    SECRET_NAME.test(name) ? value.split("\n") : [],
  );
  const values = [...ofProcess, ...found.flatMap((text) => [text, ...text.split("\n")])]
    .map((text) => text.trim())
    .filter((text) => text.length >= SHORTEST && text !== SECRET);
  const longestFirst = [...new Set(values)].sort((one, other) => other.length - one.length);
  return (text) => printable(longestFirst.reduce((rest, secret) => rest.replaceAll(secret, SECRET), text));
}

/** The texts at the secret places of a state. */
function secretsIn(state: ShownState): string[] {
  const paths = secretPathsOf(state);
  return [state.inputs, state.outputs].flatMap((properties) => [
    ...encryptedIn(properties),
    ...paths.flatMap((path) => textsIn(valueAt(properties, path))),
  ]);
}

/** The texts of encrypted values that are shown in plain text. */
function encryptedIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(encryptedIn);
  if (!isObject(value)) return [];
  if (SIGNATURE in value) {
    const { plaintext } = value;
    return textsIn(quietly((): unknown => JSON.parse(String(plaintext))) ?? plaintext);
  }
  // Hidden properties are never shown, and hold ordinary values too.
  return Object.entries(value).flatMap(([name, inner]) => (isHidden(name) ? [] : encryptedIn(inner)));
}

const secretPathsOf = ({ inputs, outputs, secretOutputs }: ShownState): Path[] => [
  ...secretOutputs.filter((path) => !isHidden(path)).map((path) => parsePath(path) ?? [path]),
  ...[inputs, outputs].flatMap((properties) => pathsIn(toldIn(properties).secrets)),
];

function valueAt(value: unknown, path: Path): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return value;
  if (Array.isArray(value)) return value.map((item) => valueAt(item, path));
  return isObject(value) ? valueAt(value[first], rest) : undefined;
}

/** Properties with `[secret]` in place of each secret. `holds` is the property of a collection's members. */
export function withoutSecrets(state: ShownState, properties: Properties, holds?: string): Properties {
  const hidden = secretPathsOf(state);
  if (holds !== undefined && [state.inputs, state.outputs].some(mayBeGuarded)) hidden.push([holds]);
  const clean = (value: unknown, paths: readonly Path[]): unknown => {
    if (value === undefined || value === null) return value;
    if (paths.some((path) => path.length === 0)) return SECRET;
    if (Array.isArray(value)) return value.map((item) => clean(item, paths.map(intoItem)));
    if (!isObject(value)) return value;
    if (SIGNATURE in value) return isAsset(value) ? "(file)" : SECRET;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        name,
        clean(
          inner,
          paths.flatMap((path) => (path[0] === name ? [path.slice(1)] : [])),
        ),
      ]),
    );
  };
  return clean(properties, hidden) as Properties;
}

/** A secret of one item hides that place in all items, as items may have moved. */
const intoItem = (path: Path): Path => (/^\d+$|^\*$/.test(String(path[0])) ? path.slice(1) : path);

/** The engine marks files and archives too. */
const isAsset = (value: Properties): boolean => [ASSET, ARCHIVE].includes(String(value[SIGNATURE]));
