import * as pulumi from "@pulumi/pulumi";
import { type Outline } from "../../../src/provider/describe/outline";
import { settling } from "../../../src/provider/program/sdk";
import { type Path } from "../../../src/provider/base/property-paths";
import { isObject } from "../../../src/provider/base/values";
import { type Properties, withSecrets } from "./wire";

/** A program's inputs as an SDK made from the schema registers them: plain values, of which some are secret. */
export async function programValues({ secretInputs = [] }: Outline, args: Properties): Promise<Properties> {
  const secrets: Path[] = [];
  const values = (await plain(args, [], secrets)) as Properties;
  const always = secretInputs.filter((name) => values[name] !== undefined).map((name) => [name]);
  return withSecrets(values, [...always, ...secrets]);
}

async function plain(value: unknown, path: Path, secrets: Path[]): Promise<unknown> {
  if (pulumi.Output.isInstance(value)) {
    const output = settling(value);
    if (await output.isSecret) secrets.push(path);
    return plain(await output.promise(), path, secrets);
  }
  if (Array.isArray(value))
    return Promise.all(value.map((item, index) => plain(item, [...path, index], secrets)));
  if (!isObject(value)) return value;
  const given = Object.entries(value).filter(([, inner]) => inner !== undefined);
  const entries = await Promise.all(
    given.map(async ([name, inner]) => [name, await plain(inner, [...path, name], secrets)] as const),
  );
  return Object.fromEntries(entries);
}
