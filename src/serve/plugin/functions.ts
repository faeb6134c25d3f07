// The functions declare themselves when they are loaded.
import "../../functions";
import { declarations } from "../../functions/declarations";
import { codeOfFailure, lookAt, messageOf, secretsOf } from "../../functions/look";
import { Account } from "../../provider/program/account";
import { ProviderError } from "../../provider/base/errors";
import { type Session } from "../../provider/run/session";
import { type Sealed } from "./wire-values";

/** Calls a data function by its name. */
export async function call(session: Session, name: string, { properties, secrets }: Sealed): Promise<Sealed> {
  const declaration = declarations.get(name);
  if (declaration === undefined)
    throw new ProviderError(`there is no function ${name}`, { code: "PLUGIN_MISMATCH" });
  const secret = secrets.length > 0;
  if (secret) session.screen.words.hide(properties);
  try {
    const result = await lookAt(declaration, properties, { account: accountOf(session), after: [], secret });
    return { properties: result, secrets: secretsOf(declaration).map((field) => [field]) };
  } catch (error) {
    const problem = { code: codeOfFailure(error), cause: error };
    throw session.screen.words.cleaned(new ProviderError(messageOf(declaration, error), problem));
  }
}

/** The account of each session, as read since its last write. */
const kept = new WeakMap<Session, { readonly writes: number; readonly account: Account }>();

/** The account of a session. What is read again after a write is read anew, because a function may look for what was just created. */
function accountOf(session: Session): Account {
  const writes = session.account.traffic.sinceWrites();
  const known = kept.get(session);
  if (known?.writes === writes) return known.account;
  const account = new Account(session.account.client, session.screen.rows);
  kept.set(session, { writes, account });
  return account;
}
