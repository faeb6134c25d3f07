import { type Clock } from "../base/clock";
import { Rows } from "../engine/display-rows";
import { type EngineLog } from "../engine/log";
import { Words } from "../engine/secret-words";

/** Shows rows and messages of one process, without secrets. */
export class Screen {
  /** Hides secrets in all that this process prints. */
  readonly words = new Words();
  readonly log: EngineLog;
  readonly rows: Rows;
  readonly #said = new Set<string>();

  constructor(
    log: EngineLog,
    clock: Clock,
    /** Whether the engine itself shows imports, so that no note has to say so. */
    readonly engineShowsImports: boolean,
  ) {
    this.log = this.words.into(log);
    this.rows = new Rows(this.log, clock);
  }

  /** Whether this process has not printed a line yet. A command has one process for its preview and one for its update. */
  isFirst(line: string): boolean {
    const isFirst = !this.#said.has(line);
    this.#said.add(line);
    return isFirst;
  }
}
