import type * as Expressions from "@actions/expressions" with { "resolution-mode": "import" };
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { ROOT } from "../programs";

export interface Step {
  readonly id?: string;
  readonly name?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly run?: string;
  readonly shell?: string;
  readonly if?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Job {
  readonly needs?: string;
  readonly if?: string;
  readonly environment?: string;
  readonly "timeout-minutes"?: number;
  readonly concurrency?: { readonly group: string; readonly "cancel-in-progress": boolean };
  readonly permissions?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  /** Either the jobs one by one, or the values of one name. */
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly unknown[]>> };
  readonly defaults?: { readonly run: { readonly shell: string; readonly "working-directory": string } };
  readonly outputs?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

export interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

export const WORKFLOWS = ["adopt.yml", "deploy.yml", "drift.yml", "preview.yml"] as const;

/** The workflow of a fleet, from the folder of the others. */
export const FLEET = "../../fleet/github/drift.yml";

/** The workflows of an ordinary project, from the same folder. */
export const WEB_TIER = ["drift.yml", "preview.yml"].map(
  (name) => `../../web-tier/.github/workflows/${name}`,
);

export const fileOf = (name: string): string => join(ROOT, "examples/ci/github", name);

export const textOf = (name: string): string => readFileSync(fileOf(name), "utf8");

export const workflowOf = (name: string): Workflow => parse(textOf(name)) as Workflow;

/** The values of the matrix for each of a job's runs. */
export const combinationsOf = ({ strategy }: Job): readonly Readonly<Record<string, unknown>>[] =>
  Object.entries(strategy?.matrix ?? { include: [{}] }).flatMap(([name, values]) =>
    values.map((value) => (name === "include" ? (value as Record<string, unknown>) : { [name]: value })),
  );

let library: typeof Expressions;

/** Loads the host's own evaluator of expressions, an ES module. */
export async function loadExpressions(): Promise<void> {
  library = await import("@actions/expressions");
}

/** The values that expressions see, by the name of their context. */
export type Contexts = Readonly<Record<string, object>>;

/** The value of an expression, as text. */
function evaluate(expression: string, contexts: Contexts, failed = false): string {
  const { data, Evaluator, Lexer, Parser } = library;
  const status = { always: true, success: !failed, failure: failed, cancelled: false };
  const functions = Object.entries(status).map(([name, value]) => ({
    name,
    minArgs: 0,
    maxArgs: 0,
    call: () => new data.BooleanData(value),
  }));
  const { tokens } = new Lexer(expression).lex();
  const tree = new Parser(tokens, Object.keys(contexts), functions).parse();
  const values = JSON.parse(JSON.stringify(contexts), data.reviver) as Expressions.data.Dictionary;
  return new Evaluator(tree, values, new Map(functions.map((one) => [one.name, one])))
    .evaluate()
    .coerceString();
}

/** A text with its expressions replaced by their values. */
export const resolved = (text: string, contexts: Contexts): string =>
  text.replace(/\$\{\{(.*?)\}\}/g, (_, expression: string) => evaluate(expression.trim(), contexts));

export const resolvedAll = (
  texts: Readonly<Record<string, string>> = {},
  contexts: Contexts,
): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, resolved(String(text), contexts)]));

/** Whether a job or a step runs. Without a function of the status, it runs only if nothing failed before it. */
export function isDue(condition: string | undefined, contexts: Contexts, failed: boolean): boolean {
  if (condition === undefined) return !failed;
  const expression = condition.replace(/^\$\{\{(.*)\}\}$/s, "$1").trim();
  const isAboutStatus = /\b(always|success|failure|cancelled)\(\)/.test(expression);
  if (failed && !isAboutStatus) return false;
  return !["", "false", "0"].includes(evaluate(expression, contexts, failed));
}
