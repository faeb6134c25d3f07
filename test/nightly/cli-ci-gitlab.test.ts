import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { BOT, DEVELOPER, type GitLab, PROJECT, REPORTER, startGitLab } from "../helpers/ci/gitlab";
import { programRepository, type Repository } from "../helpers/ci/repository";
import { type PipelineOutcome, runPipeline } from "../helpers/ci/run-pipeline";
import { findTool } from "../helpers/debian-tools";
import { startTestEmulator, type TestEmulator } from "../helpers/emulator";
import { ROOT } from "../helpers/programs";
import { testStack, type TestStack } from "../helpers/stack";

const zone = (email: string) => `
const zone = new nodecloud.Domain("zone", { domain: "example.org", type: "master", soaEmail: "${email}" });
new nodecloud.DomainRecord("www", { domainId: zone.id, type: "A", name: "www", target: "192.0.2.10" });`;

const BEFORE = zone("dns@example.org");
const MARKER = "<!-- nodecloud-report: nodecloud-preview -->";
const ISSUE_MARKER = "<!-- nodecloud-drift: production -->";
const CI_FILE = readFileSync(join(ROOT, "examples/ci/gitlab/.gitlab-ci.yml"), "utf8").replaceAll(
  "ACCOUNT_STACKS: prod",
  "ACCOUNT_STACKS: prod dev",
);

let emulator: TestEmulator;
let stack: TestStack;
let repository: Repository;
let host: GitLab;

/** Expects that this job ran and passed. */
function expectPassed({ code, jobs, output }: PipelineOutcome, job: string): void {
  if (code !== 0) throw new Error(output);
  expect(jobs).toEqual([job]);
}

const source = (body: string) =>
  `const pulumi = require("@pulumi/pulumi");\nconst nodecloud = require("pulumi-nodecloud");\n${body}`;

test("the image of the jobs has the engine that these tests run, and a shell", () => {
  const [, pinned = ""] =
    /pulumi\/pkg\/v3 v(\S+)/.exec(readFileSync(join(ROOT, "tools/pulumi/go.mod"), "utf8")) ?? [];
  const { ".nodecloud": shared } = parse(CI_FILE) as { ".nodecloud": { image: object } };
  expect(shared.image).toEqual({ name: `pulumi/pulumi:${pinned}`, entrypoint: [""] });
});

// Registered only if the programs of the jobs and of the runner are installed.
const tools = ["jq", "curl", "rsync"].map(findTool);
if (!tools.includes(undefined)) {
  describe("on GitLab", () => {
    beforeAll(async () => {
      emulator = await startTestEmulator({ speed: 60_000 });
      repository = await programRepository({ "index.js": source(BEFORE), ".gitlab-ci.yml": CI_FILE });
      stack = await testStack(emulator, BEFORE);
      await stack.init("prod");
      expect(await stack.up("--stack", "prod")).toMatchObject({ code: 0 });
    });

    afterAll(async () => {
      stack?.remove();
      repository?.remove();
      await emulator?.stop();
    });

    beforeEach(async () => {
      host = await startGitLab();
      emulator.reset("requests");
    });

    afterEach(() => host.stop());

    type More = Readonly<Record<string, string>>;

    function run(branch: string, variables: More): Promise<PipelineOutcome> {
      const { NODECLOUD_TOKEN = "", NODECLOUD_BASE_URL = "", ...env } = stack.env;
      const settings = { NODECLOUD_TOKEN, NODECLOUD_BASE_URL, ...variables };
      return runPipeline({ repository, host, env, branch, variables: settings });
    }

    const note = (body: string, author: number, system = false) => {
      host.notes.push({
        id: host.notes.length + 1,
        on: "merge_requests/7",
        author: { id: author },
        system,
        body,
      });
    };

    describe("a merge request", () => {
      const preview = (program: string, more: More = {}) => {
        repository.pull(7, { "index.js": source(program) });
        return run("pull", {
          CI_PIPELINE_SOURCE: "merge_request_event",
          CI_MERGE_REQUEST_IID: "7",
          CI_MERGE_REQUEST_PROJECT_ID: String(PROJECT),
          CI_MERGE_REQUEST_SOURCE_PROJECT_ID: String(PROJECT),
          CI_MERGE_REQUEST_DIFF_BASE_SHA: repository.git("rev-parse", "main"),
          ...more,
        });
      };

      const own = () => host.notes.find(({ id }) => id > 1000);

      it("gets one comment, which the next push updates, and no other comment and nothing in the account is touched", async () => {
        note(`${MARKER}\nas I said`, DEVELOPER);
        note(`Quoting ${MARKER}`, BOT);
        note("<!-- nodecloud-report: another -->\n", BOT);
        for (let n = 0; n < 150; n++) note("ping", DEVELOPER);
        const others = structuredClone(host.notes);

        expectPassed(await preview(zone("new@example.org")), "nodecloud-preview");
        const written = structuredClone(own());
        expect(written?.body.split("\n").slice(0, 3)).toEqual([
          MARKER,
          "",
          "### Preview of `program/prod`: 1 change: 1 to update",
        ]);
        expect(written?.body).toMatch(/\[Job\]\(https:\/\/gitlab.example\/[^)]*\) of 0123abcd\n$/);

        expectPassed(await preview(BEFORE), "nodecloud-preview");
        expect(own()).toMatchObject({ id: written?.id, body: expect.stringContaining("no changes") });
        expect(host.writes()).toEqual([
          "POST merge_requests/7/notes",
          `PUT merge_requests/7/notes/${written?.id}`,
        ]);
        expect(host.notes.filter(({ id }) => id !== written?.id)).toEqual(others);
        expect(await emulator.writes()).toEqual([]);
      });

      it("fails because of a change that loses data, until a developer allows it", async () => {
        const line = "/nodecloud allow data-loss Domain zone";
        note(line, REPORTER);
        note(line, 999);
        note(line, DEVELOPER, true);
        expect((await preview("")).code).not.toBe(0);
        expect(own()?.body).toMatch(/denied by --deny: `data-loss` `Domain` `zone`/);
        note(line, DEVELOPER);
        expectPassed(await preview(""), "nodecloud-preview");
        expect(own()?.body).toMatch(/allowed: `data-loss` `Domain` `zone`/);
      });

      it("fails if a preview fails, and the comment says so", async () => {
        const { code, output } = await preview(BEFORE, { STACKS: "missing" });
        expect(code).not.toBe(0);
        expect(own()?.body).toContain("### Preview: failed");
        expect(output).toContain("no stack named 'missing' found");
      });

      it("gets no second comment if the comments cannot be listed", async () => {
        const { code } = await preview(BEFORE, { NODECLOUD_BOT_TOKEN: "wrong" });
        expect(code).not.toBe(0);
        expect(host.notes).toEqual([]);
      });

      it("of a fork is previewed on the emulator, compared with the base branch and without secrets", async () => {
        const settings =
          "encryptionsalt: v1:abc:def\nconfig:\n  nodecloud:baseUrl: https://api.invalid/v4\n  program:password:\n    secure: v1:xyz\n";
        repository.commit({ "Pulumi.prod.yaml": settings });
        const done = await preview(
          `new pulumi.Config().requireSecret("password");${zone("new@example.org")}`,
          { CI_MERGE_REQUEST_SOURCE_PROJECT_ID: "12", NODECLOUD_BOT_TOKEN: "", NODECLOUD_TOKEN: "" },
        );
        expectPassed(done, "nodecloud-preview-offline");
        expect(done.report).toContain(
          "### Preview on the emulator of `program/prod`: 1 change: 1 to update\n",
        );
        expect(done.output).toContain("program/prod: 1 change: 1 to update");
        expect(host.writes()).toEqual([]);
        expect(await emulator.counts()).toEqual({});
      });
    });

    describe("a schedule", () => {
      const drift = (more: More = {}) =>
        run("main", { CI_PIPELINE_SOURCE: "schedule", NODECLOUD: "drift", ...more });

      const issue = (author: number, description: string | null) => {
        const iid = host.issues.length + 1;
        host.issues.push({ iid, author: { id: author }, title: "x", description, state: "opened" });
      };

      const own = () => host.issues.find(({ iid }) => iid > 1000);

      async function changeRecord(target: string): Promise<void> {
        type List = { data: { id: number; type: string }[] };
        const [domain] = (await emulator.call<List>("GET", "/domains")).body.data;
        const records = (await emulator.call<List>("GET", `/domains/${domain?.id}/records`)).body.data;
        const path = `/domains/${domain?.id}/records/${records.find(({ type }) => type === "A")?.id}`;
        expect((await emulator.call("PUT", path, { body: { target } })).status).toBe(200);
      }

      it("opens one issue, updates it, leaves it alone if it cannot compare, and closes it when there is no drift", async () => {
        await stack.init("dev");
        issue(DEVELOPER, `${ISSUE_MARKER}\nmine`);
        issue(BOT, "<!-- nodecloud-drift: production-2 -->");
        issue(BOT, null);
        const others = structuredClone(host.issues);

        expectPassed(await drift(), "nodecloud-drift");
        expect(host.writes()).toEqual([]);

        await changeRecord("198.51.100.7");
        expectPassed(await drift(), "nodecloud-drift");
        const opened = structuredClone(own());
        expect(opened).toMatchObject({ title: "Drift of production", state: "opened" });
        expect(opened?.description).toMatch(
          /^<!-- nodecloud-drift: production -->\n[^]*1 changed[^]*\[Job\]\(https:/,
        );

        await changeRecord("198.51.100.8");
        expectPassed(await drift(), "nodecloud-drift");
        expect(own()?.description).not.toBe(opened?.description);
        const writes = ["POST issues", `PUT issues/${opened?.iid}`];
        expect(host.writes()).toEqual(writes);

        expect((await drift({ NODECLOUD_TOKEN: "wrong" })).code).not.toBe(0);
        await changeRecord("192.0.2.10");
        const fault = { method: "GET", path: "/v4/images", times: 100, effect: { status: 403 } };
        await emulator.control("POST", "/faults", fault);
        expect((await drift()).code).not.toBe(0);
        expect(host.writes()).toEqual(writes);

        emulator.reset("faults");
        expectPassed(await drift(), "nodecloud-drift");
        const closing = [`POST issues/${opened?.iid}/notes`, `PUT issues/${opened?.iid}`];
        expect(host.writes()).toEqual([...writes, ...closing]);
        expect(own()).toMatchObject({ state: "closed" });
        expect(host.issues.filter(({ iid }) => iid !== opened?.iid)).toEqual(others);
      });
    });
  });
}
