import { isNotFound } from "../../api/errors";
import { isIgnored } from "../hooks/import";
import { normalise } from "../hooks/check-inputs";
import { SETTINGS } from "../process/config";
import { checkConfiguration } from "../process/connect";
import { CreationNote, whose } from "../creation/creation-note";
import { formatId, isNew } from "../describe/define-resource";
import { type ChangedInput, changedInputs, replacementOf } from "../state/changed-inputs";
import { discreet } from "../hooks/discreet";
import { announceEarlier } from "../creation/announce-earlier";
import { attempting, PartialError, ProviderError } from "../engine/errors";
import { examine } from "../hooks/examine";
import { leavesOf, topLevel } from "../describe/fields";
import { GIVEN, idsIn, IMPORT_ID, keptOf, LEFT, SET, stackInUrn, URN, urnOf } from "../state/hidden";
import { introduce } from "../hooks/introduce";
import { keyOfParts } from "../creation/journal";
import { note, shortened, warn } from "../engine/warnings";
import { removalPauses, removeOnce } from "../hooks/delete-object";
import { inRows } from "../engine/rows";
import { setInputs } from "../state/sent";
import { CommonKind, kindOf } from "../process/kind";
import { type Session } from "../process/session";
import { hasUnknown, type Properties, UNKNOWN } from "../state/values";
import { rivalOf } from "../hooks/validate";
import { everyMember, newcomersIn, poolOf } from "./account";
import { compareForImport, textThere } from "./adopt";
import { replacingMembers } from "./asked";
import { Execution } from "./carry-out";
import { declare, entriesIn } from "./declared";
import { type CollectionDescription } from "../describe/define-collection";
import { describePlan, namesByIdentity } from "./describe";
import { drifted, type Held, heldIn, outputsFor, type Wanted, wantedIn } from "./members";
import { Neighbours } from "./neighbours";
import { inParallel, membersAtOnce } from "./parallel";
import { madeBefore } from "./made-before";
import { formsOf, hashOf, isGivenAgain } from "./packed";
import { MemberOwnership } from "./ownership";
import { isEmpty, planOf } from "./plan";
import { hideDeclared, hideHeld, isGuarded } from "./secret-members";

/** Runs a resource that holds many objects of one kind: one step for the engine, and the changes inside it worked out here. */
export function collectionLifecycle(session: Session, collection: CollectionDescription) {
  const { item, property } = collection;
  const kind = new CommonKind(session, collection);
  const itemKind = kindOf(session, item);
  const leaves = leavesOf(collection.fields).filter(({ path }) => path !== property);
  const parentPath = item.id.parent ?? "";

  const parentOf = (inputs: Properties): string => String(inputs[parentPath]);
  const ownsAll = (inputs: Properties): boolean => inputs[collection.exclusive] === true;

  /** What the state keeps beside the members. */
  const settingsOf = (inputs: Properties): Properties => {
    const set = setInputs(leaves, inputs);
    return { ...Object.fromEntries(set), [SET]: [...set.keys(), property].join(","), ...keptOf(inputs) };
  };

  const outputsOf = (inputs: Properties, held: readonly Held[]): Properties => ({
    ...settingsOf(inputs),
    ...outputsFor(
      collection,
      held,
      wantedIn(collection, inputs[property]).map(({ line }) => line),
    ),
  });

  /** Whether all that is covered and not declared is to be removed now: later it is found by a refresh, as any drift. */
  const takesOver = (olds: Properties, news: Properties): boolean =>
    ownsAll(news) &&
    (!ownsAll(olds) || collection.scope.some((path) => path !== parentPath && olds[path] !== news[path]));

  const neighbours = new Neighbours(collection);
  const owned = new MemberOwnership(session, collection);
  /** Members of what is replaced in this run: they are gone before its successor makes its own, which the engine checks as a new one. */
  const replaced = new Set<string>();

  const idFor = (inputs: Properties): string =>
    collection.scope.flatMap((path) => (inputs[path] === undefined ? [] : [String(inputs[path])])).join("/");

  const noteOf = (inputs: Properties): CreationNote => {
    const keyIn = (place: unknown) => keyOfParts(place, collection.type, inputs[URN], idFor(inputs));
    const describe = () => whose({ kind, inputs });
    return new CreationNote(session, keyIn(session.place), keyIn(session.baseUrl), describe);
  };

  /** What to do about objects that are there already. */
  const howToTakeOver = (olds: Properties, inputs: Properties): string => {
    const { key, variable } = SETTINGS.resume;
    const goOn = session.configuration.resume
      ? `${key} does not take it, since the state has no operation on this resource that was cut off`
      : `If an interrupted run has left it, set ${key} (or ${variable}=true)`;
    return isNew(olds)
      ? `${goOn}. To manage what is there, give this resource the option import: "${idFor(inputs)}", or set ${collection.exclusive}`
      : `${goOn}. Otherwise delete it there or in the program, or set ${collection.exclusive} to take it over`;
  };

  /** Whether the state says that an earlier run was cut off in making members. In a check it is asked for, later remembered. */
  const wasCutOff = async (olds: Properties, inputs: Properties, isChecked: boolean): Promise<boolean> => {
    const operation = isNew(olds) ? "creating" : "updating";
    return isChecked ? kind.known.learnCutOff(operation, inputs) : kind.known.wasCutOff(operation, inputs);
  };

  /**
   * Takes what is there just like the wanted members, where `nodecloud:resume` says so and an earlier run was cut off in making them: another
   * stack may have made what is merely equal.
   */
  const resumable = async (
    cutOff: () => Promise<boolean>,
    parent: string,
    foreign: readonly Properties[],
    open: readonly Wanted[],
  ): Promise<Held[]> => {
    if (!session.configuration.resume || foreign.length === 0 || !(await cutOff())) return [];
    const elsewhere = itemKind.known.ofOtherRuns();
    const state = await session.stack.state();
    const free = foreign.filter((reply) => {
      const id = formatId({ parent, id: item.idOf(reply) });
      return !elsewhere.has(id) && !itemKind.known.isManaged(id) && state?.knows(item.type, id) !== true;
    });
    return neighbours.claimed(poolOf(collection, free), open);
  };

  /** Says in the preview with which members it goes on, which an interrupted run has made. */
  const announceResumption = async (
    inputs: Properties,
    parent: string,
    before: ReadonlySet<string>,
    added: readonly Wanted[],
  ): Promise<void> => {
    const listed = await session.account.now(
      `the ${property} of ${parentPath} ${parent}`,
      (client, options) => neighbours.list(client, parent, options),
    );
    const there = new Map(listed?.map((reply) => [item.idOf(reply), reply]));
    const made = neighbours.claimed(newcomersIn(session, collection, parent, there, before), added);
    if (made.length === 0) return;
    const ids = made.map(({ id }) => formatId({ parent, id }));
    const line = `goes on with ${made.length} of the ${property}, which an interrupted run has made: ${shortened(ids).join(", ")}`;
    note({ kind, inputs }, line);
  };

  /** Says in the preview what a creation or a change meets in the account, and what it removes there. */
  const lookAround = async (
    olds: Properties,
    inputs: Properties,
    held: readonly Held[],
    added: readonly Wanted[],
  ): Promise<string | undefined> => {
    const parent = inputs[parentPath];
    // What is not known yet may turn out to take all over.
    const mayTake = inputs[collection.exclusive] === UNKNOWN && !ownsAll(olds);
    const takes = mayTake || takesOver(olds, inputs);
    if (typeof parent !== "string" || parent === UNKNOWN || (added.length === 0 && !takes)) return undefined;
    const asked = noteOf(inputs).recallAsked();
    if (asked !== undefined) {
      await announceResumption(inputs, parent, new Set(asked.before), added);
      return undefined;
    }
    const listed = await session.account.now(
      `the ${property} of ${parentPath} ${parent}`,
      (client, options) => neighbours.list(client, parent, options),
    );
    const own = new Set(held.map(({ id }) => id));
    const isOwn = (id: string) => own.has(id) || replaced.has(formatId({ parent, id }));
    const all = listed?.filter((reply) => !isOwn(item.idOf(reply))) ?? [];
    const isExclusive = ownsAll(inputs) || mayTake;
    const foreign = isExclusive ? owned.notOthers(inputs, parent, all) : all;
    if (!isExclusive) {
      const resumed = await resumable(() => wasCutOff(olds, inputs, true), parent, foreign, added);
      if (resumed.length > 0) {
        const ids = resumed.map(({ id }) => formatId({ parent, id }));
        const line = `goes on with ${resumed.length} of the ${property}, which are there and which the state does not have: ${shortened(ids).join(", ")}`;
        note({ kind, inputs }, line);
      }
      const taken = new Set(resumed.map(({ id }) => id));
      const others = foreign.filter((reply) => !taken.has(item.idOf(reply)));
      const open = planOf(collection, resumed, added).add;
      const found = neighbours.alreadyThere(open, others, parent, isGuarded(inputs));
      return found.length === 0
        ? undefined
        : `${shortened(found).join("; ")}. ${howToTakeOver(olds, inputs)}`;
    }
    const removed = takes ? neighbours.undeclared(foreign, added, inputs) : [];
    if (removed.length > 0) {
      const because = mayTake
        ? `may be deleted: ${collection.exclusive} is not known yet`
        : `deleted for ${collection.exclusive} is set`;
      const why = `not declared, and ${because}: ${removed.length} of the ${property} that are there`;
      const lines = shortened(removed.map(({ line }) => `- ${line}`));
      warn({ kind, inputs }, [why, ...lines]);
    }
    return undefined;
  };

  /** Whether the members are those of the last time, which have been held to all rules, also to those about what is covered. */
  const areSame = (olds: Properties, inputs: Properties, given: unknown): boolean =>
    isGivenAgain(property, olds, given) && collection.scope.every((path) => olds[path] === inputs[path]);

  const warnOfRivals = (inputs: Properties): void => {
    const parent = inputs[parentPath];
    if (!ownsAll(inputs) || typeof parent !== "string" || parent === UNKNOWN) return;
    const rival = rivalOf(kind, inputs, `all of ${idFor(inputs)}`);
    if (rival === undefined) return;
    warn(
      { kind, inputs },
      `${rival} is ${collection.exclusive} for the same ${property} of ${parentPath} ${parent}: each removes what the other one makes. Keep one of the two`,
    );
  };

  /** Makes the account as the program wants it, and says what there is then, be it all or a part. */
  const carryOut = async (
    operation: "create" | "update",
    olds: Properties,
    inputs: Properties,
    id: string,
  ): Promise<Properties> => {
    const parent = parentOf(inputs);
    const attempt = `${operation} ${kind.nameOf(inputs)}`;
    const creation = noteOf(inputs);
    const wanted = wantedIn(collection, inputs[property]);
    const held = heldIn(collection, olds);
    const takes = takesOver(olds, inputs);
    let plan = planOf(collection, held, wanted);
    if ([...plan.add, ...plan.change.map((pair) => pair.wanted)].some(({ inputs: one }) => hasUnknown(one)))
      throw new ProviderError(`${attempt}: ${property} are not known yet`);
    let before: ReadonlySet<string> = new Set();
    let resumed = false;
    if (takes || plan.add.length > 0) {
      await creation.free();
      const asked = creation.recallAsked();
      const found = await madeBefore(session, collection, neighbours, parent, plan.add, asked);
      const { there, made } = found;
      before = found.before;
      const own = new Set(held.map((member) => member.id));
      resumed = made.length > 0;
      held.push(...made);
      owned.take(inputs, parent, made);
      for (const member of held) own.add(member.id);
      const foreign = [...there.values()].filter((reply) => !own.has(item.idOf(reply)));
      const open = planOf(collection, held, wanted).add;
      if (ownsAll(inputs)) {
        const free = owned.notOthers(inputs, parent, foreign);
        const adopted = neighbours.claimed(poolOf(collection, free), open);
        held.push(...adopted);
        owned.take(inputs, parent, adopted);
        if (takes) held.push(...neighbours.unclaimed(free, adopted, inputs));
      } else {
        const taken = await resumable(() => wasCutOff(olds, inputs, false), parent, foreign, open);
        held.push(...taken);
        owned.take(inputs, parent, taken);
        const ids = new Set(taken.map(({ id }) => id));
        const others = foreign.filter((reply) => !ids.has(item.idOf(reply)));
        const still = planOf(collection, held, wanted).add;
        const found = neighbours.alreadyThere(still, others, parent, isGuarded(inputs));
        if (found.length > 0)
          throw new ProviderError(`${shortened(found).join("; ")}. ${howToTakeOver(olds, inputs)}`);
      }
      plan = planOf(collection, held, wanted);
      if (plan.add.length > 0) creation.asked([...before]);
    }
    const tell = progressInRow();
    const adds = plan.add.length > 0;
    const earlier = [...before];
    const outcome = await new Execution(
      session,
      collection,
      parent,
      before,
      { keeperOf: (member) => owned.keeperOf(inputs, parent, member, false) },
      (done, of) => {
        tell(done, of);
        if (adds) creation.stillAsking(earlier);
      },
    ).run(plan);
    owned.sayGivenUp(inputs, parent, outcome.given);
    const [first] = outcome.failures;
    const nothingDone =
      first !== undefined && outcome.done === 0 && (operation === "update" || outcome.held.length === 0);
    // Where nobody is there to hear the end, the next run has to know of it, and where the state does not take over what was found.
    const isTold = !outcome.isOpen && !(nothingDone && resumed) && (await session.log.isHeard());
    if (adds && isTold) creation.forget();
    else if (adds) creation.asked(earlier, { answered: !outcome.isOpen });
    if (nothingDone) throw first;
    const outputs = outputsOf(inputs, outcome.held);
    if (first === undefined) return outputs;
    const left = outcome.left > 0 ? ` ${outcome.left} further changes were not begun.` : "";
    const summary =
      `${attempt}: ${outcome.failures.length} changes failed.${left} ${outcome.done} were carried out and are in the state; ` +
      `the next \`pulumi up\` goes on. ${shortened(outcome.failures.map(({ message }) => message)).join("; ")}`;
    throw new PartialError(id, outputs, new ProviderError(summary));
  };

  const progressInRow = () => {
    const row = session.rows.current;
    return (done: number, of: number) => row.progress(`${done}/${of} ${property}`);
  };

  const announce = (lines: string | readonly string[], inputs: Properties) => note({ kind, inputs }, lines);

  const provider = inRows(session.rows, {
    configure: ({ config }) => session.configure((key) => config.get(key)),

    check: (olds, handed) =>
      attempting(`check ${kind.nameOf(handed)}`, async () => {
        checkConfiguration(session.configuration);
        session.hasChecked();
        const { source: within, news, standing } = introduce(session, true, handed);
        if (isNew(olds) && standing !== undefined) owned.replaces(news);
        const given = news[property];
        const rest = Object.entries(news).filter(([name]) => !collection.forms.includes(name));
        const inputs = normalise(collection, Object.fromEntries(rest));
        const importId = isNew(olds) ? owned.idIn(inputs) : undefined;
        const adopted = importId !== undefined;
        const { failures: wrong, warnings } = examine(collection, olds, inputs, adopted);
        const failures = [...wrong];
        const doubts = [...warnings];
        const hash = hashOf(given);
        if (given === UNKNOWN) inputs[property] = UNKNOWN;
        else if (failures.length === 0 && areSame(olds, inputs, given)) {
          inputs[property] = olds[property];
        } else if (failures.length === 0) {
          const entries =
            given !== undefined && given === olds[property]
              ? entriesIn(collection, given)
              : collection.entries(formsOf(collection, news));
          hideDeclared(session, collection, inputs, entries.entries);
          const manner = { guarded: isGuarded(inputs), adopted };
          const declared = declare(collection, olds, inputs, entries, manner);
          inputs[property] = declared.text;
          failures.push(...declared.failures);
          doubts.push(...declared.warnings);
        }
        if (hash !== undefined && !isIgnored(inputs, property)) inputs[GIVEN] = hash;
        if (failures.length === 0) failures.push(...owned.doubles(olds, inputs, within, adopted));
        if (failures.length === 0 && isNew(olds)) {
          if (importId !== undefined) {
            if (isIgnored(inputs, property))
              inputs[property] = await textThere(session, collection, importId);
            else if (inputs[property] !== UNKNOWN) {
              const held = await compareForImport(session, collection, importId, inputs);
              failures.push(...owned.claim(inputs, parentOf(inputs), held));
            }
            if (failures.length === 0) announce(`takes over the ${property} that are there already`, inputs);
          } else if (standing !== undefined) {
            failures.push(...owned.replacementFailures(inputs, standing));
          } else if (session.configuration.validate && inputs[property] !== UNKNOWN) {
            const problem = await lookAround({}, inputs, [], wantedIn(collection, inputs[property]));
            if (problem !== undefined) failures.push({ property, reason: `cannot be created: ${problem}` });
          }
        }
        if (doubts.length > 0) {
          const lines = doubts.map(({ property: path, reason }) => `${path} ${reason}`);
          warn({ kind, inputs }, lines);
        }
        warnOfRivals(inputs);
        // Named in the reason only: the engine prints the value of a property that is named to it, be it a secret.
        return {
          inputs,
          failures: failures.map((failure) => ({
            property: "",
            reason: `${failure.property} ${failure.reason}`.trim(),
          })),
        };
      }),

    diff: (id, olds, news) =>
      attempting(`diff ${kind.nameOf(news, kind.parseId(id))}`, async () => {
        const isRefreshing = kind.known.isRefreshing(id);
        const changed = [...changedInputs(leaves, olds, news), ...replacingMembers(collection, olds, news)];
        const replaces = changed.flatMap((c: ChangedInput) =>
          c.change === "replace" ? [topLevel(c.leaf.path)] : [],
        );
        if (replaces.length > 0) {
          owned.replaces(news);
          const members = heldIn(collection, olds);
          for (const member of members) replaced.add(formatId({ parent: parentOf(olds), id: member.id }));
          const count = members.length;
          if (!isRefreshing)
            announce(replacementOf(changed, `its ${count} ${property} are deleted first`) ?? "", news);
          return { changes: true, replaces, deleteBeforeReplace: true };
        }
        const isSame = olds[property] === news[property] && !(LEFT in olds);
        const isShared = ownsAll(news) || IMPORT_ID in news;
        if (isSame && !isRefreshing) owned.hold(news, parentOf(news), () => idsIn(olds), isShared);
        if (isSame && changed.length === 0)
          return { changes: false, replaces: [], deleteBeforeReplace: false };
        if (news[property] === UNKNOWN) return { changes: true, replaces: [], deleteBeforeReplace: false };
        const wanted = wantedIn(collection, news[property]);
        const held = heldIn(collection, olds);
        const plan = planOf(collection, held, wanted);
        const kept = [...plan.keep, ...plan.change].map((pair) => pair.held.id);
        if (!isRefreshing) owned.hold(news, parentOf(news), () => kept, isShared);
        if (!isEmpty(plan) && !isRefreshing)
          announce(describePlan(collection, plan, isGuarded(news) || isGuarded(olds)), news);
        const looks = session.configuration.validate && !isRefreshing;
        const problem = looks ? await lookAround(olds, news, held, plan.add) : undefined;
        if (problem !== undefined) throw new ProviderError(`update ${kind.nameOf(news)}: ${problem}`);
        return {
          changes: changed.length > 0 || !isEmpty(plan),
          replaces: [],
          deleteBeforeReplace: false,
        };
      }),

    create: (inputs) =>
      attempting(`create ${kind.nameOf(inputs)}`, async () => {
        const importId = owned.idIn(inputs);
        const id = idFor(inputs);
        if (importId === undefined) return { id, outs: await carryOut("create", {}, inputs, id) };
        const held = await compareForImport(session, collection, importId, inputs);
        owned.take(inputs, parentOf(inputs), held);
        return { id, outs: outputsOf(inputs, held) };
      }),

    read: (id, props) =>
      attempting(`read ${collection.type} ${id}`, async () => {
        announceEarlier(session, stackInUrn(urnOf(props)));
        const managed = typeof props[SET] === "string";
        const scope = managed ? props : { ...collection.fromId(id) };
        const list = () =>
          everyMember(session, collection, parentOf(scope)).catch((error: unknown) => {
            if (isNotFound(error)) return undefined;
            throw error;
          });
        // One answer may err, and what is taken for gone is made anew.
        const there = (await list()) ?? (await list());
        if (there === undefined) {
          if (!managed)
            throw new ProviderError(`get ${collection.type}: there is no ${parentPath} ${parentOf(scope)}`);
          return { id: "", props: {} };
        }
        if (!managed) {
          const all = neighbours.unclaimed([...there.values()], [], scope);
          const text = outputsFor(collection, all)[property];
          return { id, props: { ...scope, [property]: text }, inputs: {} };
        }
        kind.known.hasRead(id);
        const held = heldIn(collection, props);
        const missing = held.filter((member) => !there.has(member.id));
        // What a list lacks may have moved between its pages: only a read of its own says that it is gone.
        const found = new Map(there);
        await inParallel(missing, membersAtOnce(session), async ({ id: one }) => {
          const reply = await itemKind.reads.now({ parent: parentOf(props), id: one });
          if (reply !== undefined) found.set(one, reply);
        });
        const left = new Set(Array.isArray(props[LEFT]) ? props[LEFT].map(([one]: unknown[]) => one) : []);
        const now = held.flatMap((member) => {
          const reply = found.get(member.id);
          return reply === undefined ? [] : [drifted(collection, member, reply)];
        });
        const strangers = ownsAll(props) ? neighbours.unclaimed([...there.values()], now, props) : [];
        const declared = [...now.filter((member) => !left.has(member.id)), ...strangers].map(
          ({ line }) => line,
        );
        const outputs = outputsFor(collection, [...now, ...strangers], declared);
        const settings = settingsOf(props);
        const inputs = {
          ...Object.fromEntries(setInputs(leaves, props)),
          ...keptOf(props),
          [property]: outputs[property],
        };
        return { id, props: { ...settings, ...outputs }, inputs };
      }),

    update: (id, olds, news) =>
      attempting(`update ${kind.nameOf(news, kind.parseId(id))}`, async () => ({
        outs: await carryOut("update", olds, news, id),
      })),

    delete: (id, props) =>
      attempting(`delete ${kind.nameOf(props, kind.parseId(id))}`, async () => {
        announceEarlier(session, stackInUrn(urnOf(props)));
        const parent = parentOf(props);
        const failures: unknown[] = [];
        const progress = progressInRow();
        const pauses = removalPauses(session, kind.allowedTime("delete", props));
        owned.replaces(props);
        const given = heldIn(collection, props).flatMap((member) => {
          const keeper = owned.keeperOf(props, parent, member, true);
          return keeper === undefined ? [] : [{ held: member, keeper }];
        });
        const kept = new Set(given.map((one) => one.held.id));
        const held = heldIn(collection, props).filter(({ id: one }) => !kept.has(one));
        owned.sayGivenUp(props, parent, given);
        let done = 0;
        await inParallel(
          held,
          membersAtOnce(session),
          async (member) => {
            try {
              await removeOnce(itemKind, { parent, id: member.id }, pauses);
              progress(++done, held.length);
            } catch (error) {
              failures.push(error);
            }
          },
          () => failures.length > 0,
        );
        if (failures.length > 0) throw failures[0];
      }),
  });
  return {
    ...discreet(kind, provider, (olds, news) => hideHeld(session, collection, olds, news)),
    /** What a text of the state declares, by identity, with how messages call it. */
    listed: (text: unknown) => namesByIdentity(collection, wantedIn(collection, text)),
  };
}
