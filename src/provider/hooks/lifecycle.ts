import { kindOf } from "../process/kind";
import { isApiError } from "../../api/errors";
import { type OperationSpec } from "../../api/operation";
import { AboveWatch } from "./parent-watch";
import { forgetKnownActions, refuseAfterCutOff, settleEarlierActions } from "./actions";
import { Adoption } from "./adoption";
import { adoptIgnored, compareForImport, findById, lookUp, type Recency } from "./import";
import { derive, normalise } from "./check-inputs";
import { checkConfiguration } from "../process/connect";
import { createOrResume } from "../creation/create-or-resume";
import {
  type Description,
  formatId,
  isNew,
  isWaitedFor,
  keepsUrn,
  type Ref,
} from "../describe/define-resource";
import {
  type ChangedInput,
  changedInputs,
  deletesFirst,
  isReplaced,
  replacementOf,
  warningsOf,
} from "../state/changed-inputs";
import { doublesOf } from "./declared-twice";
import { attempting, ProviderError } from "../engine/errors";
import { discreet } from "./discreet";
import { examine } from "./examine";
import { announceEarlier } from "../creation/announce-earlier";
import { topLevel } from "../describe/fields";
import {
  ADOPTED,
  IMPORT_ID,
  keptOf,
  MEMORY,
  nameInUrn,
  SET,
  SOURCE,
  stackInUrn,
  urnOf,
} from "../state/hidden";
import { introduce } from "./introduce";
import { note, noteImport, ownerOf, warn } from "../engine/warnings";
import { releasedInputs, releaseLines } from "../state/removed-inputs";
import { removalPauses, removeOnce } from "./delete-object";
import { inRows } from "../engine/rows";
import { asInputs, asOutputs, lastSent, setInputs, withDrift } from "../state/sent";
import { keptLabel, nameIn, settleName } from "./settle-name";
import { leftoverLately } from "../creation/leftover";
import { announceLeftover } from "../creation/announce-leftover";
import { type Session } from "../process/session";
import { withHolder } from "./taken-names";
import { type Operation } from "../describe/timeouts";
import { type Properties, UNKNOWN } from "../state/values";
import { failuresInAccount, refuseTakenName, rivalOf } from "./validate";
import { Work } from "./operation";

/** What the plugin calls of a provider; the shape of `pulumi.dynamic.ResourceProvider`, with what the engine hands over. */
export interface Lifecycle {
  configure(request: { config: { get(key: string): string | undefined } }): void;
  check(
    olds: Properties,
    news: Properties,
  ): Promise<{ inputs: Properties; failures: { property: string; reason: string }[] }>;
  diff(
    id: string,
    olds: Properties,
    news: Properties,
  ): Promise<{ changes: boolean; replaces: string[]; deleteBeforeReplace: boolean }>;
  create(inputs: Properties): Promise<{ id: string; outs: Properties }>;
  read(id: string, props: Properties): Promise<{ id?: string; props?: Properties; inputs?: Properties }>;
  update(id: string, olds: Properties, news: Properties): Promise<{ outs: Properties }>;
  delete(id: string, props: Properties): Promise<void>;
}

/** Runs a description: the same for every resource. */
export function lifecycle(session: Session, description: Description): Lifecycle {
  const kind = kindOf(session, description);
  const leaves = kind.leaves;
  const adoption = new Adoption(kind);
  const importIdOf = (inputs: Properties) => adoption.idIn(inputs);

  const warnOfRivals = (inputs: Properties, source: unknown): void => {
    const { onePer } = description;
    const value = onePer === undefined ? undefined : inputs[onePer.path];
    const isKnown = value !== UNKNOWN;
    const what = isKnown ? value : source;
    if (onePer === undefined || typeof what !== "string") return;
    const rival = rivalOf(kind, inputs, `${onePer.path} ${what}`);
    if (rival === undefined) return;
    const shared = isKnown ? what : `(the id of ${nameInUrn(what)}, not known yet)`;
    warn(
      { kind, inputs },
      `${rival} has the same ${onePer.path} ${shared}: ${onePer.because}. Keep one of the two`,
    );
  };

  /** Says in the preview what the plan alone does not tell: why the resource is replaced, and what is lost. */
  const announce = (changed: readonly ChangedInput[], inputs: Properties, id: string): void => {
    const about = { kind, inputs, id };
    const { lossOfData } = description;
    const replacement = replacementOf(changed, lossOfData);
    if (replacement !== undefined) (lossOfData === undefined ? note : warn)(about, replacement);
    // A replacement that may not come leaves changes in place.
    if (replacement === undefined || !isReplaced(changed)) {
      for (const line of warningsOf(description, changed, inputs)) warn(about, line);
    }
  };

  const readOutputs = async (ref: Ref, live: Properties, stored: Properties): Promise<Properties> => ({
    ...kind.outputsOf(live, ref),
    ...(await description.more?.(session.client, ref, live, stored)),
  });

  /** Looks an object up as soon as the one above it lets it be read. */
  const lookUpPatiently = async (
    id: string,
    recency: Recency,
    operation: Operation,
    attempt: string,
    inputs: Properties,
  ) => {
    const parent = kind.parseId(id)?.parent;
    try {
      return await lookUp(kind, id, recency);
    } catch (error) {
      if (!isApiError(error, 400) || parent === undefined || kind.above === undefined) throw error;
      const watch = new AboveWatch(kind, parent, operation, attempt, inputs);
      if (await watch.takes(description.requires?.read)) throw error;
      await watch.accepted(description.requires?.read, "It stays in the state; the next run tries again");
      return lookUp(kind, id, "now");
    }
  };

  /** Carries out the inputs that changed, and says from which state of the object. */
  const carryOut = async (work: Work): Promise<void> => {
    await settleEarlierActions(work);
    let before = work.live;
    const changed = work.pending();
    if (changed.length > 0) {
      await work.whenAccepted(requirementOf(description, changed), async () => {
        const pending = work.pending();
        const task = work.task(pending);
        before = work.live;
        await session.writing(async () => description.update?.(task));
        task.done(...pending.flatMap(({ leaf }) => (leaf.local === true ? [leaf.path] : [])));
      });
    }
    // What an update that was cut off has begun may still be under way.
    if (changed.length > 0 || work.operation === "update") await work.settled(changed, before);
  };

  /** All that is left to do once the object exists. */
  const complete = async (work: Work, unfinished: boolean): Promise<Properties> => {
    await work.keeping(unfinished, async () => {
      if (!unfinished) return;
      if (description.finish !== undefined) {
        await session.writing(async () => description.finish?.(work.task([])));
      }
      await work.ready();
    });
    return work.keeping(false, async () => {
      await carryOut(work);
      work.recordSettings();
      return work.outputs(await description.more?.(session.client, work.ref, work.live, {}));
    });
  };

  const provider = inRows(session.rows, {
    configure: ({ config }) => session.configure((key) => config.get(key)),

    check: (olds, news) =>
      attempting(`check ${kind.nameOf(news)}`, async () => {
        checkConfiguration(session.configuration);
        session.hasChecked();
        const { urn, source: within, news: own, standing } = introduce(session, keepsUrn(description), news);
        const { [SOURCE]: source, ...rest } = own;
        const given = normalise(description, rest);
        if (isNew(olds) && standing !== undefined) adoption.replaces(given);
        const inputs = await settleName(kind, olds, given, importIdOf(given) !== undefined);
        const isAdopted = isNew(olds) && importIdOf(inputs) !== undefined;
        const { failures: wrong, warnings } = examine(description, olds, inputs, isAdopted);
        const failures = [...wrong];
        if (failures.length === 0) {
          await derive(description, inputs);
          const importId = importIdOf(inputs);
          const owner = ownerOf(description, inputs, urn);
          if (importId !== undefined && isNew(olds)) {
            failures.push(...adoption.claim(importId, owner));
          }
          failures.push(...doublesOf(kind, olds, inputs, { owner, within, isAdopted }));
          if (importId !== undefined && isNew(olds) && failures.length === 0) {
            await adoptIgnored(kind, importId, inputs);
            await compareForImport(kind, importId, inputs);
            noteImport({ kind, inputs }, importId);
          } else if (failures.length === 0) {
            const left = isNew(olds) ? await leftoverLately(kind, inputs) : undefined;
            if (session.configuration.validate)
              failures.push(...(await failuresInAccount(kind, olds, inputs, { left, standing })));
            const refusal =
              left === undefined || failures.length > 0 ? undefined : announceLeftover(kind, inputs, left);
            if (refusal !== undefined)
              failures.push({ property: "", reason: `cannot be created: ${refusal}` });
          }
        }
        for (const { property, reason } of warnings) {
          warn({ kind, inputs }, `${property} ${reason}`);
        }
        if (isNew(olds) && standing !== undefined) adoption.announceReplacement(inputs);
        warnOfRivals(inputs, source);
        // Named in the reason only: the engine prints the value of a property that is named to it, be it a secret.
        return {
          inputs,
          failures: failures.map(({ property, reason }) => ({
            property: "",
            reason: `${property} ${reason}`.trim(),
          })),
        };
      }),

    diff: (id, olds, news) =>
      attempting(`diff ${kind.nameOf(news, kind.parseId(id))}`, async () => {
        const isRefreshing = kind.known.isRefreshing(id);
        kind.known.manages(id);
        if (!isRefreshing) adoption.hold(id, olds, news);
        session.names.compares(urnOf(news), nameIn(description, olds));
        const importId = news[IMPORT_ID];
        if (typeof importId === "string" && importId !== id && importId !== olds[IMPORT_ID]) {
          throw new ProviderError(
            `import ${kind.type} ${importId}: this resource manages ${id} already. ` +
              "Give the one to adopt a resource of its own, or take the old one out with `pulumi state delete` first",
          );
        }
        const changed = changedInputs(leaves, olds, news);
        const replaces = [
          ...new Set(changed.flatMap((c) => (c.change === "replace" ? [topLevel(c.leaf.path)] : []))),
        ];
        if (replaces.length > 0) adoption.replaces(news);
        if (replaces.length === 0 && session.configuration.validate) {
          await refuseTakenName(kind, id, changed);
          const ref = isRefreshing ? undefined : kind.parseId(id);
          if (ref !== undefined) await refuseAfterCutOff(kind, ref, news, changed);
        }
        const label = keptLabel(description, olds, news);
        const staying = [...(label === undefined ? [] : [label]), ...releasedInputs(leaves, olds, news)];
        const released = replaces.length > 0 ? [] : staying;
        if (!isRefreshing) {
          announce(changed, news, id);
          for (const line of releaseLines(released)) warn({ kind, inputs: news, id }, line);
        }
        return {
          // A refresh takes the mark of failure off a creation that is not finished: there is still something to do.
          changes: changed.length > 0 || released.length > 0 || MEMORY in olds,
          replaces,
          deleteBeforeReplace:
            replaces.length > 0 &&
            deletesFirst(description, olds, news, session.names.isGivenBack(urnOf(news))),
        };
      }),

    create: async (inputs) => {
      const importId = importIdOf(inputs);
      if (importId !== undefined) {
        return attempting(`import ${kind.type} ${importId}`, async () => {
          const { ref, live } = await compareForImport(kind, importId, inputs);
          const work = new Work(kind, "create", ref, inputs, live, setInputs(leaves, inputs));
          const outs = work.outputs(await description.more?.(session.client, ref, live, {}));
          return { id: formatId(ref), outs: { ...outs, [ADOPTED]: true } };
        });
      }
      return attempting(`create ${kind.nameOf(inputs)}`, () =>
        kind.inTurn(inputs, () =>
          createOrResume(kind, inputs, async (ref, { reply, applied, stored }) => {
            const work = new Work(kind, "create", ref, inputs, reply, applied, stored);
            return { id: formatId(ref), outs: await complete(work, true) };
          }),
        ),
      );
    },

    read: (id, props) =>
      attempting(`read ${kind.type} ${id}`, async (attempt) => {
        announceEarlier(session, stackInUrn(urnOf(props)));
        const managed = typeof props[SET] === "string";
        if (!managed) {
          const { ref, live } = await findById(kind, `get ${kind.type}`, id);
          return { id, props: asOutputs(leaves, new Map(), await readOutputs(ref, live, props)), inputs: {} };
        }
        const found =
          (await lookUpPatiently(id, "lately", "update", attempt, props)) ??
          // One answer may err, and what is taken for gone is made anew.
          (await lookUpPatiently(id, "now", "update", attempt, props));
        if (found === undefined) {
          kind.known.denies(id);
          return { id: "", props: {} };
        }
        const shown = await readOutputs(found.ref, found.live, props);
        kind.known.hasRead(id);
        const sent = withDrift(leaves, props, shown);
        const inputs = { ...asInputs(sent), ...keptOf(props) };
        return { id, props: asOutputs(leaves, sent, shown, props), inputs };
      }),

    update: async (id, olds, news) =>
      attempting(`update ${kind.nameOf(news, kind.parseId(id))}`, async () => {
        const found = await lookUp(kind, id, "now");
        if (found === undefined) {
          throw new ProviderError(
            `update ${kind.nameOf(news, kind.parseId(id))}: it is gone. Run \`pulumi refresh\` to take it out of the state; ` +
              "the next `pulumi up` then creates it anew",
          );
        }
        const { ref, live } = found;
        const work = new Work(kind, "update", ref, news, live, lastSent(olds), olds);
        forgetKnownActions(work, lastSent(olds));
        try {
          return { outs: await complete(work, MEMORY in olds) };
        } catch (error) {
          throw await withHolder(error, kind, news, work.attempt);
        }
      }),

    delete: (id, props) =>
      attempting(`delete ${kind.nameOf(props, kind.parseId(id))}`, async (attempt) => {
        announceEarlier(session, stackInUrn(urnOf(props)));
        const remove = description.delete;
        const named = kind.parseId(id);
        if (named === undefined || adoption.forgets(named, props)) return;
        const pauses = removalPauses(session, kind.allowedTime("delete", props));
        if (remove !== undefined && !isWaitedFor(description)) {
          await removeOnce(kind, named, pauses);
          return;
        }
        let found = await lookUpPatiently(id, "now", "delete", attempt, props);
        if (found === undefined && remove !== undefined) {
          // A read alone may err. What the service then deletes was there.
          const wasThere = await removeOnce(kind, named, pauses, { isUnseen: true });
          if (wasThere) found = await lookUpPatiently(id, "now", "delete", attempt, props);
        }
        if (found === undefined) return;
        const { ref, live } = found;
        if (remove === undefined) {
          warn(
            { kind, inputs: props, id },
            `stays in the account as ${id}: ${description.undeletable ?? ""}`,
          );
          return;
        }
        const work = new Work(kind, "delete", ref, props, live, new Map());
        await work.whenAccepted(description.requires?.delete, () =>
          removeOnce(kind, ref, pauses, { repeatsRefusals: false }),
        );
        await work.gone();
      }),
  });
  return discreet(kind, provider);
}

/** The operation that these changes take, whose requirements are waited for. */
function requirementOf(
  { requires }: Description,
  changed: readonly ChangedInput[],
): OperationSpec | undefined {
  const update = requires?.update;
  if (typeof update !== "function") return update;
  return update((path) => changed.some(({ leaf }) => leaf.path === path));
}
