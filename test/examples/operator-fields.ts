import { type SchemaObject } from "ajv";

const text = { type: "string" };
const flag = { type: "boolean" };
const texts = { type: "array", items: text };
const anything = { type: "object" };

const record = (properties: Record<string, SchemaObject>, required: string[] = []): SchemaObject => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});

/** A variable. Version 2 of the operator no longer reads those of its own process, nor its files. */
const variable: SchemaObject = {
  oneOf: [
    record({ type: { const: "Secret" }, secret: record({ name: text, key: text }, ["name", "key"]) }, [
      "type",
      "secret",
    ]),
    record({ type: { const: "Literal" }, literal: record({ value: text }, ["value"]) }, ["type", "literal"]),
  ],
};

const quantities = { type: "object", additionalProperties: { type: ["string", "integer"] } };

/** What a template may set. `flux`, `git`, `local` and `stacks` come from the stack. */
const workspace = record({
  env: { type: "array", items: anything },
  envFrom: { type: "array", items: anything },
  image: text,
  imagePullPolicy: { enum: ["Always", "Never", "IfNotPresent"] },
  podTemplate: anything,
  pulumiLogLevel: { type: "integer" },
  resources: record({ requests: quantities, limits: quantities }),
  securityProfile: { enum: ["baseline", "restricted"] },
  serviceAccountName: text,
});

const spec = record(
  {
    stack: text,
    backend: text,
    branch: text,
    commit: text,
    config: anything,
    configRef: anything,
    continueResyncOnCommitMatch: flag,
    destroyOnFinalize: flag,
    envRefs: { type: "object", additionalProperties: variable },
    environment: texts,
    fluxSource: record(
      {
        sourceRef: record({ apiVersion: text, kind: text, name: text }, ["apiVersion", "kind", "name"]),
        dir: text,
      },
      ["sourceRef"],
    ),
    gitAuth: anything,
    prerequisites: {
      type: "array",
      items: record({ name: text, requirement: record({ succeededWithinDuration: text }) }, ["name"]),
    },
    preview: flag,
    programRef: record({ name: text }, ["name"]),
    projectRepo: text,
    refresh: flag,
    repoDir: text,
    // The operator supports no shorter one.
    resyncFrequencySeconds: { type: "integer", minimum: 60 },
    retryMaxBackoffDurationSeconds: { type: "integer" },
    retryOnUpdateConflict: flag,
    secretsProvider: text,
    secretsRef: anything,
    serviceAccountName: text,
    shallow: flag,
    targetDependents: flag,
    targets: texts,
    updateTemplate: anything,
    useLocalStackOnly: flag,
    workspaceReclaimPolicy: { enum: ["Retain", "Delete"] },
    workspaceTemplate: record({ apiVersion: text, kind: text, metadata: anything, spec: workspace }),
  },
  ["stack"],
);

/**
 * A `Stack` of the Pulumi Kubernetes Operator 2: the fields, types and required fields of its definition, the file
 * `deploy/helm/pulumi-operator/crds/pulumi.com_stacks.yaml` of its repository at the commit 0d34c84. The definition is in no package registry, and has 1.4 MB.
 * What this accepts, the definition accepts too. It is stricter: without the deprecated fields, without `expectNoRefreshChanges`, which version 2 ignores, and with
 * what the descriptions of the fields say.
 */
export const stackSchema = record(
  {
    apiVersion: { const: "pulumi.com/v1" },
    kind: { const: "Stack" },
    metadata: anything,
    spec: {
      ...spec,
      oneOf: [{ required: ["branch"] }, { required: ["commit"] }, { required: ["fluxSource"] }],
    },
  },
  ["apiVersion", "kind", "metadata", "spec"],
);
