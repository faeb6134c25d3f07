import { randomBytes } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import * as grpc from "@grpc/grpc-js";
import { type ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as provider from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { partsOfUrn } from "../../../src/provider/describe/urn";
import { type CheckAnswer, type Diff, type Naming, type Plugin, PluginError, type ReadResult } from "./calls";
import { fromStruct, type Properties, toStruct } from "./wire";

/** The calls that an engine makes when a plugin has started. Returns whether the plugin accepts secrets. */
export async function configure(
  client: ResourceProviderClient,
  engine: string,
  settings: Properties,
): Promise<boolean> {
  const handshake = new provider.ProviderHandshakeRequest();
  handshake.setEngineAddress(engine);
  await unlessUnknown((done) => client.handshake(handshake, done));
  const request = new provider.ConfigureRequest();
  request.setArgs(toStruct(settings, true));
  request.setAcceptsecrets(true);
  request.setAcceptresources(true);
  request.setSendsOldInputs(true);
  request.setSendsOldInputsToDelete(true);
  const reply = await ask<provider.ConfigureResponse>((done) => client.configure(request, done));
  return reply.getAcceptsecrets();
}

type ResourceCalls = Omit<Plugin, "logs" | "printed" | "stop">;

/** The calls about resources, as the engine makes them. */
export function resourceCalls(client: ResourceProviderClient, acceptsSecrets: boolean): ResourceCalls {
  const struct = (properties: object) => toStruct(properties, acceptsSecrets);
  const read = async (request: provider.ReadRequest): Promise<ReadResult> => {
    const reply = await ask<provider.ReadResponse>((done) => client.read(request, done));
    return {
      id: reply.getId(),
      props: fromStruct(reply.getProperties()),
      inputs: reply.hasInputs() ? fromStruct(reply.getInputs()) : undefined,
    };
  };
  return {
    async check({ urn, inputs = {} }, news, naming = {}) {
      const request = about(new provider.CheckRequest(), urn);
      request.setOlds(struct(inputs));
      request.setNews(struct(news));
      setNaming(request, naming);
      return checkedIn(await ask<provider.CheckResponse>((done) => client.check(request, done)));
    },
    async diff({ urn, id, inputs, outputs }, news, ignoreChanges = []) {
      const request = about(new provider.DiffRequest(), urn);
      request.setId(id);
      request.setOldInputs(struct(inputs));
      request.setOlds(struct(outputs));
      request.setNews(struct(news));
      request.setIgnorechangesList([...ignoreChanges]);
      const reply = await ask<provider.DiffResponse>((done) => client.diff(request, done));
      return diffIn(reply, inputs, news);
    },
    async create({ urn }, inputs, { timeoutSec = 0, isPreview = false } = {}) {
      const request = about(new provider.CreateRequest(), urn);
      request.setProperties(struct(inputs));
      request.setTimeout(timeoutSec);
      request.setPreview(isPreview);
      const reply = await ask<provider.CreateResponse>((done) => client.create(request, done));
      return { id: reply.getId(), outputs: fromStruct(reply.getProperties()) };
    },
    read({ urn, id, inputs, outputs }) {
      const request = about(new provider.ReadRequest(), urn);
      request.setId(id);
      request.setInputs(struct(inputs));
      request.setProperties(struct(outputs));
      return read(request);
    },
    get({ urn }, id, properties) {
      const request = about(new provider.ReadRequest(), urn);
      request.setId(id);
      request.setInputs(struct(properties));
      request.setProperties(struct(properties));
      return read(request);
    },
    readForImport({ urn }, id) {
      const request = about(new provider.ReadRequest(), urn);
      request.setId(id);
      return read(request);
    },
    async update({ urn, id, inputs, outputs }, news, { timeoutSec = 0, isPreview = false } = {}) {
      const request = about(new provider.UpdateRequest(), urn);
      request.setId(id);
      request.setOldInputs(struct(inputs));
      request.setOlds(struct(outputs));
      request.setNews(struct(news));
      request.setTimeout(timeoutSec);
      request.setPreview(isPreview);
      const reply = await ask<provider.UpdateResponse>((done) => client.update(request, done));
      return fromStruct(reply.getProperties());
    },
    async delete({ urn, id, inputs, outputs }, { timeoutSec = 0 } = {}) {
      const request = about(new provider.DeleteRequest(), urn);
      request.setId(id);
      request.setOldInputs(struct(inputs));
      request.setProperties(struct(outputs));
      request.setTimeout(timeoutSec);
      await ask((done) => client.delete(request, done));
    },
  };
}

interface AboutResource {
  setUrn(urn: string): unknown;
  setName(name: string): unknown;
  setType(type: string): unknown;
}

/** Sets what each request says about its resource. */
function about<Request extends AboutResource>(request: Request, urn: string): Request {
  const { types, name } = partsOfUrn(urn);
  request.setUrn(urn);
  request.setType(types.at(-1) ?? "");
  request.setName(name);
  return request;
}

function setNaming(request: provider.CheckRequest, { seed, proposed, isDisabled = false }: Naming): void {
  request.setRandomseed(seed ?? randomBytes(32));
  if (proposed === undefined && !isDisabled) return;
  const { AutonamingOptions } = provider.CheckRequest;
  const options = new AutonamingOptions();
  options.setProposedName(proposed ?? "");
  options.setMode(isDisabled ? AutonamingOptions.Mode.DISABLE : AutonamingOptions.Mode.PROPOSE);
  request.setAutonaming(options);
}

export function checkedIn(reply: provider.CheckResponse): CheckAnswer {
  return {
    inputs: fromStruct(reply.getInputs()),
    failures: reply.getFailuresList().map((failure) => ({
      property: failure.getProperty(),
      reason: failure.getReason(),
    })),
  };
}

const kinds = ["add", "add-replace", "delete", "delete-replace", "update", "update-replace"];

export function diffIn(reply: provider.DiffResponse, olds: Properties = {}, news: Properties = {}): Diff {
  const details: Record<string, string> = {};
  reply.getDetaileddiffMap().forEach((change, path) => {
    details[path] = kinds[change.getKind()] ?? "";
  });
  return {
    changes: reply.getChanges() === provider.DiffResponse.DiffChanges.DIFF_SOME,
    replaces: reply.getReplacesList(),
    deleteBeforeReplace: reply.getDeletebeforereplace(),
    stables: reply.getStablesList(),
    details,
    row: rowOf(reply, olds, news),
  };
}

/** What the engine shows: the detailed changes, or otherwise its own comparison of inputs, and of these only what the provider names. */
function rowOf(reply: provider.DiffResponse, olds: Properties, news: Properties): string[] {
  const paths: string[] = [];
  reply.getDetaileddiffMap().forEach((_, path) => paths.push(path));
  const compared = [...Object.keys(olds), ...Object.keys(news)].filter(
    (name) => !name.startsWith("__") && !isDeepStrictEqual(olds[name], news[name]),
  );
  const names = reply.getHasdetaileddiff() ? paths.map((path) => /^[^.[]+/.exec(path)?.[0] ?? "") : compared;
  const only = reply.getDiffsList();
  return [...new Set(names)].filter((name) => only.length === 0 || only.includes(name)).sort();
}

type Send<Reply> = (done: (error: grpc.ServiceError | null, reply: Reply) => void) => unknown;

export function ask<Reply>(send: Send<Reply>): Promise<Reply> {
  return new Promise((resolve, reject) => {
    send((error, reply) => (error === null ? resolve(reply) : reject(pluginError(error))));
  });
}

/** A call that a plugin may lack. */
async function unlessUnknown<Reply>(send: Send<Reply>): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    send((error) =>
      error === null || error.code === grpc.status.UNIMPLEMENTED ? resolve() : reject(pluginError(error)),
    );
  });
}

/** The metadata of the answer contains the state that the engine keeps of a resource. */
function pluginError(error: grpc.ServiceError): PluginError {
  const [packed] = error.metadata.get("grpc-status-details-bin");
  const detail =
    packed instanceof Uint8Array ? Status.deserializeBinary(packed).getDetailsList()[0] : undefined;
  const kept = detail?.unpack(
    (bytes) => provider.ErrorResourceInitFailed.deserializeBinary(bytes),
    "pulumirpc.ErrorResourceInitFailed",
  );
  return new PluginError(
    error.details,
    kept == null
      ? undefined
      : { id: kept.getId(), properties: fromStruct(kept.getProperties()), reasons: kept.getReasonsList() },
  );
}
