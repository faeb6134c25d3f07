import { type ChangeSet, applyEntry, everything } from "./journal";
import { type KeptClock } from "./clock";
import { type DataFile } from "./data-file";
import { messageOf } from "./failure";
import { type Store } from "./kind";

interface Parts {
  readonly file: DataFile;
  readonly entries: readonly unknown[];
  readonly changes: ChangeSet;
  readonly store: Store;
  readonly clock: KeptClock;
  /** The speed that was asked for; undefined leaves the kept one. */
  readonly speed: number | undefined;
}

/** Writes what changes to the data file. What changes while it writes goes into one entry together: writes under load share one flush. */
export class Keeper {
  #writing: Promise<void> = Promise.resolve();
  #isClosed = false;

  private constructor(private readonly parts: Parts) {}

  /** Brings back what the file holds, replaces the file by just that, and keeps every change from then on. */
  static async start(parts: Parts): Promise<Keeper> {
    const { file, entries, changes, store, clock, speed } = parts;
    try {
      for (const entry of entries) applyEntry(entry, store, clock);
      if (entries.length > 0 && speed !== undefined) clock.setSpeed(speed);
      await file.replace(everything(store, clock));
    } catch (error) {
      await file.close();
      throw new Error(`cannot use the data in ${file.name}: ${messageOf(error)}`, { cause: error });
    }
    changes.forget();
    const keeper = new Keeper(parts);
    changes.onFirst = () => {
      keeper.#schedule();
    };
    return keeper;
  }

  /** Resolves when every change so far is on disk; rejects for good once it cannot be written. */
  kept(): Promise<void> {
    return this.#writing;
  }

  #schedule(): void {
    if (this.#isClosed) return;
    // What one request changes, it changes without pausing: all of it is there when this goes on.
    this.#writing = this.#writing.then(() => this.#write());
    // Whoever waits for it is told; without anybody waiting it must not end the process.
    this.#writing.catch(() => undefined);
  }

  async #write(): Promise<void> {
    const { file, changes, store, clock } = this.parts;
    if (changes.isEmpty) return;
    const entry = changes.take(store, clock);
    try {
      if (file.hasGrown) await file.replace(everything(store, clock));
      else await file.append(entry);
    } catch (error) {
      // Half a line may be at the end now, which nothing must follow; and what is in memory is more than was answered.
      throw new Error(
        `${file.name} cannot be written (${messageOf(error)}), so nothing is answered any more. ` +
          "All that was answered before is in the file: start the emulator again when it can be written.",
        { cause: error },
      );
    }
  }

  /** Writes what is left, and gives the file back. */
  async close(): Promise<void> {
    await this.#writing.catch(() => undefined);
    this.#isClosed = true;
    await this.parts.file.close();
  }
}
