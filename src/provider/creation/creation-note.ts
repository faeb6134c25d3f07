import { pollUntil } from "../run/watch";
import { type ObjectKind } from "../kind/kind";
import { createdAt } from "../matching/newcomers";
import { type AskedBefore, latestOf, settledAt } from "../notes/lost-answer-limits";
import {
  type Asked,
  type Creation,
  creationKey,
  formerKey,
  isOther,
  type Made,
  type Noted,
  notedOf,
} from "../notes/journal";
import { ProviderError } from "../base/errors";
import { SETTINGS } from "../settings/config";
import { type Properties } from "../base/values";
import { keyOfPlace } from "./announce-earlier";
import { type Stamp } from "../notes/notes";
import { type About, calledInProgram } from "../kind/warnings";
import { isElsewhere } from "../base/runs";
import { type Ports } from "../run/session";
import { type Call } from "../state/call";

/** How long the plugin of a killed command may run on: longer than its last request. */
const ORPHAN_MS = 90_000;
const LOOK_MS = 1_000;

/** How often a note is renewed while requests are sent. */
const RENEWAL_MS = 10_000;

/** The note of the creation of one resource. */
export class CreationNote {
  #renewed = 0;
  #described: Noted | undefined;

  constructor(
    private readonly ports: Ports,
    private readonly key: string,
    /** The key of a note that an earlier version wrote. */
    private readonly former: string,
    /** Describes the resource for a note. Most creations read no note, so it is called when needed. */
    private readonly describe: () => Noted,
  ) {}

  /** The note, whichever run has written it. */
  recall(): (Creation & Stamp) | undefined {
    const {
      run: { journal },
      clock,
    } = this.ports;
    return journal.recall(this.key, clock.now()) ?? journal.recall(this.former, clock.now());
  }

  /** The requests of a run that is over. Undefined while that run may still be running. */
  recallAsked(): AskedBefore | undefined {
    const noted = this.recall();
    return noted !== undefined && "before" in noted && !this.isElsewhere(noted) ? noted : undefined;
  }

  /** Tells of objects whether they were created too late for the request of a run that is over. */
  lateness(): (reply: Properties) => boolean {
    const asked = this.recallAsked();
    const latest = asked === undefined ? Infinity : latestOf(asked);
    return (reply) => createdAt(reply) > latest;
  }

  /** Whether a run that is over has asked for the object, and no request of it can take effect any more. */
  get isSettled(): boolean {
    const asked = this.recallAsked();
    return asked !== undefined && settledAt(asked) <= this.ports.clock.now();
  }

  /** Whether a note is from another run that may still be running. */
  isElsewhere(noted: Stamp): boolean {
    return isElsewhere(noted, this.ports.clock.now());
  }

  /** Whether a note is about other inputs. */
  isOther(noted: Creation): boolean {
    return isOther(noted, this.#noted.fixed);
  }

  /** Notes a request for the object. Call it before the request, so that a later run knows of it if this one is interrupted. */
  asked(before: readonly string[], { accepted = false, answered = false } = {}): void {
    this.#renewed = this.ports.clock.now();
    const { ahead } = this.ports.account;
    this.#write({ before, accepted, answered, ...(ahead === undefined ? {} : { ahead }) });
  }

  /** Renews the note from time to time while requests are sent. */
  stillAsking(before: readonly string[]): void {
    if (this.ports.clock.now() - this.#renewed >= RENEWAL_MS) this.asked(before);
  }

  made(id: string, { created }: Properties): void {
    this.#write({ id, created });
  }

  /** Whether a note may be about another account: another token has made the request, and nothing shows that it leads to the same account. */
  isOfOtherToken(noted: Creation, live?: Properties): boolean {
    const { where = this.ports.account.at } = noted;
    if (!this.ports.account.mayBeElsewhere(where)) return false;
    const created = "id" in noted ? noted.created : undefined;
    return created === undefined || live?.["created"] !== created;
  }

  forget(): void {
    this.ports.run.journal.forget(this.key);
    this.ports.run.journal.forget(this.former);
  }

  /**
   * Waits while another run creates the resource. The engine lets only one run change a stack at a time, so the other run is the plugin of a
   * killed command, which ends soon and leaves its note. Without a note, its engine has heard the outcome: somebody has removed the lock of a run that went on.
   */
  async free(): Promise<void> {
    const until = this.ports.clock.now() + ORPHAN_MS;
    const orphan = () => {
      const noted = this.recall();
      return noted !== undefined && this.isElsewhere(noted) ? noted.run : undefined;
    };
    const first = orphan();
    if (first === undefined) return;
    const row = `waiting for process ${first.pid} of a killed command to end`;
    await pollUntil(this.ports, { until, pauseMs: LOOK_MS, row }, () => orphan() === undefined || undefined);
    if (this.recall() === undefined)
      throw new ProviderError(
        `another run (process ${first.pid}) has created this resource meanwhile, or tried to: the lock of the stack was removed while it went on. ` +
          "Wait until it has ended, then run `pulumi up` again",
        { code: "INTERRUPTED" },
      );
  }

  get #noted(): Noted {
    return (this.#described ??= this.describe());
  }

  #write(what: Made | Asked): void {
    const {
      run: { journal },
      account: { at },
      clock,
    } = this.ports;
    journal.note(this.key, { ...what, ...this.#noted, where: at }, clock.now());
  }
}

/** An object that a run with another token has requested may be in another account. Only a person can tell. */
export function ofOtherToken(type: string, noted?: Creation): string {
  const { key, variable } = SETTINGS.sameAccount;
  const id = noted !== undefined && "id" in noted ? noted.id : undefined;
  const what = id !== undefined ? `created the ${type} ${id}` : `requested this ${type}`;
  const found = id !== undefined ? ", and this provider does not find it" : "";
  return (
    `an interrupted run ${what} with another token${found}: it is probably in another account. ` +
    `Restore that token; or, if both lead to one account, set ${key} (or ${variable}=true) for this run`
  );
}

/** The note of a resource that is one object. */
export function noteOf(kind: ObjectKind, call: Call): CreationNote {
  const { run, account, description } = kind;
  return new CreationNote(
    kind,
    creationKey(description, run.place, call),
    formerKey(description, account.baseUrl, call),
    () => ({ ...notedOf(description, call), ...whose({ kind, call }), anywhere: keyAnywhere(kind, call) }),
  );
}

/** The key of a creation, whichever backend keeps the stack: a stack may be moved to another one. */
const keyAnywhere = ({ run, account: { baseUrl }, description }: ObjectKind, call: Call): string =>
  creationKey(description, { baseUrl, backend: "", stack: run.stack.inProject ?? "" }, call);

/** The note of this resource that a run of a stack of the same name in another backend has left. */
export const noteElsewhere = (kind: ObjectKind, call: Call): (Creation & Stamp) | undefined =>
  kind.run.otherRuns.inAnotherBackend(keyAnywhere(kind, call), whose({ kind, call }).place);

/** The name and the stack of a resource, for a later run whose program no longer declares it. */
export const whose = (about: About): Pick<Noted, "called" | "place" | "stack" | "of"> => {
  const { run } = about.kind;
  const { inProject } = run.stack;
  return {
    ...(inProject === undefined ? {} : { of: inProject }),
    called: calledInProgram(about),
    place: keyOfPlace(run.place, inProject ?? ""),
    stack: keyOfPlace({ ...run.place, baseUrl: "" }, inProject ?? ""),
  };
};
