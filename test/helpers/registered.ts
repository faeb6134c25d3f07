import * as pulumi from "@pulumi/pulumi";
import { resetOptions } from "@pulumi/pulumi/runtime/settings";
import { type Description } from "../../src/provider/describe/define-resource";
import { outlineOf } from "../../src/provider/describe/make-outline";
import { registration, typeOf } from "../../src/provider/program/registration";
import { settling } from "../../src/provider/program/sdk";
import { NO_ORGANIZATION } from "../../src/provider/state/hidden-properties";
import { type Properties } from "../../src/provider/state/values";

// The URNs of this process have this project and stack. No engine is connected.
resetOptions("test", "dev", -1, "", "", false, NO_ORGANIZATION);

/**
 * The inputs that the class of a resource registers. The engine hands them to a plugin as plain values, without marks of secrets. The members of
 * a set are given as the class hands them over, because a test may leave some of them unknown.
 */
export async function registered(
  description: Description,
  name: string,
  args: Properties,
  options: pulumi.CustomResourceOptions,
): Promise<Properties> {
  const outline = { ...outlineOf(description), forms: [] };
  const { props } = registration(outline, { type: typeOf(outline), name }, args, options);
  const entries = await Promise.all(
    Object.entries(props).map(async ([key, value]) => [key, await plainValue(value)] as const),
  );
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

const plainValue = (value: unknown): unknown =>
  pulumi.Output.isInstance(value) ? settling(value).promise() : value;
