const DAY_MS = 24 * 60 * 60 * 1000;
const KEPT_MS = 7 * DAY_MS;

/** Each 00:00 UTC after one moment and up to another whose backup is not expired. */
export function midnights(after: number, now: number): number[] {
  const first = (Math.floor(Math.max(after, now - KEPT_MS) / DAY_MS) + 1) * DAY_MS;
  const count = Math.max(0, Math.floor((now - first) / DAY_MS) + 1);
  return Array.from({ length: count }, (_, day) => first + day * DAY_MS);
}

/** Whether an automatic backup of this date is expired. The service keeps those of the last seven days. */
export const hasExpired = (created: string, now: number): boolean =>
  Date.parse(`${created}Z`) <= now - KEPT_MS;
