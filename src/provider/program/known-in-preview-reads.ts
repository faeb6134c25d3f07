import type * as pulumi from "@pulumi/pulumi";
import * as sdk from "./sdk";
import { type Description, parseId } from "../describe/define-resource";
import { type Steady } from "../describe/outline";
import { type ReadAccount } from "./account";
import { accountOf, type AccountsOfRun, settingsFor, whereaboutsOf } from "./accounts";
import { isInline } from "./run-mode";
import { placeInState } from "./state-of-resource";
import { compact, type Properties, same } from "../base/values";
import { outputsOf } from "../state/answers";
import { valueOf } from "./known-value";

/** The preview does not need these reads, so they end after this time. */
const PATIENCE_MS = 15_000;

/** The present outputs of a resource on the service. Empty if it is uncertain whether they stay. */
export async function liveOutputs(
  resource: pulumi.CustomResource,
  description: Description,
  { unless = [] }: Steady,
  inputs: Readonly<Record<string, unknown>>,
  accounts: AccountsOfRun,
): Promise<Readonly<Properties>> {
  try {
    const { provider } = providerOf(resource);
    const [id, settings] = await Promise.all([
      valueOf(resource.id),
      valueOf(settingsFor(provider === undefined ? {} : { provider })),
    ]);
    if (typeof id !== "string" || settings === undefined) return {};
    if (isInline() && (await placeInState(await valueOf(resource.urn))) !== whereaboutsOf(settings))
      return {};
    const live = await objectOf(accountOf(accounts, settings), description, id);
    if (live === undefined) return {};
    for (const path of unless) {
      const wanted = sdk.settling(sdk.output(inputs[path]));
      const value = await wanted.promise();
      if (!(await wanted.isKnown) || (value != null && !same("value", value, live[path]))) return {};
    }
    return compact(live) as Properties;
  } catch {
    // The engine's answer, that they are not known, is always right.
    return {};
  }
}

/** The explicit provider of the resource. */
const providerOf = (resource: pulumi.CustomResource): { readonly provider?: pulumi.ProviderResource } => {
  const provider = (resource as unknown as { __prov?: pulumi.ProviderResource }).__prov;
  return provider === undefined ? {} : { provider };
};

async function objectOf(
  account: ReadAccount,
  description: Description,
  id: string,
): Promise<Properties | undefined> {
  const ref = parseId(description, id);
  const { list } = description;
  if (ref === undefined || list === undefined) return undefined;
  const parent = ref.parent ?? "";
  const all = await account.once(`each ${description.type} of ${parent}`, async () => {
    const found = new Map<string, Properties>();
    const options = { signal: AbortSignal.timeout(PATIENCE_MS) };
    for await (const reply of list.call(description, account.client, parent, options))
      found.set(description.idOf(reply), reply);
    return found;
  });
  const reply = all.get(ref.id);
  return reply === undefined ? undefined : outputsOf(description, reply, ref);
}
