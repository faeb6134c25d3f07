import { type Call, pageOf, type Reply, serve } from "./http";

export interface Note {
  readonly id: number;
  /** The merge request or issue, such as `merge_requests/7`. */
  readonly on: string;
  readonly author: { readonly id: number };
  readonly system: boolean;
  body: string;
}

export interface Issue {
  readonly iid: number;
  readonly author: { readonly id: number };
  title: string;
  description: string | null;
  state: string;
}

export interface MergeRequest {
  readonly iid: number;
  readonly source_branch: string;
  readonly source_project_id: number;
  readonly target_branch: string;
  title: string;
  description: string;
  state: string;
}

/** A project of GitLab: its REST API as far as the jobs use it, over HTTP. */
export interface GitLab {
  readonly url: string;
  /** A project token, which writes as the user `BOT`. */
  readonly token: string;
  readonly notes: Note[];
  readonly issues: Issue[];
  readonly mergeRequests: MergeRequest[];
  /** The requests that changed something, such as `POST issues`. */
  writes(): string[];
  stop(): Promise<void>;
}

export const PROJECT = 11;
export const BOT = 500;
/** A member with the role Developer, and one with the role Reporter. */
export const [DEVELOPER, REPORTER] = [501, 502];
const TOKEN = "planted-gitlab-token";
const STRANGER_LEVEL = 20;
const DEVELOPER_LEVEL = 30;

type Handler = (call: Call, ...parts: string[]) => Reply;

export async function startGitLab(): Promise<GitLab> {
  const host: Pick<GitLab, "notes" | "issues" | "mergeRequests"> = {
    notes: [],
    issues: [],
    mergeRequests: [],
  };
  const requests: string[] = [];
  const routes = routesOf(host);
  const server = await serve((call) => {
    if (call.headers["private-token"] !== TOKEN) return failure(401);
    for (const [pattern, handler] of routes) {
      const found = pattern.exec(`${call.method} ${call.path}`);
      if (found === null) continue;
      requests.push(found[0].replace(`/api/v4/projects/${PROJECT}/`, ""));
      return handler(call, ...found.slice(1));
    }
    return failure(404);
  });
  return {
    ...host,
    url: `http://127.0.0.1:${server.port}/api/v4`,
    token: TOKEN,
    writes: () => requests.filter((request) => !request.startsWith("GET ")),
    stop: () => server.stop(),
  };
}

const failure = (status: number): Reply => ({ status, body: { message: String(status) } });

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

function routesOf({ notes, issues, mergeRequests }: Pick<GitLab, "notes" | "issues" | "mergeRequests">) {
  let last = 1000;
  const author = { id: BOT };
  const set = (object: object | undefined, { state_event: event, ...body }: Call["body"]): Reply =>
    object === undefined
      ? failure(404)
      : { body: Object.assign(object, body, event === "close" ? { state: "closed" } : {}) };
  const page = (items: readonly unknown[], call: Call) => pageOf(items, call, "");
  const withState = <Item extends { readonly state: string }>({ query }: Call, items: readonly Item[]) =>
    items.filter(({ state }) => state === (query.get("state") ?? state));
  const member = (id: number, access_level: number) => ({ id, access_level });
  const project = "/projects/:id";
  const routes: Readonly<Record<string, Handler>> = {
    "GET /user": () => ({ body: author }),
    [`GET ${project}/members/all`]: (call) =>
      page([member(DEVELOPER, DEVELOPER_LEVEL), member(REPORTER, STRANGER_LEVEL)], call),
    [`GET ${project}/((?:merge_requests|issues)/\\d+)/notes`]: (call, on) =>
      page(
        notes.filter((note) => note.on === on),
        call,
      ),
    [`POST ${project}/((?:merge_requests|issues)/\\d+)/notes`]: ({ body }, on = "") => {
      notes.push({ id: ++last, on, author, system: false, body: textOf(body["body"]) });
      return { status: 201, body: notes.at(-1) };
    },
    [`PUT ${project}/(merge_requests/\\d+)/notes/(\\d+)`]: ({ body }, on, id) =>
      set(
        notes.find((note) => note.on === on && note.id === Number(id)),
        body,
      ),
    [`GET ${project}/issues`]: (call) => page(withState(call, issues), call),
    [`POST ${project}/issues`]: ({ body }) => {
      const texts = { title: textOf(body["title"]), description: textOf(body["description"]) };
      issues.push({ iid: ++last, author, state: "opened", ...texts });
      return { status: 201, body: issues.at(-1) };
    },
    [`PUT ${project}/issues/(\\d+)`]: ({ body }, iid) =>
      set(
        issues.find((issue) => issue.iid === Number(iid)),
        body,
      ),
    [`GET ${project}/merge_requests`]: (call) =>
      page(
        withState(call, mergeRequests).filter(
          ({ source_branch: branch }) => branch === (call.query.get("source_branch") ?? branch),
        ),
        call,
      ),
    [`POST ${project}/merge_requests`]: ({ body }) => {
      const branches = {
        source_branch: textOf(body["source_branch"]),
        source_project_id: PROJECT,
        target_branch: textOf(body["target_branch"]),
      };
      const texts = { title: textOf(body["title"]), description: textOf(body["description"]) };
      mergeRequests.push({ iid: ++last, state: "opened", ...branches, ...texts });
      return { status: 201, body: mergeRequests.at(-1) };
    },
    [`PUT ${project}/merge_requests/(\\d+)`]: ({ body }, iid) =>
      set(
        mergeRequests.find((request) => request.iid === Number(iid)),
        body,
      ),
  };
  return Object.entries(routes).map(([route, handler]): [RegExp, Handler] => [
    new RegExp(`^${route.replace(":id", String(PROJECT)).replace(" ", " /api/v4")}$`),
    handler,
  ]);
}
