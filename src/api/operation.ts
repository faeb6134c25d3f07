import { type Scope, TEXT_PARAMS } from "./scopes-and-params";

/** The parameters in the braces of a path, with the types of their values. */
export type PathParams<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [N in Name]: string | number } & PathParams<Rest>
  : unknown;

/** The result of a check. */
type Judgement<Value> =
  | { readonly value: Value; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string }[] };

/** Checks the type of a value. A [Standard Schema](https://standardschema.dev). */
export interface Schema<Value = unknown> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => Judgement<Value> | Promise<Judgement<Value>>;
  };
}

/** The values that a schema accepts. */
export type ValueOf<Checked> = Checked extends Schema<infer Value> ? Value : never;

/** Types a schema by the values that it checks, so declarations name the type and not the schema library. */
export function typed<Value>(schema: Schema<Value>): Schema<Value> {
  return schema;
}

/** The request, response and requirements of one operation. The client, the emulator and the docs read it. */
export interface OperationSpec {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Relative to the base URL, with path parameters in braces. */
  readonly path: string;
  /** One sentence for the docs. */
  readonly summary: string;
  /** Schema of the JSON body, with the API's field names. */
  readonly body?: Schema;
  /** Whether the body can be omitted. */
  readonly bodyOptional?: boolean;
  /** Schema of the response. For a paginated operation, schema of one item. */
  readonly reply: Schema;
  /** Whether the response is a page of items, selected with `page` and `page_size`. */
  readonly paged?: boolean;
  /** All scopes that the token needs. Empty if the reference names no credential. */
  readonly scopes: readonly Scope[];
  /** Whether the operation also works without a token, and then returns less. */
  readonly anonymous?: boolean;
  /** The grant that a restricted user needs. */
  readonly grant?: "add_nodes" | "add_databases";
  /** Whether only an unrestricted user can call it, regardless of the token's scopes. */
  readonly unrestrictedOnly?: boolean;
  /** The statuses of the object in which the service accepts the operation. */
  readonly status?: { readonly only?: readonly string[]; readonly not?: readonly string[] };
  /** Whether the reference names the operation without its shape. */
  readonly assumed?: boolean;
}

/** Declares an operation and keeps its literal types, from which the client derives signatures. */
export function op<const Spec extends OperationSpec>(spec: Spec): Spec {
  return spec;
}

/** A group of operations on one kind of object. */
export type Family = Readonly<Record<string, OperationSpec>>;

/**
 * Fills the parameters into a path. A slash inside an image or engine id stays a slash, as in the reference.
 * @throws TypeError if a parameter is missing, or would turn the path into that of another operation
 */
export function fillPath(path: string, params: Readonly<Record<string, string | number>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined || value === "") throw new TypeError(`${path}: ${name} is missing`);
    const parts = String(value).split("/");
    const fits = TEXT_PARAMS.has(name)
      ? parts.every((part) => part !== "" && part !== "." && part !== "..")
      : /^\d+$/.test(String(value));
    if (!fits) throw new TypeError(`${path}: ${String(value)} cannot be a ${name}`);
    return parts.map(encodeURIComponent).join("/");
  });
}
