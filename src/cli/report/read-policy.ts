import { parse } from "yaml";
import { type Allowance, allowanceIn, DENIABLE, type Rule, ruleIn } from "../../provider/settings/policy";
import { hintFor } from "../../provider/base/nearest-name";
import { isObject, type Properties } from "../../provider/base/values";
import { outlines } from "../../sdk/outlines";
import { type Context } from "../context";
import { explained, lineOf, invalidRules } from "../errors";
import { readInput } from "../input";

/** The options of a policy, as they are given. */
export interface PolicyOptions {
  readonly deny?: readonly string[];
  readonly policy?: string;
  readonly allow?: readonly string[];
  readonly allowFrom?: readonly string[];
}

export interface Policy {
  readonly rules: readonly Rule[];
  readonly allowances: readonly Allowance[];
  /** Lines about allowances that have no effect. */
  readonly notes: readonly string[];
}

/** Reads the policy of the options and of the files that they name. */
export async function readPolicy(context: Context, options: PolicyOptions): Promise<Policy> {
  const { deny = [], policy, allow = [], allowFrom = [] } = options;
  const own = deny.map((text) => ruleOf(text, "--deny"));
  const inFile = policy === undefined ? undefined : await readPolicyFile(context, policy);
  const notes: string[] = [];
  const inComments: Allowance[] = [];
  for (const file of allowFrom) {
    const text = (await readInput(context, file)).toString();
    inComments.push(...allowancesInComments(text, file, notes));
  }
  return {
    rules: [...own, ...(inFile?.rules ?? [])],
    allowances: [
      ...allow.map((text) => allowanceOf(text, "--allow")),
      ...(inFile?.allowances ?? []),
      ...inComments,
    ],
    notes,
  };
}

const TYPES = Object.keys(outlines);

const ruleOf = (...[text, source, reason]: [text: string, source: string, reason?: string]): Rule =>
  said(() => ruleIn(text, TYPES, source, { reason, takesOthers: true }));

const allowanceOf = (text: string, source: string): Allowance => said(() => allowanceIn(text, TYPES, source));

/** Reads a text of a policy. A wrong one is a problem that the user can solve. */
function said<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw invalidRules(lineOf(error), error);
  }
}

async function readPolicyFile(context: Context, file: string): Promise<Pick<Policy, "rules" | "allowances">> {
  const text = (await readInput(context, file)).toString();
  const policy: unknown = explained(`${file} is no YAML`, "RULES_INVALID", () => parse(text));
  if (!isObject(policy)) throw invalidRules(`${file} needs a list \`deny\`, such as \`deny: [data-loss]\``);
  const unknown = Object.keys(policy).find((key) => !["deny", "allow"].includes(key));
  if (unknown !== undefined) {
    throw invalidRules(`${file}: ${JSON.stringify(unknown)} is unknown: a policy has \`deny\` and \`allow\``);
  }
  return {
    rules: listIn(policy, "deny", file).map((item) => ruleInFile(item, file)),
    allowances: listIn(policy, "allow", file).map((item) => allowanceOf(textIn(item, file), file)),
  };
}

function listIn(policy: Properties, key: string, file: string): readonly unknown[] {
  const list = policy[key] ?? [];
  if (!Array.isArray(list)) throw invalidRules(`${file}: \`${key}\` must be a list`);
  return list;
}

function textIn(item: unknown, file: string): string {
  if (typeof item === "string") return item;
  throw invalidRules(`${file}: ${JSON.stringify(item)} must be a text, such as data-loss:MysqlDatabase`);
}

function ruleInFile(item: unknown, file: string): Rule {
  if (!isObject(item)) return ruleOf(textIn(item, file), file);
  const { rule, reason, ...others } = item;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) {
    throw invalidRules(`${file}: ${JSON.stringify(unknown)} is unknown: a rule has \`rule\` and \`reason\``);
  }
  return ruleOf(textIn(rule, file), file, reason === undefined ? undefined : textIn(reason, file));
}

const ALLOW = /^\/nodecloud[ \t]+allow[ \t]+(?<kind>\S+)[ \t]+(?:(?<type>\S+)[ \t]+)?(?<name>\S.*?)[ \t]*$/gm;

/** People whose comments count, in the API's words. */
const TRUSTED = ["OWNER", "MEMBER", "COLLABORATOR"];

/**
 * The lines `/nodecloud allow data-loss MysqlDatabase db` in comments: in a text, or in JSON as GitHub's API lists them. In JSON only comments of people
 * with access to the repository count.
 */
const allowancesInComments = (text: string, file: string, notes: string[]): Allowance[] =>
  trustedTexts(text, file, notes).flatMap((comment) =>
    [...comment.replaceAll("\r\n", "\n").matchAll(ALLOW)].flatMap(({ 0: line, groups = {} }): Allowance[] => {
      const { kind: given = "", type, name = "" } = groups;
      const kind = DENIABLE.find((one) => one === given);
      if (kind === undefined) {
        notes.push(`${file}: ${JSON.stringify(line)} allows nothing: ${hintFor(given, DENIABLE, "rules")}`);
        return [];
      }
      return [{ kind, name, source: file, ...(type === undefined ? {} : { type }) }];
    }),
  );

function trustedTexts(text: string, file: string, notes: string[]): readonly string[] {
  if (!/^\s*\[/.test(text)) return [text];
  const comments: unknown = explained(`${file} is no JSON`, "RULES_INVALID", () => JSON.parse(text));
  return (Array.isArray(comments) ? comments.flat() : []).filter(isObject).flatMap((comment) => {
    const { body, author_association: association } = comment;
    // A report may quote such a line.
    if (typeof body !== "string" || body.startsWith("<!--") || body.search(ALLOW) < 0) return [];
    if (TRUSTED.includes(String(association))) return [body];
    notes.push(`${file}: a comment of somebody without access to the repository allows nothing`);
    return [];
  });
}
