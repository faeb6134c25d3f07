/* eslint-disable @typescript-eslint/no-require-imports -- `import()` would be an ES module's, which jest's loader has not */
import type * as apiService from "../api/service";
import type * as providerConnect from "../provider/connect";

// What sends requests is loaded by the first call, not by each program that imports the package.
export const loadService = () => (require("../api/service") as typeof apiService).service;
export const loadConnect = () => (require("../provider/connect") as typeof providerConnect).connect;
