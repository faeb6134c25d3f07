import type * as pulumi from "@pulumi/pulumi";
import * as sdk from "./sdk";
import { NO_ORGANIZATION } from "./hidden";

/** What the URNs of all children of a parent begin with. There may be thousands of them. */
const beginnings = new WeakMap<pulumi.Resource, Promise<string>>();

/**
 * The URN of a resource as the plugin is handed it, without what an output of the parent's would bring along: a dependency on the parent, and
 * so on all that is in it.
 */
export function handedUrn(
  name: string,
  type: string,
  parent: pulumi.Resource | undefined,
): string | Promise<string> {
  const end = `${type}::${name}`;
  if (parent === undefined || parent === sdk.getStackResource())
    return `${organization()}urn:pulumi:${sdk.getStack()}::${sdk.getProject()}::${end}`;
  const known = beginnings.get(parent);
  const beginning = known ?? beginningOf(parent);
  if (known === undefined) beginnings.set(parent, beginning);
  return beginning.then((text) => `${text}${end}`);
}

async function beginningOf(parent: pulumi.Resource): Promise<string> {
  const urn = await sdk.settling(sdk.createUrn("", "", parent)).promise();
  return `${organization()}${urn.slice(0, -"::".length)}`;
}

function organization(): string {
  try {
    const name = sdk.getOrganization();
    return name === NO_ORGANIZATION ? "" : `${name}/`;
  } catch {
    // The command line names none.
    return "";
  }
}
