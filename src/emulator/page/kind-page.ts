import { html } from "hono/html";
import { type KindName } from "../kinds";
import { showable } from "../redaction";
import { type Entity } from "../store";
import { apiCommand } from "./curl";
import { KIND_VIEWS, type Located, creationOf, fieldOf, nameOf, parentOf } from "./kind-views";
import { type Column, type Html, NOTHING, cell, code, count, table } from "./parts";
import { filterForm, filtered, pager, sliceOf } from "./pages";
import { nextChange, status, statusOf } from "./status";
import { type View, kindPath, objectPath } from "./view";

const PER_PAGE = 100;

const NUMBERS = new Set(["cluster_size", "port", "priority", "weight", "ttl_sec", "size"]);

/** A link to what an object belongs to. */
export function parentLink(view: View, object: Located): Html | undefined {
  const above = parentOf(view, object);
  return (
    above && html`<a href="${objectPath(above.kind, above.entity)}">${nameOf(above.kind, above.entity)}</a>`
  );
}

function columnsOf(view: View, kind: KindName, isInParent: boolean): Column<Entity>[] {
  const { children, parents } = KIND_VIEWS[kind];
  const { now, emulation } = view;
  const hasStatus = kind !== "records";
  const changes = hasStatus && kind !== "domains";
  return [
    {
      title: kind === "domains" ? "domain" : kind === "records" ? "name" : "label",
      cell: (entity) => html`<a href="${objectPath(kind, entity)}">${cell(nameOf(kind, entity))}</a>`,
    },
    ...(hasStatus ? [{ title: "status", cell: (entity: Entity) => status(statusOf(entity, now)) }] : []),
    ...(changes ? [{ title: "then", cell: (entity: Entity) => nextChange(entity, now) ?? NOTHING }] : []),
    ...(kind === "images" ? [] : [{ title: "id", cell: ({ id }: Entity) => id, isNumber: true }]),
    ...(parents && !isInParent
      ? [{ title: "belongs to", cell: (entity: Entity) => parentLink(view, { kind, entity }) ?? NOTHING }]
      : []),
    ...(children === "records"
      ? [{ title: "records", cell: ({ id }: Entity) => emulation.store.records.count(id), isNumber: true }]
      : []),
    ...KIND_VIEWS[kind].columns.map((name) => ({
      title: name,
      cell: (entity: Entity) => cell(fieldOf(entity, name)),
      isNumber: NUMBERS.has(name),
    })),
  ];
}

/** The objects in a table that can be filtered and leafed through. */
export function objectTable(view: View, kind: KindName, all: readonly Entity[], parent?: string): Html {
  const { title, one, many } = KIND_VIEWS[kind];
  const what = parent === undefined ? title : `${title} of ${parent}`;
  const found = filtered(all, view.query, ({ fields }) => JSON.stringify(showable(fields)));
  const slice = sliceOf(found, view.query, "page", PER_PAGE);
  const canFilter = all.length > 10 || view.query["q"] !== undefined;
  return html`<div class="tools">
      <p>
        ${count(all.length, one, many)}${found.length < all.length && html`, ${found.length} with “${view.query["q"]}”`}
      </p>
      ${canFilter && filterForm(view.query, `Filter ${many}`)}
    </div>
    ${
      slice.items.length > 0 &&
      table({
        caption: what,
        columns: columnsOf(view, kind, parent !== undefined),
        rows: slice.items,
        keyOf: ({ id }) => id,
      })
    }
    ${pager(slice, view.query, "page", many, parent === undefined ? "main" : "children")}`;
}

/** What to do where there is nothing yet. */
function noneYet(view: View, kind: KindName): Html {
  const { many, one, parents = [] } = KIND_VIEWS[kind];
  const creation = creationOf(view, kind);
  if (creation) {
    return html`<p>There are no ${many} yet. This creates one:</p>
      ${code(`Command that creates a ${one}`, apiCommand(view, creation))}`;
  }
  const links = parents.map(
    (above, index) => html`${index > 0 && " or "}<a href="${kindPath(above)}">${KIND_VIEWS[above].one}</a>`,
  );
  return html`<p>There are no ${many} yet. Each belongs to a ${links}: create that first.</p>`;
}

/** All objects of a kind. */
export function kindPage(view: View, kind: KindName) {
  const { title } = KIND_VIEWS[kind];
  const all = view.kinds[kind].all();
  const main = html`<h1>${title}</h1>
    ${all.length > 0 ? objectTable(view, kind, all) : noneYet(view, kind)}`;
  return { title, main };
}
