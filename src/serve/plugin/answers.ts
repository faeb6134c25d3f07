import { leaving } from "../../provider/base/errors";
import { withCode } from "../../provider/base/codes";
import { type Failure } from "../../provider/describe/define-resource";
import type { handleUnaryCall, ServiceError } from "@grpc/grpc-js";
import { nameIn } from "../../provider/base/property-paths";
import { type PluginDifference, Unfinished } from "./resource";
import { Any, grpc, provider, Status } from "./protocol";
import { type Sealed, structOf } from "./wire-values";

/** The fields of a message, by the names of its setters. */
type FieldsOf<Message> = {
  readonly [
    Setter in keyof Message as Setter extends `set${infer Name}` ? Name : never
  ]?: Message[Setter] extends (value: infer Value) => unknown ? Value : never;
};

/** A message with these fields. */
export function filled<Message extends object>(message: Message, fields: FieldsOf<Message>): Message {
  for (const [name, value] of Object.entries(fields)) {
    const setter = Reflect.get(message, `set${name}`) as (value: unknown) => unknown;
    setter.call(message, value);
  }
  return message;
}

/** A method of the service that answers once. */
export function unary<Request, Answer>(
  work: (request: Request) => Answer | Promise<Answer>,
): handleUnaryCall<Request, Answer> {
  return ({ request }, done) => {
    Promise.resolve()
      .then(() => work(request))
      .then(
        (answer) => done(null, answer),
        (error: unknown) => done(errorAnswer(error)),
      );
  };
}

/** The answer of `check` and `checkConfig`. */
export function checkedAnswer(inputs: Sealed, failures: readonly Failure[]) {
  return filled(new provider.CheckResponse(), {
    Inputs: structOf(inputs),
    FailuresList: failures.map(({ property, reason, code }) =>
      filled(new provider.CheckFailure(), {
        Property: property,
        Reason: withCode(reason, code ?? "INVALID_INPUT"),
      }),
    ),
  });
}

/** The answer of `diff`. */
export function diffAnswer({ changes, replaces, deleteBeforeReplace, details, stables }: PluginDifference) {
  const { DIFF_SOME, DIFF_NONE } = provider.DiffResponse.DiffChanges;
  const { Kind } = provider.PropertyDiff;
  const kinds = {
    add: [Kind.ADD, Kind.ADD_REPLACE],
    delete: [Kind.DELETE, Kind.DELETE_REPLACE],
    update: [Kind.UPDATE, Kind.UPDATE_REPLACE],
  } as const;
  const answer = filled(new provider.DiffResponse(), {
    Changes: changes ? DIFF_SOME : DIFF_NONE,
    ReplacesList: [...replaces],
    Deletebeforereplace: deleteBeforeReplace,
    StablesList: [...stables],
    // In the row of the resource, the engine shows the properties that change and that are named here.
    DiffsList: [...new Set([...details.map(({ path, givenAs = nameIn(path) }) => givenAs), ...replaces])],
    Hasdetaileddiff: true,
  });
  for (const { path, givenAs = path, kind, replaces: doesReplace } of details) {
    const change = { Kind: kinds[kind][doesReplace ? 1 : 0], Inputdiff: true };
    // The engine shows the difference at the path. An input without its own value shows nothing there, and is in the row.
    for (const name of new Set([path, givenAs]))
      answer.getDetaileddiffMap().set(name, filled(new provider.PropertyDiff(), change));
  }
  return answer;
}

/** An error as the protocol has it. A failure midway carries the state that the engine keeps. */
export function errorAnswer(error: unknown): Partial<ServiceError> {
  const { message } = leaving(error);
  const metadata = new grpc.Metadata();
  if (error instanceof Unfinished) {
    const kept = { Id: error.failure.id, Properties: structOf(error.outputs), ReasonsList: [message] };
    const detail = new Any();
    detail.pack(
      filled(new provider.ErrorResourceInitFailed(), kept).serializeBinary(),
      "pulumirpc.ErrorResourceInitFailed",
    );
    const status = filled(new Status(), {
      Code: grpc.status.UNKNOWN,
      Message: message,
      DetailsList: [detail],
    });
    metadata.add("grpc-status-details-bin", Buffer.from(status.serializeBinary()));
  }
  return { code: grpc.status.UNKNOWN, details: message, metadata };
}
