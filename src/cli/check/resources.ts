import { ProviderError } from "../../provider/base/errors";
import { codeOf, splitCode, withCode } from "../../provider/base/codes";
import type { handleUnaryCall } from "@grpc/grpc-js";
import type {
  CheckResponse,
  CreateResponse,
  DiffResponse,
  ReadResponse,
} from "@pulumi/pulumi/proto/provider_pb";
import type { Struct as StructMessage } from "google-protobuf/google/protobuf/struct_pb";
import { type Client } from "../../api/client";
import { classIn, PLUGIN_TYPE_PREFIX } from "../../provider/describe/type-token";
import { nameInUrn, PLUGIN_PROVIDER, PROVIDERS } from "../../provider/describe/urn";
import { silentLog } from "../../provider/engine/log";
import { type OtherStacks } from "../../provider/engine/other-stacks";
import { stateIn as engineStateIn } from "../../provider/engine/stack-state";
import { cached } from "../../api/cached";
import { readConfiguration, SETTINGS, settingsByKey } from "../../provider/settings/config";
import { quietly } from "../../api/quietly";
import { type Ports, Session } from "../../provider/run/session";
import { ENCRYPTED } from "../../provider/state/codec";
import { isObject, type Properties, stableJson, UNKNOWN } from "../../provider/base/values";
import { outlines } from "../../sdk/outlines";
import { filled } from "../../serve/plugin/answers";
import { provider as protocol } from "../../serve/plugin/protocol";
import { resourceProvider } from "../../serve/plugin/service";
import { received, structOf } from "../../serve/plugin/wire-values";
import { dynamicOf } from "../../serve/lifecycles";
import { type Context } from "../context";
import { lineOf } from "../errors";
import { type SourcePosition } from "../stacks/names-and-gaps";
import { sourceAt, type ResourcesOfState, type StateResource } from "../stacks/state";
import { type EngineAnswer, type RegisteredResource, struct } from "./engine";
import { type Places, type ProgramProblem } from "./problems";
import { type Settings } from "./settings";

/** The state of the stack, in both forms that its readers need. */
export interface KnownState {
  readonly deployment: Properties;
  readonly state: ResourcesOfState;
}

/** Serves the resources of one account, as one plugin process does. */
interface Served {
  readonly ports: Ports;
  /** The methods of the full plugin. */
  readonly methods: Readonly<Record<string, unknown>>;
  /** Nothing of the account can be read. */
  readonly isOffline: boolean;
}

type Type = keyof typeof outlines;
const TYPES = Object.keys(outlines);

const OFFLINE = "nodecloud check cannot read the account";

/** Settings that stand for those that are missing, by their keys. No request is sent with them. */
const PLACEHOLDERS = settingsByKey({
  token: "offline",
  baseUrl: "https://offline.invalid/v4",
  validate: "false",
});

/** The settings without which nothing of the account can be read. */
const NEEDED: readonly string[] = [SETTINGS.token.key, SETTINGS.baseUrl.key];

/** Checks the resources of a program, one after the other as the engine does, by the hooks that serve the engine. */
export class ProgramResources {
  readonly problems: ProgramProblem[] = [];
  readonly notes = new Set<string>();
  /** How many resources of this package the program has. */
  count = 0;
  readonly #served = new Map<string, Served>();
  readonly #settings = new Map<string, ReadonlyMap<string, string>>();
  readonly #sources = new Map<string, SourcePosition | undefined>();
  #current: RegisteredResource | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly context: Context,
    private readonly configured: Settings,
    private readonly known: Promise<KnownState | undefined>,
    private readonly places: Places,
  ) {}

  /** Checks a resource when it is its turn. It is always answered, so that the program goes on. */
  register(resource: RegisteredResource): Promise<EngineAnswer> {
    const turn = this.#turn.then(() => this.#checked(resource));
    this.#turn = turn;
    return turn;
  }

  async outputsInState(): Promise<Properties> {
    const { state } = (await this.known) ?? {};
    return Object.fromEntries((state?.resources ?? []).map(({ urn, id, outputs }) => [urn, { id, outputs }]));
  }

  async #checked(resource: RegisteredResource): Promise<EngineAnswer> {
    const { urn, inputs } = resource;
    this.#current = resource;
    const source = sourceAt(resource.positions, this.places);
    try {
      if (this.#sources.has(urn)) {
        this.#report(
          resource,
          withCode(
            "the program has another resource with this type and name: give one of them another name",
            "DECLARED_TWICE",
          ),
        );
        return { outputs: inputs };
      }
      this.#sources.set(urn, source);
      return await this.#answer(resource);
    } catch (error) {
      const message = withCode(lineOf(error), codeOf(error));
      if (message.includes(OFFLINE))
        this.notes.add(`${called(resource)}: its import is not compared with the account`);
      else this.#report(resource, message);
      return { outputs: inputs };
    } finally {
      this.#current = undefined;
    }
  }

  async #answer(resource: RegisteredResource): Promise<EngineAnswer> {
    const { type, urn, inputs, readId } = resource;
    if (type.startsWith(PROVIDERS)) return this.#provider(resource);
    const name = classIn(type);
    if (name === undefined || !Object.hasOwn(outlines, name)) return { outputs: inputs };
    this.count++;
    const served = this.#servedBy(resource.provider, type.startsWith(PLUGIN_TYPE_PREFIX));
    if (readId !== "") return this.#read(served, name as Type, resource);
    const old = await this.#old(resource);
    if (type.startsWith(PLUGIN_TYPE_PREFIX)) return this.#byPlugin(served, resource, old);
    return this.#byDynamic(served, name as Type, { ...resource, urn }, old);
  }

  /** Notes the settings of an explicit provider, which must be known to read its account. */
  #provider(resource: RegisteredResource): EngineAnswer {
    const { type, urn, inputs } = resource;
    const { properties } = received(inputs);
    const isPlugin = type === PLUGIN_PROVIDER;
    const settings = knownIn(isPlugin ? Object.fromEntries(settingsByKey(properties)) : properties);
    this.#settings.set(urn, settings);
    for (const { isMissing, message } of unusableIn(settings, {}))
      if (!isMissing) this.#report(resource, message);
    return { outputs: inputs };
  }

  /** Returns the server of a provider's resources. Providers with the same settings share it, so that two claims of one object are found. */
  #servedBy(provider: string, isPlugin: boolean): Served {
    const own =
      provider === "" ? knownIn(this.configured.values) : (this.#settings.get(provider) ?? new Map());
    const make = () => this.#serve(own, provider, isPlugin);
    return cached(this.#served, stableJson([Object.fromEntries(own), isPlugin]), make);
  }

  #serve(settings: ReadonlyMap<string, string>, provider: string, isPlugin: boolean): Served {
    const { environment } = this.context;
    const unusable = unusableIn(settings, environment);
    const isOffline = unusable.some(({ key }) => NEEDED.includes(key));
    for (const { isMissing, message, key } of unusable) {
      // A wrong setting of an explicit provider has been reported at its line.
      const isReported = provider !== "" && settings.has(key);
      if (!isMissing && !isReported) this.problems.push({ severity: "error", ...splitCode(message) });
    }
    const isUsable = (name: string) =>
      unusable.every(({ key, variable }) => name !== key && name !== variable);
    const session = new Session({
      environment: Object.fromEntries(Object.entries(environment).filter(([name]) => isUsable(name))),
      engineShowsImports: isPlugin,
      log: {
        ...silentLog,
        warn: (_, message, code) => this.#warn(withCode(message, code)),
        note: (urn, message) => {
          const resource = this.#current;
          const isOfResource = resource !== undefined && message.startsWith(`${called(resource)}: `);
          if (urn === undefined && !isOfResource) this.notes.add(message);
        },
      },
      readState: async () => quietlyState(await this.known),
      readOthers: () => Promise.resolve<OtherStacks>({ stacks: [], unread: 0 }),
      ...(isOffline ? { client: unreachable } : {}),
    });
    session.run.settings.configure(
      (key) =>
        (isOffline ? PLACEHOLDERS.get(key) : undefined) ?? (isUsable(key) ? settings.get(key) : undefined),
    );
    const absent = unusable.find(({ isMissing }) => isMissing);
    const whose = provider === "" ? "" : `provider ${nameInUrn(provider)}: `;
    if (absent !== undefined)
      this.notes.add(`${whose}nothing was compared with the account: ${absent.message}`);
    else if (!isOffline && !session.run.configuration.validate)
      this.notes.add(
        `${whose}nothing was compared with the account, because ${SETTINGS.validate.key} is false`,
      );
    const methods = resourceProvider({ ports: session, attach: () => undefined, hears: () => undefined });
    return { ports: session, methods, isOffline };
  }

  /** The resource in the state, if its inputs could be read. */
  async #old({ urns }: RegisteredResource): Promise<StateResource | undefined> {
    const { state } = (await this.known) ?? {};
    return urns.flatMap((urn) => state?.resources.find((one) => one.urn === urn && !one.isLeaving) ?? [])[0];
  }

  async #byDynamic(
    { ports, isOffline }: Served,
    type: Type,
    resource: RegisteredResource,
    old: StateResource | undefined,
  ): Promise<EngineAnswer> {
    const { check, diff } = dynamicOf(ports, type);
    const { properties, secrets } = received(resource.inputs);
    const news = keeping(resource.ignoreChanges, properties, old);
    const { inputs, failures } = await check(old?.inputs ?? {}, news);
    for (const { reason } of failures) this.#report(resource, reason);
    const sealed = (outputs: Properties) => structOf({ properties: outputs, secrets });
    if (failures.length > 0 || old === undefined || isOffline) return { outputs: sealed(inputs) };
    const { changes, replaces } = await diff(old.id, old.outputs, inputs);
    if (changes) return { ...(replaces.length === 0 ? { id: old.id } : {}), outputs: sealed(inputs) };
    const always = [...ENCRYPTED.always, ...(outlines[type].secretOutputs ?? [])].map((name) => [name]);
    const all = [...secrets, ...old.secrets, ...always];
    return { id: old.id, outputs: structOf({ properties: old.outputs, secrets: all }) };
  }

  async #byPlugin(
    { methods, isOffline }: Served,
    resource: RegisteredResource,
    old: StateResource | undefined,
  ): Promise<EngineAnswer> {
    const { urn, importId } = resource;
    const { properties, secrets } = received(resource.inputs);
    const sealed = { properties: keeping(resource.ignoreChanges, properties, old), secrets };
    const news = structOf(sealed);
    const imported =
      old === undefined && importId !== "" && !isOffline
        ? await call<ReadResponse>(
            methods["read"],
            filled(new protocol.ReadRequest(), { Id: importId, Urn: urn }),
          )
        : undefined;
    if (imported?.getId() === "")
      throw new ProviderError(`import: ${missing(resource, importId)}`, { code: "NO_SUCH_OBJECT" });
    const olds = imported?.getInputs() ?? (old === undefined ? undefined : sealedIn(old, "inputs"));
    const asked = filled(new protocol.CheckRequest(), {
      Urn: urn,
      News: news,
      ...(olds && { Olds: olds }),
    });
    const checked = await call<CheckResponse>(methods["check"], asked);
    const inputs = checked.getInputs() ?? news;
    for (const failure of checked.getFailuresList()) this.#report(resource, failure.getReason());
    if (checked.getFailuresList().length > 0 || imported !== undefined || isOffline)
      return { outputs: inputs };
    if (old === undefined) {
      const created = filled(new protocol.CreateRequest(), { Urn: urn, Properties: inputs, Preview: true });
      return { outputs: (await call<CreateResponse>(methods["create"], created)).getProperties() ?? inputs };
    }
    const outputs = sealedIn(old, "outputs");
    const request = filled(new protocol.DiffRequest(), {
      ...{ Id: old.id, Urn: urn, Olds: outputs },
      ...{ OldInputs: sealedIn(old, "inputs"), News: inputs },
    });
    const found = await call<DiffResponse>(methods["diff"], request);
    if (found.getReplacesList().length > 0) return { outputs: inputs };
    const isSame = found.getChanges() === protocol.DiffResponse.DiffChanges.DIFF_NONE;
    return { id: old.id, outputs: isSame ? outputs : inputs };
  }

  /** Reads an object that the program does not manage. What cannot be read is unknown. */
  async #read({ ports, isOffline }: Served, type: Type, resource: RegisteredResource): Promise<EngineAnswer> {
    const { properties } = received(resource.inputs);
    if (isOffline || resource.readId === UNKNOWN) return { outputs: struct({}) };
    const found = await dynamicOf(ports, type).read(resource.readId, properties);
    if (found.id === "")
      throw new ProviderError(missing(resource, resource.readId), { code: "NO_SUCH_OBJECT" });
    const secrets = (outlines[type].secretOutputs ?? []).map((name) => [name]);
    return { outputs: structOf({ properties: found.props, secrets }) };
  }

  #warn(message: string): void {
    const resource = this.#current;
    if (resource === undefined) this.problems.push({ severity: "warning", ...splitCode(message) });
    else this.#report(resource, message.replace(`${called(resource)}: `, ""), "warning");
  }

  /** A reason begins with the property, because the engine would print the value of one that is named apart. */
  #report(resource: RegisteredResource, text: string, severity: ProgramProblem["severity"] = "error"): void {
    const { message: reason, code } = splitCode(text);
    const { type, name, urn, positions } = resource;
    const { properties = [], forms = [] } = outlines[classIn(type) as Type] ?? {};
    const path = /^(?<head>[A-Za-z]\w*)[^\s:]*(?=:? )/.exec(reason);
    const isProperty =
      path?.groups !== undefined && [...properties, ...forms].includes(path.groups["head"] ?? "");
    this.problems.push({
      severity,
      type: classOf(resource),
      name,
      ...(isProperty ? { property: path[0] } : {}),
      message: isProperty ? reason.slice(path[0].length).replace(/^:? /, "") : reason,
      code,
      source: sourceAt(positions, this.places) ?? this.#sources.get(urn),
    });
  }
}

const classOf = ({ type }: RegisteredResource): string =>
  type.startsWith(PROVIDERS) ? "Provider" : (classIn(type) ?? type);

const called = (resource: RegisteredResource): string => `${classOf(resource)} ${resource.name}`;

const missing = (resource: RegisteredResource, id: string): string =>
  `there is no ${classOf(resource)} with the id ${id}`;

/** The state as the hooks read it. */
const quietlyState = (known: KnownState | undefined) =>
  known && quietly(() => engineStateIn(known.deployment));

/** The settings of this package that the program knows, by their keys. */
const knownIn = (settings: Properties): ReadonlyMap<string, string> =>
  new Map(
    Object.values(SETTINGS).flatMap(({ key }) => {
      const value = settings[key];
      return typeof value === "string" && value !== UNKNOWN ? [[key, value]] : [];
    }),
  );

/** The settings that are missing or wrong. Each is read by itself, because an error names only one. */
const unusableIn = (settings: ReadonlyMap<string, string>, environment: Context["environment"]) =>
  Object.values(SETTINGS).flatMap(({ key, variable }) => {
    const [own, other] = [settings.get(key), environment[variable]];
    try {
      readConfiguration((one) => (one === key ? own : PLACEHOLDERS.get(one)), { [variable]: other }, TYPES);
      return [];
    } catch (error) {
      const isMissing = (own ?? other ?? "").trim() === "";
      return [{ key, variable, isMissing, message: withCode(lineOf(error), codeOf(error)) }];
    }
  });

/** A client that sends nothing. */
const unreachable = new Proxy(
  () => {
    throw new Error(OFFLINE);
  },
  { get: () => unreachable },
) as unknown as Client;

/** The inputs after the option `ignoreChanges`: the engine hands over the old values of these paths. */
function keeping(paths: readonly string[], news: Properties, old: StateResource | undefined): Properties {
  if (old === undefined || paths.length === 0) return news;
  const kept = (path: readonly string[], now: unknown, before: unknown): unknown => {
    const [name, ...rest] = path;
    if (name === undefined) return before;
    const given = isObject(now) ? now : {};
    const value = kept(rest, given[name], isObject(before) ? before[name] : undefined);
    const others = Object.entries(given).filter(([key]) => key !== name);
    return Object.fromEntries([...others, ...(value === undefined ? [] : [[name, value]])]);
  };
  return paths.reduce((inputs, path) => kept(path.split("."), inputs, old.inputs) as Properties, news);
}

const sealedIn = ({ secrets, ...old }: StateResource, which: "inputs" | "outputs"): StructMessage =>
  structOf({ properties: old[which], secrets });

/** Calls a method of the full plugin with a message of the protocol. */
const call = <Response>(method: unknown, request: object): Promise<Response> =>
  new Promise((resolve, reject) => {
    const handler = method as handleUnaryCall<object, Response>;
    handler({ request } as Parameters<typeof handler>[0], (error, response) => {
      if (error === null && response != null) resolve(response);
      else reject(new Error(error?.details ?? "the plugin did not answer"));
    });
  });
