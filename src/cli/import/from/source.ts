import { type Properties } from "../../../provider/base/values";

/** A module or a component that holds resources. The program itself has none above it. */
export interface ModuleScope {
  /** Its address for people: `module.site["eu"]`, or the type and name of a component. Empty for the program. */
  readonly address: string;
  readonly above?: ModuleScope;
  /** The common part of all its instances: the path of the module without keys, or the types of the components. */
  readonly kind: string;
  /** The name of the class. */
  readonly called: string;
  /** The name of the instance, and its end without the name of the scope above. */
  readonly name: string;
  readonly suffix: string;
  /** The type token of a component that a program has. */
  readonly token?: string;
}

/** A resource in a state. */
export interface SourceResource {
  readonly address: string;
  /** The type in the table: `linode_instance`. */
  readonly type: string;
  readonly scope: ModuleScope;
  /** Its name without a key: all resources of one declaration have it. */
  readonly declared: string;
  /** Its name in the program, and its end without the name of the scope. */
  readonly name: string;
  readonly suffix: string;
  readonly id: string;
  /** Its attributes in the spelling of the table. */
  readonly attributes: Properties;
  /** The attributes that are sensitive in the state. */
  readonly sensitive: ReadonlySet<string>;
  /** The addresses of the resources that it depends on, with or without keys. */
  readonly dependsOn: readonly string[];
  /** Lines about it for the summary. */
  readonly notes: readonly string[];
  /** Why it is not adopted, if the state says so. */
  readonly refused?: string;
  /** The provider configuration, if it has an alias. */
  readonly alias?: string;
}

/** The resources of a state. */
export interface ImportSource {
  /** The name of the state in messages: `the Terraform state`. */
  readonly noun: string;
  /** Steps with the state before or after the `pulumi up`, so that it does not delete the objects. */
  readonly steps: { readonly before?: string; readonly after?: string };
  readonly resources: readonly SourceResource[];
  readonly notes: readonly string[];
}

export const PROGRAM: ModuleScope = { address: "", kind: "", called: "", name: "", suffix: "" };

/** A key of for_each or count in a name. */
export const withKey = (name: string, key: unknown): string =>
  key === undefined || key === null ? name : `${name}-${String(key)}`;

/** How many names a line has. */
export const NAMED = 8;

/** Stands for a value that the state has encrypted. */
export const UNREADABLE = "[secret]";
