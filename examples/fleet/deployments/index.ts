import * as pulumi from "@pulumi/pulumi";
import * as service from "@pulumi/pulumiservice";
import { nightly } from "./schedule";
import { stacks } from "./stacks";

const config = new pulumi.Config();
const organization = config.require("organization");
const repository = config.require("repository");

/** How many runs of one account may overlap. Together they send as many requests at once as a single run does by default. */
const RUNS_AT_ONCE = 4;
const REQUESTS_AT_ONCE = 16;

for (const { project, stack, cron } of nightly(stacks)) {
  const name = `${project}-${stack}`;
  const settings = new service.DeploymentSettings(name, {
    organization,
    project,
    stack,
    sourceContext: { git: { branch: "main", repoDir: project } },
    github: { repository, previewPullRequests: true, deployCommits: true, paths: [`${project}/**`] },
    operationContext: {
      // The base URL and the token of the account are in the configuration of the stack, the token as a secret.
      environmentVariables: {
        // A run starts on a machine without the notes of an interrupted run.
        NODECLOUD_RESUME: "true",
        NODECLOUD_MAX_CONCURRENCY: String(REQUESTS_AT_ONCE / RUNS_AT_ONCE),
      },
    },
    cacheOptions: { enable: true },
  });
  new service.DriftSchedule(
    name,
    { organization, project, stack, scheduleCron: cron, autoRemediate: false },
    // A schedule needs the settings of its stack.
    { dependsOn: settings },
  );
}
