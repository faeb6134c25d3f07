import { type KindName } from "../kinds";
import { type Entity } from "../store";
import { textOf } from "./parts";
import { type View } from "./view";

/** How the page shows one kind of objects. */
export interface KindView {
  readonly title: string;
  readonly one: string;
  readonly many: string;
  /** The fields in its table, as the API calls them; a dot leads into an object. */
  readonly columns: readonly string[];
  /** The kinds that its objects belong to. */
  readonly parents?: readonly KindName[];
  /** The kind of the objects that belong to one of this kind. */
  readonly children?: KindName;
  /** Where the API has them: below the base URL, or below what they belong to. */
  readonly path: string;
  /** A body that creates one, and where it is sent if not to the path. */
  readonly example: { readonly path?: string; readonly body: object };
}

const database = (engine: "mysql" | "postgresql", title: string, version: string): KindView => ({
  title,
  one: `${title} database`,
  many: `${title} databases`,
  columns: ["version", "region", "type", "cluster_size", "hosts.primary", "port", "updated"],
  children: "databaseBackups",
  path: `/databases/${engine}/instances`,
  example: {
    body: { label: "shop", region: "us-east", type: "g6-nanode-1", engine: `${engine}/${version}` },
  },
});

/** Every kind, in the order of the navigation. */
export const KIND_VIEWS: Readonly<Record<KindName, KindView>> = {
  nodes: {
    title: "Nodes",
    one: "node",
    many: "nodes",
    columns: ["region", "type", "image", "ipv4", "tags", "updated"],
    children: "nodeBackups",
    path: "/node/instances",
    example: { body: { label: "web", region: "us-east", type: "g6-nanode-1", image: "node/debian12" } },
  },
  nodeBackups: {
    title: "Node backups",
    one: "node backup",
    many: "node backups",
    columns: ["type", "available", "created", "finished"],
    parents: ["nodes"],
    path: "/backups",
    example: { body: { label: "before-upgrade" } },
  },
  mysql: database("mysql", "MySQL", "8.0.30"),
  postgresql: database("postgresql", "PostgreSQL", "14.6"),
  databaseBackups: {
    title: "Database backups",
    one: "database backup",
    many: "database backups",
    columns: ["type", "created"],
    parents: ["mysql", "postgresql"],
    path: "/backups",
    example: { body: { label: "nightly" } },
  },
  domains: {
    title: "Domains",
    one: "domain",
    many: "domains",
    columns: ["type", "soa_email", "ttl_sec", "tags", "description"],
    children: "records",
    path: "/domains",
    example: { body: { domain: "example.org", type: "master", soa_email: "dns@example.org" } },
  },
  records: {
    title: "Domain records",
    one: "record",
    many: "records",
    columns: ["type", "target", "ttl_sec", "priority", "weight", "port", "tag"],
    parents: ["domains"],
    path: "/records",
    example: { body: { type: "A", name: "www", target: "192.0.2.1" } },
  },
  images: {
    title: "Images",
    one: "image",
    many: "images",
    columns: ["id", "type", "size", "created_by", "created", "description"],
    path: "/images",
    example: { path: "/images/upload", body: { label: "golden", region: "us-east" } },
  },
};

/** A field of an object by its name; a dot leads into an object. */
export function fieldOf({ fields }: Entity, name: string): unknown {
  return name.split(".").reduce<unknown>((value, key) => {
    return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
  }, fields);
}

/** What people call an object. */
export function nameOf(kind: KindName, entity: Entity): string {
  const names = kind === "records" ? ["service", "protocol", "name"] : ["label", "domain"];
  const name = names.flatMap((field) => textOf(fieldOf(entity, field) ?? "") || []).join(".");
  if (name !== "") return name;
  return kind === "records" ? "@" : `${KIND_VIEWS[kind].one} ${entity.id}`;
}

/** An object and its kind. */
export interface Located {
  readonly kind: KindName;
  readonly entity: Entity;
}

/** What an object belongs to, where it belongs to something. */
export function parentOf({ kinds }: View, { kind, entity }: Located): Located | undefined {
  const found = KIND_VIEWS[kind].parents?.map((above) => ({
    kind: above,
    entity: kinds[above].find(String(entity.parent)),
  }));
  return found?.find((above): above is Located => above.entity !== undefined);
}

/** Where the API shows an object, below the base URL. */
export function apiPath(view: View, object: Located): string {
  const above = parentOf(view, object);
  const id = object.kind === "images" ? textOf(fieldOf(object.entity, "id")) : object.entity.id;
  return `${above ? apiPath(view, above) : ""}${KIND_VIEWS[object.kind].path}/${id}`;
}

/** A request that creates an object of a kind; undefined where there is nothing yet that it could belong to. */
export function creationOf(view: View, kind: KindName) {
  const { parents, path, example } = KIND_VIEWS[kind];
  const to = example.path ?? path;
  if (!parents) return { path: to, body: example.body };
  const [above] = parents.flatMap((name) => view.kinds[name].all().map((entity) => ({ kind: name, entity })));
  return above && { path: apiPath(view, above) + to, body: example.body };
}
