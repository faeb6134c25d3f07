import { type Kind } from "../process/kind";
import { type Leftover } from "./leftover";
import { note, warn } from "../engine/warnings";
import { type Call } from "../state/call";

/** Says in the preview what the creation does with the object of an interrupted run. Returns the reason if the creation is refused. */
export function announceLeftover(kind: Kind, call: Call, left: Leftover): string | undefined {
  const { description } = kind;
  const about = { kind, call };
  const { type } = description;
  switch (left.kind) {
    case "object":
      note(
        about,
        left.isNoted
          ? `continues with the ${type} ${left.id}, which an interrupted run created`
          : `continues with the ${type} ${left.id}, which has the same inputs and is not in the state`,
      );
      return undefined;
    case "asked":
      note(
        about,
        `an interrupted run requested this ${type}: the creation looks for it first, and requests it again only if it does not exist`,
      );
      return undefined;
    case "busy":
      note(
        about,
        `another run (process ${left.run.pid}) is creating this ${type} now: this run does not take over the new object`,
      );
      return undefined;
    case "strangers":
      if (left.refuses) return left.line;
      warn(about, left.line);
      return undefined;
  }
}
