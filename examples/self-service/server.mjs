// A small self-service. Each site that somebody orders is a stack of one inline program: node server.mjs PORT
import { ConcurrentUpdateError, LocalWorkspace } from "@pulumi/pulumi/automation/index.js";
import { createServer } from "node:http";
import * as nodecloud from "pulumi-nodecloud";

/** @import { EngineEvent } from "@pulumi/pulumi/automation/index.js" */

const [port = ""] = process.argv.slice(2);
// The folder with Pulumi.yaml. From there the engine finds the package.
const workDir = import.meta.dirname;
const workspace = await LocalWorkspace.create({ workDir });
const { name: projectName } = await workspace.projectSettings();

/** What a site consists of. @param {string} name @param {string} image */
const site = (name, image) => async () => {
  const node = new nodecloud.Node("web", { region: "us-east", type: "g6-nanode-1", image });
  const zone = new nodecloud.Domain("zone", {
    domain: `${name}.example`,
    type: "master",
    soaEmail: `dns@${name}.example`,
  });
  const target = node.ipv4.apply(([first = ""]) => first);
  new nodecloud.DomainRecord("www", { domainId: zone.id, type: "A", name: "www", target });
  return { image: node.image };
};

/** @param {string} stackName */
const stackOf = (stackName, image = "node/debian12") =>
  LocalWorkspace.createOrSelectStack(
    { stackName, projectName, program: site(stackName, image) },
    { workDir },
  );

/**
 * Runs a command of a stack. If it fails, its error is what the account or the provider says, without the rest of the output.
 * @template Result @param {(options: { onEvent(event: EngineEvent): void }) => Promise<Result>} command
 */
async function told(command) {
  /** @type {Set<string>} */
  const errors = new Set();
  const onEvent = (/** @type {EngineEvent} */ { diagnosticEvent: said }) => {
    if (said?.severity === "error") errors.add(said.message.replaceAll(/<{%.*?%}>/g, "").trim());
  };
  try {
    return await command({ onEvent });
  } catch (error) {
    if (error instanceof ConcurrentUpdateError) errors.add("another order for this site is running");
    throw errors.size === 0 ? error : new Error([...errors].join("\n"), { cause: error });
  }
}

/**
 * The operations, by their method. Each returns the answer.
 * @type {Record<string, (name: string, options: { image?: string }) => Promise<unknown>>}
 */
const operations = {
  async GET() {
    return (await workspace.listStacks()).map(({ name }) => name);
  },
  async PUT(name, { image }) {
    const stack = await stackOf(name, image);
    const { summary, outputs } = await told((options) => stack.up(options));
    return { ...summary.resourceChanges, image: outputs["image"]?.value };
  },
  // What a PUT would change, also if somebody has changed the site outside of Pulumi.
  async POST(name, { image }) {
    const stack = await stackOf(name, image);
    const { changeSummary } = await told((options) => stack.preview({ ...options, refresh: true }));
    return changeSummary;
  },
  async DELETE(name) {
    const stack = await stackOf(name);
    const { summary } = await told((options) => stack.destroy(options));
    await stack.workspace.removeStack(name);
    return summary.resourceChanges;
  },
};

const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
  const [, name = ""] = /^\/sites\/([a-z][a-z0-9-]{0,30})$/.exec(pathname) ?? [];
  const operation = operations[request.method ?? ""];
  const isKnown = operation !== undefined && (request.method === "GET" ? pathname === "/sites" : name !== "");
  /** @param {number} status @param {unknown} body */
  const answer = (status, body) => response.writeHead(status).end(JSON.stringify(body) + "\n");
  if (!isKnown) return answer(404, "GET /sites, or PUT, POST or DELETE /sites/NAME");
  try {
    answer(200, await operation(name, Object.fromEntries(searchParams)));
  } catch (error) {
    answer(409, error instanceof Error ? error.message : error);
  }
});
// Only this machine may order: add a login before you open it to others.
server.listen(Number(port), "127.0.0.1");
