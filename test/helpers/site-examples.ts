import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./programs";

interface Spec {
  readonly inputProperties?: Readonly<Record<string, unknown>>;
  readonly requiredInputs?: readonly string[];
  readonly inputs?: {
    readonly properties: Readonly<Record<string, unknown>>;
    readonly required?: readonly string[];
  };
}

/** The schema of the package. */
export const schema = JSON.parse(readFileSync(join(ROOT, "schema.json"), "utf8")) as Readonly<
  Record<"resources" | "functions", Readonly<Record<string, Spec>>>
>;

/** What a program of the scripts of the site prints as JSON, or what its error says. jest cannot load these ES modules. */
export function fromSite<Value>(code: string): Value {
  const program = `
    import { readFileSync } from "node:fs";
    import { brokenLinks } from "./scripts/site/check.mjs";
    import { examplesOf, FIRST_BLOCK } from "./scripts/site/examples/index.mjs";
    import { withLinks } from "./scripts/site/links.mjs";
    import { navigation } from "./scripts/site/navigation.mjs";
    import { headingOf, pages } from "./scripts/site/pages.mjs";
    const schema = JSON.parse(readFileSync("schema.json", "utf8"));
    const complaint = (run) => { try { return run(), ""; } catch ({ message }) { return message; } };
    console.log(JSON.stringify((() => {${code}})()));`;
  const args = ["--input-type=module", "--eval", program];
  const options = { cwd: ROOT, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 } as const;
  return JSON.parse(execFileSync(process.execPath, args, options)) as Value;
}

type Title = "TypeScript" | "Python" | "Go" | "YAML";

/** The code of the site's examples in a language, by the page that has it. */
export function siteExamples(title: Title): readonly (readonly [page: string, code: string])[] {
  return fromSite(`
    const { pages: all } = pages(() => "");
    const block = new RegExp("^\`\`\`\\\\w+ \\\\[${title}\\\\]\\n([^]*?)^\`\`\`$", "m");
    return all.flatMap(({ path, text }) => {
      const code = block.exec(text)?.[1];
      return code === undefined ? [] : [[path + ".md", code]];
    });`);
}

/** All examples of a language as one program, each in a function, because a checker takes long to start. */
export const allExamples = {
  python: (): string => {
    const bodies = siteExamples("Python").map(([, code], index) => {
      const lines = code.split("\n").slice(1).filter(Boolean);
      return [`def example_${index}() -> None:`, ...lines.map((line) => `    ${line}`)].join("\n");
    });
    return ["import pulumi_nodecloud as nodecloud", ...bodies, ""].join("\n\n");
  },
  go: (): string => {
    const examples = siteExamples("Go").map(([, code]) => code);
    const [head = ""] = examples[0]?.split("func main()") ?? [];
    const bodies = examples.map((code, index) =>
      code.slice(head.length).replace("main()", `example${index}()`),
    );
    const calls = examples.map((_, index) => `\texample${index}()`);
    return [head.trimEnd(), ...bodies, "func main() {", ...calls, "}", ""].join("\n");
  },
};
