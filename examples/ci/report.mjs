// Writes the output of `pulumi preview` or `pulumi refresh` into the run's summary, and with --comment into one comment of the pull request, which
// later runs update. Counts, errors and warnings come first. Long details are cut in the middle. Values of secrets are masked.
import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { env } from "node:process";
import { parseArgs, stripVTControlCharacters } from "node:util";

/** Limits in bytes. A text never has more characters than bytes. GitHub accepts comments of 65,536 characters and summaries of 1 MiB. */
const MOST = { comment: 65_536, summary: 1_000_000, messages: 20_000, line: 1000 };
/** The number of lines shown of one error or warning. */
const MESSAGE_LINES = 12;
/** Environment variables that may contain a secret. */
const SECRET = /token|secret|password|passphrase|credential|key/i;
/** The words for the outcome of a step in the heading. A step that succeeded needs no word. */
const OUTCOMES = new Map([
  ["failure", "failed"],
  ["cancelled", "was cancelled"],
  ["skipped", "did not run"],
]);
/** The user that writes comments with `github.token`. */
const AUTHOR = "github-actions[bot]";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    title: { type: "string", default: "pulumi preview" },
    outcome: { type: "string", default: "success" },
    comment: { type: "boolean", default: false },
  },
});

const stack = env["PULUMI_STACK"] ?? "";
const folder = relative(env["GITHUB_WORKSPACE"] ?? ".", ".") || ".";
/** The first line of this stack's comment for this folder. The next run finds the comment by it. The encoding keeps the text from ending the HTML comment. */
const marker = `<!-- pulumi-report: ${[values.title, folder, stack].map(encodeURIComponent).join(" ")} -->`;

/** @param {string} text */
const bytes = (text) => Buffer.byteLength(text);

/**
 * Masks the values of secret environment variables, line by line, the longest first. GitHub masks them in logs, but not in comments.
 * @param {string} text
 */
function masked(text) {
  const secrets = Object.entries(env)
    .filter(([name]) => SECRET.test(name))
    .flatMap(([, value = ""]) => value.split("\n").map((line) => line.trim()))
    // A shorter value can be an ordinary word, such as "true".
    .filter((line) => line.length > 5)
    .sort((one, other) => other.length - one.length);
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, "***"), text);
}

/**
 * The lines of a text without secrets, colours, control characters, direction marks and zero-width characters. Long lines are cut.
 * @param {string} text
 */
const plainLines = (text) =>
  masked(stripVTControlCharacters(text).replace(/[^\P{Cc}\n\t]|[\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, ""))
    .trim()
    .split("\n")
    // Cut by code points, because half a code point is invalid text.
    .map((line) => (line.length > MOST.line ? `${[...line].slice(0, MOST.line).join("")}…` : line));

/** Matches the line after an error or a warning: the next message, a step, or a section after the steps. */
const NEXT =
  /^(?:(?:error|warning): |(?:Resources|Policies|Outputs|Duration)\b|\s*$|\s*[-+~<>=]*\s*[\w-]+:[\w/.-]+:\w+: \()/;

/**
 * The errors and warnings, the most severe first: errors, then losses of data.
 * @param {readonly string[]} lines
 */
function messagesIn(lines) {
  const starts = lines.flatMap((line, at) => (/^(?:error|warning): /.test(line) ? [at] : []));
  const messages = starts.map((at) => {
    const end = lines.findIndex((line, other) => other > at && NEXT.test(line));
    const message = lines.slice(at, end < 0 ? undefined : end);
    return [...message.slice(0, MESSAGE_LINES), ...(message.length > MESSAGE_LINES ? ["…"] : [])].join("\n");
  });
  /** @param {string} message */
  const weight = (message) =>
    message.startsWith("error: ") ? 0 : /\b(?:lost|deletes?|deleted|destroyed)\b/.test(message) ? 1 : 2;
  return messages.sort((one, other) => weight(one) - weight(other));
}

/**
 * The engine's counts, such as `1 to update, 2 unchanged`.
 * @param {readonly string[]} lines
 */
function countsIn(lines) {
  const from = lines.lastIndexOf("Resources:");
  const end = lines.findIndex((line, at) => at > from && !line.startsWith("    "));
  const counted = from < 0 ? [] : lines.slice(from + 1, end < 0 ? undefined : end);
  return counted.flatMap((line) => /\d+ (?:to [a-z ]+|unchanged|errored)/.exec(line) ?? []).join(", ");
}

/**
 * A code block that the text cannot end.
 * @param {string} text @param {string} [language]
 */
function fenced(text, language = "") {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/**
 * The lines that fit: two thirds of the room from the beginning, the rest from the end, which contains the counts.
 * @param {readonly string[]} lines @param {number} room
 */
function cut(lines, room) {
  if (bytes(lines.join("\n")) <= room) return lines.join("\n");
  /** @param {readonly string[]} from @param {number} most */
  const fitting = (from, most) => {
    let taken = 0;
    const end = from.findIndex((line) => (taken += bytes(line) + 1) > most);
    return end < 0 ? from.length : end;
  };
  const spare = Math.max(0, room - 200);
  const first = fitting(lines, (spare * 2) / 3);
  const last = Math.min(lines.length - first, fitting([...lines].reverse(), spare / 3));
  const left = `… ${lines.length - first - last} of ${lines.length} lines are omitted here; the log of the run has all of them …`;
  return [...lines.slice(0, first), left, ...lines.slice(lines.length - last)].join("\n");
}

/**
 * The report, with at most this many bytes.
 * @param {string} text @param {number} most
 */
function reportOf(text, most) {
  const lines = plainLines(text);
  const messages = messagesIn(lines);
  const verdict = [OUTCOMES.get(values.outcome), countsIn(lines)].filter(Boolean).join("; ") || "done";
  const {
    GITHUB_SERVER_URL: server,
    GITHUB_REPOSITORY: repository,
    GITHUB_RUN_ID: run,
    HEAD_SHA: head,
  } = env;
  const log = run === undefined ? "" : `[Log of the run](${server}/${repository}/actions/runs/${run})`;
  const frame = (/** @type {string} */ details) =>
    [
      marker,
      `### ${values.title}${stack === "" ? "" : ` of \`${stack.replaceAll("`", "")}\``}: ${verdict}`,
      ...(messages.length > 0 ? [fenced(cut(messages.join("\n").split("\n"), MOST.messages))] : []),
      `<details><summary>Details</summary>\n\n${details}\n\n</details>`,
      [log, head === undefined ? "" : `of ${head}`].filter(Boolean).join(" "),
    ].join("\n\n");
  const room =
    most - bytes(frame(fenced("", "diff"))) - 2 * bytes(fenced(lines.join("\n")).split("\n", 1)[0] ?? "");
  return frame(fenced(cut(lines, room), "diff"));
}

/** Updates this stack's comment, which our user wrote and which begins with the marker, or writes a new one. @param {string} body */
function publish(body) {
  const { GITHUB_REPOSITORY: repository, PULL_REQUEST: number } = env;
  /** @param {string[]} args @param {object} [input] */
  const api = (args, input) =>
    execFileSync("gh", ["api", ...args, ...(input ? ["--input", "-"] : [])], {
      input: input ? JSON.stringify(input) : "",
      encoding: "utf8",
      maxBuffer: 1e9,
      stdio: ["pipe", "pipe", "pipe"],
    });
  const comments = `repos/${repository}/issues/${number}/comments`;
  /** @type {{ id: number, body?: string, user?: { login: string } | null }[]} */
  const all = JSON.parse(api(["--paginate", "--slurp", `${comments}?per_page=100`])).flat();
  const own = all.find((comment) => comment.user?.login === AUTHOR && comment.body?.startsWith(marker));
  if (own === undefined) api(["--method", "POST", comments], { body });
  else api(["--method", "PATCH", `repos/${repository}/issues/comments/${own.id}`], { body });
}

/** The reason of a failed comment, in one line. @param {unknown} error */
function reasonOf(error) {
  const { stderr, message } = /** @type {{ stderr?: string, message: string }} */ (error);
  return masked((stderr?.trim() || message).split("\n", 1)[0] ?? "");
}

/** @param {string} text */
function summarize(text) {
  if (env["GITHUB_STEP_SUMMARY"]) appendFileSync(env["GITHUB_STEP_SUMMARY"], `${text}\n`);
}

const [file = ""] = positionals;
const text = existsSync(file) ? readFileSync(file, "utf8") : "";
summarize(reportOf(text, MOST.summary));
if (values.comment) {
  try {
    publish(reportOf(text, MOST.comment));
  } catch (error) {
    // A token can be read-only, for example for a pull request from a fork. The outcome of the job is that of the pulumi command.
    const reason = reasonOf(error);
    console.log(
      `::warning::The comment was not written (${reason}). The report is in the summary of the run.`,
    );
    summarize(`\nThe comment on the pull request was not written:\n\n${fenced(reason)}`);
  }
}
