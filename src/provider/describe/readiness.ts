import { type Properties } from "../base/values";
import { type Probe } from "../probes/probe";

/** The probes of a resource that has to answer before an operation counts as done. */
export interface Readiness<Path extends string = string> {
  /** The input that says what has to answer. */
  readonly path: Path;
  /** The input that says which resources are interrupted one after the other. */
  readonly turn?: Path;
  /** The inputs whose change interrupts the service, so that it has to answer again. */
  readonly after: readonly Path[];
  /** The probes that the input asks for. `outputs` have the addresses. In a preview, both may have unknown values. */
  probes(asked: Properties, outputs: Properties): readonly Probe[];
}
