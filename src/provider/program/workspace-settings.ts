import type { ProjectSettings } from "@pulumi/pulumi/automation";
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** The settings of a project of the Automation API. */
export interface WorkspaceSettings extends ProjectSettings {
  /** The folder from which the engine loads the package. */
  main: string;
  /** Where the engine finds the full plugin, if it is installed, and other plugins. */
  plugins?: Partial<
    Record<"analyzers" | "languages" | "providers", { name: string; path: string; version?: string }[]>
  >;
}

const EXECUTABLES = ["pulumi-resource-nodecloud", "pulumi-resource-nodecloud.cmd"];

/**
 * Returns settings for the option `projectSettings` of a workspace of the Automation API, whose project is in a temporary folder. With `main` the engine finds this
 * package for dynamic resources, and with `plugins` the full plugin, as paths that do not depend on that folder.
 *
 * @param name The name of the project.
 * @param options `plugins` has other plugins, which stay. `main` is a folder of a program that has the package in its `node_modules`. If omitted, the working directory.
 */
export function workspaceSettings(
  name: string,
  { main = process.cwd(), plugins, ...more }: Partial<Omit<WorkspaceSettings, "name">> = {},
): WorkspaceSettings {
  const folder = resolve(main);
  const path = pluginAbove(folder);
  return {
    name,
    runtime: "nodejs",
    ...more,
    main: folder,
    ...withPlugin(plugins, path),
  };
}

/** The plugins of the caller, with this one in front. One of this name that the caller names stays. */
function withPlugin(
  plugins: WorkspaceSettings["plugins"],
  path: string | undefined,
): Pick<WorkspaceSettings, "plugins"> {
  const { providers = [] } = plugins ?? {};
  if (path === undefined || providers.some(({ name }) => name === "nodecloud"))
    return plugins === undefined ? {} : { plugins };
  return { plugins: { ...plugins, providers: [{ name: "nodecloud", path }, ...providers] } };
}

/** The nearest folder of programs that has the plugin. Monorepos install it above the program. */
function pluginAbove(folder: string): string | undefined {
  const path = join(folder, "node_modules", ".bin");
  if (EXECUTABLES.some((file) => existsSync(join(path, file)))) return path;
  const above = dirname(folder);
  return above === folder ? undefined : pluginAbove(above);
}
