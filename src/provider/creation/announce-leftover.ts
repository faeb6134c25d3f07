import { type Kind } from "../process/kind";
import { type Leftover } from "./leftover";
import { note, warn } from "../engine/warnings";
import { type Properties } from "../state/values";

/** Says in the preview what the creation does with the object of an interrupted run. Returns the reason if the creation is refused. */
export function announceLeftover(kind: Kind, inputs: Properties, left: Leftover): string | undefined {
  const { description } = kind;
  const about = { kind, inputs };
  const { type } = description;
  switch (left.kind) {
    case "object":
      note(
        about,
        left.isNoted
          ? `goes on with the ${type} ${left.id}, which an interrupted run has left`
          : `goes on with the ${type} ${left.id}, which is there with its name and inputs and which the state does not have`,
      );
      return undefined;
    case "asked":
      note(
        about,
        `an interrupted run has asked for this ${type}: it is looked for first, and asked for again only if it is not there`,
      );
      return undefined;
    case "busy":
      note(
        about,
        `another run, process ${left.run.pid}, is creating this ${type} now: what it makes is not taken from it`,
      );
      return undefined;
    case "strangers":
      if (left.refuses) return left.line;
      warn(about, left.line);
      return undefined;
  }
}
