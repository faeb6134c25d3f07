import { type FleetStack } from "./stacks";

/** Runs start between one and five in the morning, UTC. */
const FIRST_HOUR = 1;
const MINUTES = 4 * 60;

/** Gives each stack a time of its own, so that the stacks of an account do not start at once. */
export function nightly(stacks: readonly FleetStack[]): (FleetStack & { readonly cron: string })[] {
  return stacks.map((own) => {
    const sameAccount = stacks.filter(({ account }) => account === own.account);
    const minute = Math.floor((sameAccount.indexOf(own) * MINUTES) / sameAccount.length);
    return { ...own, cron: `${minute % 60} ${FIRST_HOUR + Math.floor(minute / 60)} * * *` };
  });
}
