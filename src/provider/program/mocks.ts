import type * as pulumi from "@pulumi/pulumi";
import * as sdk from "./sdk";

/** The parts of the SDK's store that tell how a program is run. */
interface Store {
  readonly settings: {
    readonly options: { readonly monitorAddr?: string; readonly dryRun?: boolean };
    readonly monitor?: { readonly mocks?: pulumi.runtime.Mocks };
  };
  readonly callbacks?: unknown;
}

const store = (): Store => sdk.getStore() as Store;

/** Whether the program runs in a test of its own, with mocks in place of the engine. */
export const isMocked = (): boolean => store().settings.options.monitorAddr === "mock";

/** What a test of the program's gave `pulumi.runtime.setMocks`; undefined where the engine runs the program. */
export const mocks = (): pulumi.runtime.Mocks | undefined =>
  isMocked() ? store().settings.monitor?.mocks : undefined;

/** Whether the program runs for a preview. */
export const isPreview = (): boolean => store().settings.options.dryRun === true;

/** Whether transforms of the program's are called with what the engine is handed. */
export const hasTransforms = ({ transforms = [] }: pulumi.ResourceOptions): boolean =>
  transforms.length > 0 || store().callbacks !== undefined;
