import { type ApiError } from "../../api/errors";
import { camelPath, type Properties } from "../state/values";

/** How often a request is sent that is refused although the status allows it, for the status may have been another at that moment. */
export const REFUSALS = 3;
export const REFUSAL_PAUSE_MS = 2_000;

/** Whether a refusal is about what was asked for, so that it would come again. */
export const isAboutInputs = ({ reasons }: ApiError, inputs: Properties): boolean =>
  reasons.some(({ field = "" }) => {
    const [root = ""] = camelPath(field).split(/[.[]/);
    return root in inputs;
  });
