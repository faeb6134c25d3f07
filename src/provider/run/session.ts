import { type Client } from "../../api/client";
import { lastingUrn } from "../describe/urn";
import { type EngineLog, silentLog } from "../engine/log";
import { readOtherStacks } from "../engine/other-stacks";
import { ProviderError } from "../base/errors";
import { readStackSettings } from "../engine/stack-settings";
import { readStackState } from "../engine/stack-state";
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
import { timeOf } from "../settings/connect";
import { Account } from "./account";
import { CurrentRun } from "./current-run";
import { Screen } from "./screen";
import { Shutdown, endingSleeps } from "./shutdown";
import { quietly } from "../base/quietly";
import { Stack } from "./stack";
import { type Environment } from "../base/pulumi-home";

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

/**
 * Puts together what all resources of one plugin process share: the account, the run, the screen and the clock, and holds their settings. A function takes those of
 * them that it uses. `Kind` has what belongs to one kind.
 */
export class Session {
  readonly clock: Clock;
  readonly screen: Screen;
  readonly account: Account;
  readonly run: CurrentRun;
  readonly #environment: Environment;
  readonly #types: readonly string[];
  readonly #readSettings: typeof readStackSettings;
  readonly #heard = new Map<string | undefined, Promise<void>>();
  #configured: (key: string) => string | undefined = () => undefined;
  #isExplicitlyConfigured = false;
  /** The current policy of the stack, if only that of the last `up` was handed over. */
  #policyNow: Pick<Configuration, "deny" | "allow"> | undefined;

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
    this.#environment = environment;
    this.#types = types;
    this.#readSettings = readSettings;
    this.clock = endingSleeps(clock, ending.signal);
    const screen = (this.screen = new Screen(log, clock, engineShowsImports));
    this.account = new Account({
      ...{ environment, screen, client, gather, clock: this.clock, time: timeOf(clock), stop: ending.signal },
      configuration: () => this.configuration,
    });
    const stack = new Stack(environment, readState, readOthers);
    this.run = new CurrentRun({
      stack,
      ending,
      environment,
      screen,
      clock: this.clock,
      account: this.account,
    });
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
  async hearPolicy(stack = this.run.stack.inProject): Promise<void> {
    if (this.run.checks > 0) return;
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

  /** Whether the provider's own settings, and not the environment, lead to the account. */
  get hasOwnAddress(): boolean {
    return (this.#configured(SETTINGS.baseUrl.key) ?? "") !== "";
  }

  /** Waits. The wait is over early if the process is about to end. */
  pause(ms: number): Promise<void> {
    return this.clock.sleep(ms, new AbortController().signal);
  }
}
