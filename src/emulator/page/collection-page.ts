import { html } from "hono/html";
import { type Collection } from "../control/collections";
import { showable } from "../control/redaction";
import { type Entity } from "../store/table";
import { apiCommand } from "./curl";
import { type Located, childrenOf, creationOf, fieldOf, nameOf, parentOf, parentsOf } from "./located";
import { type Html, NOTHING, cell, count, table, command } from "./parts";
import { filterForm, filtered, pager, sliceOf } from "./pages";
import { changesByItself, hasStatus, nextChange, status, statusOf } from "./status";
import { type View, collectionPath, objectPath } from "./view";

const PER_PAGE = 100;

/** A link to the object that an object belongs to. */
export function parentLink(view: View, object: Located): Html | undefined {
  const above = parentOf(view, object);
  return above && html`<a href="${objectPath(above.collection, above.entity)}">${nameOf(above)}</a>`;
}

function columnsOf(view: View, collection: Collection, rows: readonly Entity[], isInParent: boolean) {
  const { kind } = collection;
  const { now, emulation } = view;
  const { applies = () => true } = collection.view;
  const columns = collection.view.columns.filter((name) => rows.some(({ fields }) => applies(fields, name)));
  const counted = childrenOf(view, collection).filter((child) => child.kind.parent?.isCounted);
  return [
    {
      title: kind.name.column,
      cell: (entity: Entity) =>
        html`<a href="${objectPath(collection, entity)}">${cell(nameOf({ collection, entity }))}</a>`,
    },
    ...(hasStatus(kind)
      ? [{ title: "status", cell: (entity: Entity) => status(statusOf(kind, entity, now)) }]
      : []),
    ...(changesByItself(kind)
      ? [{ title: "then", cell: (entity: Entity) => nextChange(kind, entity, now) ?? NOTHING }]
      : []),
    ...(columns.includes("id") ? [] : [{ title: "id", cell: ({ id }: Entity) => id, isNumber: true }]),
    ...(kind.parent && !isInParent
      ? [
          {
            title: "belongs to",
            cell: (entity: Entity) => parentLink(view, { collection, entity }) ?? NOTHING,
          },
        ]
      : []),
    ...counted.map((child) => ({
      title: child.view.many,
      cell: ({ id }: Entity) => emulation.store.table(child.kind).count(id),
      isNumber: true,
    })),
    ...columns.map((name) => ({
      title: name,
      cell: (entity: Entity) => (applies(entity.fields, name) ? cell(fieldOf(entity, name)) : NOTHING),
      isNumber: rows.every((entity) => typeof fieldOf(entity, name) === "number"),
    })),
  ];
}

/** A table of objects with a filter and pages. */
export function objectTable(
  view: View,
  collection: Collection,
  all: readonly Entity[],
  parent?: string,
): Html {
  const { title, one, many } = collection.view;
  const what = parent === undefined ? title : `${title} of ${parent}`;
  const found = filtered(all, view.query, ({ fields }) => JSON.stringify(showable(fields)));
  const slice = sliceOf(found, view.query, "page", PER_PAGE);
  const canFilter = all.length > 10 || view.query["q"] !== undefined;
  return html`<div class="tools row">
      <p>
        ${count(all.length, one, many)}${found.length < all.length && html`, ${found.length} with “${view.query["q"]}”`}
      </p>
      ${canFilter && filterForm(view.query, `Filter ${many}`)}
    </div>
    ${
      slice.items.length > 0 &&
      table({
        caption: what,
        columns: columnsOf(view, collection, slice.items, parent !== undefined),
        rows: slice.items,
        keyOf: ({ id }) => id,
      })
    }
    ${pager(slice, view.query, "page", many, parent === undefined ? "main" : "children")}`;
}

/** How to create the first object. */
function noneYet(view: View, collection: Collection): Html {
  const { many, one } = collection.view;
  const creation = creationOf(view, collection);
  if (creation) {
    return html`<p>There are no ${many} yet. This command creates one:</p>
      ${command(`Command that creates a ${one}`, apiCommand(view, creation))}`;
  }
  const links = parentsOf(view, collection).map(
    (above, index) => html`${index > 0 && " or "}<a href="${collectionPath(above)}">${above.view.one}</a>`,
  );
  return html`<p>There are no ${many} yet. Each belongs to a ${links}: create that first.</p>`;
}

/** All objects of a collection. */
export function collectionPage(view: View, collection: Collection) {
  const { title } = collection.view;
  const all = collection.all();
  const main = html`<h1>${title}</h1>
    ${all.length > 0 ? objectTable(view, collection, all) : noneYet(view, collection)}`;
  return { title, main };
}
