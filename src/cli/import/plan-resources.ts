import { type CollectionDescription } from "../../provider/describe/define-collection";
import { cached } from "../../api/cached";
import { type Properties } from "../../provider/base/values";
import { descriptions } from "../../resources";
import { type ServiceAccount } from "../account/accounts";
import { byPlace, keyOf, type LiveObject, placeOf } from "../account/list-account";
import { type Chosen, type LeftOut, parentObject } from "./choose-objects";
import { collections, setOf } from "./collections";
import { type Dropped, hiddenInputs, inputsOfObject } from "../../provider/ownership/inputs-of-object";
import { accountObject } from "../drift/account-object";
import { type AccountObject } from "../drift/findings";
import { fileOf, kebab, RESERVED, UniqueNames, upperFirst, variableOf } from "./names";
import { Expression, UNDEFINED } from "./source-text";
import { zoneTextOf } from "./zone-text";

/** How the records of a domain are written: as one set with a zone file, or each as a resource. */
export type Style = "set" | "single";

/** A resource of the program. */
export interface PlannedResource {
  readonly type: string;
  /** Its name in the program. */
  readonly name: string;
  readonly variable?: string;
  /** The object that it adopts. */
  readonly importId: string;
  /** Its inputs. An {@link Expression} stands for a reference or a file. */
  readonly inputs: Properties;
}

/** A file of the program, without its extension. */
export interface PlannedFile {
  readonly path: string;
  readonly resources: PlannedResource[];
}

/** The program that adopts objects. */
export interface ImportPlan {
  readonly files: readonly PlannedFile[];
  /** Further files by their paths: the zones. */
  readonly texts: ReadonlyMap<string, string>;
  /** How many objects the resources adopt, by kind. */
  readonly counts: ReadonlyMap<string, number>;
  readonly leftOut: readonly LeftOut[];
  /** The values that the program does not set, each with its object. */
  readonly dropped: readonly (Dropped & { readonly object: AccountObject })[];
  /** The inputs that no answer shows, by kind. */
  readonly hidden: ReadonlyMap<string, readonly string[]>;
}

export interface PlanOptions {
  readonly style: Style;
  /** The folder of the files, relative to the one in which the program runs: empty, or ending in a slash. */
  readonly base: string;
  /** The names that resources of the program have already, by class. */
  readonly taken: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Plans the resources that adopt the chosen objects, and their files. */
export const planResources = (account: ServiceAccount, chosen: Chosen, options: PlanOptions): ImportPlan =>
  new Planner(account, chosen, options).plan();

class Planner {
  readonly #files = new Map<string, PlannedFile>();
  readonly #paths = new UniqueNames(["index", "adopt"]);
  /** The path of the file by the key of what it is for. */
  readonly #pathOf = new Map<string, string>();
  readonly #variables = new UniqueNames(RESERVED, "_");
  readonly #names = new Map<string, UniqueNames>();
  /** The variables of objects, by type and id. */
  readonly #variableOf = new Map<string, string>();
  readonly #texts = new Map<string, string>();
  readonly #zones = new UniqueNames();
  readonly #counts = new Map<string, number>();
  readonly #leftOut: LeftOut[];
  readonly #dropped: (Dropped & { object: AccountObject })[] = [];
  /** All objects of the account, by their type and parent. */
  readonly #below: ReadonlyMap<string, readonly LiveObject[]>;

  constructor(
    private readonly account: ServiceAccount,
    private readonly chosen: Chosen,
    private readonly options: PlanOptions,
  ) {
    this.#leftOut = [...chosen.leftOut];
    this.#below = byPlace(account.objects);
  }

  plan(): ImportPlan {
    const ofSet = Map.groupBy(this.chosen.objects, ({ description }) => setOf(description.type));
    const others = (ofSet.get(undefined) ?? []).sort((one, other) => rankOf(one) - rankOf(other));
    for (const live of others) this.#declare(live);
    for (const [set, members] of ofSet) {
      if (set === undefined) continue;
      const belowParents = Map.groupBy(members, ({ ref }) => ref.parent ?? "");
      for (const [parent, below] of belowParents) this.#declareMembers(set, parent, below);
    }
    const hidden = [...Map.groupBy(others, ({ description }) => description)].map(
      ([description, own]) => [description.type, hiddenInputs({ description }, own)] as const,
    );
    return {
      files: [...this.#files.values()].sort((one, other) => (one.path < other.path ? -1 : 1)),
      texts: this.#texts,
      counts: this.#counts,
      leftOut: this.#leftOut,
      dropped: this.#dropped,
      hidden: new Map(hidden.filter(([, paths]) => paths.length > 0)),
    };
  }

  #declare(live: LiveObject): void {
    const { description, ref } = live;
    const inputs = this.#inputsOf(live);
    if (inputs === undefined) return;
    const { type } = description;
    const label = this.#labelOf(live) ?? `${kebab(type)}-${ref.id}`;
    const variable = this.#variables.take(variableOf(label, type));
    this.#variableOf.set(live.key, variable);
    this.#add(live, { type, name: this.#nameOf(type, label), variable, importId: live.id, inputs });
  }

  /** Declares the members of a parent, such as the records of a domain. */
  #declareMembers(set: CollectionDescription, parent: string, members: readonly LiveObject[]): void {
    const alone = this.options.style === "single" ? members : this.#declareSet(set, parent, members);
    for (const member of alone) this.#declareMember(member, set);
  }

  /** Declares members as one set. Returns those that it cannot hold. */
  #declareSet(set: CollectionDescription, parent: string, members: readonly LiveObject[]): LiveObject[] {
    const [first] = members;
    if (first === undefined) return [];
    const label = this.#labelOf(parentObject(this.account, first)) ?? parent;
    const inputsOf = (live: LiveObject) => set.inputsOf(live.shown);
    const there = this.#below.get(placeOf(first.description.type, parent)) ?? [];
    const { text, without } = zoneTextOf(label, members.map(inputsOf), there.map(inputsOf));
    const inSet = members.length - without.size;
    if (inSet > 0) {
      const file = `zones/${this.#zones.take(this.#pathFor(first).split("/").at(-1) ?? parent)}.zone`;
      this.#texts.set(file, text);
      const reading = `fs.readFileSync(${JSON.stringify(this.options.base + file)}, "utf8")`;
      const resource = {
        type: set.type,
        name: this.#nameOf(set.type, label),
        variable: this.#variables.take(variableOf(`${label} records`, "records")),
        importId: parent,
        inputs: { ...this.#parentInput(first), zoneFile: new Expression(reading, "fs") },
      };
      this.#add(first, resource, inSet);
    }
    return members.filter((_, index) => without.has(index));
  }

  #declareMember(live: LiveObject, set: CollectionDescription): void {
    const { description, shown } = live;
    const inputs = this.#inputsOf(live, set);
    if (inputs === undefined) return;
    const zone = this.#labelOf(parentObject(this.account, live));
    const label = [set.place(set.inputsOf(shown)), zone]
      .filter((part) => part !== undefined && part !== "")
      .join(".");
    const name = this.#nameOf(description.type, `${label}-${String(shown["type"])}`);
    this.#add(live, { type: description.type, name, importId: live.id, inputs });
  }

  /** The inputs of an object with references in place of ids. Undefined if no program can declare it. */
  #inputsOf(live: LiveObject, set?: CollectionDescription): Properties | undefined {
    const { inputs, dropped, refused } = inputsOfObject(live, set);
    const object = accountObject(this.account, live);
    if (refused !== undefined) {
      this.#leftOut.push({ object, reason: `no program can declare it: ${refused}` });
      return undefined;
    }
    this.#dropped.push(...dropped.map((one) => ({ ...one, object })));
    // The name of an input says which kind has the ids that it holds: `image`.
    const referring = Object.entries(inputs).map(([path, value]) => [
      path,
      this.#reference(upperFirst(path), value) ?? value,
    ]);
    // The service does not show them. A program without them would not compile.
    const unset = live.description.variants?.cases.flatMap(({ unset = [] }) => unset) ?? [];
    return {
      ...Object.fromEntries(referring),
      ...Object.fromEntries(unset.map((path) => [path, UNDEFINED])),
      ...this.#parentInput(live),
    } as Properties;
  }

  #parentInput({ description, ref }: LiveObject): Properties {
    const { parent, parentType = "" } = description.id;
    if (parent === undefined || ref.parent === undefined) return {};
    return { [parent]: this.#reference(parentType, ref.parent) ?? ref.parent };
  }

  #reference(type: string, value: unknown): Expression | undefined {
    const variable = typeof value === "string" ? this.#variableOf.get(keyOf(type, value)) : undefined;
    return variable === undefined ? undefined : new Expression(`${variable}.id`, variable);
  }

  #labelOf(live: LiveObject | undefined): string | undefined {
    return live && accountObject(this.account, live).label;
  }

  #nameOf(type: string, wanted: string): string {
    return cached(this.#names, type, () => new UniqueNames(this.options.taken.get(type))).take(
      // The engine takes a star in the URN of a target for a pattern.
      wanted.replaceAll("*", "wildcard"),
    );
  }

  /** Adds a resource to the file of an object. It adopts so many objects of this kind. */
  #add(live: LiveObject, resource: PlannedResource, objects = 1): void {
    const { type } = live.description;
    const path = this.#pathFor(live);
    cached(this.#files, path, () => ({ path, resources: [] })).resources.push(resource);
    this.#counts.set(type, (this.#counts.get(type) ?? 0) + objects);
  }

  /** The file of an object: one for each object that has members below it, and otherwise one for the kind. */
  #pathFor(live: LiveObject): string {
    const above = parentObject(this.account, live);
    if (above !== undefined) return this.#pathFor(above);
    const { type } = live.description;
    const hasMembers = collections.some(({ item }) => item.id.parentType === type);
    const key = hasMembers ? live.key : type;
    return cached(this.#pathOf, key, () => {
      const folder = `${kebab(type)}s`;
      const label = this.#labelOf(live) ?? live.ref.id;
      return this.#paths.take(hasMembers ? `${folder}/${fileOf(label, live.ref.id)}` : folder);
    });
  }
}

/** An object comes after those that it may refer to: other kinds first, and those below a parent last. */
const rankOf = ({ description: { id, fields } }: LiveObject): number => {
  if (id.parentType !== undefined) return 2;
  return Object.keys(fields).some((name) => upperFirst(name) in descriptions) ? 1 : 0;
};
