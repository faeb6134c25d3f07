import { attempting, ProviderError } from "../engine/errors";
import { type Lifecycle } from "../engine/provider-interface";
import { type Kind } from "../process/kind";
import { MEMORY } from "../state/hidden-properties";
import { lastSent } from "../state/sent";
import { forgetKnownActions } from "../object/act-once";
import { finishOperation } from "../object/finish-operation";
import { lookUp } from "../object/look-up";
import { ObjectOperation } from "../object/object-operation";
import { withHolder } from "../inputs/unique-names";

/** Carries out what the program changed, and the rest of a creation that is not finished. */
export const updateHook =
  (kind: Kind): Lifecycle["update"] =>
  (id, olds, news) => {
    const attempt = `update ${kind.nameOf(news, kind.parseId(id))}`;
    return attempting(attempt, async () => {
      const found = await lookUp(kind, id, "now");
      if (found === undefined) {
        throw new ProviderError(
          `${attempt}: it no longer exists. Run \`pulumi refresh\` to remove it from the state; ` +
            "the next `pulumi up` then creates it again",
        );
      }
      const begun = { ...found, inputs: news, applied: lastSent(olds), stored: olds };
      const operation = new ObjectOperation(kind, "update", begun);
      forgetKnownActions(operation, lastSent(olds));
      try {
        return { outs: await finishOperation(operation, MEMORY in olds) };
      } catch (error) {
        throw await withHolder(error, kind, news, operation.attempt);
      }
    });
  };
