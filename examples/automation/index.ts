/** Deploys a stack of an inline program: `PULUMI_STACK=prod node index.js`, after `tsc`. */
import * as nodecloud from "pulumi-nodecloud";
import { LocalWorkspace } from "@pulumi/pulumi/automation/index.js";

/** The resources. */
async function program(): Promise<void> {
  new nodecloud.Domain("zone", { domain: "example.org", type: "master", soaEmail: "dns@example.org" });
}

/** Makes or selects the stack, and updates it. */
export async function deploy(stackName: string): Promise<void> {
  const projectName = "automation";
  const stack = await LocalWorkspace.createOrSelectStack(
    { stackName, projectName, program },
    { projectSettings: nodecloud.workspaceSettings(projectName, { main: __dirname }) },
  );
  await stack.up({ onOutput: (text) => process.stdout.write(text) });
}

void deploy(process.env["PULUMI_STACK"] ?? "dev");
