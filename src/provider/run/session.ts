import { type Client } from "../../api/client";
import { type EngineLog, silentLog } from "../engine/log";
import { readOtherStacks } from "../engine/other-stacks";
import { readStackSettings } from "../engine/stack-settings";
import { readStackState } from "../engine/stack-state";
import { type Clock, systemClock } from "../base/clock";
import { timeOf } from "../settings/connect";
import { Account } from "./account";
import { CurrentRun } from "./current-run";
import { RunSettings } from "./run-settings";
import { Screen } from "./screen";
import { Shutdown, endingSleeps } from "./shutdown";
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

/** All that the resources of one plugin process share. A function takes those of them that it uses. */
export interface Ports {
  readonly clock: Clock;
  readonly screen: Screen;
  readonly account: Account;
  readonly run: CurrentRun;
}

/** Puts them together. */
export class Session implements Ports {
  readonly clock: Clock;
  readonly screen: Screen;
  readonly account: Account;
  readonly run: CurrentRun;

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
    const stack = new Stack(environment, readState, readOthers);
    const settings = new RunSettings(environment, types, readSettings, stack);
    const screen = (this.screen = new Screen(log, clock, engineShowsImports));
    this.account = new Account({
      ...{ environment, screen, client, gather, clock: this.clock, time: timeOf(clock), stop: ending.signal },
      configuration: () => settings.configuration,
    });
    this.run = new CurrentRun({
      stack,
      settings,
      ending,
      environment,
      screen,
      clock: this.clock,
      account: this.account,
    });
  }
}
