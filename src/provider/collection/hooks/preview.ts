import { type Lifecycle } from "../../engine/provider-interface";
import { type Properties } from "../../state/values";
import { type Collection } from "../collection";

/** What a creation or an update will answer: the settings and the text of the members, which are all that programs see. */
export const preview = (collection: Collection, inputs: Properties): ReturnType<Lifecycle["previewCreate"]> =>
  Promise.resolve(
    Object.fromEntries(
      [...collection.settings.map(({ path }) => path), collection.property].flatMap((name) =>
        inputs[name] === undefined ? [] : [[name, inputs[name]]],
      ),
    ),
  );
