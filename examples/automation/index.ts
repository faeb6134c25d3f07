/** Deploys a stack of an inline program: `npx ts-node index.ts up`, or `preview`, `drift` or `destroy`. */
import { LocalWorkspace, type Stack } from "@pulumi/pulumi/automation/index.js";
import * as nodecloud from "pulumi-nodecloud";

// Without an operation nothing happens, also in `pulumi preview` of this folder.
const [operation = "", ttl = "300"] = process.argv.slice(2);
const stackName = process.env["PULUMI_STACK"] ?? "dev";
const projectName = "automation";

/** The resources. */
async function program(): Promise<void> {
  const zone = new nodecloud.Domain("zone", {
    domain: "example.org",
    type: "master",
    soaEmail: "dns@example.org",
  });
  new nodecloud.DomainRecord("www", {
    domainId: zone.id,
    type: "A",
    name: "www",
    target: "192.0.2.80",
    ttlSec: Number(ttl),
  });
}

const onOutput = (text: string) => process.stdout.write(text);

const operations: Readonly<Record<string, (stack: Stack) => Promise<unknown>>> = {
  up: (stack) => stack.up({ onOutput }),
  preview: (stack) => stack.preview({ onOutput }),
  // Reads the account first, and fails if it differs from the program.
  drift: (stack) => stack.preview({ onOutput, refresh: true, expectNoChanges: true }),
  destroy: (stack) => stack.destroy({ onOutput, remove: true }),
};

async function main(): Promise<void> {
  const run = operations[operation];
  if (run === undefined) throw new Error(`Say one of ${Object.keys(operations).join(", ")}.`);
  // With these settings the engine finds the package, whatever folder this starts in.
  const projectSettings = nodecloud.workspaceSettings(projectName, { main: __dirname });
  await run(
    await LocalWorkspace.createOrSelectStack({ stackName, projectName, program }, { projectSettings }),
  );
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
