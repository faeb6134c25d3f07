import * as fc from "fast-check";
import { type OperationSpec } from "../../src/api/operation";
import { zodOf } from "../../src/api/zod-of";
import { type CollectionView, type ObjectKind } from "../../src/emulator/kind/kind";
import { kinds } from "../../src/emulator/kinds";
import { type AnyDescription, isCollection } from "../../src/provider/describe/define-collection";
import { leavesOf } from "../../src/provider/describe/fields";
import { type Properties, same, setAt, valueAt } from "../../src/provider/base/values";
import { descriptions } from "../../src/resources";
import { valuesAt, valuesOf } from "../provider/arbitraries";
import { type TestEmulator } from "./emulator";

/** The tests that go through all kinds of resources have samples of most of them. For any other kind, these are made from what describes it. */

export type ResourceKind = keyof typeof descriptions;

/** The objects of a collection of the emulator, and their path in the API with `{}` for each id. */
export interface Place {
  readonly name: string;
  readonly kind: ObjectKind;
  readonly view: CollectionView;
  readonly path: string;
  readonly parent?: Place;
}

function placesOf(kind: ObjectKind): Place[] {
  const views = Object.entries(kind.collections);
  if (kind.parent === null) return views.map(([name, view]) => ({ name, kind, view, path: view.path }));
  return placesOf(kind.parent.kind).flatMap((parent) =>
    views.map(([name, view]) => ({ name, kind, view, path: `${parent.path}/{}${view.path}`, parent })),
  );
}

const PLACES = kinds.flatMap(placesOf);

/** Where an operation finds its objects, if the emulator has examples of them. */
export const placeOf = ({ path }: Pick<OperationSpec, "path">): Place | undefined => {
  const plain = path.replaceAll(/\{\w+\}/g, "{}").replace(/\/\{\}$/, "");
  return PLACES.find((place) => place.path === plain);
};

/** Creates an object by the example of its collection, below objects that are made so too; returns its path in the API. */
export async function makeExample(
  emulator: TestEmulator,
  { view, parent }: Place,
  more: object = {},
): Promise<string> {
  const base = parent === undefined ? "" : await makeExample(emulator, parent);
  const { path = view.path, body } = view.example;
  const answer = await emulator.call<Properties>("POST", base + path, { body: { ...body, ...more } });
  if (answer.status !== 200) throw new Error(`POST ${base + path}: ${JSON.stringify(answer.body)}`);
  // After an hour no object is busy.
  emulator.clock.advance(3600);
  return `${base}${view.path}/${String(answer.body["id"])}`;
}

/** The path parameters of an operation, by the path of an object or of its collection. */
export function paramsAt({ path: pattern }: OperationSpec, path: string): Record<string, string> {
  const parts = path.split("/");
  const named = pattern.split("/").flatMap((part, index): [string, string][] => {
    const [, name] = /^\{(\w+)\}$/.exec(part) ?? [];
    return name === undefined ? [] : [[name, parts[index] ?? ""]];
  });
  return Object.fromEntries(named);
}

const sampleOf = <Value>(values: fc.Arbitrary<Value>): Value | undefined =>
  fc.sample(values, { seed: 4, numRuns: 1 })[0];

/** The body of an update that changes what the example of the collection has. */
export function changedBody({ body }: OperationSpec, { view }: Place): Properties {
  const shape = body === undefined ? {} : (zodOf(body) as unknown as { shape: object }).shape;
  const example = view.example.body as Properties;
  const fields = Object.entries(shape).filter(([name]) => Object.hasOwn(example, name));
  return Object.fromEntries(
    fields.map(([name, schema]) => {
      const other = valuesOf(schema as Parameters<typeof valuesOf>[0]).filter(
        (value) => value != null && !same("value", value, example[name]),
      );
      return [name, sampleOf(other)];
    }),
  );
}

const described = (kind: ResourceKind): AnyDescription => descriptions[kind];

/** Where the objects of a resource are. */
export function objectsOf(kind: ResourceKind): Place {
  const description = described(kind);
  const place = isCollection(description) ? undefined : placeOf(description.readOperation);
  if (place === undefined) throw new Error(`The emulator has no example of a ${kind}.`);
  return place;
}

const inputsOf = (kind: ResourceKind) =>
  leavesOf(described(kind).fields).filter(({ path }) => path !== described(kind).id.parent);

/** Inputs of a resource: those of the example in the emulator. Text in `$` is code, as in `everyKind`. */
export function firstInputs(kind: ResourceKind): Properties {
  const { view, parent } = objectsOf(kind);
  const inputs: Properties = {};
  for (const { path, wirePath } of inputsOf(kind)) {
    const value = valueAt(view.example.body, wirePath);
    if (value !== undefined) setAt(inputs, path, value);
  }
  const { parent: parentInput } = described(kind).id;
  if (parentInput === undefined) return inputs;
  const owner = (Object.keys(descriptions) as ResourceKind[]).find(
    (other) => !isCollection(described(other)) && objectsOf(other).path === parent?.path,
  );
  return { [parentInput]: `$objects.${String(owner)}.id`, ...inputs };
}

/** Other values of every input. */
export function otherInputs(kind: ResourceKind): Properties {
  const first = firstInputs(kind);
  const { derived = {}, id } = described(kind) as { readonly derived?: object } & AnyDescription;
  const inputs: Properties = id.parent === undefined ? {} : { [id.parent]: 999 };
  for (const leaf of inputsOf(kind)) {
    if (Object.hasOwn(derived, leaf.path)) continue;
    const now = valueAt(first, leaf.path);
    const other = valuesAt(leaf).filter((value) => value != null && !same(leaf.comparison, value, now));
    setAt(inputs, leaf.path, sampleOf(other));
  }
  return inputs;
}

/** One changed input of a resource: one that is updated in place, if there is one. */
export function oneChange(kind: ResourceKind): {
  readonly path: string;
  readonly wirePath: string;
  readonly isUpdate: boolean;
  readonly first: unknown;
  readonly other: unknown;
} {
  const first = firstInputs(kind);
  const set = inputsOf(kind).filter(({ path }) => valueAt(first, path) !== undefined);
  const leaf = set.find(({ change }) => change === "update") ?? set[0];
  if (leaf === undefined) throw new Error(`The example of a ${kind} in the emulator has none of its inputs.`);
  const { path, wirePath, change } = leaf;
  const other = valueAt(otherInputs(kind), path);
  return { path, wirePath, isUpdate: change === "update", first: valueAt(first, path), other };
}

/** An object with one value in it, at a dotted path. */
export function objectWith(path: string, value: unknown): Properties {
  const object: Properties = {};
  setAt(object, path, value);
  return object;
}
