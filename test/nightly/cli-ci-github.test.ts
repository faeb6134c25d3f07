import { BOT, type GitHub, startGitHub } from "../helpers/ci/github";
import { programRepository, type Repository } from "../helpers/ci/repository";
import { type Run, type RunOutcome, pairsIn, runForStack } from "../helpers/ci/run-workflow";
import { findTool } from "../helpers/debian-tools";
import { startTestEmulator, type TestEmulator } from "../helpers/emulator";
import { testStack, type TestStack } from "../helpers/stack";

const zone = (email: string) => `
const zone = new nodecloud.Domain("zone", { domain: "example.org", type: "master", soaEmail: "${email}" });
new nodecloud.DomainRecord("www", { domainId: zone.id, type: "A", name: "www", target: "192.0.2.10" });`;

const BEFORE = zone("dns@example.org");
const SHA = "0123abcd";
const MARKER = "<!-- nodecloud-report: nodecloud-preview -->";
const ISSUE_MARKER = "<!-- nodecloud-drift: production -->";

let emulator: TestEmulator;
let stack: TestStack;
let repository: Repository;
let host: GitHub;

const source = (body: string) =>
  `const pulumi = require("@pulumi/pulumi");\nconst nodecloud = require("pulumi-nodecloud");\n${body}`;

test("the runner reads outputs of one and of several lines", () => {
  expect(pairsIn("one=1=1\nmore<<END\na\n\nb=2\nEND\nlast=\n")).toEqual({
    one: "1=1",
    more: "a\n\nb=2",
    last: "",
  });
});

// Registered only if the programs of the host's runners are installed.
const tools = ["gh", "jq", "curl"].map(findTool);
if (!tools.includes(undefined))
  describe("on GitHub", () => {
    beforeAll(async () => {
      emulator = await startTestEmulator({ speed: 60_000 });
      repository = await programRepository({ "index.js": source(BEFORE) });
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
      host = await startGitHub(repository.folder);
      emulator.reset("requests");
    });

    afterEach(() => host.stop());

    const run = (workflow: string, more: Partial<Run> = {}): Promise<RunOutcome> =>
      runForStack(stack, workflow, { repository, host, ...more });

    describe("preview.yml", () => {
      const pullFrom = (name: string) => ({
        event: { pull_request: { number: 7, head: { sha: SHA, repo: { full_name: name } } } },
      });

      const preview = (program: string, more: Partial<Run> = {}) => {
        repository.pull(7, { "index.js": source(program) });
        return run("preview.yml", { ref: "refs/pull/7/merge", github: pullFrom("ada/shop"), ...more });
      };

      const comment = (body: string, login = "ada", association = "NONE") => {
        const id = host.comments.length + 1;
        host.comments.push({ id, on: 7, user: { login }, author_association: association, body });
      };

      const own = () => host.comments.find(({ id }) => id > 1000);

      it("names every mistake at its line, where the preview stops at the first one", async () => {
        const wrong = ["one", "two"].map(
          (name) =>
            `new nodecloud.DomainRecord("${name}", { domainId: zone.id, type: "A", name: "${name}", target: "bad" });`,
        );
        const { jobs, output } = await preview([zone("dns@example.org"), ...wrong].join("\n"));
        expect(jobs).toMatchObject({ preview: "failure", comment: "success" });
        expect(output.match(/^::error file=.*index\.js,line=(?:6|7),.*$/gm)).toHaveLength(2);
      });

      it("writes one comment, updates it on the next push, and touches no other comment and nothing in the account", async () => {
        for (const body of ["Looks good.", `${MARKER}\nas I said`]) comment(body);
        comment("Coverage is 90 %.", BOT.login);
        comment(`Quoting ${MARKER}`, BOT.login);
        comment("<!-- nodecloud-report: another -->\n", BOT.login);
        for (let n = 0; n < 150; n++) comment("ping");
        const others = structuredClone(host.comments);

        expect(await preview(zone("new@example.org"))).toMatchObject({
          jobs: { preview: "success", comment: "success" },
          steps: ["npm ci", "Preview", "Read the comments", "Report", "Check", "Write the comment"],
          summary: expect.stringContaining("1 to update"),
        });
        const first = own();
        expect(first?.body.split("\n").slice(0, 3)).toEqual([
          MARKER,
          "",
          "### Preview of `program/prod`: 1 change: 1 to update",
        ]);
        expect(first?.body).toMatch(
          /\[Run\]\(https:\/\/github.com\/ada\/shop\/actions\/runs\/42\) of 0123abcd$/,
        );

        expect(await preview(BEFORE)).toMatchObject({ jobs: { preview: "success", comment: "success" } });
        expect(own()).toMatchObject({ id: first?.id, body: expect.stringContaining("no changes") });
        expect(host.writes()).toEqual(["POST /issues/7/comments", `PATCH /issues/comments/${first?.id}`]);
        expect(host.comments.filter(({ id }) => id !== first?.id)).toEqual(others);
        expect(await emulator.writes()).toEqual([]);
      });

      it("fails because of a change that loses data, until somebody with access allows it", async () => {
        expect(await preview("")).toMatchObject({ jobs: { preview: "failure", comment: "success" } });
        expect(own()?.body).toMatch(/denied by --deny: `data-loss` `Domain` `zone`/);
        comment("/nodecloud allow data-loss Domain zone", "eve");
        expect(await preview("")).toMatchObject({ jobs: { preview: "failure" } });
        comment("/nodecloud allow data-loss Domain zone", "ada", "OWNER");
        expect(await preview("")).toMatchObject({ jobs: { preview: "success" } });
        expect(own()?.body).toMatch(/allowed: `data-loss` `Domain` `zone`/);
        expect(host.writes()).toHaveLength(3);
      });

      it("fails because of an import of what another stack manages", async () => {
        await stack.init("other");
        const { body } = await emulator.control<{ data: { id: number }[] }>("GET", "/objects/domains");
        const taking = BEFORE.replace(/ \}\);/, ` }, { import: "${body.data[0]?.id}" });`);
        const refused = await preview(taking, { edited: { STACKS: "other" } });
        expect(refused.jobs).toEqual({ preview: "failure", comment: "success" });
        expect(own()?.body).toContain("denied by --deny: `shared` `Domain` `zone`");
        expect(own()?.body).toContain("Domain zone of the stack program/prod manages it too");
        expect(await stack.pulumi("stack", "rm", "other", "--yes")).toMatchObject({ code: 0 });
      });

      it("fails if a preview fails, and the comment says so with the reason and what is known of other stacks", async () => {
        const failed = await preview(BEFORE, { secrets: {} });
        expect(failed.jobs).toEqual({ preview: "failure", comment: "success" });
        expect(own()?.body).toMatch(/This report is incomplete[^]*nodecloud:token is not set/);

        const missing = await preview(BEFORE, { edited: { STACKS: "missing" } });
        expect(missing.jobs).toEqual({ preview: "failure", comment: "success" });
        expect(own()?.body).toContain("### Preview: failed");
        expect(missing.output).toMatch(/no stack named 'missing' found/);
        expect(host.comments).toHaveLength(1);
      });

      it("reports several stacks in one comment", async () => {
        await stack.init("staging");
        await preview(zone("new@example.org"), { edited: { STACKS: "prod staging" } });
        expect(own()?.body).toMatch(
          /### Preview of 2 stacks: [^]*<code>program\/prod<\/code>: 1 change: 1 to update[^]*<code>program\/staging<\/code>/,
        );
      });

      it("fails if the comment cannot be written", async () => {
        const { jobs } = await preview(BEFORE, { github: { ...pullFrom("ada/shop"), token: "wrong" } });
        expect(jobs["comment"]).toBe("failure");
      });

      it("says that the emulator lacks the base branch if that cannot be deployed", async () => {
        repository.commit({ "index.js": "throw new Error('broken')" });
        repository.pull(7, { "index.js": source(BEFORE) });
        const github = { ...pullFrom("ada/shop"), actor: "dependabot[bot]" };
        const { jobs, summary } = await run("preview.yml", {
          ref: "refs/pull/7/merge",
          github,
          secrets: {},
        });
        expect(jobs).toEqual({ preview: "success", comment: "skipped" });
        expect(summary).toMatch(
          /could not deploy the base branch of `program\/prod`: 2 changes: 2 to create\n/,
        );
        repository.commit({ "index.js": source(BEFORE) });
      });

      it("previews a pull request of a fork on the emulator, compared with the base branch and without secrets", async () => {
        const settings =
          "encryptionsalt: v1:abc:def\nconfig:\n  nodecloud:baseUrl: https://api.invalid/v4\n  program:password:\n    secure: v1:xyz\n  program:list:\n    - secure: v1:xyz\n  program:hosts:\n    secure: v1:xyz\n";
        repository.commit({
          "Pulumi.prod.yaml": settings,
          "offline.settings": 'program:hosts=["192.0.2.1"]\n',
        });
        const reading = `new pulumi.Config().requireSecret("password"); new pulumi.Config().requireObject("list"); new pulumi.Config().requireSecretObject("hosts");`;
        repository.pull(7, { "index.js": source(reading + zone("new@example.org")) });
        const { jobs, steps, summary, output } = await run("preview.yml", {
          ref: "refs/pull/7/merge",
          github: pullFrom("eve/shop"),
          secrets: {},
        });
        expect({ jobs, output }).toMatchObject({ jobs: { preview: "success", comment: "skipped" } });
        expect(steps).toEqual(["npm ci", "Preview on the emulator", "Read the comments", "Report"]);
        expect(summary).toContain("### Preview on the emulator of `program/prod`: 1 change: 1 to update\n");
        expect(host.writes()).toEqual([]);
        expect(await emulator.counts()).toEqual({});
      });
    });

    describe("drift.yml", () => {
      const drift = (more: Partial<Run> = {}) =>
        run("drift.yml", { ...more, edited: { stacks: "prod dev" } });

      const issue = (login: string, body: string | null) => {
        const number = host.issues.length + 1;
        host.issues.push({ number, user: { login }, title: "x", body, state: "open" });
      };

      const own = () => host.issues.find(({ number }) => number > 1000);

      async function changeRecord(target: string): Promise<void> {
        type List = { data: { id: number; type: string }[] };
        const [domain] = (await emulator.call<List>("GET", "/domains")).body.data;
        const records = (await emulator.call<List>("GET", `/domains/${domain?.id}/records`)).body.data;
        const path = `/domains/${domain?.id}/records/${records.find(({ type }) => type === "A")?.id}`;
        expect((await emulator.call("PUT", path, { body: { target } })).status).toBe(200);
      }

      it("opens one issue, updates it, leaves it alone if it cannot compare, and closes it when there is no drift", async () => {
        await stack.init("dev");
        issue("ada", `${ISSUE_MARKER}\nmine`);
        issue(BOT.login, "<!-- nodecloud-drift: production-2 -->");
        issue(BOT.login, null);
        const others = structuredClone(host.issues);

        expect(await drift()).toMatchObject({ jobs: { drift: "success" } });
        expect(host.writes()).toEqual([]);

        await changeRecord("198.51.100.7");
        expect(await drift()).toMatchObject({
          jobs: { drift: "success" },
          steps: ["npm ci", "Compare", "Open, update or close the issue"],
        });
        const opened = structuredClone(own());
        expect(opened).toMatchObject({ title: "Drift of production", state: "open" });
        expect(opened?.body).toMatch(
          /^<!-- nodecloud-drift: production -->\n[^]*1 changed[^]*\[Run\]\(https:[^]*$/,
        );

        await changeRecord("198.51.100.8");
        expect(await drift()).toMatchObject({ jobs: { drift: "success" } });
        expect(own()).toMatchObject({ number: opened?.number, state: "open" });
        expect(own()?.body).not.toBe(opened?.body);
        const writes = ["POST /issues", `PATCH /issues/${opened?.number}`];
        expect(host.writes()).toEqual(writes);

        expect(await drift({ secrets: { NODECLOUD_TOKEN: "wrong" } })).toMatchObject({
          jobs: { drift: "failure" },
        });
        await changeRecord("192.0.2.10");
        await emulator.control("POST", "/faults", {
          method: "GET",
          path: "/v4/images",
          times: 100,
          effect: { status: 403 },
        });
        const incomplete = await drift();
        expect(incomplete).toMatchObject({ jobs: { drift: "failure" } });
        expect(incomplete.summary).toContain("Not looked at");
        expect(host.writes()).toEqual(writes);

        emulator.reset("faults");
        expect(await drift()).toMatchObject({ jobs: { drift: "success" } });
        const closing = [`POST /issues/${opened?.number}/comments`, `PATCH /issues/${opened?.number}`];
        expect(host.writes()).toEqual([...writes, ...closing]);
        expect(own()).toMatchObject({ state: "closed" });
        expect(host.issues.filter(({ number }) => number !== opened?.number)).toEqual(others);
        expect((await emulator.writes()).filter((write) => !write.startsWith("PUT "))).toEqual([]);
      });
    });
  });
