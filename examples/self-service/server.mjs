// A small self-service. Each site that somebody orders is a stack of one inline program: node server.mjs PORT
import { LocalWorkspace } from "@pulumi/pulumi/automation/index.js";
import { createServer } from "node:http";
import * as nodecloud from "pulumi-nodecloud";

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
 * The operations, by their method. Each returns the answer.
 * @type {Record<string, (name: string, options: { image?: string }) => Promise<unknown>>}
 */
const operations = {
  async GET() {
    return (await workspace.listStacks()).map(({ name }) => name);
  },
  async PUT(name, { image }) {
    const { summary, outputs } = await (await stackOf(name, image)).up();
    return { ...summary.resourceChanges, image: outputs["image"]?.value };
  },
  // What a PUT would change, also if somebody has changed the site outside of Pulumi.
  async POST(name, { image }) {
    const stack = await stackOf(name, image);
    const { changeSummary } = await stack.preview({ refresh: true });
    return changeSummary;
  },
  async DELETE(name) {
    const stack = await stackOf(name);
    const { summary } = await stack.destroy();
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
    // Two orders for one site at once, or an error of the account: Pulumi says which.
    answer(409, error instanceof Error ? error.message : error);
  }
});
// Only this machine may order: add a login before you open it to others.
server.listen(Number(port), "127.0.0.1");
