import type * as pulumi from "@pulumi/pulumi";
import * as sdk from "./sdk";
import { NO_ORGANIZATION } from "../describe/urn";
import { cached } from "../../api/cached";
import { quietly } from "../../api/quietly";

/** The common beginning of the URNs of all children of a parent. A parent may have thousands of children. */
const beginnings = new WeakMap<pulumi.Resource, Promise<string>>();

/** The URN in the form for the plugin: after the organization, and before the URN of the resource that an input comes from. */
export function handedUrn(urn: string | Promise<string>, input: unknown): string | Promise<string> {
  const source = resourceOf(input);
  const organization = organizationIn();
  if (typeof urn === "string" && source === undefined) return `${organization}${urn}`;
  return Promise.all([urn, source]).then(
    ([own, from]) => `${organization}${own}${from === undefined ? "" : `\n${from}`}`,
  );
}

const sources = new WeakMap<pulumi.Resource, Promise<string>>();

/** The URN of the resource that an output comes from, if there is only one. It is known before the output. */
export function resourceOf(input: unknown): Promise<string> | undefined {
  if (!sdk.Output.isInstance(input)) return undefined;
  const [only, ...others] = (input as unknown as { resources(): Set<pulumi.Resource> }).resources();
  if (only === undefined || others.length > 0) return undefined;
  return cached(sources, only, () => sdk.settling(only.urn).promise());
}

/** The URN of a resource. It is not made from an output of the parent, which would add a dependency on the parent and all its children. */
export function urnIn(
  name: string,
  type: string,
  parent: pulumi.Resource | undefined,
): string | Promise<string> {
  const end = `${type}::${name}`;
  if (parent === undefined || parent === sdk.getStackResource())
    return `urn:pulumi:${sdk.getStack()}::${sdk.getProject()}::${end}`;
  return cached(beginnings, parent, () => beginningOf(parent)).then((text) => `${text}${end}`);
}

async function beginningOf(parent: pulumi.Resource): Promise<string> {
  const urn = await sdk.settling(sdk.createUrn("", "", parent)).promise();
  return urn.slice(0, -"::".length);
}

/** The organization of the stack. The SDK fails if the command line names none, or in a component's own plugin. */
export const organization = (): string => quietly(() => sdk.getOrganization()) ?? NO_ORGANIZATION;

function organizationIn(): string {
  const name = organization();
  return name === NO_ORGANIZATION ? "" : `${name}/`;
}
