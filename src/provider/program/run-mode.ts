import type * as pulumi from "@pulumi/pulumi";
import * as sdk from "./sdk";
import { cached } from "../../api/cached";

/** The parts of the SDK's store that say how the program runs. */
interface Store {
  readonly settings: {
    readonly options: {
      readonly monitorAddr?: string;
      readonly engineAddr?: string;
      readonly dryRun?: boolean;
    };
    readonly monitor?: { readonly mocks?: pulumi.runtime.Mocks };
  };
  readonly callbacks?: unknown;
}

const store = (): Store => sdk.getStore() as Store;

/** Whether a program runs. Not so in the process of an inline program, outside of it. */
export const isRunning = (): boolean => store().settings.options.monitorAddr !== undefined;

/** The address of the engine, which identifies the run. */
export const engine = (): string | undefined => store().settings.options.engineAddr;

/** Whether the program runs in the process of its caller, as one of the Automation API may. */
export const isInline = (): boolean => sdk.getLocalStore() !== undefined;

/** Whether the program runs in a test, with mocks in place of the engine. */
export const isMocked = (): boolean => store().settings.options.monitorAddr === "mock";

/** The mocks that a test gave to `pulumi.runtime.setMocks`. Undefined if the engine runs the program. */
export const mocks = (): pulumi.runtime.Mocks | undefined =>
  isMocked() ? store().settings.monitor?.mocks : undefined;

/** Whether the program runs for a preview. */
export const isPreview = (): boolean => store().settings.options.dryRun === true;

/** Whether the program has transforms, which see the inputs that the engine gets. */
export const hasTransforms = ({ transforms = [] }: pulumi.ResourceOptions): boolean =>
  transforms.length > 0 || store().callbacks !== undefined;

/** Makes what belongs to the run of a program, once for each run. */
export function onceInRun<Value>(make: () => Value): () => Value {
  const made = new WeakMap<object, Value>();
  return () => cached(made, store(), make);
}
