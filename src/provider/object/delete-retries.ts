import { type ObjectKind } from "../kind/kind";
import { type ApiError, isApiError, isNotFound } from "../../api/errors";
import { formatId, type Ref } from "../describe/define-resource";
import { deniedThough, sayingOf } from "../base/errors";
import { type Ports } from "../run/session";

/** How long a delete without effect is repeated. */
export const DELETE_RETRIES_MS = 2 * 60_000;
const FIRST_PAUSE_MS = 2_000;
const LAST_PAUSE_MS = 15_000;

/** Whether a refused delete may succeed later: the API reference names states in which objects cannot be deleted. */
export const mayPass = (error: unknown): error is ApiError =>
  isApiError(error, 400) || isApiError(error, 409) || isApiError(error, 423);

/** Waits before a delete is repeated, longer each time, and shows the reason in the row. False if the time is up. */
export function deletePauses(
  { clock, screen }: Pick<Ports, "clock" | "screen">,
  allowedMs: number,
): (trouble: string) => Promise<boolean> {
  const until = clock.now() + Math.min(DELETE_RETRIES_MS, allowedMs);
  let pause = FIRST_PAUSE_MS;
  return async (trouble) => {
    const left = until - clock.now();
    if (left <= 0) return false;
    screen.rows.current.progress(`delete refused: ${trouble}`);
    await clock.sleep(Math.min(pause, left));
    pause = Math.min(LAST_PAUSE_MS, 2 * pause);
    return true;
  };
}

/**
 * Deletes an object, and returns whether it existed. A 404 counts only if the object cannot be read either, or could not be read before
 * (`isUnseen`). Refused deletes are repeated after `pauses`, unless the caller repeats them.
 */
export async function deleteOnce(
  kind: ObjectKind,
  ref: Ref,
  pauses: (trouble: string) => Promise<boolean>,
  { repeatsRefusals = true, isUnseen = false } = {},
): Promise<boolean> {
  const { account, description } = kind;
  for (;;) {
    try {
      await account.traffic.writing(async () => description.delete?.(account.client, ref));
      return true;
    } catch (error) {
      if (isNotFound(error)) {
        if (isUnseen || (await kind.reads.now(ref)) === undefined) return false;
        if (await pauses("the service answered 404, but the object still exists")) continue;
        throw deniedThough(`delete ${kind.type} ${formatId(ref)}`, "It stays in the state", error);
      }
      if (!repeatsRefusals || !mayPass(error) || !(await pauses(sayingOf(error)))) throw error;
    }
  }
}
