/**
 * The environments of child processes in scripts, benchmarks and tests. Nothing here depends on the user's Pulumi login,
 * stacks, cloud account or Node settings. This is a CommonJS module because the tests are.
 */
const { mkdirSync } = require("node:fs");
const { join } = require("node:path");
const { pathToFileURL } = require("node:url");

/** Variables that change the behaviour of Pulumi, this package, Node or ts-node. */
const ofTheUser = /^((PULUMI|NODECLOUD|TS_NODE)_.*|NODE_(ENV|OPTIONS|PATH))$/i;

/**
 * The caller's environment without the variables that change the behaviour of Pulumi, this package or Node. The home stays: npm
 * has its settings and its cache there.
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Record<string, string>}
 */
exports.cleanEnvironment = (env = process.env) => {
  /** @type {Record<string, string>} */
  const clean = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && !ofTheUser.test(name)) clean[name] = value;
  }
  return clean;
};

/**
 * A clean environment with its own home, for a program that needs nothing from the user.
 * @param {string} home a directory. Programs create it when they need it.
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Record<string, string>}
 */
exports.hermeticEnvironment = (home, env = process.env) => ({
  ...exports.cleanEnvironment(env),
  HOME: home,
  XDG_CACHE_HOME: join(home, ".cache"),
  XDG_CONFIG_HOME: join(home, ".config"),
  XDG_DATA_HOME: join(home, ".local", "share"),
  XDG_STATE_HOME: join(home, ".local", "state"),
  USERPROFILE: home,
  APPDATA: join(home, "AppData", "Roaming"),
  LOCALAPPDATA: join(home, "AppData", "Local"),
});

/**
 * The environment of `pulumi` commands and of the programs and plugins that they start. `home` and `backend` are
 * directories, which this function creates. The caller adds the engine's own `env` and the program's variables.
 * @param {{ home: string; backend: string; passphrase: string }} options
 * @returns {Record<string, string>}
 */
exports.engineEnvironment = ({ home, backend, passphrase }) => {
  mkdirSync(home, { recursive: true });
  mkdirSync(backend, { recursive: true });
  return {
    ...exports.hermeticEnvironment(home),
    PULUMI_HOME: home,
    PULUMI_BACKEND_URL: pathToFileURL(backend).href,
    PULUMI_CONFIG_PASSPHRASE: passphrase,
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
  };
};
