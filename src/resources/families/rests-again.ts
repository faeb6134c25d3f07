/** After so many reads of an object at rest, its work is over, or was too short for any read to show it. */
const LOOKS = 3;

/**
 * Tells when an action on an object is over: the service has worked on it, and it has its earlier status again. Statuses lag, so a status at
 * rest proves nothing at first, and the action may end in a different status at rest. Both count after several reads.
 */
export function restsAgain({
  before,
  atRest,
}: {
  readonly before: string;
  readonly atRest: readonly string[];
}): (reply: { readonly status: string }) => boolean {
  let worked = false;
  let looks = 0;
  return ({ status }) => {
    const rests = atRest.includes(status);
    worked ||= !rests;
    looks = rests ? looks + 1 : 0;
    return rests && ((worked && status === before) || looks > LOOKS);
  };
}
