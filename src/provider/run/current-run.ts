import { cached } from "../../api/cached";
import { type Clock } from "../base/clock";
import { type Environment } from "../base/pulumi-home";
import { thisRun } from "../base/runs";
import { partsOfUrn } from "../describe/urn";
import { type ActionNote, actionNotes } from "../notes/action-notes";
import { cutOffKey, type CutOffNote, cutOffNotes } from "../notes/cut-off-notes";
import { creations, type Journal, type Place } from "../notes/journal";
import { type NoteKind, Notes } from "../notes/notes";
import { OtherRuns } from "../notes/other-runs";
import { OwnersOfRun } from "../notes/owners-of-run";
import { type Configuration } from "../settings/config";
import { shortAddress } from "../settings/whereabouts";
import { type Call } from "../state/call";
import { type Account } from "./account";
import { DeclaredObjects } from "./declared-objects";
import { NameMemory } from "./name-memory";
import { Ownership } from "./ownership";
import { type RunSettings } from "./run-settings";
import { type Screen } from "./screen";
import { type Shutdown } from "./shutdown";
import { type Stack } from "./stack";

interface RunParts {
  readonly stack: Stack;
  readonly settings: RunSettings;
  readonly ending: Shutdown;
  readonly environment: Environment;
  readonly clock: Clock;
  readonly screen: Screen;
  readonly account: Account;
}

/** The run of a command in one process: its stack, its notes, who owns what in it, and what the engine has asked. */
export class CurrentRun {
  readonly stack: Stack;
  readonly settings: RunSettings;
  readonly ending: Shutdown;
  readonly journal: Journal;
  readonly otherRuns: OtherRuns;
  readonly actions: Notes<ActionNote>;
  readonly cutOff: Notes<CutOffNote>;
  readonly names = new NameMemory();
  /** The objects that the resources of the program declare. */
  readonly declared = new DeclaredObjects(() => this.#record);
  /** Which resource owns which object in this run. */
  readonly owners = new Ownership(() => this.#record);
  readonly #claims = new Map<string, string>();
  #hasNotedCutOff = false;
  #runRecord: OwnersOfRun | undefined;
  /** Why a replacement that would delete its old object first is denied. */
  deniedFirst: string | undefined;
  /** How often the engine has called `check`. */
  checks = 0;
  /** Whether a check has told that the resources of this process have an explicit provider. */
  isExplicit = false;
  /** Whether a check has told that this is a preview which asks for no update. */
  isPreview = false;
  /** Whether the engine has asked the full plugin about a provider of a program. In a destroy it does not. */
  hasProgram = false;
  /** Whether the engine replaces resources because their provider leads to another account. */
  hasMoved = false;

  constructor(private readonly parts: RunParts) {
    this.stack = parts.stack;
    this.settings = parts.settings;
    this.ending = parts.ending;
    this.journal = this.notes(creations);
    this.otherRuns = new OtherRuns(this.journal, parts.clock);
    this.actions = this.notes(actionNotes);
    this.cutOff = this.notes(cutOffNotes);
  }

  get configuration(): Configuration {
    return this.settings.configuration;
  }

  /** Whether an earlier run may have been interrupted in an update or a deletion. Where no file tells, only runs that resume read the state for that. */
  get mayBeCutOff(): boolean {
    return this.stack.mayBeCutOff ?? this.configuration.resume;
  }

  /** Notes the interrupted updates and deletions before this run saves a state, which no longer has them. */
  async notesCutOff(): Promise<void> {
    if (this.#hasNotedCutOff || !this.mayBeCutOff) return;
    this.#hasNotedCutOff = true;
    for (const { operation, type, object } of (await this.stack.state())?.cutOff ?? [])
      this.cutOff.note(cutOffKey(this.place, type, object), { operation }, this.parts.clock.now());
  }

  /** Reads the policy of the stack as it is now. Without a check, this is a destruction. */
  async hearPolicy(stack?: string): Promise<void> {
    if (this.checks === 0) await this.settings.hearPolicy(stack);
  }

  get #record(): OwnersOfRun {
    const { environment, screen, account, clock } = this.parts;
    const address = shortAddress(account.baseUrl);
    return (this.#runRecord ??= new OwnersOfRun(environment, screen.log.address, address, () => clock.now()));
  }

  /** The stack, its backend and the account. */
  get place(): Place {
    const { stack } = this;
    return { baseUrl: this.parts.account.baseUrl, backend: stack.store, stack: stack.name ?? "" };
  }

  /** The notes of one kind on this machine. */
  notes<Note extends object>(kind: NoteKind<Note>): Notes<Note> {
    const { environment, screen } = this.parts;
    return new Notes(
      environment,
      kind,
      () => thisRun(screen.log.address),
      ({ message }) => {
        const line = `cannot write notes: ${message}. If this run is interrupted, a later run may not find the objects that it created`;
        if (screen.isFirst(line)) screen.log.warn(undefined, line, "NOTES_UNWRITABLE");
      },
    );
  }

  /** Notes that the engine has called `check`, which tells the stack. */
  hasChecked({ fullUrn, organization = "", isExplicit = false, isPreview = false }: Call): void {
    this.checks++;
    this.isPreview ||= isPreview;
    this.isExplicit ||= isExplicit;
    if (fullUrn === undefined) return;
    const { project, stack } = partsOfUrn(fullUrn);
    this.stack.hears({ organization, project, stack });
  }

  /** Claims a value for a resource. Returns the URN of another resource that has claimed it. */
  claim(what: string, urn: string): string | undefined {
    const holder = cached(this.#claims, what, () => urn);
    return holder === urn ? undefined : holder;
  }
}
