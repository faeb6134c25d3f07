import { type Client } from "../../api/client";
import { checkBaseUrl } from "../../api/endpoint";
import { refusedToReaders } from "../../api/errors";
import { type Clock } from "../base/clock";
import { sayingOf } from "../base/errors";
import { type Environment } from "../base/pulumi-home";
import { quietly } from "../../api/quietly";
import { LOG_VARIABLE, requestLog } from "../engine/request-log";
import { type Configuration, SETTINGS } from "../settings/config";
import { connect, type timeOf, uncheckedTls } from "../settings/connect";
import { addressIn, shortAddress, whereabouts } from "../settings/whereabouts";
import { AccountReads } from "./account-reads";
import { type Screen } from "./screen";
import { Traffic } from "./traffic";

interface AccountParts {
  readonly configuration: () => Configuration;
  readonly environment: Environment;
  readonly screen: Screen;
  readonly clock: Clock;
  readonly time: ReturnType<typeof timeOf>;
  /** Ends the waits of requests. */
  readonly stop: AbortSignal;
  /** The client, if there is one already. */
  readonly client: Client | undefined;
  readonly gather: (() => Promise<void>) | undefined;
}

/** The account of a provider: its client, the reads of one process, and the place to which its settings lead. */
export class Account {
  readonly traffic: Traffic;
  readonly reads: AccountReads;
  /** The whereabouts in states that this process is known to reach. */
  readonly reached = new Set<string | undefined>();
  #client: Client | undefined;
  #ahead: number | undefined;

  constructor(private readonly parts: AccountParts) {
    this.#client = parts.client;
    this.traffic = new Traffic(parts.clock, parts.gather);
    this.reads = new AccountReads(
      () => this.client,
      () => `the account at ${this.baseUrl}`,
      (error) => this.hides(error),
    );
  }

  /** The client. Throws if the configuration is incomplete or wrong. */
  get client(): Client {
    return (this.#client ??= this.#connect());
  }

  #connect(): Client {
    const { configuration, environment, screen, clock, time, stop } = this.parts;
    const { log, words } = screen;
    const now = configuration();
    const warning = uncheckedTls(checkBaseUrl(now.baseUrl), environment);
    if (warning !== undefined) log.warn(undefined, warning, "TLS_UNCHECKED");
    words.hide(now.token);
    const logged = requestLog(environment[LOG_VARIABLE], {
      role: "plugin",
      shown: (text) => words.line(text),
      engine: log.address,
      warn: (line) => log.warn(undefined, line, "LOG_UNWRITABLE"),
      debug: (line) => log.debug(line),
    });
    return connect(now, {
      ...time,
      stop,
      secrets: words.secrets,
      onRetry: (event) => screen.rows.waits(event),
      onRequest: (event) => {
        if (event.serverTime !== undefined)
          this.#ahead = Math.max(this.#ahead ?? -Infinity, event.serverTime - clock.now());
        logged?.(event);
      },
    });
  }

  /** How far the service's clock is ahead of this machine's, in milliseconds. An answer from a cache is older, so the largest counts. Undefined if no answer said it. */
  get ahead(): number | undefined {
    return this.#ahead;
  }

  /** Whether a read was refused that no `read_only` scope allows. Says once for each scope what follows, as a note or as a warning: the token may be one that only reads. */
  hides(error: unknown, manner: "note" | "warn" = "note"): boolean {
    const refusal = refusedToReaders(error);
    if (refusal === undefined) return false;
    const { screen } = this.parts;
    const scope = refusal.missingScope ?? "";
    if (!screen.isFirst(`hidden ${scope} ${manner}`)) return true;
    const line = (what: string) =>
      `the token may not read what needs the scope ${scope}: the resources that need it ${what} (${sayingOf(refusal)})`;
    if (manner === "note") screen.log.note(undefined, line("are not compared with the account"));
    else {
      const what = "keep their state, as a refresh cannot compare them";
      screen.log.warn(undefined, line(what), refusal.code);
    }
    return true;
  }

  /** The address of the API as the client has it. It loads no client. */
  get baseUrl(): string {
    return checkBaseUrl(this.parts.configuration().baseUrl).href;
  }

  /** Where this process reaches objects. */
  get at(): string {
    return whereabouts(this.parts.configuration());
  }

  /** Whether an address is that of this account. A state that does not have it got it from the environment. */
  isHere(address = quietly(() => shortAddress(this.parts.environment[SETTINGS.baseUrl.variable]))): boolean {
    return address === undefined || address === addressIn(this.at);
  }

  /** The same for the whereabouts in a state. */
  isAt(at: string | undefined): boolean {
    return this.isHere(at && addressIn(at));
  }

  /** Whether whereabouts may lead to another account: another token has been used, and nothing shows that it leads to this one. */
  mayBeElsewhere(at: string): boolean {
    const isHere = at === this.at || (at === addressIn(at) && this.isHere(at));
    return !isHere && !this.reached.has(at) && !this.parts.configuration().sameAccount;
  }
}
