import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Call, pageOf, type Reply, serve } from "./http";

export interface Comment {
  readonly id: number;
  /** The issue or pull request. */
  readonly on: number;
  readonly user: { readonly login: string } | null;
  readonly author_association: string;
  body: string;
}

export interface Issue {
  readonly number: number;
  readonly user: { readonly login: string } | null;
  title: string;
  body: string | null;
  state: string;
  readonly pull_request?: object;
}

export interface Pull {
  readonly number: number;
  readonly user: { readonly login: string };
  readonly head: { readonly ref: string; readonly label: string };
  readonly base: { readonly ref: string };
  title: string;
  body: string;
  state: string;
}

/** A repository of GitHub behind the real `gh`: its REST API as far as the workflows use it. */
export interface GitHub {
  readonly comments: Comment[];
  readonly issues: Issue[];
  readonly pulls: Pull[];
  /** The requests that were answered, such as `POST /repos/ada/shop/issues`. */
  readonly requests: string[];
  /** The variables with which `gh` finds this host. */
  readonly env: NodeJS.ProcessEnv;
  /** The token of a run, which writes as github-actions[bot]. */
  readonly token: string;
  /** The requests that changed something, without the repository. */
  writes(): string[];
  stop(): Promise<void>;
}

export const REPOSITORY = "ada/shop";
export const BOT = { login: "github-actions[bot]" };
const TOKEN = "planted-github-token";
const ORIGIN = "https://api.github.com";
/** GitHub refuses longer texts. */
const LONGEST = 65_536;

type Handler = (call: Call, ...parts: string[]) => Reply;

/** Starts it. `folder` receives the socket and the settings of `gh`. */
export async function startGitHub(folder: string): Promise<GitHub> {
  const host: Omit<GitHub, "stop" | "env" | "writes"> = {
    comments: [],
    issues: [],
    pulls: [],
    requests: [],
    token: TOKEN,
  };
  const routes = routesOf(host);
  const socket = join(folder, "gh.sock");
  const server = await serve((call) => {
    if (call.headers.authorization !== `token ${TOKEN}`) return failure(401, "Bad credentials");
    const body = call.body["body"];
    if (typeof body === "string" && body.length > LONGEST) return failure(422, "body is too long");
    for (const [pattern, handler] of routes) {
      const found = pattern.exec(`${call.method} ${call.path}`);
      if (found === null) continue;
      host.requests.push(found[0]);
      return handler(call, ...found.slice(1));
    }
    return failure(404, "Not Found");
  }, socket);
  const settings = join(folder, "gh");
  mkdirSync(settings, { recursive: true });
  writeFileSync(join(settings, "config.yml"), `http_unix_socket: ${socket}\n`);
  return {
    ...host,
    env: { GH_CONFIG_DIR: settings, GH_NO_UPDATE_NOTIFIER: "1", GH_PROMPT_DISABLED: "1" },
    writes: () =>
      host.requests
        .filter((request) => !request.startsWith("GET "))
        .map((request) => request.replace(`/repos/${REPOSITORY}`, "")),
    stop: () => server.stop(),
  };
}

const failure = (status: number, message: string): Reply => ({ status, body: { message } });

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

function routesOf({ comments, issues, pulls }: Pick<GitHub, "comments" | "issues" | "pulls">) {
  let last = 1000;
  const set = (object: object | undefined, body: Call["body"]): Reply =>
    object === undefined ? failure(404, "Not Found") : { body: Object.assign(object, body) };
  const opened = ({ query }: Call, all: readonly { readonly state: string }[]) =>
    all.filter(({ state }) => [state, "all"].includes(query.get("state") ?? "open"));
  const routes: Readonly<Record<string, Handler>> = {
    "GET /issues": (call) => pageOf(opened(call, issues), call, ORIGIN),
    "POST /issues": ({ body }) => {
      const issue = { number: ++last, user: BOT, state: "open" };
      issues.push({ ...issue, title: textOf(body["title"]), body: textOf(body["body"]) });
      return { status: 201, body: issues.at(-1) };
    },
    "PATCH /issues/(\\d+)": ({ body }, number) =>
      set(
        issues.find((issue) => issue.number === Number(number)),
        body,
      ),
    "GET /issues/(\\d+)/comments": (call, number) =>
      pageOf(
        comments.filter(({ on }) => on === Number(number)),
        call,
        ORIGIN,
      ),
    "POST /issues/(\\d+)/comments": ({ body }, number) => {
      const comment = { id: ++last, on: Number(number), user: BOT, author_association: "NONE" };
      comments.push({ ...comment, body: textOf(body["body"]) });
      return { status: 201, body: comments.at(-1) };
    },
    "PATCH /issues/comments/(\\d+)": ({ body }, id) =>
      set(
        comments.find((comment) => comment.id === Number(id)),
        body,
      ),
    "GET /pulls": (call) =>
      pageOf(
        opened(call, pulls).filter((pull) =>
          [null, (pull as Pull).head.label].includes(call.query.get("head")),
        ),
        call,
        ORIGIN,
      ),
    "POST /pulls": ({ body }) => {
      const ref = textOf(body["head"]);
      const base = { ref: textOf(body["base"]) };
      const head = { ref, label: `${REPOSITORY.split("/")[0]}:${ref}` };
      const texts = { title: textOf(body["title"]), body: textOf(body["body"]) };
      pulls.push({ number: ++last, user: BOT, head, base, state: "open", ...texts });
      return { status: 201, body: pulls.at(-1) };
    },
    "PATCH /pulls/(\\d+)": ({ body }, number) =>
      set(
        pulls.find((pull) => pull.number === Number(number)),
        body,
      ),
  };
  return Object.entries(routes).map(([route, handler]): [RegExp, Handler] => [
    new RegExp(`^${route.replace(" ", ` /repos/${REPOSITORY}`)}$`),
    handler,
  ]);
}
