import * as pulumi from "@pulumi/pulumi";
import { resetOptions } from "@pulumi/pulumi/runtime/settings";
import { type Description } from "../../src/provider/describe/define-resource";
import { outlineOf } from "../../src/provider/state/make-outline";
import { type Outline } from "../../src/provider/describe/outline";
import { registration, typeOf } from "../../src/provider/program/registration";
import { settling } from "../../src/provider/program/sdk";
import { FORMS } from "../../src/provider/state/packed-members";
import { NO_ORGANIZATION } from "../../src/provider/describe/urn";
import { hasUnknown, isObject, type Properties, UNKNOWN } from "../../src/provider/base/values";

// The URNs of this process have this project and stack. No engine is connected.
resetOptions("test", "dev", -1, "", "", false, NO_ORGANIZATION);

/** The inputs that the class of a resource registers. The engine hands them to a plugin as plain values, without marks of secrets. */
export async function registered(
  description: Description,
  name: string,
  args: Properties,
  options: pulumi.CustomResourceOptions,
): Promise<Properties> {
  const outline = outlineOf(description);
  const isPartlyKnown = (outline.forms ?? []).some((form) => mayBeUnknown(args[form]));
  const [handed, given] = isPartlyKnown
    ? [{ ...outline, forms: [] }, withMembers(outline, args)]
    : [outline, args];
  const { props } = registration(handed, { type: typeOf(outline), name }, given, options);
  const entries = await Promise.all(
    Object.entries(props).map(async ([key, value]) => [key, await plainValue(value)] as const),
  );
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

const mayBeUnknown = (value: unknown) => !pulumi.Output.isInstance(value) && hasUnknown(value);

/** The members of a set, of which a test leaves some unknown, as the class hands them over. */
function withMembers({ membersProperty = "", forms = [] }: Outline, args: Properties): Properties {
  const isMembers = ([name]: [string, unknown]) => forms.includes(name);
  const rest = Object.entries(args).filter((entry) => !isMembers(entry));
  const given = Object.entries(args).filter(isMembers);
  const parts = given.map(([form, members]) => [form, partly(members)]);
  const isUnknown = given.some(([, members]) => members === UNKNOWN);
  return {
    ...Object.fromEntries(rest),
    [membersProperty]: isUnknown ? UNKNOWN : { [FORMS]: Object.fromEntries(parts) as unknown },
  };
}

const partly = (members: unknown): unknown =>
  Array.isArray(members)
    ? members.map((member: unknown) => (hasUnknown(member) ? member : JSON.stringify(member)))
    : members;

const plainValue = (value: unknown): Promise<unknown> =>
  settling(pulumi.output(ofThisRealm(value))).promise();

/** A copy whose lists the SDK recognises: `structuredClone` makes those of another realm in jest. */
function ofThisRealm(value: unknown): unknown {
  if (Array.isArray(value)) return Array.from(value as unknown[], (item) => ofThisRealm(item));
  if (!isObject(value) || Object.getPrototypeOf(Object.getPrototypeOf(value)) !== null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, ofThisRealm(inner)]));
}
