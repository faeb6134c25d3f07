import { type Family, type OperationSpec, type Schema, type ValueOf } from "../../api/operation";
import { TEXT_PARAMS, type TextParam } from "../../api/scopes-and-params";
import { zodOf } from "../../api/zod-of";
import { type Caller } from "./accounts";
import { type Store } from "../kind/kind";
import { type Reason, notFound, refuse, refuseFor } from "../base/refusal";
import { type Entity, type Table } from "../store/table";
import { changesTo, withDefaults, withoutNulls } from "./sent";
import { type Listing, pageOf, readBody } from "./validation";

type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never;
type Params<Path extends string> = {
  readonly [Name in ParamNames<Path>]: Name extends TextParam ? string : number;
};

type Reply<Spec extends OperationSpec> = Spec extends { readonly paged: true }
  ? Listing<ValueOf<Spec["reply"]>>
  : ValueOf<Spec["reply"]>;

/** A request that passed all checks of its schema. */
export interface EndpointCall<Spec extends OperationSpec, Subject> {
  readonly params: Params<Spec["path"]>;
  readonly body: Spec extends { readonly body: infer Body extends Schema } ? ValueOf<Body> : undefined;
  /** The user, or undefined for a request without sufficient rights to an operation that needs none. */
  readonly caller: Caller | undefined;
  /** The object that the first parameter of the path names. */
  readonly subject: Spec["path"] extends `${string}{${string}` ? Subject : undefined;
  /** The origin that clients use. */
  readonly origin: string;
}

/** The behaviour of every operation of a family. A family without one of them does not compile. */
export type Handlers<Operations extends Family, Subject> = {
  readonly [Name in keyof Operations]: (
    call: EndpointCall<Operations[Name], Subject>,
  ) => Reply<Operations[Name]> | Promise<Reply<Operations[Name]>>;
};

/** A request with the valid fields of its body only. */
export type SoundCall<Spec extends OperationSpec, Subject> = Omit<EndpointCall<Spec, Subject>, "body"> & {
  readonly body: Partial<EndpointCall<Spec, Subject>["body"]>;
};

/** Further reasons to refuse a body. The answer contains them together with those of its schema. */
export type Checks<Operations extends Family, Subject> = {
  readonly [Name in keyof Operations]?: (call: SoundCall<Operations[Name], Subject>) => readonly Reason[];
};

/** A request whose caller is checked, and nothing else. */
export interface RawCall {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly caller: Caller | undefined;
  readonly origin: string;
}

/** An operation that can be served. */
export interface ServedEndpoint {
  /** The name of the operation in its family. */
  readonly name: string;
  readonly spec: OperationSpec;
  /** Returns the answer, or a promise if the operation waits for something outside the emulator. */
  run(call: RawCall): unknown;
}

/** Makes the endpoints of a family. */
export type Routes = (store: Store) => readonly ServedEndpoint[];

/** The values of the path parameters. An invalid integer is not found. */
function readParams(params: RawCall["params"]): Readonly<Record<string, string | number>> {
  return Object.fromEntries(
    Object.entries(params).map(([name, text]) => {
      if (TEXT_PARAMS.has(name)) return [name, text];
      if (!/^\d{1,15}$/.test(text)) throw notFound();
      return [name, Number(text)];
    }),
  );
}

function requireStatus({ status: required }: OperationSpec, status: string | undefined): void {
  if (!required || status === undefined) return;
  if (required.only && !required.only.includes(status)) {
    throw refuse(400, `The status must be ${required.only.join(" or ")}, and is ${status}.`);
  }
  if (required.not?.includes(status)) throw refuse(400, `The status must not be ${status}.`);
}

/** The objects that the first parameter of a family's paths names. */
export interface Subjects<Subject> {
  find(id: string | number, caller: Caller | undefined): Subject | undefined;
  /** The status that operations can require, if the object has one. */
  statusOf?(subject: Subject): string | undefined;
}

/** The objects of a table, by id. */
export function byId<Fields extends object, Hidden extends object>(
  table: Table<Fields, Hidden>,
  belongs: (fields: Fields) => boolean = () => true,
): Subjects<Entity<Fields, Hidden>> {
  return {
    find(id) {
      const entity = table.get(Number(id));
      return entity && belongs(entity.fields) ? entity : undefined;
    },
    statusOf: ({ fields }) =>
      "status" in fields && typeof fields.status === "string" ? fields.status : undefined,
  };
}

/** The entries of a constant list, by their text id. */
export function byName<Item extends { readonly id: string }>(items: readonly Item[]): Subjects<Item> {
  return { find: (id) => items.find((item) => item.id === id) };
}

/** The values that null in an update resets fields to. In other fields null is valid only if the schema allows it. */
export type Defaults = Readonly<Record<string, unknown>>;

/** Joins the operations of a family with their behaviour. */
export function endpoints<Operations extends Family, Subject>(
  family: Operations,
  { find, statusOf }: Subjects<Subject>,
  handlers: Handlers<Operations, Subject>,
  checks: Checks<Operations, Subject> = {},
  defaults: Defaults = {},
): ServedEndpoint[] {
  return Object.entries(family).map(([name, spec]) => {
    // Only here the types of the operations are dropped. The parameters above check each operation against its own type.
    type AnyCall = EndpointCall<OperationSpec, unknown>;
    const handle = handlers[name] as unknown as (call: AnyCall) => unknown;
    const check = checks[name] as unknown as ((call: AnyCall) => readonly Reason[]) | undefined;
    /** The part of a body that requests a change. */
    const asked = (schema: Schema, sent: unknown, call: Omit<AnyCall, "body">): unknown => {
      if (spec.method !== "PUT") return withoutNulls(zodOf(schema), sent);
      const view = handlers["get"] as unknown as (call: AnyCall) => unknown;
      return changesTo(view({ ...call, body: undefined }), withDefaults(defaults, sent));
    };
    return {
      name,
      spec,
      run({ params: texts, query, body: sent, caller, origin }) {
        const params = readParams(texts);
        const id = Object.values(params)[0];
        const subject = id === undefined ? undefined : find(id, caller);
        if (id !== undefined && subject === undefined) throw notFound();
        const slice = spec.paged ? pageOf(query) : undefined;
        const unread = { params, caller, subject, origin } as Omit<AnyCall, "body">;
        const { sound: body, reasons } = spec.body
          ? readBody(zodOf(spec.body), asked(spec.body, sent, unread))
          : { sound: undefined, reasons: [] };
        const call = { ...unread, body } as AnyCall;
        const found = new Set(reasons.map(({ field }) => field));
        refuseFor([...reasons, ...(check?.(call) ?? []).filter(({ field }) => !found.has(field))]);
        if (subject !== undefined) requireStatus(spec, statusOf?.(subject));
        const reply = handle(call);
        return slice ? slice(reply as Listing<unknown>) : reply;
      },
    };
  });
}
