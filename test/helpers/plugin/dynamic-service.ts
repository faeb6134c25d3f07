import type * as pulumi from "@pulumi/pulumi";
import * as grpc from "@grpc/grpc-js";
import * as provider from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Any } from "google-protobuf/google/protobuf/any_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { type JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";
import { lazily } from "../../../src/api/lazily";
import { type Session } from "../../../src/provider/run/session";
import { HIDDEN } from "../../../src/provider/state/hidden-names";
import { UNKNOWN } from "../../../src/provider/base/values";
import { descriptions } from "../../../src/resources";
import { dynamicOf } from "../../../src/serve/lifecycles";
import { type Properties } from "./wire";

type Served = pulumi.dynamic.ResourceProvider;

/** The methods of the dynamic plugin, which belongs to the SDK, for the resources of this package in this process. */
export function dynamicMethods(session: Session): grpc.UntypedServiceImplementation {
  const runtime = lazily(Object.keys(descriptions) as (keyof typeof descriptions)[], (type) =>
    dynamicOf(session, type),
  );
  const known = new Map<unknown, Served>();
  let settings: Properties = {};
  const providerOf = async (properties: Properties): Promise<Served> => {
    const text = properties[HIDDEN.provider];
    const before = known.get(text);
    if (before !== undefined) return before;
    const made = handlerIn(String(text), runtime);
    known.set(text, made);
    const get = (key: string) => settings[key] as string | undefined;
    await made.configure?.({ config: { get, require: (key) => get(key) ?? "" } });
    return made;
  };
  const ofEither = (olds: Properties, news: Properties) =>
    providerOf(news[HIDDEN.provider] === UNKNOWN ? olds : news);

  return {
    configure: answering((request: provider.ConfigureRequest) => {
      settings = plain(request.getArgs());
      return new provider.ConfigureResponse();
    }),

    check: answering(async (request: provider.CheckRequest) => {
      const [olds, news] = [plain(request.getOlds()), plain(request.getNews())];
      const { check } = await ofEither(olds, news);
      const { inputs = news, failures = [] } = (await check?.(olds, news)) ?? {};
      const answer = new provider.CheckResponse();
      answer.setInputs(struct({ ...(inputs as Properties), [HIDDEN.provider]: news[HIDDEN.provider] }));
      answer.setFailuresList(
        failures.map(({ property, reason }) => {
          const failure = new provider.CheckFailure();
          failure.setProperty(property);
          failure.setReason(reason);
          return failure;
        }),
      );
      return answer;
    }),

    diff: answering(async (request: provider.DiffRequest) => {
      const [olds, news] = [plain(request.getOlds()), plain(request.getNews())];
      const { diff } = await ofEither(olds, news);
      const found = (await diff?.(request.getId(), olds, news)) ?? {};
      const { DIFF_SOME, DIFF_NONE } = provider.DiffResponse.DiffChanges;
      const answer = new provider.DiffResponse();
      answer.setChanges(found.changes === true ? DIFF_SOME : DIFF_NONE);
      answer.setReplacesList(found.replaces ?? []);
      answer.setDeletebeforereplace(found.deleteBeforeReplace ?? false);
      return answer;
    }),

    create: answering(async (request: provider.CreateRequest) => {
      const inputs = plain(request.getProperties());
      const { id, outs } = await (await providerOf(inputs)).create(inputs);
      const answer = new provider.CreateResponse();
      answer.setId(id);
      answer.setProperties(withText(outs as Properties, inputs));
      return answer;
    }),

    read: answering(async (request: provider.ReadRequest) => {
      const outputs = plain(request.getProperties());
      const given = Object.keys(outputs).length > 0 ? outputs : plain(request.getInputs());
      const { id, props, inputs } = (await (await providerOf(given)).read?.(request.getId(), given)) ?? {};
      const answer = new provider.ReadResponse();
      answer.setId(id ?? "");
      answer.setProperties(withText(props as Properties, given));
      if (inputs !== undefined) answer.setInputs(withText(inputs as Properties, given));
      return answer;
    }),

    update: answering(async (request: provider.UpdateRequest) => {
      const [olds, news] = [plain(request.getOlds()), plain(request.getNews())];
      const { outs } = (await (await providerOf(news)).update?.(request.getId(), olds, news)) ?? {};
      const answer = new provider.UpdateResponse();
      answer.setProperties(withText(outs as Properties, news));
      return answer;
    }),

    delete: answering(async (request: provider.DeleteRequest) => {
      const outputs = plain(request.getProperties());
      await (await providerOf(outputs)).delete?.(request.getId(), outputs);
      return new Empty();
    }),
  };
}

/** Runs the text that the state has of a provider. What it requires is the provider of this process. */
function handlerIn(text: string, runtime: object): Served {
  const exported: { handler?: () => Served } = {};
  const run = new Function("exports", "require", text) as (exported: object, load: () => object) => void;
  run(exported, () => runtime);
  if (exported.handler === undefined) throw new Error("the text of the provider has no handler");
  return exported.handler();
}

const plain = (given: Struct | undefined): Properties => given?.toJavaScript() ?? {};

// The values are JSON. The library only has a narrower type for it.
const struct = (properties: Properties): Struct =>
  Struct.fromJavaScript(properties as Record<string, JavaScriptValue>);

const withText = (outputs: Properties | undefined, from: Properties): Struct =>
  struct({ ...outputs, [HIDDEN.provider]: from[HIDDEN.provider] });

/** A method that answers once. */
function answering<Request, Answer>(
  work: (request: Request) => Answer | Promise<Answer>,
): grpc.handleUnaryCall<Request, Answer> {
  return ({ request }, done) => {
    Promise.resolve()
      .then(() => work(request))
      .then(
        (answer) => done(null, answer),
        (error: Error) => done(asAnswer(error)),
      );
  };
}

/** An error as the SDK's plugin answers it. One with an id carries the state that the engine keeps. */
function asAnswer(error: Error & { id?: string; properties?: Properties; reasons?: string[] }) {
  const metadata = new grpc.Metadata();
  if (error.id !== undefined && error.id !== "") {
    const kept = new provider.ErrorResourceInitFailed();
    kept.setId(error.id);
    kept.setProperties(struct(error.properties ?? {}));
    kept.setReasonsList(error.reasons ?? []);
    const detail = new Any();
    detail.pack(kept.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
    const status = new Status();
    status.addDetails(detail);
    metadata.add("grpc-status-details-bin", Buffer.from(status.serializeBinary()));
  }
  return { code: grpc.status.UNKNOWN, details: error.message, metadata };
}
