/** A stack of the fleet, and the account that it belongs to. */
export interface FleetStack {
  readonly project: string;
  readonly stack: string;
  readonly account: string;
}

export const stacks: readonly FleetStack[] = [
  { project: "dns", stack: "prod", account: "production" },
  { project: "infra", stack: "prod", account: "production" },
  { project: "infra", stack: "staging", account: "staging" },
];
