import { z } from "zod";
import { type OperationSpec, type Schema } from "../../api/operation";
import { type Scope } from "../../api/scopes-and-params";
import { forbidden, lacksScope, refuse } from "../base/refusal";
import { reasonOf } from "./validation";

/** The users of the account, in the format of `--accounts FILE`. */
export interface Accounts {
  users: {
    username: string;
    /** @default false */
    restricted?: boolean | undefined;
    /** The grants of a restricted user. @default none */
    grants?: ("add_nodes" | "add_databases")[] | undefined;
    tokens: {
      token: string;
      /** Scopes such as `nodes:read_only`, or `*` for all. */
      scopes: "*" | string[];
    }[];
  }[];
}

const token = z.object({
  token: z.string().min(1),
  scopes: z.union([z.literal("*"), z.array(z.string())]),
});

const user = z.object({
  username: z.string().min(1),
  restricted: z.boolean().default(false),
  grants: z.array(z.enum(["add_nodes", "add_databases"])).default([]),
  tokens: z.array(token).min(1),
});

const account = z.object({ users: z.array(user).min(1) });

/** Reads the content of `--accounts FILE`. Throws if it is not valid. */
export const accountsFile: Schema<Accounts> & { parse(value: unknown): Accounts } = {
  "~standard": account["~standard"],
  parse: (value) => account.parse(value, { error: reasonOf }),
};

/** The token of the default user. It is public, so it is not a secret. */
export const DEFAULT_TOKEN = "emulator-token";

/** The default account: one unrestricted user. */
export const DEFAULT_ACCOUNTS: Accounts = {
  users: [{ username: "emulator", tokens: [{ token: DEFAULT_TOKEN, scopes: "*" }] }],
};

/** The user of a request, found by the token. */
export interface Caller {
  readonly username: string;
  readonly restricted: boolean;
  readonly grants: readonly string[];
  readonly scopes: readonly string[];
  allows(scope: Scope): boolean;
}

export type Directory = ReadonlyMap<string, Caller>;

/** The user of every token. Throws a ZodError for invalid accounts. */
export function directoryOf(accounts: Accounts): Directory {
  return new Map(
    account.parse(accounts, { error: reasonOf }).users.flatMap(({ username, restricted, grants, tokens }) =>
      tokens.map(({ token, scopes }) => {
        const held = new Set(scopes === "*" ? ["*"] : scopes);
        const allows = (scope: Scope) =>
          held.has("*") || held.has(scope) || held.has(scope.replace(/:read_only$/, ":read_write"));
        return [token, { username, restricted, grants, scopes: [...held], allows }] as const;
      }),
    ),
  );
}

/**
 * Returns the caller of an operation, or undefined for an allowed request without a token. Refuses a request without a
 * valid token with 401, and a caller without the scope, the grant or the unrestricted rights with 403.
 */
export function authorize(
  spec: OperationSpec,
  authorization: string | undefined,
  directory: Directory,
): Caller | undefined {
  if (spec.scopes.length === 0 || (spec.anonymous && authorization === undefined)) return undefined;
  const caller = directory.get(/^Bearer (.+)$/i.exec(authorization ?? "")?.[1] ?? "");
  if (!caller) throw refuse(401, "Invalid Token");
  if (spec.unrestrictedOnly) {
    // By the reference, these operations ignore the scopes of the token.
    if (caller.restricted) throw forbidden("Only an unrestricted user may do this.");
    return caller;
  }
  const missing = spec.scopes.filter((scope) => !caller.allows(scope));
  if (missing.length > 0) {
    // It may do what is allowed without a token. The operation refuses the rest.
    if (spec.anonymous) return caller;
    throw lacksScope(missing);
  }
  if (spec.grant && caller.restricted && !caller.grants.includes(spec.grant)) {
    throw forbidden(`Your user lacks the grant ${spec.grant}.`);
  }
  return caller;
}
