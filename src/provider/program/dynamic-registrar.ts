import { completeInPreview } from "./complete-in-preview";
import { knowOutputs, knowImportedId } from "./known-in-preview";
import { registration, typeOf } from "./registration";
import { type Registrar } from "./registrar";

/**
 * The way of the dynamic resources. A resource hands the engine a constant text in place of serialised code, so that the state stays small, an
 * installed upgrade takes effect at once, and no upgrade shows as a change.
 */
export const dynamicRegistrar: Registrar = {
  typeOf,
  registration,
  settle: (resource, outline, { inputs, importId }, description) => {
    completeInPreview(resource, outline, inputs);
    knowImportedId(resource, outline, importId);
    knowOutputs(resource, outline, inputs, description);
  },
};
