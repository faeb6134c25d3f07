import { setImmediate, setTimeout } from "node:timers/promises";
import { type Client } from "../../api/client";
import { checkBaseUrl } from "../../api/endpoint";
import { isNotFound } from "../../api/errors";
import { Account, everyOf } from "./account-reads";
import { type ActionNote, actionNotes } from "../hooks/action-notes";
import { takingTurns } from "../../api/turns";
import { type Clock, systemClock } from "./clock";
import { type Configuration, readConfiguration } from "./config";
import { connect, uncheckedTls } from "./connect";
import {
  type BelowDescription,
  type CommonDescription,
  type Description,
  formatId,
  type Ref,
} from "../describe/define-resource";
import { Ending, endingSleeps } from "./ending";
import { type EngineLog, silentLog } from "../engine/log";
import { backendOf } from "../engine/backend";
import { nameInUrn, NO_ORGANIZATION, PROGRAM_NAME, urnOf } from "../state/hidden";
import { creations, type Journal, type Place } from "../creation/journal";
import { Inventory } from "../creation/existing-objects";
import { NameMemory } from "./name-memory";
import { type NoteKind, Notes } from "./notes";
import { Contents } from "./declarations";
import { Ownership } from "./ownership";
import { Poller } from "./poller";
import { Order, Reads, type Source } from "./shared-reads";
import { LOG_VARIABLE, requestLog } from "../engine/request-log";
import { Rows } from "../engine/rows";
import { RunRecord } from "./run-record";
import { isElsewhere, thisRun } from "./runs";
import { type CutOff, type Pending, readStackState, type StackState } from "../engine/stack-state";
import { type Properties, stableJson, UNKNOWN } from "../state/values";
import { Words } from "../engine/hidden-words";

/** A kind of resource. */
type Kind = Pick<CommonDescription, "type">;

/** A stack as the URNs of its resources name it. The organization is empty where the backend has none. */
interface Stack {
  readonly organization: string;
  readonly project: string;
  readonly stack: string;
}

export interface SessionOptions {
  readonly clock?: Clock;
  readonly log?: EngineLog;
  readonly ending?: Ending;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Waits until the reads that come together are there. */
  readonly gather?: () => Promise<void>;
  /** Reads the state of the stack. */
  readonly readState?: typeof readStackState;
}

/** For so long it is believed what other runs have noted. */
const ELSEWHERE_MS = 2_000;

/** The engine hands over what it does at the same time one by one, some milliseconds apart. */
const GATHER_MS = 5;

/** Long enough, and what came meanwhile is taken in: a timer that is late, as something was being loaded, comes before the calls that waited too. */
async function gatherCalls(): Promise<void> {
  await setTimeout(GATHER_MS);
  await setImmediate();
}

/** What all resources of one plugin process share: the account, the client, the reads of those that wait. */
export class Session {
  readonly clock: Clock;
  /** In which all that this process prints is put. */
  readonly words = new Words();
  readonly log: EngineLog;
  readonly ending: Ending;
  readonly rows: Rows;
  readonly journal: Journal;
  readonly actions: Notes<ActionNote>;
  readonly account: Account;
  readonly names = new NameMemory();
  readonly #environment: Readonly<Record<string, string | undefined>>;
  readonly #gather: () => Promise<void>;
  readonly #order = new Order();
  readonly #reads = new Map<string, Reads<Properties>>();
  readonly #pollers = new Map<string, Poller<Properties>>();
  readonly #existing = new Map<string, Promise<Inventory>>();
  readonly #inventories = new Map<readonly unknown[], Inventory>();
  readonly #taken = new Map<string, Set<string>>();
  readonly #managed = new Set<string>();
  readonly #turns = new Map<string, ReturnType<typeof takingTurns>>();
  readonly #read = new Set<string>();
  readonly #said = new Set<string>();
  readonly #cutOff = new Set<string>();
  readonly #denied = new Set<string>();
  readonly #claims = new Map<string, string>();
  /** What the program's resources declare. */
  readonly contents = new Contents();
  /** Whose the objects are in this run. */
  readonly owners = new Ownership(() => this.#record);
  #configured: (key: string) => string | undefined = () => undefined;
  #client: Client | undefined;
  #backend: string | undefined;
  #state: Promise<StackState | undefined> | undefined;
  #elsewhere: { readonly at: number; readonly ids: ReadonlySet<string> } | undefined;
  readonly #readState: typeof readStackState;
  #runRecord: RunRecord | undefined;
  #stack: Stack | undefined;

  constructor({
    clock = systemClock,
    log = silentLog,
    ending = new Ending(() => undefined),
    environment = process.env,
    gather = gatherCalls,
    readState = readStackState,
  }: SessionOptions = {}) {
    this.clock = endingSleeps(clock, ending.signal);
    this.log = this.words.into(log);
    this.ending = ending;
    this.rows = new Rows(this.log, clock);
    this.#gather = gather;
    this.#readState = readState;
    this.#environment = environment;
    this.journal = this.notes(creations);
    this.actions = this.notes(actionNotes);
    this.account = new Account(
      () => this.client,
      (line) => this.log.note(undefined, `the account at ${this.baseUrl}: ${line}`),
    );
  }

  /** Takes the configuration over, at once: a call may come in before anything asynchronous is done. */
  configure(configured: (key: string) => string | undefined): void {
    this.#configured = configured;
  }

  get configuration(): Configuration {
    return readConfiguration(this.#configured, this.#environment);
  }

  /** The client of the account. Throws where the configuration is incomplete or wrong. */
  get client(): Client {
    return (this.#client ??= this.#connect());
  }

  #connect(): Client {
    const warning = uncheckedTls(checkBaseUrl(this.configuration.baseUrl), this.#environment);
    if (warning !== undefined) this.log.warn(undefined, warning);
    this.words.hide(this.configuration.token);
    return connect(this.configuration, {
      stop: this.ending.signal,
      secrets: this.words.secrets,
      onRetry: (event) => this.rows.waits(event),
      onRequest: requestLog(this.#environment[LOG_VARIABLE], {
        role: "plugin",
        shown: (text) => this.words.line(text),
        engine: this.log.address,
        warn: (line) => this.log.warn(undefined, line),
        debug: (line) => this.log.debug(line),
      }),
    });
  }

  /** The address of the API as the client has it, without what it takes to use it. */
  get baseUrl(): string {
    return checkBaseUrl(this.configuration.baseUrl).href;
  }

  get #record(): RunRecord {
    return (this.#runRecord ??= new RunRecord(this.#environment, this.log.address, this.baseUrl, () =>
      this.clock.now(),
    ));
  }

  /** The backend that keeps the stack. */
  get backend(): string {
    return (this.#backend ??= backendOf(this.#environment, process.cwd()));
  }

  /** Notes the stack that this process works for. It is known from the first check on; a destroy without the program has none. */
  hears(stack: Stack): void {
    this.#stack ??= stack;
  }

  /** The stack as `organization/project/stack`, where it is known. */
  get stack(): string | undefined {
    if (this.stackInProject === undefined) return undefined;
    return `${this.organization === "" ? NO_ORGANIZATION : this.organization}/${this.stackInProject}`;
  }

  /** The stack as `project/stack`, where it is known. */
  get stackInProject(): string | undefined {
    return this.#stack === undefined ? undefined : `${this.#stack.project}/${this.#stack.stack}`;
  }

  /** The organization of the stack; empty where the backend has none. */
  get organization(): string {
    return this.#stack?.organization ?? "";
  }

  /** Where resources are kept, and the account that has them. */
  get place(): Place {
    return { baseUrl: this.baseUrl, backend: this.backend, stack: this.stack ?? "" };
  }

  /** The notes of one kind on this machine. */
  notes<Note extends object>(kind: NoteKind<Note>): Notes<Note> {
    return new Notes(
      this.#environment,
      kind,
      () => thisRun(this.log.address),
      ({ message }) => {
        const line = `cannot write what this run is about to do, so that a later run may not find what this one leaves if it is cut off: ${message}`;
        if (this.isFirst(line)) this.log.warn(undefined, line);
      },
    );
  }

  /** The watcher of a kind of object under one parent. */
  poller(description: Description, { parent }: Ref): Poller<Properties> {
    const reads = this.#readsOf(description, parent);
    return cached(
      this.#pollers,
      `${description.type} ${parent ?? ""}`,
      () => new Poller((id) => reads.now(id), this.clock),
    );
  }

  /** The watcher of the objects above a kind of object. */
  abovePoller(description: BelowDescription): Poller<Properties> {
    const reads = this.#readsAbove(description);
    return cached(
      this.#pollers,
      `above ${description.type}`,
      () => new Poller((id) => reads.now(id), this.clock),
    );
  }

  /** Reads an object as it is now, together with those that are wanted at the same time; undefined where it does not exist. */
  find<Reply extends Properties>(description: Description<Reply>, ref: Ref): Promise<Reply | undefined>;
  find(description: Description, ref: Ref): Promise<Properties | undefined> {
    return this.#readsOf(description, ref.parent).now(ref.id);
  }

  /** Reads an object as it was some seconds ago at most, after all that this process has written: one of many that come and go. */
  findLately(description: Description, ref: Ref): Promise<Properties | undefined> {
    return this.#readsOf(description, ref.parent).lately(ref.id);
  }

  /** Reads the object above one as it is now; undefined where it does not exist. */
  findAbove(description: BelowDescription, id: string): Promise<Properties | undefined> {
    return this.#readsAbove(description).now(id);
  }

  /** Does what writes: what was read before it does not count after it. */
  writing<Result>(step: () => Promise<Result>): Promise<Result> {
    return this.#order.writing(step);
  }

  #readsOf(description: Description, parent: string | undefined): Reads<Properties> {
    const { type, list } = description;
    return this.#readsFrom(`${type} ${parent ?? ""}`, {
      one: (id) => description.read(this.client, parent === undefined ? { id } : { parent, id }),
      idOf: (item) => description.idOf(item),
      ...(list === undefined ? {} : { all: () => list.call(description, this.client, parent ?? "") }),
    });
  }

  #readsAbove({ type, above }: BelowDescription): Reads<Properties> {
    const { list } = above;
    return this.#readsFrom(`above ${type}`, {
      one: (id) => above.read(this.client, id),
      idOf: ({ id }) => String(id),
      ...(list === undefined ? {} : { all: () => list.call(above, this.client) }),
    });
  }

  #readsFrom(key: string, { all, ...source }: Source<Properties>): Reads<Properties> {
    return cached(
      this.#reads,
      key,
      () =>
        new Reads(
          {
            ...source,
            one: (id) => this.rows.shared(() => found(() => source.one(id))),
            ...(all === undefined ? {} : { all: () => this.rows.shared(all) }),
          },
          this.#order,
          this.clock,
          this.#gather,
        ),
    );
  }

  /** The objects that were there before this process created its first. */
  existing(description: Description, parent: string): Promise<Inventory> {
    const key = `${description.type} ${parent}`;
    return cached(this.#existing, key, async () => {
      try {
        // The validation may have read them, before anything was created.
        const known = await this.account.known(everyOf(description.type, parent));
        if (known !== undefined) return new Inventory(description, known as Properties[]);
        const items: Properties[] = [];
        for await (const item of description.list?.(this.client, parent) ?? []) items.push(item);
        return new Inventory(description, items);
      } catch (error) {
        this.#existing.delete(key);
        throw error;
      }
    });
  }

  /** The objects that were there when this process looked first, for a preview; undefined where they cannot be read. */
  async listed(description: Description, parent: string): Promise<Inventory | undefined> {
    const { list, type } = description;
    if (list === undefined) return undefined;
    const items = await this.account.all(everyOf(type, parent), (client, options) =>
      list.call(description, client, parent, options),
    );
    return items && cached(this.#inventories, items, () => new Inventory(description, items));
  }

  /**
   * Whether the state says that an earlier run was cut off in an operation on a resource. It is asked while the resource is checked: later the
   * state has the operation of this run.
   */
  async learnCutOff(operation: CutOff, kind: Kind, inputs: Properties): Promise<boolean> {
    const who = pendingOf(kind, inputs);
    const wasCutOff = (await this.state())?.wasCutOff(operation, who) ?? false;
    if (wasCutOff) this.#cutOff.add(stableJson([operation, who]));
    return wasCutOff;
  }

  /** What was learnt of it. */
  wasCutOff(operation: CutOff, kind: Kind, inputs: Properties): boolean {
    return this.#cutOff.has(stableJson([operation, pendingOf(kind, inputs)]));
  }

  /** What the state has; undefined where it cannot be had. */
  state(): Promise<StackState | undefined> {
    const { stack } = this;
    if (stack === undefined) return Promise.resolve(undefined);
    return (this.#state ??= this.#readState(stack, this.#environment));
  }

  /** The ids of the objects of a kind that runs have made which may still go on, as their notes say. */
  notedElsewhere({ type }: Kind): ReadonlySet<string> {
    const now = this.clock.now();
    if (this.#elsewhere === undefined || now - this.#elsewhere.at > ELSEWHERE_MS) {
      const ids = new Set<string>();
      for (const [, note] of this.journal.all(now)) {
        if ("id" in note && isElsewhere(note, now)) ids.add(`${note.type ?? ""} ${note.id}`);
      }
      this.#elsewhere = { at: now, ids };
    }
    const own = [...this.#elsewhere.ids].filter((one) => one.startsWith(`${type} `));
    return new Set(own.map((one) => one.slice(type.length + 1)));
  }

  /** Notes that the service has denied an object to a refresh, so that the engine takes it out of the state. */
  denies({ type }: Kind, id: string): void {
    this.#denied.add(`${type} ${id}`);
  }

  /** Whether it has. */
  wasDenied({ type }: Kind, id: string): boolean {
    return this.#denied.has(`${type} ${id}`);
  }

  /** Notes that a refresh has read a resource. */
  hasRead({ type }: Kind, id: string): void {
    this.#read.add(`${type} ${id}`);
  }

  /** Notes that the engine looks at the program's inputs. */
  hasChecked(): void {
    this.#read.clear();
  }

  /** Whether the engine compares a resource with what a refresh has just read of it: no plan comes of that comparison. */
  isRefreshing({ type }: Kind, id: string): boolean {
    return this.#read.delete(`${type} ${id}`);
  }

  /** Whether it is told for the first time in this process, which is one for each command's preview and one for its update. */
  isFirst(line: string): boolean {
    const isFirst = !this.#said.has(line);
    this.#said.add(line);
    return isFirst;
  }

  /** The other resource that has claimed the same, if there is one. */
  claim(what: string, urn: string): string | undefined {
    const holder = cached(this.#claims, what, () => urn);
    return holder === urn ? undefined : holder;
  }

  /** Does the work when fewer than `most` that are like it are being done. */
  inTurn<Result>(what: string, most: number, work: () => Promise<Result>): Promise<Result> {
    return cached(this.#turns, what, () => takingTurns(most))(undefined, work);
  }

  /** Notes that the engine knows a resource by its id. */
  manages(description: Description, id: string): void {
    this.#managed.add(`${description.type} ${id}`);
  }

  isManaged(description: Description, id: string): boolean {
    return this.#managed.has(`${description.type} ${id}`);
  }

  /** The ids of the objects that this process created, or took for the result of a lost answer. */
  taken(description: Description, parent: string): Set<string> {
    return cached(this.#taken, `${description.type} ${parent}`, () => new Set<string>());
  }
}

/** A resource as the state names what was under way. */
function pendingOf({ type }: Kind, inputs: Properties): Pending {
  const urn = urnOf(inputs);
  return { urn, type, name: urn === undefined ? String(inputs[PROGRAM_NAME] ?? "") : nameInUrn(urn) };
}

/** What a read found; undefined where there is nothing. */
async function found<Reply>(read: () => Promise<Reply | undefined>): Promise<Reply | undefined> {
  try {
    return await read();
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

function cached<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const value = make();
  map.set(key, value);
  return value;
}

/** How a resource is called in messages: `DomainRecord www (12/345)`, or `DomainRecord www of domain 12` before it has an id. */
export function nameOf(description: CommonDescription, inputs: Properties, ref?: Ref): string {
  const first = description.identity
    .map((path) => inputs[path])
    .find((value) => typeof value === "string" && value !== UNKNOWN);
  const label = description.called?.(inputs) ?? first;
  const name = label === undefined ? description.type : `${description.type} ${label}`;
  if (ref !== undefined)
    return label === undefined ? `${name} ${formatId(ref)}` : `${name} (${formatId(ref)})`;
  const { parent } = description.id;
  const of = parent === undefined ? undefined : inputs[parent];
  return of === undefined || of === UNKNOWN ? name : `${name} of ${parent?.replace(/Id$/, "")} ${String(of)}`;
}
