import type * as grpcLibrary from "@grpc/grpc-js";
import { errorAnswer } from "./answers";

/** A method of the service that answers once. */
export function unary<Request, Answer>(
  work: (request: Request) => Answer | Promise<Answer>,
): grpcLibrary.handleUnaryCall<Request, Answer> {
  return ({ request }, done) => {
    Promise.resolve()
      .then(() => work(request))
      .then(
        (answer) => done(null, answer),
        (error: unknown) => done(errorAnswer(error)),
      );
  };
}
