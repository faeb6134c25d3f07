import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { z } from "zod";
import { LAST_MOMENT } from "../../src/emulator/store/clock";
import { COLLECTION_NAMES } from "../../src/emulator/control/collections";
import { kinds } from "../../src/emulator/kinds";
import { CHARACTERS } from "../helpers/characters";
import { type TestEmulator, withEmulator } from "../helpers/emulator";
import { htmlOf, PAGE } from "../helpers/emulator-page";

const directory = mkdtempSync(join(tmpdir(), "nodecloud-kinds-"));
afterAll(() => {
  rmSync(directory, { recursive: true });
});

const collections = kinds.flatMap((kind) =>
  Object.entries(kind.collections).map(([name, view]) => ({ kind, name, view })),
);
type Place = (typeof collections)[number];

/** The first object of a collection in the control API. */
async function firstOf({ control }: TestEmulator, name: string): Promise<Record<string, unknown>> {
  const { body } = await control<{ data: Record<string, unknown>[] }>("GET", `/objects/${name}`);
  const [first] = body.data;
  if (!first) throw new Error(`there are no ${name}`);
  return first;
}

/** Creates an object from the example of its collection, under a parent if it needs one, and returns its path in the API. */
async function create(emulator: TestEmulator, { kind, view }: Place): Promise<string> {
  const parent = collections.find((other) => other.kind === kind.parent?.kind);
  const base = parent ? await create(emulator, parent) : "";
  const { path = view.path, body } = view.example;
  const answer = await emulator.call<Record<string, unknown>>("POST", base + path, { body });
  expect(answer).toMatchObject({ status: 200 });
  emulator.clock.advance(60 * 60);
  return `${base}${view.path}/${String(answer.body["id"])}`;
}

/** Another value for a field, from its schema. An enum value stays: it may determine the object's collection. */
function changed(schema: unknown, now: unknown): unknown {
  if (schema instanceof z.ZodString) return CHARACTERS.join("");
  if (schema instanceof z.ZodBoolean) return !now;
  // The last possible moment: nothing happens before it.
  if (schema instanceof z.ZodNumber) return schema.maxValue === LAST_MOMENT ? LAST_MOMENT : 4711;
  if (schema instanceof z.ZodArray) return [changed(schema.element, undefined)];
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodExactOptional) {
    return changed(schema.unwrap(), now);
  }
  if (schema instanceof z.ZodObject) {
    const old = (now ?? {}) as Record<string, unknown>;
    return Object.fromEntries(Object.entries(schema.shape).map(([key, of]) => [key, changed(of, old[key])]));
  }
  if (schema instanceof z.ZodEnum) return now;
  throw new Error(`no value is known for a ${String((schema as z.ZodType).type)}`);
}

test("the collections have their names in the control API", async () => {
  expect(collections.map(({ name }) => name).sort()).toEqual([...COLLECTION_NAMES].sort());
  expect(new Set(kinds.map(({ stored }) => stored)).size).toBe(kinds.length);
});

test.each(collections)(
  "an object of $name keeps any text in each field after a restart with --data, and its page shows it",
  async (place) => {
    const { kind, name } = place;
    const data = join(directory, name);
    const { id, ...schemas } = { ...kind.fields, ...kind.hidden } as Record<string, unknown>;
    expect(id).toBeDefined();
    const before = await withEmulator(
      async (emulator) => {
        await create(emulator, place);
        const first = await firstOf(emulator, name);
        const patch = Object.fromEntries(
          Object.entries(schemas).map(([field, schema]) => [field, changed(schema, first[field])]),
        );
        const path = `/objects/${name}/${String(first["id"])}`;
        expect(await emulator.control("PATCH", path, patch)).toMatchObject({ status: 200, body: patch });
        const page = await htmlOf(emulator, `${PAGE}/${name}/${String(first["id"])}`);
        expect(page).toContain("&lt;&gt;&amp;;#");
        expect(page).not.toContain("<>");
        return { patch, object: await firstOf(emulator, name) };
      },
      { data },
    );
    const after = await withEmulator((emulator) => firstOf(emulator, name), { data });
    expect(after).toEqual(before.object);
    expect(after).toMatchObject(before.patch);
    expect(Object.keys(after)).toEqual(expect.arrayContaining(Object.keys(schemas)));
  },
);

/** The folders and files of the emulator that may name kinds. */
const ABOUT_KINDS =
  /^(kinds|routes|nodes|zones|images)\/|^operations\/(checks|catalogue)\.ts$|^machines\/plan\.ts$|^page\/catalogue-page\.ts$/;

test("code outside the folders of the kinds names no kind", () => {
  const folder = resolve(__dirname, "../../src/emulator");
  const names = collections.flatMap(({ kind, name }) => [
    ...[kind.stored, name],
    ...[...kind.secrets, ...kind.privateInputs],
  ]);
  const machinery = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".ts") && !ABOUT_KINDS.test(file),
  );
  const naming = machinery.flatMap((file) => {
    const code = readFileSync(join(folder, file), "utf8").replace(/\/\*\*[^]*?\*\/|\/\/.*/g, "");
    const found = [...new Set(names)].filter((name) => new RegExp(`["'\`.]${name}\\b`).test(code));
    return found.map((name) => `${file}: ${name}`);
  });
  expect(naming).toEqual([]);
});
