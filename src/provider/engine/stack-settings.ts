import { readdirSync } from "node:fs";
import { join } from "node:path";
import { strangeSetting } from "../settings/config";
import { type Environment } from "../base/pulumi-home";
import { quietly } from "../../api/quietly";
import { isObject } from "../base/values";
import { projectAbove, readText } from "./backend";
import { askCommandLine, commandLine, stackArguments } from "./command-line";

const PATIENCE_MS = 20_000;

/** An environment, which may have a policy. */
const ENVIRONMENT = /^environment:/m;

/** Whether a text mentions a policy, maybe misspelt, or an environment that may have one. */
const mentionsPolicy = (text: string): boolean =>
  ENVIRONMENT.test(text) ||
  [...text.matchAll(/nodecloud:(\w+)/g)].some(
    ([, name = ""]) => name === "deny" || name === "allow" || strangeSetting(name) !== undefined,
  );

/**
 * The configuration of a stack, or of the selected one, as it is now, by key. A destruction hands the provider what the last `up` has used. It is only asked for if a file of the project
 * seems to have a policy, as it takes a process.
 */
export async function readStackSettings(
  stack: string | undefined,
  environment: Environment,
): Promise<ReadonlyMap<string, string>> {
  const project = projectAbove(commandLine().cwd ?? process.cwd());
  if (project === undefined || !mayHavePolicy(project)) return new Map();
  const listed = await askCommandLine(
    ["config", "--json", "--show-secrets", ...stackArguments(stack, false)],
    environment,
    PATIENCE_MS,
  ).catch(() => undefined);
  return new Map(
    Object.entries(isObject(listed) ? listed : {}).flatMap(([key, setting]) => {
      const value = isObject(setting) ? setting["value"] : undefined;
      return typeof value === "string" ? [[key, value]] : [];
    }),
  );
}

/** Whether the project file or one beside it, or in the folder for configurations, mentions a policy. */
function mayHavePolicy({ folder, content }: { readonly folder: string; readonly content: string }): boolean {
  if (mentionsPolicy(content)) return true;
  const [, other] = /^stackConfigDir:\s*["']?(?<folder>[^"'#\n]+)/m.exec(content) ?? [];
  const files = join(folder, other?.trim() ?? "");
  const names = quietly(() => readdirSync(files)) ?? [];
  return names.some(
    (name) => /^Pulumi\..+\.(?:ya?ml|json)$/.test(name) && mentionsPolicy(readText(join(files, name)) ?? ""),
  );
}
