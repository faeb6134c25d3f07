import type * as pulumi from "@pulumi/pulumi";
import * as sdk from "./sdk";
import { type Outline } from "../describe/outline";
import { withProgramFrames } from "./source-position";
import { type Description } from "../describe/define-resource";
import { checkStackConfiguration, countResource } from "./stack-configuration";
import { noteChange, readLater, withSign } from "./changes-in-preview";
import { dynamicRegistrar } from "./dynamic-registrar";
import { refuseOtherEntry } from "./inherited-provider";
import { type Given, type Inputs, type Registered, type Registrar } from "./registrar";

/** The properties that the constructor of a resource reads from the class that the program calls. */
interface ResourceClass {
  readonly registrar?: Registrar;
  readonly description: Description;
}

/** Inputs of several shapes, as the parameter of a constructor. In an inferred union, editors show the text of an input only if one shape fits. */
// eslint-disable-next-line @typescript-eslint/ban-ts-comment -- an error is expected of some compilers only
/** @ts-ignore: TypeScript before 5.4 has no NoInfer, and takes it for `any`. */
export type Documented<Args> = [unknown] extends [NoInfer<Args>] ? Args : NoInfer<Args>;

/** The base of all resources. Its class decides the way in which it is served. */
export abstract class NodeCloudResource extends sdk.CustomResource {
  constructor(
    outline: Outline,
    name: string,
    args: object | undefined,
    opts: pulumi.CustomResourceOptions = {},
  ) {
    const called = new.target as unknown as ResourceClass;
    const registrar = called.registrar ?? dynamicRegistrar;
    const type = registrar.typeOf(outline);
    const unset = Object.fromEntries(outline.properties.map((key) => [key, undefined]));
    let given: Given = { inputs: {} };
    const last = asLastTransformation(opts, (inputs, options) => {
      refuseOtherEntry(outline, { type, name }, options);
      const { props, opts, importId } = registrar.registration(outline, { type, name }, inputs, options);
      given = { inputs, importId };
      return { props: { ...unset, ...withSign(), ...secretly(outline, props) }, opts };
    });
    checkStackConfiguration();
    countResource();
    try {
      super(type, name, { ...unset, ...args }, last.opts);
    } catch (error) {
      last.end();
      // The error is in the program, at the line that creates the resource.
      if (error instanceof Error && last.hasBegun()) Error.captureStackTrace(error, new.target);
      throw error;
    }
    last.end();
    last.forget(this);
    registrar.settle(this, outline, given, () => called.description);
    readLater(this, outline, opts);
    noteChange(this, outline, name);
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

/** Whether an object is a resource of this type: also of another copy of the package, or in the form that policies get. */
export const isOfType = (
  outline: Outline,
  resource: unknown,
  type: string = dynamicRegistrar.typeOf(outline),
): boolean => (resource as { __pulumiType?: unknown } | null | undefined)?.__pulumiType === type;

/** Inputs in which those that are always secret are marked as secrets. */
const secretly = ({ secretInputs = [] }: Outline, inputs: Inputs): Inputs =>
  Object.fromEntries(
    Object.entries(inputs).map(([key, value]) => [
      key,
      value !== undefined && secretInputs.includes(key) ? sdk.secret(value) : value,
    ]),
  );

type Finish = (props: Inputs, opts: pulumi.CustomResourceOptions) => Registered;

/** The parts of a resource that carry transformations. */
interface Transformed {
  __transformations?: pulumi.ResourceTransformation[];
}

/**
 * Runs `finish` as the last transformation, so that the program's transformations see the program's own values. The SDK runs the transformations
 * of a resource before those of its parent. The last place is therefore the end of the parent's list, for this resource only. The official
 * `transforms` run after the constructor has returned, so their errors would not be at the program's line.
 */
function asLastTransformation(opts: pulumi.CustomResourceOptions, finish: Finish) {
  const parent = (opts.parent ?? sdk.getStackResource()) as Transformed | undefined;
  const frames = withProgramFrames();
  let own: pulumi.Resource | undefined;
  let begun = false;
  const first: pulumi.ResourceTransformation = ({ resource }) => {
    own = resource;
    return undefined;
  };
  const last: pulumi.ResourceTransformation = ({ resource, props, opts: options }) => {
    // A transformation may create resources under the same parent.
    if (resource !== own) return undefined;
    begun = true;
    frames.begin();
    return finish(props as Inputs, options);
  };
  const isMark = (one: pulumi.ResourceTransformation) => one === first || one === last;
  const drop = (from: Transformed) => {
    if (from.__transformations !== undefined)
      from.__transformations = from.__transformations.filter((one) => !isMark(one));
  };
  const inherited = parent?.__transformations;
  if (parent !== undefined && inherited !== undefined) parent.__transformations = [...inherited, last];
  const ownList = [first, ...(opts.transformations ?? []), ...(inherited === undefined ? [last] : [])];
  return {
    opts: { ...opts, transformations: ownList },
    hasBegun: () => begun,
    /** Restores the parent's list. Keeps what the program has added meanwhile. */
    end: () => {
      frames.end();
      if (parent !== undefined) drop(parent);
    },
    /** Removes the transformations, which children of the resource would inherit. */
    forget: (resource: pulumi.Resource) => drop(resource as Transformed),
  };
}
