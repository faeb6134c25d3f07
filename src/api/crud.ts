import { op, type Schema, typed } from "./operation";
import { empty } from "./schema";
import { type Scope } from "./scopes-and-params";
import { type Empty } from "./types/common";

type ScopeGroup = Scope extends `${infer Group}:${string}` ? Group : never;

/**
 * Declares the operations of a family whose objects are listed, created, viewed, updated and deleted. A family with more, or with other
 * requirements, takes single operations of it.
 */
export function crud<
  const Path extends string,
  const Id extends string,
  const One extends string,
  const Many extends string,
  const Group extends ScopeGroup,
  Item,
  Create,
  Update,
>(family: {
  /** The path of the list. */
  readonly path: Path;
  /** The parameter with the id of an object. */
  readonly id: Id;
  /** One object and all of them, for the docs: `a domain`, `the account's domains`. */
  readonly nouns: readonly [one: One, many: Many];
  /** The scopes of its operations, without `:read_only` and `:read_write`. */
  readonly scopes: Group;
  readonly reply: Schema<Item>;
  /** Schema of the body of a creation. */
  readonly create: Schema<Create>;
  /** Schema of the body of an update. */
  readonly update: Schema<Update>;
  /** Whether the reference does not show the operations. */
  readonly assumed?: true;
}) {
  const { path, id, reply, scopes: group } = family;
  const [one, many] = family.nouns;
  const member = `${path}/{${id}}` as const;
  const [reads, writes] = [[`${group}:read_only`], [`${group}:read_write`]] as const;
  // As an object without named properties it changes no type of an operation.
  const assumed: object = family.assumed ? { assumed: true } : {};
  return {
    /** Lists the objects, page by page. */
    list: op({
      method: "GET",
      path,
      summary: `Lists ${many}.`,
      paged: true,
      reply,
      scopes: reads,
      ...assumed,
    }),
    /** Creates an object. */
    create: op({
      method: "POST",
      path,
      summary: `Creates ${one}.`,
      body: family.create,
      reply,
      scopes: writes,
      ...assumed,
    }),
    /** Views one object. */
    get: op({ method: "GET", path: member, summary: `Views ${one}.`, reply, scopes: reads, ...assumed }),
    /** Changes an object. */
    update: op({
      method: "PUT",
      path: member,
      summary: `Updates ${one}.`,
      body: family.update,
      reply,
      scopes: writes,
      ...assumed,
    }),
    /** Deletes an object. */
    delete: op({
      method: "DELETE",
      path: member,
      summary: `Deletes ${one}.`,
      reply: typed<Empty>(empty),
      scopes: writes,
      ...assumed,
    }),
  };
}
