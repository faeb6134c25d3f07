import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import Ajv from "ajv";
import * as semver from "semver";
import { parseAllDocuments } from "yaml";
import { nightly } from "../../examples/fleet/deployments/schedule";
import { stacks } from "../../examples/fleet/deployments/stacks";
import { readConfiguration } from "../../src/provider/settings/config";
import { ROOT } from "../helpers/programs";
import { stackSchema } from "./operator-fields";

interface Stack {
  readonly metadata: { readonly namespace: string };
  readonly spec: {
    readonly serviceAccountName: string;
    readonly envRefs: Readonly<Record<string, { readonly literal?: { readonly value: string } }>>;
    readonly workspaceTemplate: { readonly spec: { readonly image: string } };
  };
}

const documents = (file: string): unknown[] =>
  parseAllDocuments(readFileSync(join(ROOT, "examples/fleet/operator", file), "utf8")).map((document) => {
    expect(document.errors).toEqual([]);
    return document.toJS() as unknown;
  });

/** What the provider makes of environment variables. */
const configured = (environment: Readonly<Record<string, string>>) =>
  readConfiguration(() => undefined, environment);

describe("the stack for the Kubernetes operator", () => {
  const [stack] = documents("stack.yaml") as [Stack];
  const validate = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(stackSchema);

  it("has only fields that the operator knows, and their types", () => {
    validate(stack);
    expect(validate.errors ?? []).toEqual([]);
  });

  it.each([
    ["a misspelt field", { resyncFrequency: 3600 }],
    ["a duration as a text", { resyncFrequencySeconds: "3600" }],
    ["a field that version 2 ignores", { expectNoRefreshChanges: true }],
    ["a variable from a file", { envRefs: { TOKEN: { type: "FS", filesystem: { path: "/token" } } } }],
  ])("would be refused with %s", (_, changed) => {
    expect(validate({ ...stack, spec: { ...stack.spec, ...changed } })).toBe(false);
  });

  it("sets variables that the provider reads, and an engine that it supports", () => {
    const { envRefs, workspaceTemplate } = stack.spec;
    const variables = Object.fromEntries(
      Object.entries(envRefs).map(([name, { literal }]) => [name, literal?.value ?? "a-secret"]),
    );
    expect(configured(variables)).toEqual({
      token: "a-secret",
      baseUrl: "https://api.example.com/v4",
      resume: true,
      sameAccount: false,
      ownerTags: false,
      readOnly: false,
      deny: [],
      allow: [],
      maxConcurrency: 4,
      validate: true,
    });
    const { peerDependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
      peerDependencies: Record<string, string>;
    };
    const [, version = ""] = /^pulumi\/pulumi:(.*)-nonroot$/.exec(workspaceTemplate.spec.image) ?? [];
    expect(semver.satisfies(version, peerDependencies["@pulumi/pulumi"] ?? "")).toBe(true);
  });

  it("runs as an account that may ask for the reviews of tokens", () => {
    const [account, binding] = documents("account.yaml");
    const name = stack.spec.serviceAccountName;
    const { namespace } = stack.metadata;
    expect(account).toMatchObject({ kind: "ServiceAccount", metadata: { name, namespace } });
    expect(binding).toMatchObject({
      roleRef: { kind: "ClusterRole", name: "system:auth-delegator" },
      subjects: [{ kind: "ServiceAccount", name, namespace }],
    });
  });
});

describe("the program for Pulumi Deployments", () => {
  const made: { type: string; inputs: Record<string, unknown> }[] = [];

  beforeAll(async () => {
    await pulumi.runtime.setMocks(
      {
        newResource: ({ type, name, inputs }) => {
          made.push({ type, inputs: inputs as Record<string, unknown> });
          return { id: name, state: inputs };
        },
        call: ({ inputs }) => inputs as Record<string, unknown>,
      },
      "fleet",
      "test",
    );
    pulumi.runtime.setAllConfig({ "fleet:organization": "example", "fleet:repository": "example/infra" });
    jest.requireActual("../../examples/fleet/deployments");
    await pulumi.runtime.disconnect();
  });

  const inputsOf = (kind: string) =>
    made.filter(({ type }) => type === `pulumiservice:index:${kind}`).map(({ inputs }) => inputs);

  it("makes settings and a schedule for each stack", () => {
    const names = stacks.map(({ project, stack }) => ({ organization: "example", project, stack }));
    expect(inputsOf("DeploymentSettings")).toMatchObject(names);
    expect(inputsOf("DriftSchedule")).toMatchObject(
      names.map((name) => ({
        ...name,
        autoRemediate: false,
        scheduleCron: expect.stringMatching(/^\d+ \d \* \* \*$/),
      })),
    );
  });

  it("sets variables that the provider reads", () => {
    for (const { operationContext } of inputsOf("DeploymentSettings")) {
      const { environmentVariables } = operationContext as { environmentVariables: Record<string, string> };
      const settings = { NODECLOUD_TOKEN: "a-secret", NODECLOUD_BASE_URL: "https://api.example.com/v4" };
      expect(configured({ ...settings, ...environmentVariables })).toMatchObject({
        resume: true,
        maxConcurrency: 4,
      });
    }
  });

  it("spreads 200 stacks of an account over four hours, at most one in a minute", () => {
    const fleet = (account: string, count: number) =>
      Array.from({ length: count }, (_, index) => ({
        project: "infra",
        stack: `${account}-${index}`,
        account,
      }));
    const crons = nightly([...fleet("one", 200), ...fleet("two", 1)]).map(({ cron }) => cron);
    const own = crons.slice(0, 200);
    expect(new Set(own).size).toBe(200);
    expect([own[0], own.at(-1), crons.at(-1)]).toEqual(["0 1 * * *", "58 4 * * *", "0 1 * * *"]);
    expect(own.every((cron) => /^([0-5]?\d) [1-4] \* \* \*$/.test(cron))).toBe(true);
  });
});
