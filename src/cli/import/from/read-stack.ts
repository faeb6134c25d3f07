import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { listed } from "../../../api/text";
import { quietly } from "../../../api/quietly";
import { isObject, objectsIn, type Properties, snakePath, valueAt } from "../../../provider/base/values";
import { nameInUrn } from "../../../provider/describe/urn";
import { SECRET, SIGNATURE } from "../../../provider/engine/signatures";
import { Words } from "../../../provider/engine/secret-words";
import { type Context } from "../../context";
import { foreignState } from "../../errors";
import { readInput } from "../../input";
import { findProjects } from "../../stacks/projects";
import { Workspaces } from "../../stacks/workspaces";
import { upperFirst, variableOf } from "../names";
import { outputsNote } from "./read-terraform";
import { PROGRAM, type ModuleScope, type ImportSource, type SourceResource, UNREADABLE } from "./source";
import { COUNTERPARTS } from "./table";

const EXPORT = "pass the file of `pulumi stack export`, or the folder of the project";

/** Reads the state of a stack of the bridged provider: a file of `pulumi stack export`, or the selected stack of a project. */
export async function readStack(context: Context, place: string): Promise<ImportSource> {
  const deployment = await deploymentAt(context, place);
  const all = objectsIn(deployment, "resources");
  if (!isObject(deployment) || !Array.isArray(deployment["resources"]))
    throw foreignState(`${place} is not the state of a stack: ${EXPORT}`);
  const components = new Map(all.filter(isComponent).map((one) => [String(one["urn"]), one]));
  const scopes = new Map<string, ModuleScope>();
  const scopeAt = (urn: unknown): ModuleScope => {
    const known = scopes.get(String(urn));
    const component = components.get(String(urn));
    if (known !== undefined || component === undefined) return known ?? PROGRAM;
    const scope = scopeOf(component, scopeAt(component["parent"]));
    scopes.set(String(urn), scope);
    return scope;
  };
  return {
    noun: "the stack",
    steps: {
      before:
        "if the program is for that stack, take its resources out of the state with pulumi state delete, which changes no object: pulumi up would delete them",
    },
    resources: all
      .filter(
        ({ custom, external, type }) =>
          custom === true && external !== true && !String(type).startsWith("pulumi:"),
      )
      .map((one) => resourceOf(one, scopeAt(one["parent"]))),
    notes: [
      ...outputsNote(all.find(({ type }) => type === "pulumi:pulumi:Stack")?.["outputs"]),
      ...all
        .filter(({ external }) => external === true)
        .map(({ urn }) => `${String(urn)}: it is only read, so there is nothing to adopt`),
    ],
  };
}

async function deploymentAt(context: Context, place: string): Promise<unknown> {
  const path = resolve(context.directory, place);
  if (!existsSync(path)) throw foreignState(`--from-stack: ${place} does not exist: ${EXPORT}`);
  if (!statSync(path).isDirectory()) {
    const text = (await readInput(context, path)).toString("utf8");
    return valueAt(
      quietly<unknown>(() => JSON.parse(text)),
      "deployment",
    );
  }
  const [project, ...others] = findProjects(context, [place]);
  if (project === undefined || others.length > 0)
    throw foreignState(`--from-stack: ${place} has several projects: name the folder of one`);
  const workspaces = new Workspaces(context, new Words());
  const { selected } = await workspaces.stacksOf(project);
  if (selected === undefined)
    throw foreignState(
      `no stack of ${place} is selected: run pulumi stack select there, or set PULUMI_STACK`,
    );
  return workspaces.stateOf(project, selected);
}

const isComponent = ({ custom, type }: Properties): boolean =>
  custom !== true && String(type) !== "pulumi:pulumi:Stack";

function scopeOf({ urn, type }: Properties, above: ModuleScope): ModuleScope {
  const [token, name] = [String(type), nameInUrn(String(urn))];
  return {
    ...{ address: `${token} ${name}`, above, token, name },
    kind: above.kind === "" ? token : `${above.kind}$${token}`,
    called: upperFirst(variableOf(token.split(":").at(-1) ?? token, "Component")),
    suffix: suffixOf(name, above),
  };
}

const suffixOf = (name: string, { name: above }: ModuleScope): string =>
  above !== "" && name.startsWith(`${above}-`) ? name.slice(above.length + 1) : name;

function resourceOf(entry: Properties, scope: ModuleScope): SourceResource {
  const token = String(entry["type"]);
  const urn = String(entry["urn"]);
  const name = nameInUrn(urn);
  const type = Object.entries(COUNTERPARTS).find(([, { bridged }]) => bridged === token)?.[0] ?? token;
  const sensitive = new Set<string>();
  const outputs = isObject(entry["outputs"]) ? entry["outputs"] : {};
  const attributes = Object.entries(outputs).map(([key, value]) => {
    const own = PLURAL[key] ?? snakePath(key);
    if (hasSecret(value)) sensitive.add(own);
    return [own, renamed(value)] as const;
  });
  const isLeaving = entry["delete"] === true || entry["pendingReplacement"] === true;
  const given = isObject(entry["inputs"]) ? entry["inputs"] : {};
  for (const [key, value] of Object.entries(given))
    if (hasSecret(value)) sensitive.add(PLURAL[key] ?? snakePath(key));
  return {
    address: urn,
    ...{ type, scope, name, declared: suffixOf(name, scope), suffix: suffixOf(name, scope) },
    id: String(entry["id"] ?? ""),
    attributes: Object.fromEntries(attributes),
    sensitive,
    dependsOn: Array.isArray(entry["dependencies"]) ? entry["dependencies"].map(String) : [],
    notes: optionsNote(entry),
    ...(isLeaving ? { refused: "the stack is about to delete it" } : {}),
  };
}

const OPTIONS = ["protect", "retainOnDelete", "ignoreChanges", "deletedWith", "customTimeouts"];

/** Says which options of a resource the program lacks. */
function optionsNote(entry: Properties): string[] {
  const names = OPTIONS.filter((name) => ![undefined, false, ""].includes(entry[name] as string));
  if (names.length === 0) return [];
  const how = names.includes("protect") ? "write it, or use --protect for all" : "write it";
  return [`the stack has ${listed(names, "and")} for it, and the new program does not: ${how}`];
}

/** The bridged provider has plural names for lists. */
const PLURAL: Readonly<Record<string, string>> = {
  ...{ allowLists: "allow_list", configs: "config", disks: "disk", interfaces: "interface", ipv4s: "ipv4" },
  ...{ metadatas: "metadata", sharedIpv4s: "shared_ipv4" },
};

const isSecret = (value: unknown): boolean => isObject(value) && value[SIGNATURE] === SECRET;

const hasSecret = (value: unknown): boolean =>
  isSecret(value) ||
  (Array.isArray(value) ? value.some(hasSecret) : isObject(value) && Object.values(value).some(hasSecret));

/** A value with the keys of its objects in the spelling of the table, and without secrets: a list that has one is a secret as a whole. */
function renamed(value: unknown): unknown {
  if (isSecret(value)) return UNREADABLE;
  if (Array.isArray(value)) return value.some(isSecret) ? UNREADABLE : value.map(renamed);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [snakePath(key), renamed(item)]));
}
