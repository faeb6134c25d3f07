import { type Client } from "../../api/client";
import { checkBaseUrl } from "../../api/endpoint";
import { creations, type Journal, type Place } from "../notes/journal";
import { OtherRuns } from "../notes/other-runs";
import { lastingUrn, partsOfUrn } from "../describe/urn";
import { type Call } from "../state/call";
import { Words } from "../engine/secret-words";
import { type EngineLog, silentLog } from "../engine/log";
import { LOG_VARIABLE, requestLog } from "../engine/request-log";
import { Rows } from "../engine/display-rows";
import { readOtherStacks } from "../engine/other-stacks";
import { ProviderError } from "../base/errors";
import { readStackSettings } from "../engine/stack-settings";
import { readStackState } from "../engine/stack-state";
import { type ActionNote, actionNotes } from "../notes/action-notes";
import { AccountReads } from "./account-reads";
import { cached } from "../base/cached";
import { type Clock, systemClock } from "../base/clock";
import {
  type Configuration,
  readConfiguration,
  readPolicy,
  SETTINGS,
  strangeKeys,
  withoutTextsOfStack,
} from "../settings/config";
import { connect, timeOf, uncheckedTls } from "../settings/connect";
import { DeclaredObjects } from "./declared-objects";
import { Shutdown, endingSleeps } from "./shutdown";
import { NameMemory } from "./name-memory";
import { type NoteKind, Notes } from "../notes/notes";
import { Ownership } from "./ownership";
import { quietly } from "../base/quietly";
import { OwnersOfRun } from "../notes/owners-of-run";
import { thisRun } from "../base/runs";
import { Stack } from "./stack";
import { Traffic } from "./traffic";
import { type Environment } from "../base/pulumi-home";
import { addressIn, shortAddress, whereabouts } from "../settings/whereabouts";

export interface SessionOptions {
  readonly clock?: Clock;
  /** The client of the account. Without it, the session makes one. */
  readonly client?: Client;
  readonly log?: EngineLog;
  readonly ending?: Shutdown;
  readonly environment?: Environment;
  /** Whether the engine itself shows imports, so that no note has to say so. */
  readonly engineShowsImports?: boolean;
  /** Waits until the reads that arrive together have arrived. */
  readonly gather?: () => Promise<void>;
  /** The names of the classes of resources that there are. */
  readonly types?: readonly string[];
  /** Reads the configuration of the stack. */
  readonly readSettings?: typeof readStackSettings;
  /** Reads the state of the stack. */
  readonly readState?: typeof readStackState;
  /** Reads the other stacks of the backend. */
  readonly readOthers?: typeof readOtherStacks;
}

/** Holds what all resources of one plugin process share: the account, the client, the stack, the notes. `Kind` has what belongs to one kind. */
export class Session {
  readonly clock: Clock;
  /** Hides secrets in all that this process prints. */
  readonly words = new Words();
  readonly log: EngineLog;
  readonly ending: Shutdown;
  readonly rows: Rows;
  readonly engineShowsImports: boolean;
  readonly stack: Stack;
  readonly traffic: Traffic;
  readonly journal: Journal;
  readonly otherRuns: OtherRuns;
  readonly actions: Notes<ActionNote>;
  readonly account: AccountReads;
  readonly names = new NameMemory();
  /** The objects that the resources of the program declare. */
  readonly declared = new DeclaredObjects();
  /** Which resource owns which object in this run. */
  readonly owners = new Ownership(() => this.#record);
  readonly #environment: Environment;
  readonly #types: readonly string[];
  readonly #time: ReturnType<typeof timeOf>;
  readonly #said = new Set<string>();
  readonly #claims = new Map<string, string>();
  #configured: (key: string) => string | undefined = () => undefined;
  readonly #readSettings: typeof readStackSettings;
  readonly #heard = new Map<string | undefined, Promise<void>>();
  #isExplicitlyConfigured = false;
  /** The current policy of the stack, if only that of the last `up` was handed over. */
  #policyNow: Pick<Configuration, "deny" | "allow"> | undefined;
  #client: Client | undefined;
  #runRecord: OwnersOfRun | undefined;
  /** Why a replacement that would delete its old object first is denied. */
  deniedFirst: string | undefined;
  /** How often the engine has called `check`. */
  checks = 0;
  /** Whether a check has told that the resources of this process have an explicit provider. */
  isExplicit = false;
  /** Whether the engine replaces resources because their provider leads to another account. */
  hasMoved = false;
  /** The whereabouts in states that this process is known to reach. */
  readonly reached = new Set<string | undefined>();

  constructor({
    clock = systemClock,
    client,
    log = silentLog,
    ending = new Shutdown(() => undefined),
    environment = process.env,
    engineShowsImports = false,
    gather,
    types = [],
    readSettings = readStackSettings,
    readState = readStackState,
    readOthers = readOtherStacks,
  }: SessionOptions = {}) {
    this.clock = endingSleeps(clock, ending.signal);
    this.#client = client;
    this.#time = timeOf(clock);
    this.log = this.words.into(log);
    this.ending = ending;
    this.engineShowsImports = engineShowsImports;
    this.rows = new Rows(this.log, clock);
    this.stack = new Stack(environment, readState, readOthers);
    this.traffic = new Traffic(this.clock, gather);
    this.#environment = environment;
    this.#types = types;
    this.#readSettings = readSettings;
    this.journal = this.notes(creations);
    this.otherRuns = new OtherRuns(this.journal, this.clock);
    this.actions = this.notes(actionNotes);
    this.account = new AccountReads(
      () => this.client,
      () => `the account at ${this.baseUrl}`,
    );
  }

  /**
   * Stores the configuration. It is synchronous, because another call may arrive before anything asynchronous is done. `isExplicit`: whether it is known to be
   * that of an explicit provider.
   */
  configure(configured: (key: string) => string | undefined, isExplicit = false): void {
    this.#configured = configured;
    this.#isExplicitlyConfigured = isExplicit;
  }

  get configuration(): Configuration {
    const all = readConfiguration(this.#configured, this.#environment, this.#types);
    const now = this.#policyNow;
    return now === undefined ? all : { ...all, deny: [...all.deny, ...now.deny], allow: now.allow };
  }

  /**
   * Reads the policy of the stack as it is now, for a destruction: it hands over that of the last `up`, in which an allowance may have been withdrawn since.
   * A kind that keeps no URN may not know the stack.
   */
  async hearPolicy(stack = this.stack.inProject): Promise<void> {
    if (this.checks > 0) return;
    await cached(this.#heard, stack, async () => {
      const settings = await this.#readSettings(stack?.split("/").at(-1), this.#environment);
      // A misspelt key may be a policy. With a program, the program refuses it.
      const [strange] = strangeKeys(settings.keys(), stack?.split("/")[0]);
      if (strange !== undefined) throw new ProviderError(strange);
      const { deny, allow } = readPolicy((key) => settings.get(key), this.#environment, this.#types);
      const before = this.#policyNow ?? { deny: [], allow: this.#ownAllowances() };
      this.#policyNow = { deny: [...before.deny, ...deny], allow: [...before.allow, ...allow] };
    });
  }

  /** The allowances of an explicit provider in the program, as the last `up` has left them. */
  #ownAllowances(): Configuration["allow"] {
    const text = this.#configured(SETTINGS.allow.key);
    const own = withoutTextsOfStack(text) ?? (this.#isExplicitlyConfigured ? text : undefined);
    return readPolicy((key) => (key === SETTINGS.allow.key ? own : undefined), {}, this.#types).allow;
  }

  /** The id of the object that the environment tells a resource to adopt. A wrong value is an error of the check. */
  importOf(urn = ""): string | undefined {
    return quietly(() => this.configuration)?.imports?.get(lastingUrn(urn));
  }

  /** The client of the account. Throws if the configuration is incomplete or wrong. */
  get client(): Client {
    return (this.#client ??= this.#connect());
  }

  #connect(): Client {
    const warning = uncheckedTls(checkBaseUrl(this.configuration.baseUrl), this.#environment);
    if (warning !== undefined) this.log.warn(undefined, warning);
    this.words.hide(this.configuration.token);
    return connect(this.configuration, {
      ...this.#time,
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

  /** The address of the API as the client has it. It loads no client. */
  get baseUrl(): string {
    return checkBaseUrl(this.configuration.baseUrl).href;
  }

  /** Where this process reaches objects. */
  get at(): string {
    return whereabouts(this.configuration);
  }

  /** Whether the provider's own settings, and not the environment, lead to the account. */
  get hasOwnAddress(): boolean {
    return (this.#configured(SETTINGS.baseUrl.key) ?? "") !== "";
  }

  /** Whether an address is that of this account. A state that does not have it got it from the environment. */
  isHere(address = quietly(() => shortAddress(this.#environment[SETTINGS.baseUrl.variable]))): boolean {
    return address === undefined || address === addressIn(this.at);
  }

  /** Whether whereabouts may lead to another account: another token has been used, and nothing shows that it leads to this one. */
  mayBeElsewhere(at: string): boolean {
    const isHere = at === this.at || (at === addressIn(at) && this.isHere(at));
    return !isHere && !this.reached.has(at) && !this.configuration.sameAccount;
  }

  get #record(): OwnersOfRun {
    return (this.#runRecord ??= new OwnersOfRun(this.#environment, this.log.address, this.baseUrl, () =>
      this.clock.now(),
    ));
  }

  /** The stack, its backend and the account. */
  get place(): Place {
    return { baseUrl: this.baseUrl, backend: this.stack.store, stack: this.stack.name ?? "" };
  }

  /** The notes of one kind on this machine. */
  notes<Note extends object>(kind: NoteKind<Note>): Notes<Note> {
    return new Notes(
      this.#environment,
      kind,
      () => thisRun(this.log.address),
      ({ message }) => {
        const line = `cannot write notes: ${message}. If this run is interrupted, a later run may not find the objects that it created`;
        if (this.isFirst(line)) this.log.warn(undefined, line);
      },
    );
  }

  /** Waits. The wait is over early if the process is about to end. */
  pause(ms: number): Promise<void> {
    return this.clock.sleep(ms, new AbortController().signal);
  }

  /** Notes that the engine has called `check`, which tells the stack. */
  hasChecked({ fullUrn, organization = "", isExplicit = false }: Call): void {
    this.checks++;
    this.isExplicit ||= isExplicit;
    if (fullUrn === undefined) return;
    const { project, stack } = partsOfUrn(fullUrn);
    this.stack.hears({ organization, project, stack });
  }

  /** Whether this process has not printed a line yet. A command has one process for its preview and one for its update. */
  isFirst(line: string): boolean {
    const isFirst = !this.#said.has(line);
    this.#said.add(line);
    return isFirst;
  }

  /** Claims a value for a resource. Returns the URN of another resource that has claimed it. */
  claim(what: string, urn: string): string | undefined {
    const holder = cached(this.#claims, what, () => urn);
    return holder === urn ? undefined : holder;
  }
}
