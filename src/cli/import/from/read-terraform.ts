import { existsSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { counted, firstOf } from "../../../api/text";
import { cached } from "../../../api/cached";
import { quietly } from "../../../api/quietly";
import { isObject, objectsIn, type Properties, valueAt } from "../../../provider/base/values";
import { type Context } from "../../context";
import { foreignState } from "../../errors";
import { readInput } from "../../input";
import { upperFirst, variableOf } from "../names";
import { NAMED, PROGRAM, type ModuleScope, type ImportSource, type SourceResource, withKey } from "./source";

const SHOW =
  "run `terraform show -json > state.json` or `tofu show -json > state.json` there, and pass state.json";

/** Reads a state of Terraform or OpenTofu: its file, the output of `show -json`, or the folder of a configuration. */
export async function readTerraform(context: Context, place: string): Promise<ImportSource> {
  const path = stateFileAt(resolve(context.directory, place), place);
  const text = (await readInput(context, path)).toString("utf8").replace(/^\uFEFF/, "");
  const state = quietly<unknown>(() => JSON.parse(text));
  if (!isObject(state)) throw foreignState(`${place} is not the JSON of a Terraform state: ${SHOW}`);
  const rows = rowsOf(state, place);
  const scopes = new Map([["", PROGRAM]]);
  const managed = rows.filter(({ mode }) => mode !== "data");
  const read = rows.length - managed.length;
  return {
    noun: "the Terraform state",
    steps: {
      after:
        "take the resources out of the Terraform state with terraform state rm, which changes no object, and delete their blocks: another terraform apply would create the objects again",
    },
    resources: managed.map((row) => resourceOf(row, scopes)),
    notes: [
      ...(read === 0
        ? []
        : [`${counted(read, "data source")} of the state: only read, so there is nothing to adopt`]),
      ...outputsNote(state["outputs"] ?? valueAt(state, "values.outputs")),
    ],
  };
}

/** Says which outputs the program lacks: the state has their values, and not what they refer to. */
export function outputsNote(outputs: unknown): string[] {
  const names = Object.keys(isObject(outputs) ? outputs : {});
  const [first] = names;
  if (first === undefined) return [];
  // A name in TypeScript has no hyphen.
  const example = `export const ${first.replaceAll("-", "_")} = …`;
  return [
    `${counted(names.length, "output")} (${firstOf(names, NAMED)}): the state has only values. Write outputs in index.ts: ${example}`,
  ];
}

/** The file of the state: what is named, or that of a folder in the selected workspace. */
function stateFileAt(path: string, place: string): string {
  if (!existsSync(path)) throw foreignState(`--from-terraform: ${place} does not exist`);
  if (!statSync(path).isDirectory()) return path;
  const backend = backendIn(join(path, ".terraform/terraform.tfstate"));
  if (backend !== undefined && backend["type"] !== "local")
    throw foreignState(`the state of ${place} is in the backend ${String(backend["type"])}: ${SHOW}`);
  const environment = join(path, ".terraform/environment");
  const workspace = existsSync(environment) ? readFileSync(environment, "utf8").trim() : "";
  const named = valueAt(backend, "config.path");
  const local = resolve(path, typeof named === "string" ? named : "terraform.tfstate");
  const file =
    workspace === "" || workspace === "default"
      ? local
      : join(path, "terraform.tfstate.d", workspace, "terraform.tfstate");
  if (existsSync(file)) return file;
  throw foreignState(`${place} has no terraform.tfstate: ${SHOW}`);
}

function backendIn(file: string): Properties | undefined {
  const read = existsSync(file) ? quietly<unknown>(() => JSON.parse(readFileSync(file, "utf8"))) : undefined;
  const backend = valueAt(read, "backend");
  return isObject(backend) ? backend : undefined;
}

/** A resource with its key, as both formats have it. */
interface Row {
  readonly mode: unknown;
  readonly module: string;
  readonly type: string;
  readonly name: string;
  readonly key: unknown;
  readonly provider: string;
  readonly attributes: Properties;
  readonly sensitive: ReadonlySet<string>;
  readonly dependsOn: readonly string[];
  readonly isTainted: boolean;
  readonly deposed: unknown;
}

function rowsOf(state: Properties, place: string): Row[] {
  if ("encrypted_data" in state)
    throw foreignState(`${place} is an encrypted state: ${SHOW}. The command decrypts it`);
  if ("planned_values" in state)
    throw foreignState(`${place} is a plan and not a state: ${SHOW}, without the file of a plan`);
  if ("format_version" in state) {
    if (!/^[01]\./.test(String(state["format_version"])))
      throw foreignState(
        `${place} has the format ${String(state["format_version"])} of show -json, and only 0 and 1 are known`,
      );
    return rowsOfModule(valueAt(state, "values.root_module"));
  }
  if (state["version"] === 4) return objectsIn(state, "resources").flatMap(rowsOfResource);
  const version = state["version"] === undefined ? "no version" : `version ${String(state["version"])}`;
  throw foreignState(`${place} has ${version} of the format, and only version 4 is known: ${SHOW}`);
}

/** Reads the format of state files. */
function rowsOfResource(resource: Properties): Row[] {
  return objectsIn(resource, "instances").map((instance) => ({
    mode: resource["mode"],
    module: textIn(resource["module"]),
    type: String(resource["type"]),
    name: String(resource["name"]),
    key: instance["index_key"],
    provider: textIn(resource["provider"]),
    attributes: isObject(instance["attributes"]) ? instance["attributes"] : {},
    sensitive: sensitiveIn(instance["sensitive_attributes"]),
    dependsOn: textsIn(instance["dependencies"]),
    isTainted: instance["status"] === "tainted",
    deposed: instance["deposed"],
  }));
}

/** The top attributes in paths such as `[{ type: "get_attr", value: "root_pass" }]`. */
const sensitiveIn = (paths: unknown): ReadonlySet<string> =>
  new Set(
    (Array.isArray(paths) ? paths : []).map((path: unknown) => {
      const [first] = (Array.isArray(path) ? path : [path]) as unknown[];
      return String(valueAt(first, "value"));
    }),
  );

/** Whether a mark of `show -json` is on an attribute or on a part of it. */
const isSensitive = (mark: unknown): boolean =>
  mark === true || (isObject(mark) || Array.isArray(mark) ? Object.values(mark).some(isSensitive) : false);

/** Reads the output of `show -json`. */
function rowsOfModule(module: unknown): Row[] {
  const own = objectsIn(module, "resources").map((resource): Row => {
    const sensitive = resource["sensitive_values"];
    return {
      mode: resource["mode"],
      module: textIn(valueAt(module, "address")),
      type: String(resource["type"]),
      name: String(resource["name"]),
      key: resource["index"],
      provider: "",
      attributes: isObject(resource["values"]) ? resource["values"] : {},
      sensitive: new Set(
        Object.entries(isObject(sensitive) ? sensitive : {}).flatMap(([name, is]) =>
          isSensitive(is) ? [name] : [],
        ),
      ),
      dependsOn: textsIn(resource["depends_on"]),
      isTainted: resource["tainted"] === true,
      deposed: resource["deposed_key"],
    };
  });
  return [...own, ...objectsIn(module, "child_modules").flatMap(rowsOfModule)];
}

const textIn = (value: unknown): string => (typeof value === "string" ? value : "");
const textsIn = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

function resourceOf(row: Row, scopes: Map<string, ModuleScope>): SourceResource {
  const { module, type, name, key, attributes } = row;
  const scope = scopeAt(module, scopes);
  const suffix = withKey(name, key);
  const alias = /\]\.(\w+)$/.exec(row.provider)?.[1];
  const address = [module, `${type}.${name}${key == null ? "" : `[${JSON.stringify(key)}]`}`];
  return {
    address: address.filter((part) => part !== "").join("."),
    ...{
      type,
      scope,
      declared: name,
      suffix,
      attributes,
      sensitive: row.sensitive,
      dependsOn: row.dependsOn,
    },
    name: scope === PROGRAM ? suffix : `${scope.name}-${suffix}`,
    id: attributes["id"] == null ? "" : String(attributes["id"]),
    notes: row.isTainted
      ? ["is tainted: Terraform would replace it, and the program adopts it as it is"]
      : [],
    ...(row.deposed == null ? {} : { refused: "it is deposed: Terraform was about to delete it" }),
    ...(alias === undefined ? {} : { alias }),
  };
}

/** One step of a module's address: `module.site["eu"]`. A key may contain dots and brackets. */
const STEP = /module\.([\w-]+)(\[(?:\d+|"(?:[^"\\]|\\.)*")\])?/y;

/** The scope of a module, and those above it. */
function scopeAt(module: string, scopes: Map<string, ModuleScope>): ModuleScope {
  return cached(scopes, module, () => {
    const steps: {
      readonly end: number;
      readonly name: string;
      readonly key: unknown;
      readonly start: number;
    }[] = [];
    for (let at = 0; at < module.length; at++) {
      STEP.lastIndex = at;
      const found = STEP.exec(module);
      if (found === null)
        throw foreignState(`the state has a module with the address ${module}, which cannot be read`);
      const [all, name = "", key] = found;
      steps.push({
        start: at,
        end: at + all.length,
        name,
        key: key && quietly<unknown>(() => JSON.parse(key.slice(1, -1))),
      });
      at += all.length;
    }
    const last = steps.at(-1);
    if (last === undefined) return PROGRAM;
    const above = scopeAt(module.slice(0, Math.max(0, last.start - 1)), scopes);
    const kind = above.kind === "" ? last.name : `${above.kind}/${last.name}`;
    const suffix = withKey(last.name, last.key);
    return {
      ...{ address: module, above, kind, suffix },
      called: upperFirst(variableOf(kind, "Module")),
      name: above === PROGRAM ? suffix : `${above.name}-${suffix}`,
    };
  });
}

/** Whether a dependency such as `module.site.linode_domain.zone` names a resource. The addresses in states have no keys. */
export const isNamed = (dependency: string, { address }: SourceResource): boolean =>
  dependency === address || dependency === withoutKeys(address);

export const withoutKeys = (address: string): string => address.replace(/\[(?:\d+|"(?:[^"\\]|\\.)*")\]/g, "");
