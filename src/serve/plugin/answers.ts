import type { ServiceError } from "@grpc/grpc-js";
import { type Difference, type Sealed, Unfinished } from "./resource";
import { Any, grpc, provider, Status } from "./protocol";
import { sent } from "./wire-values";

export const structOf = ({ properties, secrets }: Sealed) => sent(properties, secrets);

/** The answer of `check` and `checkConfig`. */
export function checkedAnswer(
  inputs: Sealed,
  failures: readonly { readonly property: string; readonly reason: string }[],
) {
  const answer = new provider.CheckResponse();
  answer.setInputs(structOf(inputs));
  answer.setFailuresList(
    failures.map(({ property, reason }) => {
      const failure = new provider.CheckFailure();
      failure.setProperty(property);
      failure.setReason(reason);
      return failure;
    }),
  );
  return answer;
}

/** The answer of `diff`. */
export function diffAnswer({ changes, replaces, deleteBeforeReplace, details, stables }: Difference) {
  const { DIFF_SOME, DIFF_NONE } = provider.DiffResponse.DiffChanges;
  const { Kind } = provider.PropertyDiff;
  const kinds = {
    add: [Kind.ADD, Kind.ADD_REPLACE],
    delete: [Kind.DELETE, Kind.DELETE_REPLACE],
    update: [Kind.UPDATE, Kind.UPDATE_REPLACE],
  } as const;
  const answer = new provider.DiffResponse();
  answer.setChanges(changes ? DIFF_SOME : DIFF_NONE);
  answer.setReplacesList([...replaces]);
  answer.setDeletebeforereplace(deleteBeforeReplace);
  answer.setStablesList([...stables]);
  answer.setDiffsList([...new Set(details.map(({ path }) => path.split(".", 1)[0] ?? path))]);
  answer.setHasdetaileddiff(true);
  for (const { path, kind, replaces: doesReplace } of details) {
    const change = new provider.PropertyDiff();
    change.setKind(kinds[kind][doesReplace ? 1 : 0]);
    change.setInputdiff(true);
    answer.getDetaileddiffMap().set(path, change);
  }
  return answer;
}

/** An error as the protocol has it. A failure midway carries the state that the engine keeps. */
export function errorAnswer(error: unknown): Partial<ServiceError> {
  const message = error instanceof Error ? error.message : String(error);
  const metadata = new grpc.Metadata();
  if (error instanceof Unfinished) {
    const { failure, outputs } = error;
    const kept = new provider.ErrorResourceInitFailed();
    kept.setId(failure.id);
    kept.setProperties(structOf(outputs));
    kept.setReasonsList([...failure.reasons]);
    const detail = new Any();
    detail.pack(kept.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
    const status = new Status();
    status.setCode(grpc.status.UNKNOWN);
    status.setMessage(message);
    status.addDetails(detail);
    metadata.add("grpc-status-details-bin", Buffer.from(status.serializeBinary()));
  }
  return { code: grpc.status.UNKNOWN, details: message, metadata };
}
