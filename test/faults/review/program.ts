import { type Chance, drawn, pick } from "../chance";
import { type Kind } from "../kinds";
import { type Choice, isWhole, type Place, PLACES, q, SLOTS, SPLIT, WHOLE } from "./slots";

/** A resource of a program. */
export interface Declared {
  readonly name: string;
  readonly inputs: Readonly<Record<string, Choice>>;
  readonly options: Readonly<Record<string, string>>;
  readonly isInComponent: boolean;
  /** The name and place that it had before, for an alias. */
  readonly was?: { readonly name: string; readonly isInComponent: boolean };
  /** Whether it takes over, by `import`, the object that the resource before it had. */
  readonly isImported?: true;
}

export type Program = ReadonlyMap<Place, Declared>;

/** The options that an edit can turn on or off, for the resource of a place. */
function optionsOf(place: Place): Readonly<Record<string, string>> {
  const { takes, endsWith } = SLOTS[place];
  const inputs = Object.keys(takes).filter((input) => !isWhole(takes[input]?.[0]));
  return {
    retainOnDelete: "true",
    deleteBeforeReplace: "true",
    ignoreChanges: JSON.stringify(inputs.slice(0, 1)),
    replaceOnChanges: JSON.stringify(inputs.slice(-1)),
    ...(endsWith !== undefined && { deletedWith: endsWith }),
  };
}

const ofIn = (choice: Choice): Place | undefined => (typeof choice === "object" ? choice.of : undefined);

/** Leaves out what a program cannot have: resources below missing ones, and inputs that read them. */
function tidied(program: Map<Place, Declared>): Program {
  const tidy = new Map<Place, Declared>();
  for (const place of PLACES) {
    const declared = program.get(place);
    if (declared === undefined) continue;
    const isThere = (choice: Choice) => {
      const read = ofIn(choice);
      return read === undefined || tidy.has(read);
    };
    const { needs } = SLOTS[place];
    const needed = Object.entries(needs).map(([input, choices]) => {
      const chosen = declared.inputs[input] ?? choices[0];
      return [input, [chosen, ...choices].find(isThere)] as const;
    });
    if (needed.some(([, choice]) => choice === undefined)) continue;
    const others = Object.entries(declared.inputs).filter(
      ([input, choice]) => !(input in needs) && choice !== undefined && isThere(choice),
    );
    const { deletedWith, ...options } = declared.options;
    // A node keeps one snapshot, and the state of the other one would be wrong from then on.
    const rival = place === "second" ? tidy.get("snapshot")?.inputs["nodeId"] : undefined;
    if (rival !== undefined && needed.some(([, choice]) => ofIn(choice) === ofIn(rival))) continue;
    tidy.set(place, {
      ...declared,
      inputs: Object.fromEntries([...needed, ...others]),
      options: {
        ...options,
        ...(deletedWith !== undefined && tidy.has(deletedWith as Place) && { deletedWith }),
      },
    });
  }
  return tidy;
}

const settled = ({ was: _, isImported: __, ...declared }: Declared): Declared => declared;

const fresh = (place: Place, chance: Chance): Declared => {
  const { takes } = SLOTS[place];
  const some = drawn(Object.keys(takes), Math.floor(chance() * 4), chance);
  return {
    name: place,
    inputs: Object.fromEntries(some.map((input) => [input, pick(chance, takes[input] ?? [undefined])])),
    options: {},
    isInComponent: chance() < 0.2,
  };
};

/** The program that a chain begins with. */
export function firstProgram(chance: Chance): Program {
  const places = drawn(PLACES, 5 + Math.floor(chance() * 5), chance);
  return tidied(new Map(places.map((place) => [place, fresh(place, chance)])));
}

const EDITS = [
  "inputs",
  "inputs",
  "inputs",
  "add",
  "remove",
  "option",
  "alias",
  "rename",
  "import",
  "component",
  "split",
  "merge",
] as const;

/** The next program, with one to four edits, each in a few words. */
export function edited(
  before: Program,
  chance: Chance,
): { readonly program: Program; readonly edits: string[] } {
  const program = new Map([...before].map(([place, declared]) => [place, settled(declared)]));
  const edits: string[] = [];
  const touched = new Set<Place>();
  for (let count = 1 + Math.floor(chance() * 4); count > 0; count--) {
    const present = PLACES.filter((place) => program.has(place) && !touched.has(place));
    const absent = PLACES.filter((place) => !program.has(place) && !touched.has(place));
    const edit = present.length === 0 ? "add" : pick(chance, EDITS);
    const [place] = drawn(edit === "add" ? absent : present, 1, chance);
    if (place === undefined) continue;
    if (edit === "split" || edit === "merge") {
      const sets = edit === "split" ? divided(program, chance) : joined(program);
      if (sets.some(([one]) => touched.has(one))) continue;
      for (const [one, declared] of sets) {
        touched.add(one);
        edits.push(`${edit} ${one}`);
        if (declared === undefined) program.delete(one);
        else program.set(one, declared);
      }
      continue;
    }
    touched.add(place);
    edits.push(`${edit} ${place}`);
    if (edit === "add") program.set(place, fresh(place, chance));
    else if (edit === "remove") program.delete(place);
    else program.set(place, changed(place, program.get(place) as Declared, edit, chance));
  }
  // A backup cannot be imported below another object than its own.
  for (const [place, declared] of program) {
    const above = Object.values(declared.inputs)
      .map(ofIn)
      .find((one) => one !== undefined && touched.has(one));
    if (declared.isImported && above !== undefined) program.set(place, before.get(place) ?? declared);
  }
  return { program: tidied(program), edits };
}

const unscoped = ({ subdomain: _, ...inputs }: Declared["inputs"]): Declared["inputs"] => inputs;

type Sets = readonly (readonly [Place, Declared | undefined])[];

/** Moves a record of the set `hosts` into the set `more` of the same domain. Without such a set, the next split finds one. */
function divided(program: ReadonlyMap<Place, Declared>, chance: Chance): Sets {
  const { hosts = fresh("hosts", chance), more = fresh("more", chance) } = Object.fromEntries(program);
  if (hosts.inputs["records"] !== WHOLE)
    return [["hosts", { ...hosts, inputs: { ...hosts.inputs, records: WHOLE } }]];
  const { domainId } = hosts.inputs;
  return [
    ["hosts", { ...hosts, inputs: { ...hosts.inputs, records: SPLIT.hosts } }],
    ["more", { ...more, inputs: { ...unscoped(more.inputs), domainId, records: SPLIT.more } }],
  ];
}

/** Moves the records of the set `more` into the set `hosts`, which alone is left. */
function joined(program: ReadonlyMap<Place, Declared>): Sets {
  const { hosts, more } = Object.fromEntries(program);
  return hosts === undefined || more?.inputs["records"] !== SPLIT.more
    ? []
    : [
        ["hosts", { ...hosts, inputs: { ...hosts.inputs, records: WHOLE } }],
        ["more", undefined],
      ];
}

function changed(place: Place, declared: Declared, edit: string, chance: Chance): Declared {
  const { needs, takes } = SLOTS[place];
  const { name, isInComponent } = declared;
  const was = { name, isInComponent };
  const renamed = { ...declared, name: name.endsWith("2") ? name.slice(0, -1) : `${name}2` };
  if (edit === "alias" || edit === "component") {
    const moved =
      edit === "alias" ? { ...renamed, was } : { ...declared, isInComponent: !isInComponent, was };
    return chance() < 0.5 ? moved : changed(place, moved, "inputs", chance);
  }
  if (edit === "rename") return renamed;
  if (edit === "import") return { ...renamed, isImported: true };
  if (edit === "option") {
    const options = optionsOf(place);
    const [option = ""] = drawn(Object.keys(options), 1, chance);
    const { [option]: had, ...rest } = declared.options;
    const next = had === undefined ? { ...rest, [option]: options[option] ?? "" } : rest;
    return { ...declared, options: next };
  }
  const inputs = drawn(Object.keys({ ...needs, ...takes }), 1 + Math.floor(chance() * 2), chance);
  const others = inputs.map((input) => {
    const choices = (needs[input] ?? takes[input] ?? []).filter((one) => one !== declared.inputs[input]);
    return [input, choices[Math.floor(chance() * choices.length)]] as const;
  });
  return {
    ...declared,
    inputs: {
      ...declared.inputs,
      ...Object.fromEntries(others.filter(([input, choice]) => !(input in needs) || choice !== undefined)),
    },
  };
}

const FUNCTIONS: Partial<Record<Kind, string>> = { Node: "getNodeOutput", Domain: "getDomainOutput" };

/** The code of a choice. Half of the values of other resources come from data functions in place of their outputs. Ids are always outputs. */
function codeOf(choice: Choice, idOf: Ids, reading: Chance): string | undefined {
  const { code, of } = typeof choice === "object" ? choice : { code: choice };
  const read = of && FUNCTIONS[SLOTS[of].kind];
  if (read !== undefined && reading() >= 0.5)
    return code?.replace(
      new RegExp(`\\b${of}\\.(ipv4|label|domain)\\b`, "g"),
      (_, output: string) => `nodecloud.${read}({ id: ${of}.id }).${output}`,
    );
  const [reference, place = ""] = /@(\w+)/.exec(code ?? "") ?? [];
  if (reference === undefined || !isWhole(choice)) return code;
  const id = idOf(place as Place | "disk");
  return id === undefined ? undefined : code?.replace(reference, place === "disk" ? id : q(id));
}

/** The id of an object that the account has before. */
type Ids = (of: Place | "disk") => string | undefined;

/**
 * The text of a program. `idOf` tells the object that a resource takes over by `import`.
 */
export function textOf(program: Program, idOf: Ids, reading: Chance): string {
  const lines = [...program].map(([place, declared]) => {
    const { name, inputs, options, isInComponent, was, isImported } = declared;
    const args = Object.entries(inputs).flatMap(([input, choice]) => {
      const code = codeOf(choice, idOf, reading) ?? codeOf(SLOTS[place].needs[input]?.[0], idOf, reading);
      if (code === undefined) return [];
      return [isWhole(choice) ? code : `${input}: ${code}`];
    });
    const parent = (isInside: boolean) => (isInside ? "group" : "pulumi.rootStackResource");
    const all = {
      ...options,
      ...(isInComponent && { parent: "group" }),
      ...(was && { aliases: `[{ name: ${q(was.name)}, parent: ${parent(was.isInComponent)} }]` }),
      ...(isImported && { import: q(idOf(place) ?? "") }),
    };
    const opts = Object.entries(all).map(([option, code]) => `${option}: ${code}`);
    return `const ${place} = new nodecloud.${SLOTS[place].kind}(${q(name)}, { ${args.join(", ")} }, { ${opts.join(", ")} });`;
  });
  return [`const group = new pulumi.ComponentResource("test:index:Group", "group");`, ...lines].join("\n");
}
