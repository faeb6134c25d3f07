import { type ChangeSet, applyEntry, everything } from "./journal";
import { type KeptClock } from "../store/clock";
import { type DataFile } from "./data-file";
import { messageIn } from "../../api/redact";
import { type Store } from "../kind/kind";

interface KeeperParts {
  readonly file: DataFile;
  readonly entries: readonly unknown[];
  readonly changes: ChangeSet;
  readonly store: Store;
  readonly clock: KeptClock;
  /** The requested speed. If it is undefined, the speed in the file stays. */
  readonly speed: number | undefined;
}

/** Writes every change to the data file. All changes during a write go into one entry, so concurrent requests share a flush. */
export class Keeper {
  #writing: Promise<void> = Promise.resolve();
  #isClosed = false;

  private constructor(private readonly parts: KeeperParts) {}

  /** Restores the objects from the file, compacts the file, and then writes every change to it. */
  static async start(parts: KeeperParts): Promise<Keeper> {
    const { file, entries, changes, store, clock, speed } = parts;
    try {
      for (const entry of entries) applyEntry(entry, store, clock);
      if (entries.length > 0 && speed !== undefined) clock.setSpeed(speed);
      await file.replace(everything(store, clock));
    } catch (error) {
      await file.close();
      throw new Error(`cannot use the data in ${file.name}: ${messageIn(error)}`, { cause: error });
    }
    changes.forget();
    const keeper = new Keeper(parts);
    changes.onFirst = () => {
      keeper.#schedule();
    };
    return keeper;
  }

  /** Resolves when all changes so far are on disk. After a failed write it always rejects. */
  kept(): Promise<void> {
    return this.#writing;
  }

  #schedule(): void {
    if (this.#isClosed) return;
    // A request makes its changes synchronously, so an entry contains all or none of them.
    this.#writing = this.#writing.then(() => this.#write());
    // Callers of `kept` receive the error. Without a caller it must not end the process.
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
      // The file may end with half a line, so nothing must follow it. The memory contains changes that were not answered.
      throw new Error(
        `${file.name} cannot be written (${messageIn(error)}), so the emulator answers no more requests. ` +
          "The file contains all changes that it answered. Start the emulator again when the file can be written.",
        { cause: error },
      );
    }
  }

  /** Writes the remaining changes, and closes the file. */
  async close(): Promise<void> {
    await this.#writing.catch(() => undefined);
    this.#isClosed = true;
    await this.parts.file.close();
  }
}
