import { randomBytes } from "node:crypto";

const SUFFIX_LENGTH = 7;

/** A name made of the resource's and a random suffix, at most `max` long; `plain` leaves only letters and digits. */
export function autoname(
  { max, plain = false }: { readonly max: number; readonly plain?: boolean },
  resourceName: string,
  random: (bytes: number) => Buffer = randomBytes,
): string {
  const separator = plain ? "" : "-";
  const base = plain ? resourceName.replace(/[^A-Za-z0-9]/g, "") : resourceName;
  const suffix = random(SUFFIX_LENGTH).toString("hex").slice(0, SUFFIX_LENGTH);
  return `${base.slice(0, max - SUFFIX_LENGTH - separator.length)}${separator}${suffix}`;
}
