import { packageVersion } from "../base/package-version";

/** Where the engine downloads the plugin from if it is not installed. */
export const PLUGIN_DOWNLOAD_URL = "github://api.github.com/pulumi-nodecloud";

/** The options that tell the engine which plugin serves a resource. */
export const pluginOptions = () => ({ version: packageVersion(), pluginDownloadURL: PLUGIN_DOWNLOAD_URL });
