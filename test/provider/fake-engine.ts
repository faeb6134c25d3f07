import { PartialError } from "../../src/provider/state/partial-error";
import { type Lifecycle } from "./lifecycle";
import { type Properties } from "../../src/provider/base/values";

/** Passes a value as the engine does, as JSON. */
function handedOver<Value>(value: Value): Value {
  const refuse = (inner: unknown, path: string): void => {
    if (inner === undefined) throw new TypeError(`Unexpected struct type: ${path} is undefined`);
    if (typeof inner !== "object" || inner === null) return;
    for (const [name, item] of Object.entries(inner)) refuse(item, `${path}.${name}`);
  };
  refuse(value, "value");
  return structuredClone(value);
}

export type Step = "created" | "updated" | "replaced" | "unchanged";

/** One resource of a program. It calls the provider as the engine does: check, diff, then create, update or replace. */
export class FakeEngine {
  id: string | undefined;
  inputs: Properties = {};
  outputs: Properties = {};
  /** Whether the last operation failed midway, so the next `up` calls `update` whatever `diff` says. */
  unfinished = false;

  constructor(readonly provider: Lifecycle) {}

  async check(args: Properties, olds = this.inputs): Promise<Properties> {
    const { inputs, failures } = await this.provider.check(handedOver(olds), handedOver(args));
    if (failures.length > 0) throw new Error(failures.map(({ reason }) => reason).join("; "));
    return handedOver(inputs);
  }

  /** The result of a preview. */
  async preview(args: Properties) {
    return this.diff(await this.check(args));
  }

  async diff(inputs: Properties) {
    return handedOver(await this.provider.diff(this.id ?? "", handedOver(this.outputs), handedOver(inputs)));
  }

  async up(args: Properties): Promise<Step> {
    let inputs = await this.check(args);
    if (this.id === undefined) {
      await this.#create(inputs);
      return "created";
    }
    const diff = await this.diff(inputs);
    if (diff.replaces.length > 0) {
      inputs = await this.check(args, {});
      const { id, outputs } = this;
      if (diff.deleteBeforeReplace) await this.provider.delete(id, handedOver(outputs));
      await this.#create(inputs);
      if (!diff.deleteBeforeReplace) await this.provider.delete(id, handedOver(outputs));
      return "replaced";
    }
    if (!diff.changes && !this.unfinished) {
      this.inputs = inputs;
      return "unchanged";
    }
    await this.#keeping(async () => {
      const { outs } = await this.provider.update(
        this.id ?? "",
        handedOver(this.outputs),
        handedOver(inputs),
      );
      this.outputs = handedOver(outs);
    });
    this.inputs = inputs;
    return "updated";
  }

  /** Reads the object, and returns whether it has drifted, so that the provider finds a difference from the old inputs. */
  async refresh(): Promise<boolean> {
    const { id, props, inputs } = await this.provider.read(this.id ?? "", handedOver(this.outputs));
    if (id === "") {
      Object.assign(this, { id: undefined, inputs: {}, outputs: {} });
      return true;
    }
    this.outputs = handedOver(props);
    const drifted = (await this.diff(this.inputs)).changes;
    this.inputs = handedOver(inputs ?? {});
    return drifted;
  }

  async destroy(): Promise<void> {
    await this.provider.delete(this.id ?? "", handedOver(this.outputs));
    Object.assign(this, { id: undefined, inputs: {}, outputs: {} });
  }

  async #create(inputs: Properties): Promise<void> {
    this.inputs = inputs;
    await this.#keeping(async () => {
      const { id, outs } = await this.provider.create(handedOver(inputs));
      this.id = id;
      this.outputs = handedOver(outs);
    });
  }

  async #keeping(step: () => Promise<void>): Promise<void> {
    try {
      await step();
      this.unfinished = false;
    } catch (error) {
      if (error instanceof PartialError) {
        this.id = error.id;
        this.outputs = handedOver((error as unknown as { properties: Properties }).properties);
        this.unfinished = true;
      }
      throw error;
    }
  }
}
