/** Turns JSON schemas into types of the Pulumi Package Schema. Objects and lists of values become named types. */

import { exampleIn, exampleSentence, listedIn } from "./examples.mjs";
import { joined } from "./sentences.mjs";

/** @typedef {Record<string, any>} Json a JSON schema */
/** @typedef {Record<string, any>} Spec a part of the package schema */
/** @typedef {"input" | "output"} Form */

/** Ends the name of the type of an input whose output has other fields. */
const SETTINGS = "Settings";

export const ANY = { $ref: "pulumi.json#/Any" };

/** @param {string} name */
export const tokenOf = (name) => `nodecloud:index:${name}`;

/** @param {string} name @returns {Spec} */
export const refTo = (name) => ({ $ref: `#/types/${tokenOf(name)}` });

/** The name of the type of this package that a reference names. @param {string} [ref] @returns {string | undefined} */
export const nameIn = (ref) => /^#\/types\/nodecloud:index:(\w+)$/.exec(ref ?? "")?.[1];

/** @param {string} text */
export const pascal = (text) =>
  text
    .split(/[^a-zA-Z0-9]+/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join("");

/** A JSON schema that does not allow null. @param {Json} json @returns {Json} */
export function withoutNull({ anyOf, ...rest }) {
  const kinds = [rest["type"]].flat().filter((kind) => kind !== "null");
  const parts = anyOf ?? (kinds.length > 1 ? kinds.map((type) => ({ type })) : undefined);
  if (parts === undefined) return kinds[0] === undefined ? rest : { ...rest, type: kinds[0] };
  const [only, ...others] = parts.filter((/** @type {Json} */ part) => part["type"] !== "null");
  return others.length === 0 ? { ...only, ...rest } : { ...rest, anyOf: [only, ...others] };
}

/** The named types of the package. */
export class Types {
  /** @type {Map<string, Spec>} */
  #named = new Map();
  /** TypeScript types that are written by hand or made of inputs, with their types in the schema. @type {Map<string, string>} */
  #called = new Map();

  /** Sorted by name, so that a new resource does not move the types of others. */
  get specs() {
    const sorted = [...this.#named].sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(sorted.map(([name, spec]) => [tokenOf(name), spec]));
  }

  /**
   * @param {Json} json @param {string} name The name of the type of an object or of listed values that has no title.
   * @param {Form} form @returns {Spec}
   */
  of(json, name, form) {
    const { knownValues, ...node } = withoutNull(json);
    if (knownValues !== undefined)
      return { type: "string", oneOf: [{ type: "string" }, this.values(name, "string", knownValues, form)] };
    const listed = listedIn(node);
    if (listed !== undefined)
      return this.values(
        node["title"] ?? name,
        typeOfValues(listed),
        listed,
        form,
        undefined,
        titlesIn(node),
      );
    if (node["anyOf"] !== undefined) return this.#union(node["anyOf"], name, form);
    if (node["type"] === "array") return { type: "array", items: this.of(node["items"] ?? {}, name, form) };
    if (node["properties"] !== undefined) return this.#object(node, node["title"] ?? name, form);
    if (node["type"] === "object")
      return { type: "object", additionalProperties: this.of(mapItems(node), name, form) };
    return ["string", "integer", "number", "boolean"].includes(node["type"]) ? { type: node["type"] } : ANY;
  }

  /** Gives a type another name in TypeScript. @param {string} name @param {string} type */
  call(name, type) {
    this.#called.set(name, type);
  }

  /** A type by its name in TypeScript. @param {string} name @returns {Spec} */
  called(name) {
    const type = this.#called.get(name) ?? name;
    return this.#named.has(type) ? refTo(type) : ANY;
  }

  /** The type of listed values that a property has, and no others. @param {Spec} spec @returns {Spec | undefined} */
  listed(spec) {
    const type = this.#named.get(nameIn(spec["$ref"]) ?? "");
    return type?.["enum"] === undefined ? undefined : type;
  }

  /**
   * A type of listed values.
   * @param {string} name @param {string} type @param {readonly unknown[]} listed @param {Form} form @param {string} [text]
   * @param {ReadonlyMap<unknown, string>} [titles] The names of its values, which numbers need.
   * @returns {Spec}
   */
  values(name, type, listed, form, text = `Values of ${wordsOf(name)}.`, titles = new Map()) {
    const values = listed.map((value) => ({ name: titles.get(value) ?? nameOfValue(value, name), value }));
    return this.add(name, { type, description: text, enum: values }, form);
  }

  /** @param {readonly Json[]} parts @param {string} name @param {Form} form @returns {Spec} */
  #union(parts, name, form) {
    const specs = parts.map((part, index) => this.of(part, index === 0 ? name : `${name}${index + 1}`, form));
    const unique = specs.filter(
      (spec, index) => specs.findIndex((other) => JSON.stringify(other) === JSON.stringify(spec)) === index,
    );
    return unique.length === 1 ? /** @type {Spec} */ (unique[0]) : { oneOf: unique };
  }

  /** @param {Json} json @param {string} name @param {Form} form @returns {Spec} */
  #object(json, name, form) {
    /** @type {[string, Spec][]} */
    const properties = Object.entries(json["properties"]).map(([key, inner]) => [
      camel(key),
      this.#property(withoutNull(inner), `${name}${pascal(camel(key))}`, form),
    ]);
    const required = (json["required"] ?? [])
      .filter((/** @type {string} */ key) => !mayBeNull(json["properties"][key]))
      .map(camel);
    return this.add(name, objectSpec(json["description"], properties, required), form);
  }

  /** A property of an object. That of an input has an example. @param {Json} json @param {string} name @param {Form} form @returns {Spec} */
  #property(json, name, form) {
    const spec = this.of(json, name, form);
    const { description: doc } = json;
    if (form === "output" || doc === undefined) return described(spec, doc);
    const example = exampleIn(json);
    const text = joined([doc, exampleSentence(example, this.isObject(spec))]);
    return { ...described(spec, text), language: { nodejs: { doc, example } } };
  }

  /** Whether a value has properties, or its items have. @param {Spec} spec @returns {boolean} */
  isObject(spec) {
    if (spec["items"] !== undefined) return this.isObject(spec["items"]);
    if (spec["oneOf"] !== undefined)
      return spec["oneOf"].some((/** @type {Spec} */ one) => this.isObject(one));
    return this.#named.get(nameIn(spec["$ref"]) ?? "")?.["properties"] !== undefined;
  }

  /**
   * Adds a named type. An input and an output with the same name and the same fields are one type. Its texts are those of the input.
   * @param {string} name @param {Spec} spec @param {Form} form @returns {Spec} A reference to it.
   */
  add(name, spec, form) {
    const known = this.#named.get(name);
    const forms = known?.["language"]?.nodejs?.forms ?? [];
    if (known === undefined || shapeOf(known) === shapeOf(spec)) {
      const best = known !== undefined && form === "output" ? known : spec;
      const merged = [...new Set([...forms, form])].sort();
      this.#named.set(name, {
        ...best,
        language: { nodejs: { ...spec["language"]?.nodejs, forms: merged } },
      });
      return refTo(name);
    }
    // Not "Input", which the SDKs of other languages append themselves.
    if (form === "input" && !forms.includes("input") && !name.endsWith(SETTINGS))
      return this.add(`${name}${SETTINGS}`, { ...spec, language: { nodejs: { name } } }, form);
    throw new Error(`Two types with different fields have the name ${name}: give one of them another title`);
  }
}

/** @param {Spec} spec @param {string | undefined} description @returns {Spec} */
export const described = (spec, description) => (description === undefined ? spec : { ...spec, description });

/**
 * @param {string | undefined} description @param {readonly [string, Spec][]} properties @param {readonly string[]} required
 * @returns {Spec}
 */
export const objectSpec = (description, properties, required) => ({
  type: "object",
  ...(description === undefined ? {} : { description }),
  properties: Object.fromEntries(properties),
  ...(required.length === 0 ? {} : { required }),
});

/** Facts about a property that do not belong to its type. */
const BESIDES = ["description", "deprecationMessage", "language", "willReplaceOnChanges", "secret"];

/** Two specs are the same type if this text is equal. @param {Spec} spec */
const shapeOf = (spec) => JSON.stringify(spec, (key, value) => (BESIDES.includes(key) ? undefined : value));

/** @param {readonly unknown[]} values */
const typeOfValues = (values) =>
  values.every((value) => typeof value === "string")
    ? "string"
    : values.every(Number.isInteger)
      ? "integer"
      : "number";

/** @param {Json} json @returns {Json} */
const mapItems = ({ additionalProperties }) =>
  typeof additionalProperties === "object" ? additionalProperties : {};

/** @param {Json} json */
const mayBeNull = ({ type, anyOf = [] }) =>
  [type, ...anyOf.map((/** @type {Json} */ part) => part["type"])].flat().includes("null");

/** A name of the API in the program's spelling. @param {string} name */
export const camel = (name) =>
  name.replace(/_([a-z0-9])/g, (_, /** @type {string} */ letter) => letter.toUpperCase());

/** A text as the name of a constant: `in-place` is `InPlace`. @param {unknown} value @param {string} type */
function nameOfValue(value, type) {
  if (typeof value === "string") return pascal(value) || "Empty";
  throw new Error(`${type}: the value ${String(value)} has no name: give its literal a title with meta()`);
}

/** The names of listed values, by value. @param {Json} json @returns {Map<unknown, string>} */
const titlesIn = ({ anyOf = [] }) =>
  new Map(
    anyOf.flatMap((/** @type {Json} */ part) => (part["title"] ? [[part["const"], part["title"]]] : [])),
  );

/** `NodeBackupSchedule` in words, for a description. @param {string} name */
const wordsOf = (name) => name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, " ").toLowerCase();
