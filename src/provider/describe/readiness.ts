import { type Client } from "../../api/client";
import { type Properties } from "../base/values";
import { type Probe } from "../probes/probe";

/** The probes of a resource that has to answer before an operation counts as done. */
export interface Readiness<Path extends string = string> {
  /** The input that says what has to answer. */
  readonly path: Path;
  /** The input that says which resources are interrupted one after the other. */
  readonly turn?: Path;
  /** The input with the seconds that the object stays after nothing of the program leads to it any more. */
  readonly drain?: Path;
  /** The inputs whose change interrupts the service, so that it has to answer again. */
  readonly after: readonly Path[];
  /** The probes that the input asks for. `outputs` have the addresses. In a preview, both may have unknown values. */
  probes(asked: Properties, outputs: Properties): readonly Probe[];
}

/** A text that the service makes of all objects below a parent. It shows an object some time after it is stored. */
export interface Rendering<Path extends string = string> {
  /** The input that asks to wait for it. */
  readonly path: Path;
  /** Its noun: `zone`. */
  readonly noun: string;
  /** The properties of an object in the form in which both are compared. */
  formOf(object: Properties): Properties;
  /** Reads the objects that it shows, each by its outputs. */
  read(client: Client, parent: string): Promise<readonly Properties[]>;
}
