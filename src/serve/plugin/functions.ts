// The functions declare themselves when they are loaded.
import "../../functions";
import { declarations } from "../../functions/declarations";
import { codeOfFailure, lookAt, messageOf, secretsOf } from "../../functions/look";
import { ReadAccount } from "../../provider/program/account";
import { ProviderError } from "../../provider/base/errors";
import { type Ports } from "../../provider/run/session";
import { type Sealed } from "./wire-values";

/** Calls a data function by its name. */
export async function call(
  ports: Pick<Ports, "account" | "screen">,
  name: string,
  { properties, secrets }: Sealed,
): Promise<Sealed> {
  const declaration = declarations.get(name);
  if (declaration === undefined)
    throw new ProviderError(`there is no function ${name}`, { code: "PLUGIN_MISMATCH" });
  const secret = secrets.length > 0;
  if (secret) ports.screen.words.hide(properties);
  try {
    const result = await lookAt(declaration, properties, { account: accountOf(ports), after: [], secret });
    return { properties: result, secrets: secretsOf(declaration).map((field) => [field]) };
  } catch (error) {
    const problem = { code: codeOfFailure(error), cause: error };
    throw ports.screen.words.cleaned(new ProviderError(messageOf(declaration, error), problem));
  }
}

/** The reads of each account since its last write. */
const kept = new WeakMap<Ports["account"], { readonly writes: number; readonly account: ReadAccount }>();

/** Forgets earlier reads after a write, because a function may look for what was just created. */
function accountOf({ account: own, screen }: Pick<Ports, "account" | "screen">): ReadAccount {
  const writes = own.traffic.sinceWrites();
  const known = kept.get(own);
  if (known?.writes === writes) return known.account;
  const account = new ReadAccount(own.client, screen.rows);
  kept.set(own, { writes, account });
  return account;
}
