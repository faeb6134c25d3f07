import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { type Description } from "./define";
import { isAutomatic, RESOURCE_NAME, URN } from "./hidden";
import { isObject, type Properties, stableJson } from "./values";

/** A creation whose end the engine has not been told yet. */
export type Creation = Noted & (Made | Asked);

interface Noted {
  /** The automatic name, so that the next run takes the same. */
  readonly name?: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** The object is there. */
export interface Made {
  readonly id: string;
}

/** The object was asked for, and has no id yet. */
export interface Asked {
  /** The ids of the objects that were there before. */
  readonly before: readonly string[];
  /** Whether the service is known to have taken the request. */
  readonly accepted: boolean;
}

const DAYS = 24 * 60 * 60 * 1_000;
const KEPT_FOR = 7 * DAYS;

/**
 * Remembers on disk which creations are under way. When a run is killed in the middle of one (the second ctrl-C, say), the engine knows
 * no id of it, and without this note the next run would create the object again. It holds ids and labels, no values.
 */
export class Journal {
  readonly #directory: string;

  constructor(environment: Readonly<Record<string, string | undefined>>) {
    this.#directory = join(
      environment["PULUMI_HOME"] ?? join(homedir(), ".pulumi"),
      "nodecloud",
      "creations",
    );
  }

  note(key: string, creation: Creation): void {
    this.#quietly(() => {
      mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
      const file = this.#file(key);
      writeFileSync(`${file}.${process.pid}`, JSON.stringify(creation), { mode: 0o600 });
      renameSync(`${file}.${process.pid}`, file);
    });
  }

  recall(key: string, now: number): Creation | undefined {
    return this.#quietly(() => {
      const noted: unknown = JSON.parse(readFileSync(this.#file(key), "utf8"));
      return isCreation(noted) && now - noted.at < KEPT_FOR ? noted : undefined;
    });
  }

  forget(key: string): void {
    this.#quietly(() => rmSync(this.#file(key), { force: true }));
  }

  #file(key: string): string {
    return join(this.#directory, `${key}.json`);
  }

  /** The journal is a net under the engine's own state: without a place to write, everything else still works. */
  #quietly<Result>(step: () => Result): Result | undefined {
    try {
      return step();
    } catch {
      return undefined;
    }
  }
}

/** The automatic name of a resource, to be noted with its creation. */
export function keptName({ autoname }: Description, inputs: Properties): { readonly name?: string } {
  const name = autoname === undefined ? undefined : inputs[autoname.path];
  return typeof name === "string" ? { name } : {};
}

function isCreation(noted: unknown): noted is Creation {
  if (!isObject(noted) || typeof noted["at"] !== "number") return false;
  const { id, before } = noted;
  return typeof id === "string" || (Array.isArray(before) && before.every((one) => typeof one === "string"));
}

/** The same for the same resource of the same program against the same account, whatever its automatic name is. */
export function journalKey(description: Description, baseUrl: string, inputs: Properties): string {
  const automatic = isAutomatic(inputs) ? description.autoname?.path : undefined;
  const wanted = Object.fromEntries(
    Object.entries(inputs).filter(([name]) => name !== automatic && !name.startsWith("__")),
  );
  return keyOfParts(
    baseUrl,
    description.type,
    inputs[URN] ?? "",
    inputs[RESOURCE_NAME] ?? "",
    stableJson(wanted),
  );
}

/** A key of all that tells one note from another, in a form that can be the name of a file. */
export const keyOfParts = (...parts: unknown[]): string =>
  createHash("sha256").update(JSON.stringify(parts)).digest("hex");
