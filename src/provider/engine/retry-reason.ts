import { isApiError } from "../../api/errors";

/** The reason for a retry in few words, as rows are cut off, and whether all other requests have to wait too. */
export function retryReasonOf(error: Error): { readonly trouble: string; readonly isForAll: boolean } {
  if (!isApiError(error)) return { trouble: "API unreachable", isForAll: true };
  const isForAll = error.status === 429 || error.status === 503;
  return { trouble: `API ${isForAll ? "busy" : "failed"} (${error.status})`, isForAll };
}
