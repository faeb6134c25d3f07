import { z } from "zod";
import { type OperationSpec, type Schema, type Scope } from "../api/operation";
import { forbidden, refuse } from "./refusal";

/** The users of the one account, as `--accounts FILE` holds them. */
export interface Accounts {
  users: {
    username: string;
    /** @default false */
    restricted?: boolean | undefined;
    /** What a restricted user may do. @default none */
    grants?: ("add_nodes" | "add_databases")[] | undefined;
    tokens: {
      token: string;
      /** Such as `nodes:read_only`; `*` for all. */
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

/** Reads what `--accounts FILE` holds; throws where it is no accounts. */
export const accountsFile: Schema<Accounts> & { parse(value: unknown): Accounts } = account;

/** The token that works unless accounts are given: known to all, so no secret. */
export const DEFAULT_TOKEN = "emulator-token";

/** The one unrestricted user that there is unless accounts are given. */
export const DEFAULT_ACCOUNTS: Accounts = {
  users: [{ username: "emulator", tokens: [{ token: DEFAULT_TOKEN, scopes: "*" }] }],
};

/** Who sent a request, known by its token. */
export interface Caller {
  readonly username: string;
  readonly restricted: boolean;
  readonly grants: readonly string[];
  readonly scopes: readonly string[];
  allows(scope: Scope): boolean;
}

export type Directory = ReadonlyMap<string, Caller>;

/** Every token with its user. Throws a ZodError where the accounts are not as they should be. */
export function directoryOf(accounts: Accounts): Directory {
  return new Map(
    account.parse(accounts).users.flatMap(({ username, restricted, grants, tokens }) =>
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
 * Who may go on with an operation; undefined is anyone without a token. Refuses with 401 without a valid token, and
 * with 403 where a scope, a grant or being unrestricted is missing.
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
    // The reference: these work regardless of the token's scopes.
    if (caller.restricted) throw forbidden("Only an unrestricted user may do this.");
    return caller;
  }
  const missing = spec.scopes.filter((scope) => !caller.allows(scope));
  if (missing.length > 0) {
    if (spec.anonymous) return undefined;
    throw forbidden(`Your token lacks the scope ${missing.join(" ")}.`);
  }
  if (spec.grant && caller.restricted && !caller.grants.includes(spec.grant)) {
    throw forbidden(`Your user lacks the grant ${spec.grant}.`);
  }
  return caller;
}
