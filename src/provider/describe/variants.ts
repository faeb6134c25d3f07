/** An interface that is generated for programs. */
export interface NamedInterface {
  readonly name: string;
  readonly doc: string;
}

/** The shapes of a resource's inputs. Each shape becomes an interface. */
export interface Variants<Path extends string = string> {
  /** The input whose value decides which shape applies. If omitted, the inputs that a shape requires and takes decide. */
  readonly by?: Path;
  /** The interface of the inputs that all shapes have. */
  readonly common: NamedInterface;
  /** In the order of the union: the compiler reports missing inputs of the last shape that fits. */
  readonly cases: readonly Variant<Path>[];
  /** Inputs that are the same for all shapes and have an interface of their own, so that the shapes can be used without them. */
  readonly apart?: NamedInterface & { readonly paths: readonly Path[] };
  /** The union of the shapes without the inputs that stand apart. */
  readonly union?: NamedInterface;
  /** The shape of a value within an output. */
  readonly value?: NamedInterface;
}

/** One shape of inputs. */
export interface Variant<Path extends string = string> extends NamedInterface {
  /** The values of the deciding input. If omitted, it takes any value of its schema, or with `isOutput` only outputs. */
  readonly is?: readonly string[];
  readonly isOutput?: true;
  /** Inputs that it requires, in addition to those that are always required. */
  readonly requires?: readonly Path[];
  /** The inputs that it takes and that some other shapes do not take. */
  readonly takes?: readonly Path[];
  /** The inputs that a program must set to `undefined`, which says that they are not forgotten. */
  readonly unset?: readonly Path[];
}
