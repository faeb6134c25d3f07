import { ProviderError } from "./errors";

/** What the provider needs to reach an account. */
export interface Configuration {
  readonly token: string;
  readonly baseUrl: string;
}

/** Each setting: its name in a Pulumi configuration, and in the environment. */
export const SETTINGS = {
  token: { key: "nodecloud:token", variable: "NODECLOUD_TOKEN" },
  baseUrl: { key: "nodecloud:baseUrl", variable: "NODECLOUD_BASE_URL" },
} as const;

const HOW_TO_SET: Readonly<Record<keyof typeof SETTINGS, string>> = {
  token: "pulumi config set --secret nodecloud:token",
  baseUrl: "pulumi config set nodecloud:baseUrl https://…/v4",
};

/** Reads the settings: the configuration first, the environment where it is silent. */
export function readConfiguration(
  configured: (key: string) => string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): Configuration {
  const setting = (name: keyof typeof SETTINGS): string => {
    const { key, variable } = SETTINGS[name];
    const value = configured(key) ?? environment[variable];
    if (value === undefined || value.trim() === "") {
      throw new ProviderError(
        `${key} is not set: run \`${HOW_TO_SET[name]}\`, set ${variable} in the environment, ` +
          `or give the resource an explicit provider with ${name}`,
      );
    }
    return value.trim();
  };
  return { token: setting("token"), baseUrl: setting("baseUrl") };
}
