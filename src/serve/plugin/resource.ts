import { ONE_OWNER, refuseSecondObject } from "../../provider/ownership/adoption-claims";
import { importsAll, ownsUnnamed } from "../../provider/ownership/compare-with-import";
import { type Failure, refused } from "../../provider/describe/define-resource";
import { type Outline } from "../../provider/describe/outline";
import { calledIn, lastingUrn, nameInUrn, partsOfUrn } from "../../provider/describe/urn";
import { ProviderError } from "../../provider/base/errors";
import { PartialError } from "../../provider/state/partial-error";
import {
  type Ask,
  type Difference as Compared,
  type StateCall,
} from "../../provider/state/provider-interface";
import { type Ports } from "../../provider/run/session";
import { type Call, type Naming, type State as Stored, type Told } from "../../provider/state/call";
import { checkedInputs, memberIdsIn, outputsOfState, stateIn } from "../../provider/state/codec";
import { asImport, handedInCheck, importIn, inputsIn } from "../../provider/state/handed";
import { meets, type Path, pathsIn } from "../../provider/base/property-paths";
import { type Properties } from "../../provider/base/values";
import { Secrets } from "./secrets";
import { type Sealed } from "./wire-values";

export interface PluginDifference extends Omit<Compared, "shouldDeleteFirst"> {
  /** Outputs that certainly stay. */
  readonly stables: readonly string[];
}

/** A creation or update of which the state keeps what was done. */
export class Unfinished extends Error {
  constructor(
    readonly failure: PartialError,
    readonly outputs: Sealed,
  ) {
    super(failure.message, { cause: failure });
  }
}

/** The state of a resource, as the engine hands it over or a read finds it. */
export interface PluginState {
  readonly id: string;
  readonly outputs: Sealed;
  readonly inputs: Sealed;
}

const nothing: Sealed = { properties: {}, secrets: [] };

/** Serves the resources of one type to the engine. It calls the same hooks as the dynamic resources. */
export class PluginResource {
  readonly #secrets: Secrets;
  /** The objects that this process has read for an import and whose adoption is not recorded yet, by URN. */
  readonly #imports = new Map<string, string>();

  constructor(
    private readonly ask: Ask,
    private readonly outline: Outline,
    private readonly ports: Ports,
  ) {
    this.#secrets = new Secrets(outline);
  }

  async check(
    urn: string,
    olds: Sealed,
    news: Sealed,
    naming: Naming,
  ): Promise<{ readonly inputs: Sealed; readonly failures: Failure[] }> {
    const read = await this.#openImport(urn, olds);
    const { refusal } = importIn(news.properties);
    if (read !== undefined && refusal !== undefined)
      throw new ProviderError(`import ${this.outline.type} ${read}: ${refusal}`, { code: "IMPORT_REFUSED" });
    const isNew = read !== undefined || Object.keys(olds.properties).length === 0;
    const call = this.#call(urn, news);
    const importId = read ?? call.importId;
    const checked = await this.ask("check", {
      ...call,
      ...handedInCheck(news.properties),
      autonamed: undefined,
      fullUrn: lastingUrn(urn),
      naming,
      importId,
      isRead: read !== undefined,
      olds: isNew ? undefined : this.#call(urn, olds),
    });
    const properties = checkedInputs(checked);
    const unnamed = isNew && importId === undefined ? this.#unnamed(properties, naming) : [];
    return {
      inputs: { properties, secrets: this.#secrets.ofInputs(news) },
      failures: [...checked.failures, ...unnamed],
    };
  }

  /**
   * The object that the engine has imported for a program whose inputs have not been compared with it: the engine keeps it in the state although that
   * comparison has failed. After `pulumi import` there is no program to compare.
   */
  async #openImport(urn: string, { properties }: Sealed): Promise<string | undefined> {
    const { importId } = importIn(properties);
    const read = this.#imports.get(urn);
    if (read !== undefined || importId === undefined) return read;
    const state = await this.ports.run.stack.state();
    if (state === undefined)
      throw new ProviderError(
        `${this.outline.type} ${importId}: the state of the stack could not be read, so it is not known whether its import is complete. Run the command again`,
        { code: "STATE_UNREADABLE" },
      );
    if (!state.hasImported(this.outline.type, importId)) return undefined;
    this.#imports.set(urn, importId);
    return importId;
  }

  /** The engine would import the object and then delete the one that the resource manages. */
  async #refuseSecondObject(urn: string, importId: string): Promise<void> {
    const id = (await this.ports.run.stack.state())?.otherIdOf(lastingUrn(urn), importId);
    if (id !== undefined) refuseSecondObject(this.outline.type, id, importId);
  }

  #unnamed(inputs: Properties, { isDisabled }: Naming): Failure[] {
    const { autoname } = this.outline;
    if (isDisabled !== true || autoname === undefined || inputs[autoname] !== undefined) return [];
    return refused("", `${autoname} is required: \`pulumi:autonaming\` allows no automatic name here`);
  }

  async diff(
    urn: string,
    state: PluginState,
    news: Sealed,
    ignored: readonly string[],
  ): Promise<PluginDifference> {
    // An import that differs has been refused. An update always follows: it sends nothing, records what the program sets, and settles the import.
    if (this.#imports.get(urn) === state.id) {
      this.#judgeIgnored(urn, state, news, ignored);
      return { changes: true, replaces: [], deleteBeforeReplace: false, details: [], stables: [] };
    }
    const { shouldDeleteFirst, ...found } = await this.ask("diff", this.#stateCall(urn, state, news));
    return { ...found, deleteBeforeReplace: shouldDeleteFirst, stables: this.#stables(found) };
  }

  /** The engine has put what `ignoreChanges` names in place of the program's inputs: of a set, all members that exist. Only here it tells that. */
  #judgeIgnored(urn: string, { id, outputs }: PluginState, news: Sealed, ignored: readonly string[]): void {
    const { type, membersProperty: property, exclusive = "" } = this.outline;
    if (property === undefined || !pathsIn([...ignored]).some((path) => meets(path, [property]))) return;
    const count = memberIdsIn(outputs.properties).length;
    if (news.properties[exclusive] !== true)
      throw new ProviderError(`import ${type} ${id}: ${ownsUnnamed(property, exclusive, count)}`, {
        code: "IMPORT_REFUSED",
      });
    const { screen } = this.ports;
    const line = `${type} ${nameInUrn(urn)}: ${importsAll(property, count)}`;
    if (screen.isFirst(line)) screen.log.note(urn, line);
  }

  #stables({ changes, replaces, details }: Omit<PluginDifference, "stables">): readonly string[] {
    const { steady } = this.outline;
    if (steady === undefined || !changes || replaces.length > 0) return [];
    const isTouched = steady.unless?.some((name) =>
      details.some(({ path }) => path === name || path.startsWith(`${name}.`)),
    );
    return isTouched === true ? [] : steady.outputs;
  }

  async create(urn: string, inputs: Sealed, timeoutSec: number): Promise<{ id: string; outputs: Sealed }> {
    const call = { ...this.#call(urn, inputs), timeouts: timeout("create", timeoutSec) };
    const { id, state } = await this.ask("create", call).catch(this.#keeping(inputs));
    return { id, outputs: this.#sealed(state, inputs) };
  }

  async previewCreate(urn: string, inputs: Sealed): Promise<Sealed> {
    return this.#sealedOutputs(await this.ask("previewCreate", this.#call(urn, inputs)), inputs);
  }

  /** Reads a resource of the state, or an object that the program does not manage. Undefined if there is none. */
  async read(urn: string, state: PluginState): Promise<PluginState | undefined> {
    const call = this.#stateCall(urn, state);
    const found = await this.ask("read", call);
    if (found === undefined) return undefined;
    const { autonamed } = call.state.isManaged ? call : {};
    const now: Sealed = {
      properties: checkedInputs({ inputs: found.inputs, autonamed }),
      secrets: state.inputs.secrets,
    };
    const { importId } = importIn(state.inputs.properties);
    return {
      id: found.id,
      outputs: this.#sealed(found.state, now, state.outputs),
      inputs: { properties: asImport(now.properties, { importId }), secrets: this.#secrets.ofInputs(now) },
    };
  }

  /** Reads an object that the engine imports. */
  async readForImport(urn: string, id: string): Promise<PluginState> {
    // An import that fails after this read may stay in the state.
    await this.#refuseSecondObject(urn, id);
    const found = await this.ask("readForImport", { ...this.#call(urn, nothing), id });
    const [rival] = [...this.#imports].find(([other, its]) => its === found.id && other !== urn) ?? [];
    this.#imports.set(urn, found.id);
    const refusal = rival === undefined ? found.refusal : alsoImportedBy(rival);
    return {
      id: found.id,
      outputs: this.#sealed(found.state, nothing),
      inputs: {
        properties: asImport(found.inputs, { importId: found.id, refusal }),
        secrets: this.#secrets.ofInputs(nothing),
      },
    };
  }

  async update(urn: string, state: PluginState, news: Sealed, timeoutSec: number): Promise<Sealed> {
    const { id, outputs } = state;
    const call = { ...this.#stateCall(urn, state, news), timeouts: timeout("update", timeoutSec) };
    const isImport = this.#imports.get(urn) === id;
    const stored = await (
      isImport
        ? this.ask("create", { ...call, importId: id, isRead: true }).then((made) => made.state)
        : this.ask("update", call)
    ).catch(this.#keeping(news, outputs));
    this.#imports.delete(urn);
    return this.#sealed(stored, news, outputs);
  }

  async previewUpdate(urn: string, state: PluginState, news: Sealed): Promise<Sealed> {
    const { id, outputs } = state;
    // The import of a set takes of what is there only what the program declares.
    if (this.#imports.get(urn) === id && this.outline.membersProperty === undefined)
      return this.#sealedOutputs(outputs.properties, news, outputs);
    const shown = await this.ask("previewUpdate", this.#stateCall(urn, state, news));
    return this.#sealedOutputs(shown, news, outputs);
  }

  async delete(urn: string, state: PluginState, timeoutSec: number): Promise<void> {
    const imported = await this.#openImport(urn, state.inputs);
    if (imported === state.id) {
      const { type } = this.outline;
      const line = `forgets the ${type} ${imported} without deleting it, as its import into this stack did not succeed`;
      this.ports.screen.log.warn(urn, `${type} ${nameInUrn(urn)}: ${line}`, "IMPORT_INCOMPLETE");
      await this.ports.screen.log.delivered();
      return;
    }
    await this.ask("delete", { ...this.#stateCall(urn, state), timeouts: timeout("delete", timeoutSec) });
  }

  /** A call about a resource with these inputs. */
  #call(urn: string, { properties, secrets }: Sealed): Call {
    return {
      ...this.#told(urn, secrets),
      importId: this.ports.run.settings.importOf(urn),
      ...inputsIn(properties),
    };
  }

  /** A call about a resource of the state. Without new inputs, those of the call are the outputs. */
  #stateCall(urn: string, { id, outputs, inputs }: PluginState, news?: Sealed): StateCall {
    const { autonamed } = inputsIn(inputs.properties);
    const told = { ...this.#told(urn, [...outputs.secrets, ...inputs.secrets]), autonamed };
    const state = stateIn(outputs.properties, told);
    const call = news === undefined ? { ...told, inputs: state.outputs } : this.#call(urn, news);
    // An entry of the environment is for a resource that the state does not have.
    return { ...call, importId: undefined, id, state };
  }

  /** The facts that the engine tells of a resource. Notes and owners know it as its dynamic twin. */
  #told(urn: string, secrets: readonly Path[]): Told {
    return {
      ...this.#secrets.toldBy(secrets),
      urn: this.outline.keepsUrn === true ? lastingUrn(urn) : undefined,
      name: partsOfUrn(urn).name,
    };
  }

  #sealed(state: Stored, inputs: Sealed, olds?: Sealed): Sealed {
    return this.#sealedOutputs(outputsOfState(state, this.ports.account.at), inputs, olds);
  }

  #sealedOutputs(properties: Properties, inputs: Sealed, olds?: Sealed): Sealed {
    return { properties, secrets: this.#secrets.ofOutputs(properties, inputs, olds) };
  }

  /** If a creation or an update fails midway, the state keeps its outputs. */
  #keeping(inputs: Sealed, olds?: Sealed) {
    return (error: unknown): never => {
      if (!(error instanceof PartialError)) throw error;
      throw new Unfinished(error, this.#sealed(error.state, inputs, olds));
    };
  }
}

const alsoImportedBy = (urn: string): string =>
  `the same command imports it as ${calledIn({ urn })}. ${ONE_OWNER}: import it once`;

/** The timeout that the engine tells, in seconds. Zero is none. */
const timeout = (operation: string, seconds: number): Properties | undefined =>
  seconds > 0 ? { [operation]: `${seconds}s` } : undefined;
