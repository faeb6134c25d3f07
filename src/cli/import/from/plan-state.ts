import { counted, firstOf, listed } from "../../../api/text";
import { variableOf, UniqueNames, upperFirst } from "../names";
import { type ServiceAccount } from "../../account/accounts";
import { type Chosen } from "../choose-objects";
import { type Taken } from "../declared";
import { type WrittenProgram } from "../write-source";
import { compose, type Composition } from "./compose";
import { type Adopted, type Matched, matchState, type Secret } from "./match";
import { place } from "./place";
import { NAMED, type ImportSource } from "./source";
import { programOf } from "./write-program";

/** Plans the program that adopts what a state has. */
export function planState(
  account: ServiceAccount,
  chosen: Chosen,
  source: ImportSource,
  taken: Taken,
): WrittenProgram {
  const matched = matchState(account, chosen, source, taken.names);
  const { adopted, secrets } = matched;
  nameSecrets(secrets, taken.keys);
  const { composition, placed } = composed(adopted, taken.components);
  const program = programOf(composition, placed, adopted, taken.names);
  const counts = Map.groupBy(adopted, ({ type }) => type);
  return {
    files: program.files.filter(({ statements }) => statements > 0),
    ids: adopted.length,
    texts: new Map(),
    counts: new Map([...counts].map(([type, all]) => [type, all.length])),
    leftOut: [],
    dropped: matched.dropped,
    hidden: new Map(),
    said: [...source.notes, ...saidOf(matched, composition), ...others(matched, chosen, source)],
    secrets: secrets.map(({ key, of, path, kind, ...secret }) => ({
      ...{ key, isRequired: secret.isRequired, isShown: secret.isShown },
      what: `${path} of ${of.address}${kind === "Object" ? ", as JSON" : ""}`,
    })),
    steps: source.steps,
    sources: (options) => program.sources(options),
  };
}

/** Gives the instances of a module their own classes where a common one would lose references. */
function composed(adopted: readonly Adopted[], components: readonly string[]) {
  const split = new Set<string>();
  for (;;) {
    const before = split.size;
    const composition = compose(adopted, split, components);
    const placed = place(composition, split);
    if (split.size === before) return { composition, placed };
  }
}

/** Gives each secret a key in the configuration: `webRootPass`. */
function nameSecrets(secrets: readonly Secret[], taken: readonly string[]): void {
  const keys = new UniqueNames(taken, "");
  for (const secret of secrets) {
    const path = secret.path.split(".").at(-1) ?? "";
    secret.key = keys.take(variableOf(secret.of.name, "resource") + upperFirst(path));
  }
}

function saidOf({ leftOut }: Matched, { classes, cut }: Composition): string[] {
  const lines = leftOut.map(({ reason, names }) => `${firstOf(names, NAMED)}: ${reason}`);
  const circles = `${counted(cut.length, "reference")} would go in a circle between modules: the program has the value in its place`;
  return [...lines, ...splitLines(classes), ...(cut.length === 0 ? [] : [circles])];
}

/** The modules whose instances have classes of their own. */
function splitLines(classes: Composition["classes"]): string[] {
  const instances = classes.flatMap((one) => one.instances.slice(0, 1));
  return [...Map.groupBy(instances, ({ kind }) => kind).values()].flatMap((scopes) => {
    const addresses = scopes.map(({ address }) => address);
    const split = `${firstOf(addresses, NAMED)}: ${scopes.length} classes, because one for all would lose references between resources`;
    return scopes.length === 1 ? [] : [split];
  });
}

/** The objects of the account that the state does not have. */
function others({ adopted }: Matched, { objects }: Chosen, { noun }: ImportSource): string[] {
  const own = new Set(adopted.map(({ live }) => live.key));
  const left = objects.filter(({ key }) => !own.has(key));
  if (left.length === 0) return [];
  const kinds = [...Map.groupBy(left, ({ description }) => description.type)].map(
    ([type, all]) => `${all.length} ${type}`,
  );
  return [
    `${noun} does not have ${listed(kinds, "and")} of the account: nodecloud import without this option writes them`,
  ];
}
