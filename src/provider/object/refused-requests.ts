import { type ApiError } from "../../api/errors";
import { camelPath, type Properties } from "../base/values";

/** How often a request is sent that the service refuses although the status allows it: the status may have changed for a moment. */
export const REFUSALS = 3;
export const REFUSAL_PAUSE_MS = 2_000;

/** Whether a refusal names an input, so that a repeated request would be refused too. */
export const isAboutInputs = ({ reasons }: ApiError, inputs: Properties): boolean =>
  reasons.some(({ field = "" }) => {
    const [root = ""] = camelPath(field).split(/[.[]/);
    return root in inputs;
  });
