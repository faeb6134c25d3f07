import type * as messages from "@pulumi/pulumi/proto/provider_pb";
import { type Naming } from "../../provider/state/call";
import { checkedAnswer, diffAnswer, filled, unary } from "./answers";
import { Empty, provider } from "./protocol";
import { type PluginResource, type PluginState } from "./resource";
import { received, structOf } from "./wire-values";

/** The methods about resources. `resource` finds what serves the resource of a URN. */
export const resourceMethods = (resource: (urn: string) => PluginResource) => ({
  check: unary(async (request: messages.CheckRequest) => {
    const urn = request.getUrn();
    const { inputs, failures } = await resource(urn).check(
      urn,
      received(request.getOlds()),
      received(request.getNews()),
      namingIn(request),
    );
    return checkedAnswer(inputs, failures);
  }),

  diff: unary(async (request: messages.DiffRequest) => {
    const urn = request.getUrn();
    const ignored = request.getIgnorechangesList();
    return diffAnswer(await resource(urn).diff(urn, stateIn(request), received(request.getNews()), ignored));
  }),

  create: unary(async (request: messages.CreateRequest) => {
    const urn = request.getUrn();
    const inputs = received(request.getProperties());
    const { id, outputs } = request.getPreview()
      ? { id: "", outputs: await resource(urn).previewCreate(urn, inputs) }
      : await resource(urn).create(urn, inputs, request.getTimeout());
    return filled(new provider.CreateResponse(), { Id: id, Properties: structOf(outputs) });
  }),

  read: unary(async (request: messages.ReadRequest) => {
    const urn = request.getUrn();
    const id = request.getId();
    // The engine sends no inputs only if it imports the object.
    const found = request.hasInputs()
      ? await resource(urn).read(urn, {
          id,
          outputs: received(request.getProperties()),
          inputs: received(request.getInputs()),
        })
      : await resource(urn).readForImport(urn, id);
    if (found === undefined) return new provider.ReadResponse();
    const { outputs, inputs } = found;
    const properties = { Properties: structOf(outputs), Inputs: structOf(inputs) };
    return filled(new provider.ReadResponse(), { Id: found.id, ...properties });
  }),

  update: unary(async (request: messages.UpdateRequest) => {
    const urn = request.getUrn();
    const state = stateIn(request);
    const news = received(request.getNews());
    const outputs = request.getPreview()
      ? await resource(urn).previewUpdate(urn, state, news)
      : await resource(urn).update(urn, state, news, request.getTimeout());
    return filled(new provider.UpdateResponse(), { Properties: structOf(outputs) });
  }),

  delete: unary(async (request: messages.DeleteRequest) => {
    const urn = request.getUrn();
    const outputs = received(request.getProperties());
    const state = { id: request.getId(), outputs, inputs: received(request.getOldInputs()) };
    await resource(urn).delete(urn, state, request.getTimeout());
    return new Empty();
  }),
});

/** The state in a request to compare or update. */
const stateIn = (request: messages.DiffRequest | messages.UpdateRequest): PluginState => ({
  id: request.getId(),
  outputs: received(request.getOlds()),
  inputs: received(request.getOldInputs()),
});

function namingIn(request: messages.CheckRequest): Naming {
  const seed = Buffer.from(request.getRandomseed_asU8()).toString("hex");
  const autonaming = request.getAutonaming();
  if (autonaming === undefined) return { seed };
  const { Mode } = provider.CheckRequest.AutonamingOptions;
  const isDisabled = autonaming.getMode() === Mode.DISABLE;
  const proposed = autonaming.getProposedName();
  return {
    seed,
    ...(isDisabled ? { isDisabled } : {}),
    ...(isDisabled || proposed === "" ? {} : { proposed }),
  };
}
