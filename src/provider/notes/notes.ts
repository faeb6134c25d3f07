import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Environment, folderIn } from "../base/pulumi-home";
import { quietly } from "../../api/quietly";
import { isRun, type Run } from "../base/runs";
import { isObject, type Properties } from "../base/values";

/** The stamp of every note. */
export interface Stamp {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The run that wrote it. Earlier versions wrote none. */
  readonly run?: Run;
}

/** A kind of note: the folder of its files, and the check of what they hold. */
export interface NoteKind<Note> {
  readonly folder: string;
  isNote(noted: Properties): noted is Note & Properties;
}

const DAYS = 24 * 60 * 60 * 1_000;
const KEPT_FOR = 7 * DAYS;

/**
 * Notes of one kind on this machine, one file for each. They tell a later run what an interrupted run has asked for. Without a place to write
 * them, everything else works.
 */
export class Notes<Note extends object> {
  readonly #directory: string;
  #listed: Set<string> | undefined;
  #isSwept = false;
  #hasTold = false;

  constructor(
    environment: Environment,
    private readonly kind: NoteKind<Note>,
    private readonly run: () => Run,
    /** Called once if notes cannot be written. */
    private readonly onFailure: (error: Error) => void = () => undefined,
  ) {
    this.#directory = folderIn(environment, kind.folder);
  }

  /** Writes a note. It replaces the note with the same key. */
  note(key: string, note: Note, now: number): void {
    try {
      mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
      const file = this.#file(key);
      const partial = `${file}.${process.pid}`;
      writeFileSync(partial, JSON.stringify({ ...note, at: now, run: this.run() }), { mode: 0o600 });
      renameSync(partial, file);
      this.#listed?.add(key);
      this.#sweep(now);
    } catch (error) {
      if (!this.#hasTold) this.onFailure(error as Error);
      this.#hasTold = true;
    }
  }

  recall(key: string, now: number): (Note & Stamp) | undefined {
    return quietly(() => {
      const noted: unknown = JSON.parse(readFileSync(this.#file(key), "utf8"));
      if (!isObject(noted) || typeof noted["at"] !== "number" || now - noted["at"] >= KEPT_FOR)
        return undefined;
      const { run, ...rest } = noted;
      if (!this.kind.isNote(rest)) return undefined;
      return { ...(rest as Note), at: noted["at"], ...(isRun(run) ? { run } : {}) };
    });
  }

  forget(key: string): void {
    quietly(() => rmSync(this.#file(key), { force: true }));
    this.#listed?.delete(key);
  }

  /** Whether a note existed when this process first listed the folder. For callers that ask about many keys and find few. */
  has(key: string): boolean {
    return this.#keys().has(key);
  }

  /** All notes as they are now. */
  *all(now: number): Iterable<readonly [key: string, note: Note & Stamp]> {
    this.#listed = undefined;
    for (const key of this.#keys()) {
      const note = this.recall(key, now);
      if (note !== undefined) yield [key, note];
    }
  }

  #keys(): Set<string> {
    return (this.#listed ??= new Set(
      this.#files().flatMap((name) => (name.endsWith(".json") ? [name.slice(0, -".json".length)] : [])),
    ));
  }

  #files(): string[] {
    return quietly(() => readdirSync(this.#directory)) ?? [];
  }

  /** Deletes notes that are too old to be recalled, once per process. */
  #sweep(now: number): void {
    if (this.#isSwept) return;
    this.#isSwept = true;
    for (const name of this.#files()) {
      const file = join(this.#directory, name);
      quietly(() => {
        if (now - statSync(file).mtimeMs > KEPT_FOR) rmSync(file, { force: true });
      });
    }
  }

  #file(key: string): string {
    return join(this.#directory, `${key}.json`);
  }
}
