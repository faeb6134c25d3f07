import {
  type Finding,
  type ChangeRule,
  isNew,
  type RuleInputs,
} from "../../provider/describe/define-resource";
import { isGiven } from "../../provider/base/values";

/** The inputs that each type of domain requires. The reference names some cases, and its list is cut off. */
export const needs = {
  master: {
    property: "soaEmail",
    reason: "is required for a master domain; it is the address in the zone's SOA record",
  },
  slave: {
    property: "masterIps",
    reason: "is required for a slave domain; it names the servers to copy the zone from",
  },
} as const;

type Need = (typeof needs)[keyof typeof needs]["property"];
type Reads = Need | "type" | "cloneFrom" | "importFrom";

/** The inputs that the domain's type requires and the program does not set. A domain that starts as a copy takes them from its source. */
function missing({ type, cloneFrom, importFrom, ...inputs }: RuleInputs<Reads>): Finding<Need> | undefined {
  if ((type !== "master" && type !== "slave") || isGiven(cloneFrom) || isGiven(importFrom)) return undefined;
  return isGiven(inputs[needs[type].property]) ? undefined : needs[type];
}

export const newDomainHasItsNeeds: ChangeRule<Reads> = {
  about: ["type"],
  creation: true,
  check: (inputs) => [missing(inputs) ?? []].flat(),
};

/** Refuses the removal of a required input. An input that the program never set may exist in the account: a domain can be adopted. */
export const domainKeepsItsNeeds: ChangeRule<Reads> = {
  about: ["type", "soaEmail", "masterIps"],
  check: (inputs, olds) => {
    const finding = isNew(olds) ? undefined : missing(inputs);
    if (finding === undefined) return [];
    const { property } = finding;
    if (isGiven(olds[property]) || inputs[property] !== undefined) return [finding];
    return olds["type"] === inputs["type"] ? [] : [{ ...finding, warns: true }];
  },
};
