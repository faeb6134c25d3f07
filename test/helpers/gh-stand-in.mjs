// Stands in for `gh`: `gh api` with the comments of one pull request, which are in the file that GH_STATE names.
import { readFileSync, writeFileSync } from "node:fs";
import process from "node:process";

const [command, ...args] = process.argv.slice(2);
const file = process.env.GH_STATE ?? "";
const state = JSON.parse(readFileSync(file, "utf8"));
const valueOf = (/** @type {string} */ flag) =>
  args.includes(flag) ? args[args.indexOf(flag) + 1] : undefined;
const path = args.find((arg) => arg.startsWith("repos/")) ?? "";
const method = valueOf("--method") ?? "GET";
state.requests = [...(state.requests ?? []), `${method} ${path}`];
const save = () => {
  writeFileSync(file, JSON.stringify(state));
};
save();

function fail(/** @type {string} */ reason) {
  console.error(`gh: ${reason}`);
  process.exit(1);
}

if (command !== "api" || !process.env.GH_TOKEN) fail("not as it is called");
if (state.refuse) fail(state.refuse);
if (method === "GET") {
  const size = Math.min(100, Number(/[?&]per_page=(\d+)/.exec(path)?.[1] ?? 30));
  const pages = [];
  for (let at = 0; at < state.comments.length; at += size) pages.push(state.comments.slice(at, at + size));
  if (!args.includes("--paginate")) pages.splice(1);
  // Without --slurp, the output is one JSON text per page, and not JSON as a whole.
  console.log(
    args.includes("--slurp") ? JSON.stringify(pages) : pages.map((page) => JSON.stringify(page)).join(""),
  );
} else {
  const { body } = JSON.parse(readFileSync(0, "utf8"));
  if (body.length > 65_536) fail("Body is too long (maximum is 65536 characters) (HTTP 422)");
  const id = Number(path.split("/").at(-1));
  const known = state.comments.find((/** @type {{ id: number }} */ comment) => comment.id === id);
  if (method === "PATCH" && known === undefined) fail("Not Found (HTTP 404)");
  if (method === "PATCH") known.body = body;
  else
    state.comments.push({ id: 1000 + state.comments.length, user: { login: "github-actions[bot]" }, body });
  console.log("{}");
}
save();
