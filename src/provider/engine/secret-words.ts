import { redact, textsIn } from "../../api/redact";
import { SecretValues } from "../../api/secrets";
import { bounded, printableLine } from "../../api/text";
import { type EngineLog } from "./log";
import { ProviderError } from "../base/errors";
import { PartialError } from "../state/partial-error";
import { type Code } from "../base/codes";
import { UNKNOWN } from "../base/values";

/** The largest length of a message. Only text of the service can reach it. */
const MOST = 10_000;

/** Cleans everything that a process prints: it removes secrets and terminal control characters, and shortens long messages. */
export class Words {
  readonly secrets = new SecretValues();

  /** Hides a value, and the values in it, from later messages. */
  hide(...values: readonly unknown[]): void {
    this.secrets.add(textsIn(values).filter((text) => text !== UNKNOWN));
  }

  /** A text of several lines. */
  lines(text: string): string {
    const lines = redact(text, this.secrets).split("\n").map(printableLine);
    return bounded(lines.join("\n"), MOST);
  }

  line(text: string): string {
    return bounded(printableLine(redact(text, this.secrets)), MOST);
  }

  /** An error whose message may be printed. */
  cleaned(error: unknown): unknown {
    if (!(error instanceof ProviderError)) return error;
    const message = this.line(error.message);
    if (message === error.message) return error;
    return error instanceof PartialError
      ? new PartialError(error.id, error.state, new ProviderError(message, { code: error.code }))
      : new ProviderError(message, { code: error.code, cause: error.cause });
  }

  /** The engine's log, with all messages cleaned. */
  into(log: EngineLog): EngineLog {
    return Object.assign(Object.create(log) as EngineLog, {
      progress: (urn: string | undefined, text: string) => log.progress(urn, this.line(text)),
      warn: (urn: string | undefined, text: string, code: Code) => log.warn(urn, this.lines(text), code),
      note: (urn: string | undefined, text: string) => log.note(urn, this.lines(text)),
      debug: (text: string) => log.debug(this.line(text)),
    });
  }
}
