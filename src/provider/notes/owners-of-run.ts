import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Environment, folderIn } from "../base/pulumi-home";
import { keyOfParts } from "../base/key";
import { type Owner } from "./owner";
import { quietly } from "../../api/quietly";
import { isOver, isRun, type Run, thisRun } from "../base/runs";

/** The owners of objects that the processes of a run tell each other, by key. */
export interface Kept {
  /** Resources that have taken an object over in this run, or ask for it with `import`. */
  readonly taken: Map<string, Owner>;
  /** Resources of the program that already manage an object. */
  readonly held: Map<string, Owner>;
  readonly deleted: Map<string, Owner>;
  /** Objects that their resources have left to another one. */
  readonly forgotten: Map<string, Owner>;
  /** Objects that their resources replace. */
  readonly leaving: Map<string, Owner>;
  /** Objects that an import of the run has adopted, and those whose import has failed. */
  readonly adopted: Map<string, Owner>;
  readonly missed: Map<string, Owner>;
  /** Objects that the program asks for with `import`, each with the name of the resource. */
  readonly asked: Map<string, Owner>;
  /** Objects without a unique name that resources of the program create, by a hash of their place and content. */
  readonly made: Map<string, Owner>;
}

export const nothing = (): Kept => ({
  taken: new Map(),
  held: new Map(),
  deleted: new Map(),
  forgotten: new Map(),
  leaving: new Map(),
  adopted: new Map(),
  missed: new Map(),
  asked: new Map(),
  made: new Map(),
});

/** The object that an owner asks for. A set asks for what is below a parent: its reference has no id. */
export const askedKey = (type: string, id: string, { name }: Owner): string => `${type} ${id} ${name}`;

/**
 * Shares what the processes of a run know: an explicit provider is another process of the same run. Each process appends to its own
 * file.
 */
export class OwnersOfRun {
  readonly #directory: string;
  readonly #run: string;
  readonly #own: string;
  readonly #seen = new Map<string, number>();
  readonly #others = nothing();
  #isBegun = false;

  constructor(
    environment: Environment,
    /** The address of the engine, which identifies the run. Without an address there are no other processes. */
    private readonly engine: string | undefined,
    /** The address of the account. Two accounts may use the same ids. */
    baseUrl: string,
    private readonly now: () => number,
    /** The file counts as long as this process runs. */
    private readonly living: Run = thisRun(engine),
  ) {
    this.#directory = folderIn(environment, "owners");
    this.#run = keyOfParts(engine, baseUrl).slice(0, 32);
    this.#own = `${this.#run}.${process.pid}`;
  }

  /** Tells the other processes. If the file cannot be written, they do not learn of it. */
  add(what: keyof Kept, keys: readonly string[], owner: Owner): void {
    if (this.engine === undefined) return;
    quietly(() => {
      if (!this.#isBegun) this.#begin();
      appendFileSync(join(this.#directory, this.#own), `${JSON.stringify([what, owner, keys])}\n`);
    });
  }

  /** The owners that the other processes of this run have told so far. */
  others(): Kept {
    if (this.engine !== undefined) quietly(() => this.#look());
    return this.#others;
  }

  #begin(): void {
    this.#isBegun = true;
    mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
    this.#sweep();
    const file = join(this.#directory, this.#own);
    rmSync(file, { force: true });
    appendFileSync(file, `${JSON.stringify(this.living)}\n`, { mode: 0o600 });
  }

  #look(): void {
    for (const name of readdirSync(this.#directory)) {
      if (!name.startsWith(`${this.#run}.`) || name === this.#own) continue;
      const file = join(this.#directory, name);
      const { size } = statSync(file);
      if (this.#seen.get(name) === size) continue;
      this.#seen.set(name, size);
      const [run, ...lines] = this.#linesOf(file);
      if (run === undefined) continue;
      for (const line of lines) {
        const [what, owner, keys] = line as [keyof Kept, Owner, string[]];
        for (const key of keys) this.#others[what].set(key, owner);
      }
    }
  }

  /** The lines of a process that still runs. Empty for a process that has ended. */
  #linesOf(file: string): unknown[] {
    const lines = readFileSync(file, "utf8").split("\n").slice(0, -1);
    const parsed = lines.map((line) => JSON.parse(line) as unknown);
    const [run] = parsed;
    return isRun(run) && !isOver(run, statSync(file).mtimeMs, this.now()) ? parsed : [];
  }

  /** Deletes the files of processes that have ended. */
  #sweep(): void {
    for (const name of readdirSync(this.#directory)) {
      const file = join(this.#directory, name);
      quietly(() => {
        if (this.#linesOf(file).length === 0) rmSync(file, { force: true });
      });
    }
  }
}
