import { keyOfParts } from "../base/key";
import { type Description } from "../describe/define-resource";
import { leavesOf, maxLengthOf } from "../describe/fields";
import { type Call, isAutomatic } from "../state/call";

const SUFFIX_LENGTH = 7;

export interface AutonameOptions {
  /** The greatest length of a name. */
  readonly max?: number | undefined;
  /** Whether only letters and digits are left. */
  readonly plain?: boolean;
}

/** The identity of the resource: the backend and the organization of its stack, and its URN, which has the stack and the project. */
export interface Origin {
  readonly backend: string;
  readonly organization: string;
  readonly urn: string;
  /** A name to avoid: that of the object that it replaces, or of an object of another resource. */
  readonly after?: string;
}

/** How automatic names are made. Their greatest length is that of the input. */
export function autonameOf({
  autoname: given,
  fields,
}: Description): (AutonameOptions & { path: string }) | undefined {
  const leaf = leavesOf(fields).find(({ path }) => path === given?.path);
  const max = leaf && maxLengthOf(leaf.schema);
  return given === undefined || max === undefined ? given : { ...given, max };
}

/**
 * Whether the name in inputs is derived, so that no other resource asks for it. An automatic name may also be one of `pulumi:autonaming`, and a policy may replace
 * it: then it is like a name that the program sets.
 */
export function hasDerivedName(description: Description, call: Pick<Call, "inputs" | "autonamed">): boolean {
  const options = autonameOf(description);
  return (
    options !== undefined &&
    isAutomatic(call) &&
    isAutoname(options, call.autonamed ?? "", call.inputs[options.path])
  );
}

/** The resource's name with a suffix that is derived from its origin, so that every run on every machine makes the same name. */
export function autoname(options: AutonameOptions, resourceName: string, origin: Origin): string {
  const { backend, organization, urn, after = "" } = origin;
  const suffix = keyOfParts(backend, organization, urn, resourceName, after).slice(0, SUFFIX_LENGTH);
  return `${stemOf(options, resourceName)}${suffix}`;
}

/** Whether a name has the form of the resource's automatic names. */
export function isAutoname(options: AutonameOptions, resourceName: string, name: unknown): boolean {
  const stem = stemOf(options, resourceName);
  return (
    typeof name === "string" &&
    name.startsWith(stem) &&
    new RegExp(`^[0-9a-f]{${SUFFIX_LENGTH}}$`).test(name.slice(stem.length))
  );
}

function stemOf({ max = Infinity, plain = false }: AutonameOptions, resourceName: string): string {
  const separator = plain ? "" : "-";
  const base = plain ? resourceName.replace(/[^A-Za-z0-9]/g, "") : resourceName;
  return `${base.slice(0, max - SUFFIX_LENGTH - separator.length)}${separator}`;
}
