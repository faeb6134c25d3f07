import { Collection } from "../../provider/collection/collection";
import { idsLeftBy } from "../../provider/creation/announce-earlier";
import { isCollection } from "../../provider/describe/define-collection";
import { systemClock } from "../../provider/base/clock";
import { nameInUrn, partsOfUrn } from "../../provider/describe/urn";
import { stateIn as engineStateIn } from "../../provider/engine/stack-state";
import { type Words } from "../../provider/engine/secret-words";
import { kindOf } from "../../provider/kind/kind";
import { SETTLED_MS } from "../../provider/notes/lost-answer-limits";
import { doubtAboutOthers } from "../../provider/ownership/other-owners";
import { addressIn } from "../../provider/settings/whereabouts";
import { keptInputs } from "../../provider/state/codec";
import { isObject, type Properties } from "../../provider/base/values";
import { Connections } from "../account/accounts";
import { type Context } from "../context";
import { descriptionOf } from "../descriptions";
import { lineOf } from "../errors";
import { type Progress } from "../progress";
import { untilAborted } from "../until-aborted";
import { type OpenOperation, stateIn } from "../stacks/state";

/** The outcome of a creation, or of an update of a set. */
export interface CreationOutcome {
  readonly called: string;
  readonly isCreation: boolean;
  /** Why it is not over. Undefined if nothing that it may have created is missing in a state. */
  readonly kept: string | undefined;
}

/** A pending creation as messages call it. */
export const calledPending = ({ type, urn }: Pick<OpenOperation, "type" | "urn">): string =>
  `${type} ${nameInUrn(urn)}`;

interface Evidence {
  /** The state of the stack after the run that resumed. */
  readonly deployment: Properties;
  /** The state that the interrupted run has left. The engine keeps its pending creations, and forgets its updates. */
  readonly interrupted: Properties;
  /** When the interrupted run saved the state last. */
  readonly savedAt: number;
  /** The settings of the stack's configuration. */
  readonly settings: Properties;
}

/**
 * Says of each pending creation of a stack whether it may be forgotten: nothing else in the state names the object that it may have created. Waits until no request
 * of the interrupted run can be carried out any more, if the run that resumed has not waited for it.
 */
export async function fatesOf(
  context: Context,
  progress: Progress,
  words: Words,
  { deployment, interrupted, savedAt, settings }: Evidence,
): Promise<CreationOutcome[]> {
  const state = engineStateIn(deployment);
  const readState = () => Promise.resolve(state);
  const connections = new Connections(context, progress, words, { readState });
  connections.trust(settings);
  const { directory } = context;
  const { pending, resources } = stateIn(deployment, directory, directory);
  const keptOf = async (one: OpenOperation): Promise<string | undefined> => {
    // A provider is no object of an account.
    if (one.type.startsWith("pulumi:")) return undefined;
    const description = descriptionOf(one.type);
    if (description === undefined) return "another package manages it, so look for its object yourself";
    const { ports } =
      one.settings === undefined ? connections.of(settings) : connections.ofState(one.settings);
    const { inputs, before, askedAt } = keptInputs(one.inputs);
    if (askedAt !== undefined && ports.account.mayBeElsewhere(askedAt)) {
      const address = addressIn(askedAt);
      const here = ports.account.isHere(address);
      return here ? "it was requested with another token" : `it was requested at ${address}`;
    }
    ports.run.stack.hears({ organization: "", ...partsOfUrn(one.urn) });
    const doubt = await doubtAboutOthers(ports.run);
    if (doubt !== undefined)
      return `it is not known whether another stack manages its object, because ${doubt}`;
    const kind = isCollection(description) ? new Collection(ports, description) : kindOf(ports, description);
    const left = await idsLeftBy(kind, state, { inputs, ...(before !== undefined && { before }) });
    if (left.length > 0)
      return `the account has ${left.join(", ")} with its content, which no state has: import or delete that`;
    return undefined;
  };
  const creations = pending.filter(({ operation }) => operation === "creating");
  const updates = stateIn(interrupted, directory, directory).pending.filter(({ operation, type }) => {
    const description = descriptionOf(type);
    return operation === "updating" && description !== undefined && isCollection(description);
  });
  const isOpen = ({ type, urn }: OpenOperation) =>
    descriptionOf(type) !== undefined && !resources.some((one) => one.urn === urn);
  const until = savedAt + SETTLED_MS;
  if (creations.some(isOpen) && until > systemClock.now()) {
    progress.show("waiting, because the service may still carry out the last request of the interrupted run");
    await untilAborted(context.signal, systemClock.sleep(until - systemClock.now()));
  }
  return Promise.all(
    [...creations, ...updates].map(async (one) => ({
      called: calledPending(one),
      isCreation: one.operation === "creating",
      kept: await keptOf(one).catch((error: unknown) => {
        context.signal.throwIfAborted();
        return `the account could not be read: ${words.line(lineOf(error))}`;
      }),
    })),
  );
}

/** When a state was saved. The present, if it does not say it: then the last request may be new. */
export function savedIn(deployment: Properties, now: number): number {
  const { manifest } = deployment;
  const saved = isObject(manifest) ? Date.parse(String(manifest["time"])) : NaN;
  return Number.isNaN(saved) ? now : Math.min(saved, now);
}
