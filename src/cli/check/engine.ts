import type * as callbackMessages from "@pulumi/pulumi/proto/callback_pb";
import type * as callbackServices from "@pulumi/pulumi/proto/callback_grpc_pb";
import type * as engineMessages from "@pulumi/pulumi/proto/engine_pb";
import type * as engineServices from "@pulumi/pulumi/proto/engine_grpc_pb";
import type * as aliases from "@pulumi/pulumi/proto/alias_pb";
import type * as messages from "@pulumi/pulumi/proto/resource_pb";
import type * as services from "@pulumi/pulumi/proto/resource_grpc_pb";
import type { handleUnaryCall, MethodDefinition, UntypedServiceImplementation } from "@grpc/grpc-js";
import type { Struct as StructMessage } from "google-protobuf/google/protobuf/struct_pb";
import { partsOfUrn, urnInReference } from "../../provider/describe/urn";
import { fromSdk } from "../../provider/base/from-sdk";
import { type Properties, UNKNOWN } from "../../provider/base/values";
import { filled, unary } from "../../serve/plugin/answers";
import { Empty, grpc, provider } from "../../serve/plugin/protocol";
import { structOf } from "../../serve/plugin/wire-values";

const resources = fromSdk("@pulumi/pulumi/proto/resource_pb") as typeof messages;
// Earlier versions of the SDK use the message of a provider.
const { ResourceInvokeResponse = provider.InvokeResponse } = resources as Partial<typeof messages>;
const { ResourceMonitorService } = fromSdk("@pulumi/pulumi/proto/resource_grpc_pb") as typeof services;
const engine = fromSdk("@pulumi/pulumi/proto/engine_pb") as typeof engineMessages;
const { EngineService } = fromSdk("@pulumi/pulumi/proto/engine_grpc_pb") as typeof engineServices;
const { CallbackInvokeRequest } = fromSdk("@pulumi/pulumi/proto/callback_pb") as typeof callbackMessages;
const { CallbacksClient } = fromSdk("@pulumi/pulumi/proto/callback_grpc_pb") as typeof callbackServices;

/** A resource that the program registers or reads. */
export interface RegisteredResource {
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  readonly inputs: StructMessage;
  /** The URN of its explicit provider. Empty: the default one. */
  readonly provider: string;
  /** The ids of the option `import` and of a read. Empty: none. */
  readonly importId: string;
  readonly readId: string;
  readonly ignoreChanges: readonly string[];
  /** Its URN, and those that it had before. */
  readonly urns: readonly string[];
  /** Where it is created: `file:///index.ts#3,14`, the nearest line first. */
  readonly positions: readonly string[];
}

/** The answer to the program about a resource. Without an id, and for outputs that are missing, the value is not known yet. */
export interface EngineAnswer {
  readonly id?: string;
  readonly outputs: StructMessage;
}

/** Answers the stand-in for the engine, and takes the program's messages. */
export interface EngineListener {
  /** Checks a resource. */
  register(resource: RegisteredResource): Promise<EngineAnswer>;
  /** The outputs of the resources in the stack's state, by URN. */
  outputsInState(): Promise<Properties>;
  /** Takes what the program itself logs. */
  log(severity: "error" | "warning", message: string): void;
}

/** The abilities of an engine that this one does not have. The SDK then hands over plain values. */
const LACKING = new Set(["resourceReferences", "outputValues"]);

const STACK = "pulumi:pulumi:Stack";

/** The engine's own limit of a message. */
const MAX_BYTES = 400 * 1024 * 1024;

/** Stands in for the engine in the preview of a stack that has nothing: it creates nothing, and asks `listener` about each resource. */
export class StandInEngine {
  readonly #server = new grpc.Server({
    "grpc.max_receive_message_length": MAX_BYTES,
    "grpc.max_send_message_length": MAX_BYTES,
  });
  /** By URN: the parent, the transforms, and the former URNs. */
  readonly #known = new Map<string, { parent: string; transforms: Callback[]; urns: readonly string[] }>();
  readonly #stackTransforms: Callback[] = [];
  #root = "";

  constructor(
    private readonly stack: { readonly project: string; readonly name: string },
    private readonly listener: EngineListener,
  ) {
    this.#server.addService(ResourceMonitorService, serving(ResourceMonitorService, this.#monitor()));
    this.#server.addService(EngineService, serving(EngineService, this.#engine()));
  }

  /** Starts it on a free port of this machine. Returns its address. */
  start(): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) =>
        error === null ? resolve(`127.0.0.1:${port}`) : reject(error),
      );
    });
  }

  stop(): void {
    this.#server.forceShutdown();
  }

  #monitor() {
    return {
      supportsFeature: unary((request: messages.SupportsFeatureRequest) =>
        filled(new resources.SupportsFeatureResponse(), { Hassupport: !LACKING.has(request.getId()) }),
      ),
      registerResource: unary((request: messages.RegisterResourceRequest) => this.#register(request)),
      readResource: unary((request: messages.ReadResourceRequest) => this.#read(request)),
      registerStackTransform: unary((callback: Callback) => {
        this.#stackTransforms.push(callback);
        return new Empty();
      }),
      invoke: unary(async (request: messages.ResourceInvokeRequest) => {
        const isState = request.getTok() === "pulumi:pulumi:readStackResourceOutputs";
        const outputs = isState ? await this.listener.outputsInState() : {};
        // Nothing answers for other packages, so they answer with their arguments, as mocks usually do.
        const answer = isState ? struct({ outputs }) : request.getArgs();
        return filled(new ResourceInvokeResponse(), { Return: answer });
      }),
      registerPackage: unary(() => filled(new resources.RegisterPackageResponse(), { Ref: "package" })),
      /** The SDK then asks for each ability. */
      getDeploymentInfo: undefined,
    };
  }

  #engine() {
    const { LogSeverity, GetRootResourceResponse } = engine;
    return {
      log: unary((request: engineMessages.LogRequest) => {
        const severity = request.getSeverity();
        if (severity === LogSeverity.ERROR) this.listener.log("error", request.getMessage());
        if (severity === LogSeverity.WARNING) this.listener.log("warning", request.getMessage());
        return new Empty();
      }),
      setRootResource: unary((request: engineMessages.SetRootResourceRequest) => {
        this.#root = request.getUrn();
        return new engine.SetRootResourceResponse();
      }),
      getRootResource: unary(() => filled(new GetRootResourceResponse(), { Urn: this.#root })),
    };
  }

  async #register(given: messages.RegisterResourceRequest) {
    const request = await this.#transformed(given);
    const [type, name, parent] = [request.getType(), request.getName(), request.getParent()];
    const urn = this.#urn(parent, type, name);
    const urns = this.#urnsOf(request, urn);
    this.#known.set(urn, { parent, transforms: request.getTransformsList(), urns });
    const inputs = request.getObject() ?? struct({});
    const positions = [
      request.getSourceposition(),
      ...(request.getStacktrace()?.getFramesList() ?? []).map((frame) => frame.getPc()),
    ].flatMap((at) => (at ? [`${at.getUri()}#${at.getLine()},${at.getColumn()}`] : []));
    const resource: RegisteredResource = {
      ...{ urn, type, name, inputs, urns, positions, readId: "" },
      provider: urnInReference(request.getProvider()),
      importId: request.getImportid(),
      ignoreChanges: request.getIgnorechangesList(),
    };
    const isOwn = type === STACK || !request.getCustom();
    const { id = "", outputs } = isOwn ? { outputs: inputs } : await this.listener.register(resource);
    return filled(new resources.RegisterResourceResponse(), { Urn: urn, Id: id, Object: outputs });
  }

  async #read(request: messages.ReadResourceRequest) {
    const [type, name, parent] = [request.getType(), request.getName(), request.getParent()];
    const urn = this.#urn(parent, type, name);
    const inputs = request.getProperties() ?? struct({});
    const at = request.getSourceposition();
    const { outputs } =
      type === "pulumi:pulumi:StackReference"
        ? // Another stack is not read.
          { outputs: struct({ ...inputs.toJavaScript(), outputs: UNKNOWN, secretOutputNames: UNKNOWN }) }
        : await this.listener.register({
            ...{ urn, type, name, inputs, importId: "", ignoreChanges: [], urns: [urn] },
            readId: request.getId(),
            provider: urnInReference(request.getProvider()),
            positions: at ? [`${at.getUri()}#${at.getLine()},${at.getColumn()}`] : [],
          });
    return filled(new resources.ReadResourceResponse(), { Urn: urn, Properties: outputs });
  }

  #urn(parent: string, type: string, name: string): string {
    const above = parent === "" ? [] : partsOfUrn(parent).types.filter((one) => one !== STACK);
    const { project, name: stack } = this.stack;
    return `urn:pulumi:${stack}::${project}::${[...above, type].join("$")}::${name}`;
  }

  /** The URN of a resource and those of its aliases. A resource whose parent was renamed has those below the parent's. */
  #urnsOf(request: messages.RegisterResourceRequest, urn: string): string[] {
    const above = this.#known.get(request.getParent())?.urns ?? [request.getParent()];
    const named = (parent: string, alias?: aliases.Alias.Spec) =>
      this.#urn(parent, alias?.getType() || request.getType(), alias?.getName() || request.getName());
    const former = request.getAliasesList().flatMap((alias) => {
      const spec = alias.getSpec();
      if (spec === undefined) return [alias.getUrn()];
      if (spec.getNoparent()) return [named("", spec)];
      return (spec.getParenturn() === "" ? above : [spec.getParenturn()]).map((one) => named(one, spec));
    });
    return [...new Set([urn, ...former, ...above.map((one) => named(one))])];
  }

  /** The resource after its transforms: its own first, then those of its parents, and those of the stack at the end. */
  async #transformed(request: messages.RegisterResourceRequest): Promise<messages.RegisterResourceRequest> {
    const transforms = [...request.getTransformsList()];
    for (let above = this.#known.get(request.getParent()); above; above = this.#known.get(above.parent))
      transforms.push(...above.transforms);
    for (const callback of [...transforms, ...this.#stackTransforms]) {
      const options = filled(new resources.TransformResourceOptions(), {
        IgnoreChangesList: request.getIgnorechangesList(),
        AliasesList: request.getAliasesList(),
        Provider: request.getProvider(),
        Import: request.getImportid(),
        DependsOnList: request.getDependenciesList(),
        AdditionalSecretOutputsList: request.getAdditionalsecretoutputsList(),
      });
      const asked = filled(new resources.TransformRequest(), {
        ...{ Type: request.getType(), Name: request.getName(), Custom: request.getCustom() },
        ...{ Parent: request.getParent(), Properties: request.getObject(), Options: options },
      });
      const bytes = await invoke(callback, asked.serializeBinary());
      const answer = resources.TransformResponse.deserializeBinary(bytes);
      if (answer.getProperties() !== undefined) request.setObject(answer.getProperties());
      const changed = answer.getOptions();
      if (changed === undefined) continue;
      request.setIgnorechangesList(changed.getIgnoreChangesList());
      request.setAliasesList(changed.getAliasesList());
      request.setProvider(changed.getProvider());
      request.setImportid(changed.getImport());
    }
    return request;
  }
}

type Callback = callbackMessages.Callback;

/** Properties for the program, without secrets. */
export const struct = (properties: Properties): StructMessage => structOf({ properties, secrets: [] });

const invoke = (callback: Callback, request: Uint8Array): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    const client = new CallbacksClient(callback.getTarget(), grpc.credentials.createInsecure());
    const message = filled(new CallbackInvokeRequest(), { Token: callback.getToken(), Request: request });
    client.invoke(message, (error, response) => {
      client.close();
      if (error === null) resolve(response.getResponse_asU8());
      else reject(new Error(error.details));
    });
  });

type Definitions = Readonly<Record<string, MethodDefinition<unknown, unknown>>>;

/** All methods of a service: these, and for the others an empty answer. */
function serving(service: object, methods: object): UntypedServiceImplementation {
  const others = Object.entries(service as Definitions).map(([name, definition]) => [
    name,
    unary(() => definition.responseDeserialize(Buffer.alloc(0))) as handleUnaryCall<unknown, unknown>,
  ]);
  const all = { ...Object.fromEntries(others), ...methods } as Record<
    string,
    handleUnaryCall<unknown, unknown> | undefined
  >;
  return Object.fromEntries(
    Object.entries(all).filter(([, method]) => method !== undefined),
  ) as UntypedServiceImplementation;
}
