/** An OAuth scope of the service. A `read_write` scope includes its `read_only` twin. */
export type Scope = `${"nodes" | "databases" | "domains" | "images"}:${"read_only" | "read_write"}`;

/** The names between braces of a path, each with the type of its value. */
export type PathParams<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [N in Name]: string | number } & PathParams<Rest>
  : unknown;

/** Path parameters that are text of the form `<prefix>/<rest>` or a name; all others are integers. */
export type TextParam = "engineId" | "regionId" | "imageId";
export const TEXT_PARAMS: ReadonlySet<string> = new Set<TextParam>(["engineId", "regionId", "imageId"]);

/** What a schema says of a value. */
type Judgement<Value> =
  | { readonly value: Value; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string }[] };

/** Checks that a value is of a type, as a [Standard Schema](https://standardschema.dev). */
export interface Schema<Value = unknown> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => Judgement<Value> | Promise<Judgement<Value>>;
  };
}

/** The values that a schema lets pass. */
export type ValueOf<Checked> = Checked extends Schema<infer Value> ? Value : never;

/** A schema by the type that it checks, so that declarations name the type and not the library that the schema is made with. */
export function typed<Value>(schema: Schema<Value>): Schema<Value> {
  return schema;
}

/** What one operation of the service takes, answers and requires: the client, the emulator and the docs read the same value. */
export interface OperationSpec {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Relative to the base URL, path parameters in braces. */
  readonly path: string;
  /** One sentence for the docs. */
  readonly summary: string;
  /** Schema of the JSON body, in the names of the wire. */
  readonly body?: Schema;
  /** Whether the body may be left out altogether. */
  readonly bodyOptional?: boolean;
  /** Schema of the answer; for a paginated operation, of one item. */
  readonly reply: Schema;
  /** Whether the answer is a page of items, asked for with `page` and `page_size`. */
  readonly paged?: boolean;
  /** The scopes that the token needs, all of them; empty where the reference names no credential. */
  readonly scopes: readonly Scope[];
  /** Whether the operation also answers without a token (with less). */
  readonly anonymous?: boolean;
  /** The grant that a restricted user needs. */
  readonly grant?: "add_nodes" | "add_databases";
  /** Whether only an unrestricted user may call it, whatever the token's scopes. */
  readonly unrestrictedOnly?: boolean;
  /** In which statuses of the object the service accepts the operation. */
  readonly status?: { readonly only?: readonly string[]; readonly not?: readonly string[] };
  /** Set where the reference names the operation but not its shape. */
  readonly assumed?: boolean;
}

/** Declares an operation, keeping the literal types that the client derives its signatures from. */
export function op<const Spec extends OperationSpec>(spec: Spec): Spec {
  return spec;
}

/** A group of operations on one kind of object. */
export type Family = Readonly<Record<string, OperationSpec>>;

/**
 * The path with its parameters filled in. A slash inside an image or engine id stays a slash, as the reference has it.
 * @throws TypeError for a parameter that is missing, or would make it the path of another operation
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
