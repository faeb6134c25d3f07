import { refuseSecondObject } from "../../provider/adoption/adoption-claims";
import { lastingUrn } from "../../provider/describe/urn";
import { type Stack } from "../../provider/process/stack";
import { type Outline } from "../../provider/describe/outline";
import { type Detail, type Lifecycle } from "../../provider/engine/provider-interface";
import { PartialError } from "../../provider/engine/errors";
import { IMPORT_ID, type Naming, NAMING, RESOURCE_NAME } from "../../provider/state/hidden-properties";
import { type Path } from "../../provider/state/property-paths";
import { type Properties, stableJson } from "../../provider/state/values";
import { HiddenInputs } from "./hidden-inputs";
import { type Received } from "./wire-values";

/** Properties with the paths of their secrets. */
export interface Sealed {
  readonly properties: Properties;
  readonly secrets: readonly Path[];
}

/** What a read finds. */
export interface Found {
  readonly id: string;
  readonly outputs: Sealed;
  readonly inputs: Sealed;
}

export interface Difference {
  readonly changes: boolean;
  readonly replaces: readonly string[];
  readonly deleteBeforeReplace: boolean;
  readonly details: readonly Detail[];
  /** Outputs that certainly stay. */
  readonly stables: readonly string[];
}

/** A creation or update of which the state keeps what was done. */
export class Unfinished extends Error {
  constructor(
    readonly failure: PartialError,
    readonly outputs: Sealed,
  ) {
    super(failure.message);
  }
}

/** The state of a resource, as the engine hands it over. */
export interface State {
  readonly id: string;
  readonly outputs: Received;
  readonly inputs: Received;
}

const nothing: Received = { properties: {}, secrets: [] };
const isEmpty = (properties: Properties): boolean => Object.keys(properties).length === 0;

/** Serves the resources of one type to the engine. It calls the same hooks as the dynamic resources. */
export class PluginResource {
  readonly #hidden: HiddenInputs;
  /** The objects that this process has read for an import and whose adoption is not recorded yet, by URN. */
  readonly #imports = new Map<string, string>();

  constructor(
    private readonly lifecycle: Lifecycle,
    private readonly outline: Outline,
    private readonly stack: Stack,
  ) {
    this.#hidden = new HiddenInputs(outline);
  }

  async check(
    urn: string,
    olds: Received,
    news: Received,
    { name, naming }: { readonly name: string; readonly naming: Naming },
  ): Promise<{ readonly inputs: Sealed; readonly failures: { property: string; reason: string }[] }> {
    const importId = this.#imports.get(urn);
    if (importId !== undefined) await this.#refuseSecondObject(urn, importId);
    const isNew = importId !== undefined || isEmpty(olds.properties);
    const handed = this.#hidden.added(urn, news, {
      ...(this.outline.autoname === undefined ? {} : { [RESOURCE_NAME]: name, [NAMING]: naming }),
      ...(importId === undefined ? {} : { [IMPORT_ID]: importId }),
    });
    const { inputs, failures } = await this.lifecycle.check(
      isNew ? {} : this.#hidden.added(urn, { ...olds, properties: this.#hidden.removed(olds.properties) }),
      handed,
    );
    const properties = this.#hidden.removed(inputs);
    const unnamed = isNew && importId === undefined ? this.#unnamed(properties, naming) : [];
    return {
      inputs: { properties, secrets: this.#hidden.secretsOfInputs(news) },
      failures: [...failures, ...unnamed],
    };
  }

  /** The engine would import the object and then delete the one that the resource manages. */
  async #refuseSecondObject(urn: string, importId: string): Promise<void> {
    const id = (await this.stack.state())?.otherIdOf(lastingUrn(urn), importId);
    if (id !== undefined) refuseSecondObject(this.outline.type, id, importId);
  }

  #unnamed(inputs: Properties, { isDisabled }: Naming): { property: string; reason: string }[] {
    const { autoname } = this.outline;
    if (isDisabled !== true || autoname === undefined || inputs[autoname] !== undefined) return [];
    return [
      {
        property: "",
        reason: `${autoname} is required: \`pulumi:autonaming\` allows no automatic name here`,
      },
    ];
  }

  async diff(urn: string, { id, outputs, inputs }: State, news: Received): Promise<Difference> {
    if (this.#imports.get(urn) === id) {
      const found = this.#diffOfImport(outputs.properties, inputs.properties, news.properties);
      // No update follows.
      if (!found.changes) this.#imports.delete(urn);
      return found;
    }
    const olds = this.#outputsBefore(urn, outputs, inputs);
    const found = await this.lifecycle.diff(id, olds, this.#hidden.added(urn, news));
    const { changes, replaces, shouldDeleteFirst, details } = found;
    return {
      changes,
      replaces,
      deleteBeforeReplace: shouldDeleteFirst,
      details,
      stables: this.#stables(found),
    };
  }

  /**
   * An import that differs from the inputs has been refused. What the program does not set stays as it is. The update that follows the import sends
   * nothing: it records what the program sets.
   */
  #diffOfImport(outputs: Properties, inputs: Properties, news: Properties): Difference {
    const { holds } = this.outline;
    const read = holds === undefined ? inputs : { ...inputs, [holds]: outputs[holds] };
    const changes = stableJson(read) !== stableJson(news);
    return { changes, replaces: [], deleteBeforeReplace: false, details: [], stables: [] };
  }

  #stables({
    changes,
    replaces,
    details,
  }: {
    changes: boolean;
    replaces: readonly string[];
    details: readonly Detail[];
  }) {
    const { steady } = this.outline;
    if (steady === undefined || !changes || replaces.length > 0) return [];
    const isTouched = steady.unless?.some((name) =>
      details.some(({ path }) => path === name || path.startsWith(`${name}.`)),
    );
    return isTouched === true ? [] : steady.outputs;
  }

  async create(urn: string, inputs: Received, timeoutSec: number): Promise<{ id: string; outputs: Sealed }> {
    const handed = this.#hidden.added(urn, inputs, this.#hidden.timeout("create", timeoutSec));
    const { id, outs } = await this.#keeping(inputs, () => this.lifecycle.create(handed));
    return { id, outputs: this.#sealed(outs, inputs) };
  }

  async previewCreate(urn: string, inputs: Received): Promise<Sealed> {
    const outputs = await this.lifecycle.previewCreate(this.#hidden.added(urn, inputs));
    return this.#sealed(outputs, inputs);
  }

  /** Reads a resource of the state, or an object that the program does not manage. Undefined if there is none. */
  async read(urn: string, { id, outputs, inputs }: State): Promise<Found | undefined> {
    const found = await this.lifecycle.read(id, this.#outputsBefore(urn, outputs, inputs));
    if (found.id === undefined || found.id === "") return undefined;
    const now: Received = { properties: this.#hidden.removed(found.inputs ?? {}), secrets: inputs.secrets };
    return {
      id: found.id,
      outputs: this.#sealed(found.props ?? {}, now, outputs),
      inputs: { properties: now.properties, secrets: this.#hidden.secretsOfInputs(now) },
    };
  }

  /** Reads an object that the engine imports. */
  async readForImport(urn: string, id: string): Promise<Found> {
    const { id: found, props, inputs } = await this.lifecycle.readForImport(id);
    this.#imports.set(urn, found);
    return {
      id: found,
      outputs: this.#sealed(props, nothing),
      inputs: { properties: inputs, secrets: this.#hidden.secretsOfInputs(nothing) },
    };
  }

  async update(urn: string, state: State, news: Received, timeoutSec: number): Promise<Sealed> {
    const { id, outputs, inputs } = state;
    const handed = this.#hidden.added(urn, news, this.#hidden.timeout("update", timeoutSec));
    const olds = this.#outputsBefore(urn, outputs, inputs);
    const isImport = this.#imports.get(urn) === id;
    const { outs } = await this.#keeping(
      news,
      () =>
        isImport
          ? this.lifecycle.create({ ...handed, [IMPORT_ID]: id })
          : this.lifecycle.update(id, olds, handed),
      outputs,
    );
    this.#imports.delete(urn);
    return this.#sealed(outs, news, outputs);
  }

  async previewUpdate(urn: string, { id, outputs, inputs }: State, news: Received): Promise<Sealed> {
    if (this.#imports.get(urn) === id) return this.#sealed(outputs.properties, news, outputs);
    const olds = this.#outputsBefore(urn, outputs, inputs);
    const shown = await this.lifecycle.previewUpdate(olds, this.#hidden.added(urn, news));
    return this.#sealed(shown, news, outputs);
  }

  async delete(urn: string, { id, outputs, inputs }: State, timeoutSec: number): Promise<void> {
    const olds = this.#outputsBefore(urn, outputs, inputs);
    await this.lifecycle.delete(id, { ...olds, ...this.#hidden.timeout("delete", timeoutSec) });
  }

  /** The outputs as a dynamic resource has them, with its hidden inputs among them. */
  #outputsBefore(urn: string, outputs: Received, inputs: Received): Properties {
    const name = inputs.properties[RESOURCE_NAME];
    const secrets = [...outputs.secrets, ...inputs.secrets];
    const properties = this.#hidden.removed(outputs.properties, true);
    const olds = this.#hidden.added(urn, { properties, secrets });
    return name === undefined ? olds : { ...olds, [RESOURCE_NAME]: name };
  }

  #sealed(outputs: Properties, inputs: Received, olds?: Received): Sealed {
    const properties = this.#hidden.removed(outputs, true);
    return { properties, secrets: this.#hidden.secretsOfOutputs(properties, inputs, olds) };
  }

  /** Runs a creation or update. If it fails midway, the state keeps its outputs. */
  async #keeping<Result>(inputs: Received, work: () => Promise<Result>, olds?: Received): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof PartialError)) throw error;
      throw new Unfinished(error, this.#sealed(error.properties, inputs, olds));
    }
  }
}
