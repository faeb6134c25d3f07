import type * as pulumi from "@pulumi/pulumi";
import * as sdk from "./sdk";
import { IMPORT_ID, MEMORY, PROGRAM_NAME, REPLACE_ON, RESOURCE_NAME, SENT, TIMEOUTS, URN } from "./hidden";
import { type Outline } from "./outline";
import { providerText } from "./provider-text";

/**
 * The base of all resources. It hands the engine a constant text in place of serialised code, so that the state stays small, an
 * installed upgrade takes effect at once, and no upgrade shows as a change.
 */
export abstract class NodeCloudResource extends sdk.CustomResource {
  constructor(
    outline: Outline,
    name: string,
    args: object | undefined,
    opts: pulumi.CustomResourceOptions = {},
  ) {
    const type = `pulumi-nodejs:dynamic/nodecloud:${outline.type}`;
    const { stackTraceLimit } = Error;
    // The SDK takes several stack traces for each property, to name promises that leak: a third of what a program of many resources costs.
    Error.stackTraceLimit = 0;
    try {
      super(
        type,
        name,
        {
          ...Object.fromEntries(outline.properties.map((key) => [key, undefined])),
          ...secretly(outline, args ?? {}),
          ...(args === undefined ? {} : hidden(outline, type, name, args, opts)),
          __provider: providerText(outline.type),
        },
        sdk.mergeOptions(withoutImport(opts), {
          additionalSecretOutputs: [
            SENT,
            // What finishes a creation may be a key to it: an address to upload to, say.
            ...(outline.remembers ? [MEMORY] : []),
            ...(outline.secretOutputs ?? []),
          ],
        }),
      );
    } catch (error) {
      Error.stackTraceLimit = stackTraceLimit;
      // What is wrong is wrong in the program, at the line that made the resource.
      if (error instanceof Error) Error.captureStackTrace(error, new.target);
      throw error;
    } finally {
      Error.stackTraceLimit = stackTraceLimit;
    }
  }

  /** Reads a resource by its id, without managing it. */
  protected static existing<Resource>(
    type: new (name: string, args: never, opts: pulumi.CustomResourceOptions) => Resource,
    name: string,
    id: pulumi.Input<pulumi.ID>,
    opts?: pulumi.CustomResourceOptions,
  ): Resource {
    return new type(name, undefined as never, { ...opts, id });
  }
}

/** The plugin cannot import as the engine would have it: the id goes to `create` as a hidden input instead. */
function withoutImport(opts: pulumi.CustomResourceOptions): pulumi.CustomResourceOptions {
  const options = { ...opts };
  delete options.import;
  return options;
}

/** The inputs of the program, those that are secret by nature marked so. */
function secretly({ secretInputs = [] }: Outline, args: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(args).map(([key, value]: [string, unknown]) => [
      key,
      value !== undefined && secretInputs.includes(key) ? sdk.secret(value) : value,
    ]),
  );
}

function hidden(
  { autoname, needsUrn }: Outline,
  type: string,
  name: string,
  args: object,
  opts: pulumi.CustomResourceOptions,
) {
  const unnamed = autoname !== undefined && (args as Record<string, unknown>)[autoname] === undefined;
  return {
    ...(unnamed ? { [RESOURCE_NAME]: name } : {}),
    ...(opts.import === undefined ? {} : { [IMPORT_ID]: opts.import }),
    ...(opts.customTimeouts === undefined ? {} : { [TIMEOUTS]: { ...opts.customTimeouts } }),
    ...(opts.replaceOnChanges === undefined ? {} : { [REPLACE_ON]: opts.replaceOnChanges }),
    ...(needsUrn ? {} : { [PROGRAM_NAME]: name }),
    ...(needsUrn ? { [URN]: sdk.createUrn(name, type, opts.parent) } : {}),
  };
}
