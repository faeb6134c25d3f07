import { withCode } from "../provider/base/codes";
import { leaving } from "../provider/base/errors";
import { type Outline } from "../provider/describe/outline";
import { PartialError } from "../provider/state/partial-error";
import { type Ask, type StateCall } from "../provider/state/provider-interface";
import { type Account } from "../provider/run/account";
import { type Ports } from "../provider/run/session";
import { type State } from "../provider/state/call";
import { checkedInputs, outputsOfState, stateIn } from "../provider/state/codec";
import {
  callIn,
  checkedCallIn,
  hasProviderText,
  keptOf,
  keptOfCheck,
  toldIn,
} from "../provider/state/handed";
import { type Properties } from "../provider/base/values";

/** The methods that the dynamic plugin calls: the interface `pulumi.dynamic.ResourceProvider`, with the engine's values. */
export type DynamicProvider = ReturnType<typeof dynamic>;

/** Serves dynamic resources: their classes and states hand over in hidden properties what the engine does not tell. */
export function dynamic(
  { run, account }: Pick<Ports, "run" | "account">,
  { keepsUrn }: Pick<Outline, "keepsUrn">,
  serve: Ask,
) {
  const ask: Ask = (method, call) => serve(method, call).catch(leave);
  return {
    configure: ({ config }: { config: { get(key: string): string | undefined } }) =>
      run.settings.configure((key) => config.get(key)),

    check: async (olds: Properties, news: Properties) => {
      const told = checkedCallIn(news, keepsUrn === true);
      const isNew = Object.keys(olds).length === 0;
      const wished = isNew ? run.settings.importOf(told.fullUrn) : undefined;
      const call = { ...told, importId: told.importId ?? wished };
      const checked = await ask("check", isNew ? call : { ...call, olds: callIn(olds) });
      return {
        inputs: { ...checkedInputs(checked), ...keptOfCheck(news, call) },
        failures: checked.failures.map(({ property, reason, code = "INVALID_INPUT" }) => ({
          property,
          reason: withCode(reason, code),
        })),
      };
    },

    diff: async (id: string, olds: Properties, news: Properties) => {
      const found = await ask("diff", stateCall(id, olds, news));
      // The outputs of the full plugin lack the text by which the dynamic plugin finds the provider. An update sends nothing and adds it.
      return hasProviderText(news) && !hasProviderText(olds) ? { ...found, changes: true } : found;
    },

    create: async (inputs: Properties) => {
      const { id, state } = await ask("create", callIn(inputs)).catch(keeping(account, inputs));
      return { id, outs: outputsIn(account, state, inputs) };
    },

    read: async (id: string, props: Properties) => {
      const call = stateCall(id, props, props);
      const found = await ask("read", call);
      if (found === undefined) return { id: "", props: {} };
      // A resource that `get` reads keeps nothing.
      const kept = call.state.isManaged ? keptOf(props) : {};
      return {
        id: found.id,
        props: { ...outputsOfState(found.state, account.at), ...kept },
        inputs: { ...found.inputs, ...kept },
      };
    },

    update: async (id: string, olds: Properties, news: Properties) => {
      const state = await ask("update", stateCall(id, olds, news)).catch(keeping(account, news));
      return { outs: outputsIn(account, state, news) };
    },

    delete: async (id: string, props: Properties) => {
      await ask("delete", stateCall(id, props, props));
    },
  };
}

/** Every error that leaves for the engine says its code. */
function leave(error: unknown): never {
  throw leaving(error);
}

const stateCall = (id: string, outputs: Properties, inputs: Properties): StateCall => ({
  ...callIn(inputs),
  id,
  state: stateIn(outputs, toldIn(outputs)),
});

const outputsIn = ({ at }: Account, state: State, inputs: Properties): Properties => ({
  ...outputsOfState(state, at),
  ...keptOf(inputs),
});

/** If a creation or an update fails midway, the engine keeps the properties of the error. */
const keeping =
  (account: Account, inputs: Properties) =>
  (error: unknown): never => {
    if (error instanceof PartialError)
      Object.assign(error, { properties: outputsIn(account, error.state, inputs) });
    throw error;
  };
