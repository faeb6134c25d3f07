import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { root } from "./fakes";

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly if?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly needs?: string;
  readonly uses?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly strategy?: { readonly matrix: { readonly node: readonly number[] } };
  readonly steps?: readonly Step[];
}

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const text = (file: string) => readFileSync(join(root, file), "utf8");
const yaml = <Value>(file: string): Value => parse(text(file)) as Value;
const { scripts, engines, devDependencies } = JSON.parse(text("package.json")) as {
  scripts: Readonly<Record<string, string>>;
  engines: { readonly node: string };
  devDependencies: Readonly<Record<string, string>>;
};

const names = readdirSync(join(root, ".github/workflows"));
const files = names.map((name) => `.github/workflows/${name}`);
const workflows = files.map((file) => ({ file, ...yaml<Workflow>(file) }));
const jobs = workflows.flatMap(({ file, jobs }) =>
  Object.entries(jobs).map(([name, job]) => ({ file, name, job })),
);
const steps = jobs.flatMap(({ job }) => job.steps ?? []);

/** The scripts of package.json that a command starts. */
const npmScripts = (command: string) =>
  [...command.matchAll(/\bnpm (?:run (?:-\S+ )*([\w:]+)|(test)\b)/g)].map(
    ([, run, test]) => run ?? test ?? "",
  );
const paths = (command: string) =>
  [...command.matchAll(/(?<![\w/.$}"-])((?:\.ci|\.github|scripts|rig|test|node_modules)\/[\w./-]+)/g)].map(
    ([path]) => path,
  );

const commands = [
  ...steps.flatMap(({ run }) => run ?? []),
  text(".ci/run"),
  ...Object.values(scripts),
  ...(text("CONTRIBUTING.md").match(/`npm [^`]+`/g) ?? []),
];

test("every npm script that a workflow, .ci/run or CONTRIBUTING.md calls exists", () => {
  expect([...new Set(commands.flatMap(npmScripts))].filter((name) => !(name in scripts))).toEqual([]);
  expect(commands.flatMap(npmScripts)).toEqual(
    expect.arrayContaining(["test", "test:unit", "test:matrix", "test:ci", "test:all", "test:faults"]),
  );
});

test("every file that a workflow, .ci/run or a script of package.json names exists", () => {
  const named = [...commands.flatMap(paths), ...jobs.flatMap(({ job }) => paths(job.uses?.slice(2) ?? ""))];
  expect([...new Set(named)].filter((path) => !existsSync(join(root, path)))).toEqual([]);
  expect(named).toEqual(
    expect.arrayContaining([".ci/run", "scripts/commit-subjects.mjs", ".github/workflows/ci.yml"]),
  );
});

test("the workflows can only read the repository, except the jobs that publish", () => {
  expect(workflows.map(({ permissions }) => permissions)).toEqual(files.map(() => ({ contents: "read" })));
  const own = jobs.filter(({ job }) => job.permissions !== undefined);
  expect(own.map(({ name, job }) => [name, job.permissions])).toEqual([
    ["publish", { contents: "read", "id-token": "write" }],
    ["python", { contents: "read", "id-token": "write" }],
    ["release", { contents: "write" }],
    ["site", { contents: "read", pages: "write", "id-token": "write" }],
  ]);
});

test("the workflows pin actions to a commit, and check out without persisting credentials", () => {
  const uses = steps.flatMap(({ uses }) => uses ?? []);
  expect(uses.filter((action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/.test(action))).toEqual([]);
  const checkouts = steps.filter(({ uses }) => uses?.startsWith("actions/checkout@"));
  expect(checkouts.filter((step) => step.with?.["persist-credentials"] !== false)).toEqual([]);
});

test("no workflow puts text from other people into a command", () => {
  expect(steps.filter(({ run }) => run?.includes("${{"))).toEqual([]);
});

test("CI runs .ci/run with the oldest supported Node.js and the one that bootstrap fetches, and keeps its log on failure", () => {
  const { test: job } = yaml<Workflow>(".github/workflows/ci.yml").jobs;
  const oldest = Number(/\d+/.exec(engines.node)?.[0]);
  const fetched = Number(/const fetchedNode = (\d+);/.exec(text("scripts/bootstrap.mjs"))?.[1]);
  expect(job?.strategy?.matrix.node).toEqual([oldest, fetched]);
  expect(job?.steps?.map(({ run }) => run).filter(Boolean)).toEqual([".ci/run 2>&1 | tee ci.log"]);
  expect(job?.steps?.at(-1)).toMatchObject({
    if: "${{ failure() }}",
    with: { path: expect.stringContaining("ci.log") },
  });
});

test("each night runs .ci/run with the longest tests, with the versions of Node.js that CI has", () => {
  const { on, jobs: nightly } = yaml<Workflow>(".github/workflows/nightly.yml");
  expect(Object.keys(on)).toEqual(["schedule", "workflow_dispatch"]);
  const ci = yaml<Workflow>(".github/workflows/ci.yml").jobs["test"];
  expect(nightly["test"]?.strategy?.matrix.node).toEqual(ci?.strategy?.matrix.node);
  expect(nightly["test"]?.steps?.map(({ run }) => run).filter(Boolean)).toEqual([
    ".ci/run test:all 2>&1 | tee nightly.log",
  ]);
});

test("a release is checked against its tag, then by CI, and is published with provenance and no token", () => {
  const file = ".github/workflows/release.yml";
  const { on, jobs } = yaml<Workflow>(file);
  expect(on).toEqual({ push: { tags: [expect.stringMatching(/^v/)] } });
  expect(jobs["version"]?.steps?.at(-1)?.run).toContain("scripts/check-release.mjs");
  expect(jobs["test"]).toMatchObject({ needs: "version", uses: "./.github/workflows/ci.yml" });
  expect(jobs["build"]).toMatchObject({ needs: "test" });
  expect(jobs["build"]?.steps?.map(({ run }) => run).filter(Boolean)).toEqual(["npm ci", "npm run release"]);
  for (const name of ["publish", "python"]) expect(jobs[name]?.needs).toBe("build");
  expect(jobs["publish"]?.steps?.at(-1)?.run).toBe(
    "npm publish pulumi-nodecloud-*.tgz --provenance --access public",
  );
  expect(jobs["python"]?.steps?.at(-1)?.run).toBe(
    "pipx run --spec twine==6.2.0 twine upload pulumi_nodecloud-*",
  );
  // The token of the job itself may write the release.
  const others = text(file).replaceAll("GH_TOKEN: ${{ github.token }}", "");
  expect(others).not.toMatch(/secrets\.|TOKEN|registry|https?:/);
});

test("a release on GitHub gets the files that SHA256SUMS lists, and then the Go module gets its version", () => {
  const { release } = yaml<Workflow>(".github/workflows/release.yml").jobs;
  expect(release?.needs).toEqual(["publish", "python"]);
  expect(release?.steps?.map(({ run }) => run).filter(Boolean)).toEqual([
    expect.stringMatching(
      /^mapfile -t files < <\(cut --characters=67- SHA256SUMS\)\ngh release create "\$TAG" .* SHA256SUMS "\$\{files\[@\]\}"\n$/,
    ),
    expect.stringContaining(
      '--raw-field "ref=refs/tags/sdks/go/nodecloud/$TAG" --raw-field "sha=$GITHUB_SHA"',
    ),
  ]);
  const { module } = /^module (?<module>.*)$/m.exec(text("sdks/go/nodecloud/go.mod"))?.groups ?? {};
  expect(module).toMatch(/\/sdks\/go\/nodecloud$/);
});

test("a release publishes the site of its docs, as `npm run docs` builds it", () => {
  const { site } = yaml<Workflow>(".github/workflows/release.yml").jobs;
  expect(site?.needs).toBe("release");
  expect(site?.steps?.map(({ run }) => run).filter(Boolean)).toEqual([
    "npm ci",
    "npm run docs -- --base /pulumi-nodecloud/",
  ]);
  expect(site?.steps?.flatMap(({ with: options }) => options?.["path"] ?? [])).toEqual([".cache/site/dist"]);
});

test("CI keeps what it tested for the release to compare", () => {
  const { test: job } = yaml<Workflow>(".github/workflows/ci.yml").jobs;
  expect(job?.steps).toContainEqual(
    expect.objectContaining({ with: expect.objectContaining({ path: ".cache/tested.json" }) as object }),
  );
});

test("dependency updates cover the package, the site, each Go module and the actions, in groups", () => {
  const { updates } = yaml<{
    updates: { "package-ecosystem": string; directory?: string; directories?: string[]; groups: object }[];
  }>(".github/dependabot.yml");
  const covered = updates.flatMap(({ directory, directories = [], ...update }) =>
    [directory ?? [], ...directories].flat().map((path) => `${update["package-ecosystem"]} ${path}`),
  );
  const modules = readdirSync(join(root, "tools")).map((name) => `gomod /tools/${name}`);
  const workflows = [
    "/",
    "/examples/ci/github",
    "/examples/fleet/github",
    "/examples/web-tier/.github/workflows",
  ];
  const actions = workflows.map((folder) => `github-actions ${folder}`);
  expect(covered.sort()).toEqual([...actions, ...modules, "npm /", "npm /site"]);
  expect(updates.filter(({ groups }) => Object.keys(groups).length === 0)).toEqual([]);
});

test("each issue form and the pull request template ask to omit tokens", () => {
  const forms = readdirSync(join(root, ".github/ISSUE_TEMPLATE")).filter((name) => name !== "config.yml");
  for (const form of forms) {
    const { name, body } = yaml<{ name: string; body: object[] }>(`.github/ISSUE_TEMPLATE/${form}`);
    expect([name, JSON.stringify(body)]).toEqual([
      name,
      expect.stringMatching(/leave tokens and passwords out/i),
    ]);
  }
  expect(text(".github/PULL_REQUEST_TEMPLATE.md")).toMatch(/leave tokens and passwords out/i);
});

test("the tools that check the package have exact versions", () => {
  const judges = ["@arethetypeswrong/cli", "@microsoft/api-extractor", "publint"];
  expect(judges.map((name) => devDependencies[name])).toEqual(judges.map(() => expect.stringMatching(/^\d/)));
});
