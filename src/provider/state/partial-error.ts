import { ProviderError, RunCancelled } from "../base/errors";
import { type State } from "./call";

/** A failure after which the resource stays in the state, and the next `up` continues. */
export class PartialError extends ProviderError {
  constructor(
    readonly id: string,
    /** The known state of the resource. */
    readonly state: State,
    cause: Error,
  ) {
    const next =
      cause instanceof RunCancelled
        ? `. The object ${id} stays in the state, and the next \`pulumi up\` continues with it`
        : "";
    super(cause.message + next, { cause });
  }

  get reasons(): readonly string[] {
    return [this.message];
  }
}
