import { redact } from "../../api/redact";
import { SecretValues } from "../../api/secrets";
import { bounded, printableLine } from "../../api/text";
import { type EngineLog } from "./log";
import { PartialError, ProviderError } from "./errors";
import { UNKNOWN } from "../state/values";

/** No message of the provider's own comes near it: one that does has it from the service. */
const MOST = 10_000;

/** All that a process prints goes through here, and comes out without secrets, without what a terminal obeys, and no longer than a message can be. */
export class Words {
  readonly secrets = new SecretValues();

  /** Hides a value, and the values in it, from later messages. */
  hide(...values: readonly unknown[]): void {
    for (const value of values) this.secrets.add(textsIn(value));
  }

  /** A text of several lines. */
  lines(text: string): string {
    const lines = redact(text, this.secrets).split("\n").map(printableLine);
    return bounded(lines.join("\n"), MOST);
  }

  line(text: string): string {
    return bounded(printableLine(redact(text, this.secrets)), MOST);
  }

  /** An error in words that may be printed. */
  cleaned(error: unknown): unknown {
    if (!(error instanceof ProviderError)) return error;
    const message = this.line(error.message);
    if (message === error.message) return error;
    return error instanceof PartialError
      ? new PartialError(error.id, error.properties, new ProviderError(message))
      : new ProviderError(message, { cause: error.cause });
  }

  /** A log of the engine's that these words go to. */
  into(log: EngineLog): EngineLog {
    return Object.assign(Object.create(log) as EngineLog, {
      progress: (urn: string | undefined, text: string) => log.progress(urn, this.line(text)),
      warn: (urn: string | undefined, text: string) => log.warn(urn, this.lines(text)),
      note: (urn: string | undefined, text: string) => log.note(urn, this.lines(text)),
      debug: (text: string) => log.debug(this.line(text)),
    });
  }
}

/** The texts and numbers in a value, however deep. What is true or false tells nothing by itself. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return value === UNKNOWN ? [] : [value];
  if (typeof value === "number") return [String(value)];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}
