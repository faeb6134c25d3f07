import { type Struct as StructMessage } from "google-protobuf/google/protobuf/struct_pb";
import { ProviderError } from "../../provider/base/errors";
import { ARCHIVE, ASSET, SECRET, SIGNATURE, UNKNOWNS } from "../../provider/engine/signatures";
import { type Path, pathText } from "../../provider/base/property-paths";
import { isObject, type Properties, UNKNOWN } from "../../provider/base/values";
import { Struct } from "./protocol";

/** Properties without the engine's marks, with the paths of their secrets. */
export interface Sealed {
  readonly properties: Properties;
  readonly secrets: readonly Path[];
}

/** Opens secrets, makes files their paths, and gives all unknown values one form. */
export function received(struct: StructMessage | undefined): Sealed {
  const secrets: Path[] = [];
  const given = (struct?.toJavaScript() ?? {}) as Properties;
  return { properties: opened(given, [], secrets) as Properties, secrets };
}

function opened(value: unknown, path: Path, secrets: Path[]): unknown {
  if (UNKNOWNS.has(value)) return UNKNOWN;
  if (Array.isArray(value)) return value.map((item, index) => opened(item, [...path, index], secrets));
  if (!isObject(value)) return value;
  switch (value[SIGNATURE]) {
    case SECRET:
      secrets.push(path);
      return opened(value["value"], path, secrets);
    case ASSET:
    case ARCHIVE:
      return pathOf(value, path);
    default:
      return Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [name, opened(inner, [...path, name], secrets)]),
      );
  }
}

/** The path of a file. Only files can be uploaded. */
function pathOf(asset: Properties, path: Path): string {
  if (asset[SIGNATURE] === ASSET && typeof asset["path"] === "string" && asset["path"] !== "")
    return asset["path"];
  throw new ProviderError(
    `${pathText(path)} must be a path or a file asset; other assets and archives cannot be uploaded`,
    { code: "INVALID_INPUT" },
  );
}

/** Properties for the engine, with its marks at the secrets. */
export function structOf({ properties, secrets }: Sealed): StructMessage {
  const sealed = sealedAt(
    properties,
    secrets.filter((path) => path.length > 0),
  );
  // The values are JSON. The library only has a narrower type for it.
  return Struct.fromJavaScript(sealed as Parameters<typeof Struct.fromJavaScript>[0]);
}

/** A copy without undefined values, in which each value that one of the paths names is sealed. */
function sealedAt(value: unknown, secrets: readonly Path[]): unknown {
  if (secrets.some(({ length }) => length === 0)) return { [SIGNATURE]: SECRET, value: sealedAt(value, []) };
  const below = (name: string | number) =>
    secrets.flatMap(([first, ...rest]) => (first === name ? [rest] : []));
  if (Array.isArray(value)) return value.map((item, index) => sealedAt(item, below(index)) ?? null);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) =>
      inner === undefined ? [] : [[name, sealedAt(inner, below(name))]],
    ),
  );
}
