import * as pulumi from "@pulumi/pulumi";
import { type Description, isWaitedFor } from "./define";
import { leavesOf, topLevel } from "./fields";
import { IMPORT_ID, MEMORY, RESOURCE_NAME, SENT, TIMEOUTS, URN } from "./hidden";

/** What the classes need of a description. */
type Served = Pick<
  Description,
  "type" | "fields" | "outputs" | "secretOutputs" | "autoname" | "unique" | "statuses" | "above" | "finish"
>;

/**
 * The base of all resources. It hands the engine a constant text in place of serialised code, so that the state stays small, an
 * installed upgrade takes effect at once, and no upgrade shows as a change.
 */
export abstract class NodeCloudResource extends pulumi.CustomResource {
  constructor(
    description: Served,
    name: string,
    args: object | undefined,
    opts: pulumi.CustomResourceOptions = {},
  ) {
    const type = `pulumi-nodejs:dynamic/nodecloud:${description.type}`;
    super(
      type,
      name,
      {
        ...Object.fromEntries(
          [...Object.keys(description.fields), ...description.outputs].map((key) => [key, undefined]),
        ),
        ...secretly(description, args ?? {}),
        ...(args === undefined ? {} : hidden(description, type, name, args, opts)),
        __provider: `exports.handler=()=>require("pulumi-nodecloud/runtime").${description.type}`,
      },
      pulumi.mergeOptions(withoutImport(opts), {
        additionalSecretOutputs: [
          SENT,
          // What finishes a creation may be a key to it: an address to upload to, say.
          ...(description.finish === undefined ? [] : [MEMORY]),
          ...(description.secretOutputs ?? []),
        ],
      }),
    );
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
function secretly(description: Served, args: object): Record<string, unknown> {
  const secret = new Set(
    leavesOf(description.fields).flatMap((leaf) => (leaf.secret ? [topLevel(leaf.path)] : [])),
  );
  return Object.fromEntries(
    Object.entries(args).map(([key, value]: [string, unknown]) => [
      key,
      value !== undefined && secret.has(key) ? pulumi.secret(value) : value,
    ]),
  );
}

function hidden(
  description: Served,
  type: string,
  name: string,
  args: object,
  opts: pulumi.CustomResourceOptions,
) {
  const { autoname, unique } = description;
  const unnamed = autoname !== undefined && (args as Record<string, unknown>)[autoname.path] === undefined;
  return {
    ...(unnamed ? { [RESOURCE_NAME]: name } : {}),
    ...(opts.import === undefined ? {} : { [IMPORT_ID]: opts.import }),
    ...(opts.customTimeouts === undefined ? {} : { [TIMEOUTS]: { ...opts.customTimeouts } }),
    // Only what is waited for has progress to show in its row, and only a unique name can be another resource's.
    ...(isWaitedFor(description) || unique !== undefined
      ? { [URN]: pulumi.createUrn(name, type, opts.parent) }
      : {}),
  };
}
