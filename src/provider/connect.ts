import { type Client, createClient } from "../api/client";
import { isNodeCloudError } from "../api/errors";
import { type Configuration } from "./config";
import { ProviderError } from "./errors";

/** The client of an account. Throws, naming the setting, where the configuration cannot be used. */
export function connect(configuration: Configuration): Client {
  try {
    return createClient(configuration);
  } catch (error) {
    if (isNodeCloudError(error)) throw new ProviderError(`nodecloud:${error.message}`, { cause: error });
    throw error;
  }
}
