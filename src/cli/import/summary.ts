import { withCode } from "../../provider/base/codes";
import { counted, firstOf, printableLine } from "../../api/text";
import { type Context } from "../context";
import { type ServiceAccount, hiddenNote } from "../account/accounts";
import { type AccountObject } from "../drift/findings";
import { coloursFor } from "../terminal";
import { type LeftOut } from "./choose-objects";
import { type Target } from "./target";
import { ADOPT, type WrittenProgram } from "./write-source";

interface Written {
  readonly plan: WrittenProgram;
  readonly account: Pick<ServiceAccount, "name" | "gaps" | "hidden">;
  readonly notes: readonly string[];
  readonly target: Target;
}

/** How many objects a line names. */
const NAMED = 5;

/** Says what was written, what was left out and why, and what to do next. */
export function summaryOf(context: Context, { plan, account, notes, target }: Written): string {
  const { bold, yellow, dim } = coloursFor(context, context.stdout);
  const total = [...plan.counts.values()].reduce((sum, count) => sum + count, 0);
  const kinds = [...plan.counts].map(([type, count]) => `${count} ${type}`).join(", ");
  const files = [
    ...plan.files.map(({ path, statements }) => `${path}.ts: ${counted(statements, "resource")}`),
    `${ADOPT}.ts: ${counted(plan.ids, "id")}`,
    ...plan.texts.keys(),
  ];
  const title = `Wrote a program for ${counted(total, "object")} to ${target.place}`;
  const lines =
    total === 0
      ? [bold("Nothing was written: there is nothing to adopt.")]
      : [bold(printableLine(title)), indented(kinds), ...files.map((file) => dim(indented(file)))];
  const said = [
    ...account.hidden.map((hidden) => hiddenNote(hidden, account.name)),
    ...leftOutLines(plan.leftOut),
    ...plan.said,
    ...droppedLines(plan),
    ...[...plan.hidden].map(
      ([type, paths]) =>
        `the API does not show ${paths.join(", ")} of ${type} objects: the program does not set them, and they stay as they are`,
    ),
  ];
  if (said.length > 0) lines.push("", bold("Left out"), ...said.map(indented));
  const warnings = [
    ...account.gaps.map(({ what, reason }) => `could not read ${what} at ${account.name}: ${reason}`),
    ...notes,
  ];
  if (warnings.length > 0)
    lines.push(
      "",
      ...warnings.map((line) => `${yellow("warning")}: ${withCode(printableLine(line), "INCOMPLETE")}`),
    );
  if (total > 0) lines.push("", bold("Next"), ...nextSteps(target, plan).map(indented));
  return lines.join("\n");
}

/** A line in which no name of the account can end the line or colour it. */
const indented = (line: string): string => `  ${printableLine(line)}`;

function leftOutLines(leftOut: readonly LeftOut[]): string[] {
  const groups = Map.groupBy(leftOut, ({ object, reason }) => `${object.type} ${reason}`);
  return [...groups.values()].map((group) => {
    const names = group.map(({ object }) => nameOf(object));
    const [first] = group;
    return `${first?.object.type ?? ""} ${firstOf(names, NAMED)}: ${first?.reason ?? ""}`;
  });
}

const nameOf = ({ id, label }: AccountObject): string => (label === undefined ? id : `${label} (${id})`);

const droppedLines = ({ dropped }: WrittenProgram): string[] =>
  dropped.map(
    ({ object, path, reason }) =>
      `${path} of ${object.type} ${nameOf(object)}: a program cannot set it to its value: it ${reason}`,
  );

function nextSteps({ directory, place, program }: Target, { secrets, steps }: WrittenProgram): string[] {
  const beside = program === undefined ? "" : `${place}/`;
  const adopting = [
    ...secretLines(secrets),
    ...(steps.before === undefined ? [] : [steps.before]),
    "pulumi up, which adopts the objects and creates nothing",
    ...(steps.after === undefined ? [] : [steps.after]),
    `then delete ${beside}${ADOPT}.ts and its line in ${beside}index.ts: with them, other stacks adopt the same objects, and a deleted object is not created again`,
  ];
  if (program === undefined) {
    return [
      ...(directory === "." ? [] : [`cd ${directory}`]),
      "npm install",
      "pulumi login, if you have not chosen a backend: Pulumi Cloud, or with a URL a place of your own, such as pulumi login file://~",
      "pulumi stack init, set the token: pulumi config set --secret nodecloud:token, or NODECLOUD_TOKEN, and the base URL: pulumi config set nodecloud:baseUrl, or NODECLOUD_BASE_URL",
      ...adopting,
    ];
  }
  return [...(program.hasPackage ? [] : ["npm install pulumi-nodecloud"]), ...adopting];
}

/** Names the keys of the secrets that the program reads. */
function secretLines(secrets: WrittenProgram["secrets"]): string[] {
  const needed = secrets.filter(({ isRequired }) => isRequired);
  const naming = (start: string, isOne: (secret: WrittenProgram["secrets"][number]) => boolean): string[] => {
    const all = secrets.filter((one) => !one.isRequired && isOne(one));
    const keys = all.map(({ key, what }) => `${key} (${what})`);
    return keys.length === 0 ? [] : [`${start}: ${keys.join(", ")}`];
  };
  return [
    ...needed.map(({ key, what }) => `pulumi config set --secret ${key}: the program needs the ${what}`),
    ...naming(
      "to give the program the secrets that no answer shows, set them with pulumi config set --secret",
      ({ isShown }) => !isShown,
    ),
    ...naming(
      "the program leaves alone what is sensitive in the state, until you set it with pulumi config set --secret",
      ({ isShown }) => isShown,
    ),
  ];
}
