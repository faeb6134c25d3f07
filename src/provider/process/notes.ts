import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { folderIn } from "./home";
import { quietly } from "./quietly";
import { isRun, type Run } from "./runs";
import { isObject, type Properties } from "../state/values";

/** What is written with every note. */
export interface Stamp {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The run that wrote it. Earlier versions wrote none. */
  readonly run?: Run;
}

/** A kind of note: the folder that holds them, and what makes a text one. */
export interface NoteKind<Note> {
  readonly folder: string;
  isNote(noted: Properties): noted is Note & Properties;
}

const DAYS = 24 * 60 * 60 * 1_000;
const KEPT_FOR = 7 * DAYS;

/**
 * Notes of one kind on this machine, each a file of its own: what a run has asked for, for the run after one that was cut off. They are a net
 * under the engine's own state: without a place to write, everything else works.
 */
export class Notes<Note extends object> {
  readonly #directory: string;
  #listed: Set<string> | undefined;
  #isSwept = false;
  #hasTold = false;

  constructor(
    environment: Readonly<Record<string, string | undefined>>,
    private readonly kind: NoteKind<Note>,
    private readonly run: () => Run,
    /** Told once that notes cannot be written. */
    private readonly onFailure: (error: Error) => void = () => undefined,
  ) {
    this.#directory = folderIn(environment, kind.folder);
  }

  /** Writes a note in the place of the one before. */
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

  /** Whether there was a note when this process looked first: for what asks about many keys and mostly finds none. */
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

  /** Deletes what is too old to be recalled, once for each process that writes. */
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
