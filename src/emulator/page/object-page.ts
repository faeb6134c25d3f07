import { html } from "hono/html";
import { type Collection } from "../control/collections";
import { showable } from "../control/redaction";
import { record } from "../kinds/record";
import { zoneSection } from "./zone-section";
import { objectTable, parentLink } from "./collection-page";
import { controlCommand, removalCommand } from "./curl";
import { baseUrl } from "./layout";
import { type Located, apiPath, childrenOf, nameOf } from "./located";
import { type Html, duration, moment, table, tableSection, textOf, command } from "./parts";
import { isObject } from "../store/table";
import { comingOf, status, statusOf } from "./status";
import { type View, collectionPath } from "./view";

type Field = readonly [name: string, value: unknown];

/** The fields of an object. Nested fields have dotted names. */
function leavesOf(value: object, prefix = ""): Field[] {
  return Object.entries(value).flatMap(([key, inner]: Field): Field[] =>
    isObject(inner) && Object.keys(inner).length > 0
      ? leavesOf(inner, `${prefix}${key}.`)
      : [[prefix + key, inner]],
  );
}

/** Numbers from here on are moments. Ids and sizes are much smaller. */
const FIRST_MOMENT = 1e12;

function valueOf(value: unknown): Html | string {
  if (typeof value === "number" && value > FIRST_MOMENT) return moment(value);
  const text = textOf(value);
  const isNothing = value === null || text === "";
  return isNothing ? html`<span class="quiet">${JSON.stringify(value)}</span>` : text;
}

/** A table for a list of objects in a field. */
function partsTable(caption: string, parts: readonly object[]): Html {
  const names = [...new Set(parts.flatMap((part) => Object.keys(part)))];
  return table({
    caption,
    columns: names.map((name) => ({
      title: name,
      cell: (part: object) =>
        name === "status" ? status(Reflect.get(part, name)) : valueOf(Reflect.get(part, name)),
    })),
    rows: parts,
    keyOf: (part) => parts.indexOf(part),
  });
}

function isPartsField([, value]: Field): boolean {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((item) => typeof item === "object" && item !== null)
  );
}

/** A section with the fields, and a table for each field that is a list of objects. */
function fieldSections(title: string, id: string, object: object): Html | undefined {
  const fields = leavesOf(object);
  if (fields.length === 0) return undefined;
  const lists = fields.filter(isPartsField);
  return html`<section>
    <h2 id="${id}">${title}</h2>
    ${table({
      caption: title,
      columns: [
        { title: "field", cell: ([name]) => html`<code>${name}</code>` },
        { title: "value", cell: ([, value]) => html`<span class="value">${valueOf(value)}</span>` },
      ],
      rows: fields.filter((field) => !isPartsField(field)),
      isList: true,
      keyOf: ([name]) => name,
    })}
    ${lists.map(
      ([name, value]) =>
        html`<h3><code>${name}</code></h3>
          ${partsTable(`${title}: ${name}`, value as object[])}`,
    )}
  </section>`;
}

function comingSection(view: View, { collection, entity }: Located): Html | undefined {
  const coming = comingOf(collection.kind, entity, view.now);
  if (coming.length === 0) return undefined;
  return tableSection("coming", {
    caption: "Changes to come",
    columns: [
      { title: "status", cell: (change) => status(change.status) },
      { title: "in", cell: ({ at }) => duration(at - view.now) },
      { title: "at", cell: ({ at }) => moment(at, view.now) },
    ],
    rows: coming,
    keyOf: ({ at }) => at,
  });
}

/** The objects of a child collection that belong to an object. */
function childrenSection(view: View, object: Located, children: Collection): Html {
  const { entity } = object;
  const own = children.all().filter(({ parent }) => parent === entity.id);
  const isZone = children.kind.stored === record.stored;
  return html`${isZone ? zoneSection(view.emulation.store, entity.id, view.query) : undefined}
    <section>
      <h2 id="children">${children.view.title}</h2>
      ${objectTable(view, children, own, nameOf(object))}
    </section>`;
}

/** Commands that change and remove an object behind the back of the programs that manage it. */
function driftSection(view: View, { collection: { kind, name, view: shown }, entity }: Located): Html {
  const path = `/objects/${name}/${kind.idPrefix ?? ""}${entity.id}`;
  const change = shown.changedByHand?.(entity.fields);
  return html`<section>
    <h2 id="drift">Make drift</h2>
    <p>
      ${change === undefined ? "This command removes" : "These commands change and remove"} the ${shown.one}
      outside Pulumi. If a stack manages it, a refresh and <code>nodecloud drift</code> find that.
    </p>
    ${change !== undefined && command(`Command that changes the ${shown.one}`, controlCommand(view, path, change, "PATCH"))}
    ${command(`Command that removes the ${shown.one}`, removalCommand(view, path))}
  </section>`;
}

/** One object with all its fields, without secrets. */
export function objectPage(view: View, object: Located) {
  const { collection, entity } = object;
  const { title, one } = collection.view;
  const above = parentLink(view, object);
  const name = nameOf(object);
  const now = statusOf(collection.kind, entity, view.now);
  const main = html`<p class="trail">
      <a href="${collectionPath(collection)}">${title}</a>${above && html` · ${above}`}
    </p>
    <h1>${name}</h1>
    <p class="facts row">
      ${now !== undefined && status(now)} <span>${one} ${entity.id}</span>
      <span class="quiet">in the API: <code>${baseUrl(view)}${apiPath(view, object)}</code></span>
    </p>
    ${comingSection(view, object)}
    ${childrenOf(view, collection).map((children) => childrenSection(view, object, children))}
    ${driftSection(view, object)} ${fieldSections("Fields", "fields", showable(entity.fields) as object)}
    ${fieldSections("Known to the emulator only", "hidden", showable(entity.hidden) as object)}`;
  return { title: name, main };
}
