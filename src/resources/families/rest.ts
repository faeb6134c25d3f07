/** How many looks at an object at rest it takes to believe that its work is over, or was so short that no look caught it. */
const LOOKS = 3;

/**
 * Tells when an action on an object is over: it was at work, and is again as it was before. Statuses lag, so being at rest at first says
 * nothing; and the action may leave it at rest in another way than before. Both are believed after some looks.
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
