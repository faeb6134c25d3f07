import { type ReportedChange } from "../../../src/cli/report/changes";
import { HIDDEN } from "../../../src/provider/state/hidden-names";
import { nameInUrn } from "../../../src/provider/describe/urn";
import { isObject, type Properties } from "../../../src/provider/base/values";
import { eventsIn, isOurs, type Outcome } from "../../helpers/outcome";
import { type Problems } from "../account";
import { type Account, type Managed } from "./account";

/** The classes of changes that the report is asked to deny. */
export const CLASSES = ["data-loss", "interruption", "replacement", "deletion"] as const;
type Class = (typeof CLASSES)[number];

/** A report as JSON. */
export interface Report {
  readonly complete: boolean;
  readonly denied: readonly { readonly rule: Class; readonly name: string }[];
  readonly stacks: readonly { readonly changes: readonly ReportedChange[]; readonly unchanged: number }[];
}

/** What one side showed of a pair of programs, and what it then did. */
export interface Seen {
  readonly preview: Outcome;
  readonly report: Report;
  readonly up: Outcome;
  readonly before: Account;
  readonly after: Account;
  /** The resources of the state before, by their names in the new program. */
  readonly was: ReadonlyMap<string, Managed>;
  /** The new names of resources that an alias leads to, by the old ones. */
  readonly renamed: ReadonlyMap<string, string>;
  readonly now: ReadonlyMap<string, Managed>;
  readonly requests: readonly {
    readonly method: string;
    readonly path: string;
    readonly body?: Properties;
  }[];
  /** Records of others, and the ids of their domains. */
  readonly foreign: ReadonlyMap<string, string>;
}

const changesIn = ({ stacks }: Report): readonly ReportedChange[] => stacks.flatMap(({ changes }) => changes);

const DATA = ["nodes", "nodeBackups", "mysql", "postgresql", "databaseBackups", "domains", "images"];
const collectionOf = (key: string): string => key.split(" ", 1)[0] ?? "";

/** Whether a lost backup was asked for again: that is no loss. */
const isRenewed = (was: Managed, now: Managed | undefined): boolean =>
  now !== undefined &&
  /[bB]ackup/.test(was.kind) &&
  (was.inputs["label"] === now.inputs["label"] || HIDDEN.resourceName in now.inputs) &&
  JSON.stringify(was.inputs["triggers"]) !== JSON.stringify(now.inputs["triggers"]);

const deniedBy = ({ denied }: Report): Readonly<Record<Class, ReadonlySet<string>>> => {
  const of = (kind: Class) => denied.filter(({ rule }) => rule === kind).map(({ name }) => name);
  return Object.fromEntries(CLASSES.map((kind) => [kind, new Set(of(kind))])) as Record<Class, Set<string>>;
};

/** What happened to the account, by class and by the resource that did it. */
export function truthOf(seen: Seen): Readonly<Record<Class, ReadonlyMap<string, string>>> {
  const { before, after, was, now, renamed, up, foreign, requests } = seen;
  const denied = deniedBy(seen.report);
  const truth = Object.fromEntries(CLASSES.map((name) => [name, new Map<string, string>()])) as Record<
    Class,
    Map<string, string>
  >;
  const isGone = (key: string) => before.has(key) && !after.has(key);
  const replaced = new Set(
    up.order.flatMap((step) => (/ create-replacement$/.exec(step) ? [step.split(" ", 1)[0]] : [])),
  );
  const overwritten = new Set<string>();
  // The snapshot of a resource that left the program stays in the account, which does not say of which node it is.
  const managed = new Set([...was.values()].flatMap(({ objects }) => objects));
  const strays = [...before.keys()].filter(
    (key) => collectionOf(key) === "nodeBackups" && isGone(key) && !managed.has(key),
  );
  for (const [name, next] of now) {
    const isNew = next.objects.some((key) => after.has(key) && !before.has(key));
    if (next.kind !== "NodeBackupSnapshot" || !isNew) continue;
    const stray = denied["data-loss"].has(name) ? strays.pop() : undefined;
    if (stray !== undefined) truth["data-loss"].set(name, `${stray} was overwritten`);
    for (const [other, { id, objects }] of was) {
      if (other === name || parentOf(id) !== parentOf(next.id) || !objects.some(isGone)) continue;
      for (const key of objects) overwritten.add(key);
      truth["data-loss"].set(name, `${objects.join()} was overwritten`);
    }
  }
  for (const [name, old] of was) {
    const next = now.get(name);
    const gone = old.objects.filter(isGone);
    const [key = ""] = old.objects;
    // Another resource has done that.
    if (next !== undefined && overwritten.has(key)) continue;
    if (gone.length > 0 && DATA.includes(collectionOf(key)) && !isRenewed(old, next))
      truth["data-loss"].set(name, `${key} is gone`);
    if (gone.length > 0 && !replaced.has(name)) truth.deletion.set(name, `${gone.join(", ")} are gone`);
    // A step that is refused is shown too, and the state then has the resource under its old name.
    const isOther = next !== undefined && JSON.stringify(next.objects) !== JSON.stringify(old.objects);
    const isDone = up.code === 0 || gone.length > 0 || isOther;
    if (replaced.has(name) && isDone) {
      truth.replacement.set(name, "a new object was created");
      // The old object has its old name.
      const oldName = [...renamed].find(([, one]) => one === name)?.[0];
      const begin = up.order.indexOf(`${name} create-replacement`);
      const end = Math.max(...[name, oldName].map((one) => up.order.indexOf(`${one} delete-replaced`)));
      if (end >= 0 && end < begin && gone.length > 0)
        truth.interruption.set(name, "the old object went first");
    }
    const [one, other] = [before.get(key), after.get(key)];
    if (one === undefined || other === undefined) continue;
    if (backupsOf(one) && !backupsOf(other)) truth["data-loss"].set(name, "the backups were turned off");
    const interruption = interruptionOf(collectionOf(key), one, other);
    if (interruption !== undefined) truth.interruption.set(name, interruption);
    for (const { method, path, body } of requests) {
      const [, action] =
        new RegExp(`/${String(one["id"])}/(patch|credentials/reset|backups/\\d+/restore)$`).exec(path) ?? [];
      if (method !== "POST") continue;
      if (action === "patch") truth.interruption.set(name, "patched");
      else if (action === "credentials/reset") truth.interruption.set(name, "the credentials were reset");
      else if (action !== undefined && collectionOf(key) === "mysql")
        truth["data-loss"].set(name, "a backup was restored");
      else if (
        /\/backups\/\d+\/restore$/.test(path) &&
        body?.["node_id"] === one["id"] &&
        body?.["overwrite"] === true
      )
        truth["data-loss"].set(name, "the disks were overwritten");
    }
  }
  const exclusive = [...now].filter(
    ([, { kind, inputs }]) => kind === "DomainRecordSet" && inputs["exclusive"] === true,
  );
  // A refresh gives an exclusive set the records of others, as drift.
  const counted = new Set(
    [...was].flatMap(([name, { objects }]) => (truth.deletion.has(name) ? objects : [])),
  );
  for (const domain of new Set(foreign.values())) {
    const lost = [...foreign].filter(([key, of]) => of === domain && isGone(key) && !counted.has(key));
    if (lost.length === 0 || !after.has(`domains ${domain}`)) continue;
    const sets = exclusive.flatMap(([name, { id }]) => (parentOf(id) === domain ? [name] : []));
    // Of several sets one has done it, and it is true of each.
    const said = sets.filter((one) => denied.deletion.has(one));
    for (const name of said.length > 0 ? said : [sets[0] ?? "nobody"])
      truth.deletion.set(name, `${lost.length} records of others are gone`);
  }
  return truth;
}

const parentOf = (id: string): string => id.split("/")[0] ?? "";

const backupsOf = ({ backups }: Properties): boolean => isObject(backups) && backups["enabled"] === true;

function interruptionOf(collection: string, one: Properties, other: Properties): string | undefined {
  const isEmpty = (list: unknown) => Array.isArray(list) && list.length === 0;
  if (collection === "nodes" && one["type"] !== other["type"]) return "the node was resized";
  if (/sql$/.test(collection) && !isEmpty(one["allow_list"]) && isEmpty(other["allow_list"]))
    return "no address may connect";
  if (collection !== "domains") return undefined;
  if (one["domain"] !== other["domain"]) return "the domain was renamed";
  if (one["type"] !== other["type"]) return "the domain has the records of another nameserver, or its own";
  return one["status"] === "active" && other["status"] === "disabled" ? "the domain was disabled" : undefined;
}

/** What is below a lost object is lost with it, and so are the backups of a node that has none any more: the report names that object. */
function isBelowLost({ was, before, after }: Seen, name: string): boolean {
  const id = was.get(name)?.id ?? "";
  const isLost = (key: string) =>
    before.has(key) &&
    (!after.has(key) || (backupsOf(before.get(key) ?? {}) && !backupsOf(after.get(key) ?? {})));
  return [...was.values()].some((other) => id.startsWith(`${other.id}/`) && other.objects.some(isLost));
}

const isBelowNew = ({ before, after }: Seen, key: string): boolean => {
  const domain = `domains ${String(after.get(key)?.["parent"])}`;
  return after.has(domain) && !before.has(domain);
};

const isUncertain = ({ may, losses, deletions, interruptions }: ReportedChange): boolean =>
  may || [...losses, ...deletions, ...interruptions].some((line) => /\bmay\b/.test(line));

/** Whether all that a report says of a resource depends on what is not known yet. */
export const isPerhaps = (report: Report, name: string): boolean =>
  changesIn(report).every((change) => change.name !== name || isUncertain(change));

/** What an `up` did to the account and the report does not deny. */
export function missedIn(seen: Seen): Problems {
  const truth = truthOf(seen);
  const denied = deniedBy(seen.report);
  const changes = new Map(changesIn(seen.report).map((change) => [change.name, change]));
  return CLASSES.flatMap((kind) =>
    [...truth[kind]].flatMap(([name, why]) =>
      denied[kind].has(name) || isBelowLost(seen, name)
        ? []
        : [`missed ${kind} of ${name}: ${why}; the report: ${brief(changes.get(name))}`],
    ),
  );
}

/** What the report says and the account does not show, and the reverse. */
export function judgePair(seen: Seen): Problems {
  const problems: string[] = [...missedIn(seen)];
  const truth = truthOf(seen);
  const changes = new Map(changesIn(seen.report).map((change) => [change.name, change]));
  if (!seen.report.complete) problems.push("the report is incomplete");
  const all = deniedBy(seen.report);
  for (const kind of CLASSES) {
    const denied = all[kind];
    for (const name of denied) {
      const change = changes.get(name);
      if (isThere(seen, name) && !truth[kind].has(name) && change !== undefined && !isUncertain(change))
        problems.push(
          `false ${kind} of ${name} (${seen.was
            .get(name)
            ?.objects.map(
              (key) =>
                `${key}${seen.before.has(key) ? "" : " was gone"}${seen.after.has(key) ? " is there" : ""}`,
            )
            .join()}): ${brief(change)}`,
        );
    }
  }
  problems.push(...judgeObjects(seen, changes), ...judgeSteps(seen, changes), ...judgeValues(seen, changes));
  return problems;
}

/**
 * Whether a resource is new, or its object exists, and so does that which an earlier run has left to be deleted: without a refresh a report does not know what
 * is gone already.
 */
export function isThere({ was, before }: Seen, name: string): boolean {
  const { kind, objects = [] } = was.get(name) ?? {};
  if (kind === "DomainRecordSet") return objects.length === 0 || objects.some((key) => before.has(key));
  return objects.every((key) => before.has(key));
}

const brief = (change: ReportedChange | undefined): string => {
  if (change === undefined) return "unchanged";
  const { operation, may, reason, losses, interruptions, deletions, properties } = change;
  return JSON.stringify({
    operation,
    may,
    reason,
    losses,
    interruptions,
    deletions,
    properties: properties.map(({ path }) => path),
  });
};

/** Fields that the service changes by itself. */
const OWN = [
  "updated",
  "status",
  "backups",
  "auto_backups_until",
  "last_booted_config",
  "root_password",
  "hosts",
  "watchdog_boots",
];

const contentOf = (object: Properties | undefined): string =>
  JSON.stringify(Object.entries(object ?? {}).filter(([field]) => !OWN.includes(field)));

/** Each object that is new, gone or different belongs to a change that says so. */
function judgeObjects(seen: Seen, changes: ReadonlyMap<string, ReportedChange>): Problems {
  const { before, after, was, now, foreign } = seen;
  const problems: Problems = [];
  const ownerOf = (key: string, all: ReadonlyMap<string, Managed>) =>
    [...all].filter(([, { objects }]) => objects.includes(key)).map(([name]) => name);
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    if (contentOf(before.get(key)) === contentOf(after.get(key)) && before.has(key) === after.has(key))
      continue;
    const owners = [...new Set([...ownerOf(key, was), ...ownerOf(key, now)])];
    if (owners.some((name) => changes.has(name) || isBelowLost(seen, name))) continue;
    // A domain that begins as a copy has its records.
    if (!before.has(key) && isBelowNew(seen, key)) continue;
    // What is below a deleted object goes with it, and what an exclusive set or a snapshot takes is in its own lines.
    if (!after.has(key) && (owners.length === 0 || foreign.has(key))) continue;
    problems.push(
      `unsaid: ${key} of ${owners.join() || "nobody"} was ${after.has(key) ? (before.has(key) ? "changed" : "created") : "deleted"}: ${contentOf(before.get(key)).slice(0, 200)} → ${contentOf(after.get(key)).slice(0, 200)}`,
    );
  }
  for (const [name, change] of changes) {
    const [old, next] = [was.get(name), now.get(name)];
    const there = (next?.objects ?? []).filter((key) => before.has(key));
    if (
      change.operation === "creation" &&
      old === undefined &&
      next !== undefined &&
      next.kind !== "DomainRecordSet" &&
      there.length > 0
    )
      problems.push(`${name} is said to be created and took ${there.join()}`);
    if (change.operation === "import" && there.length === 0)
      problems.push(`${name} is said to be imported and is new`);
    if (
      change.operation === "kept" &&
      old?.objects.some((key) => before.has(key) && !after.has(key)) === true
    )
      problems.push(`${name} is said to be kept and is gone: ${brief(change)}`);
    if (
      change.operation === "update" &&
      !isUncertain(change) &&
      old !== undefined &&
      next !== undefined &&
      old.kind !== "DomainRecordSet" &&
      old.objects[0] !== next.objects[0]
    )
      problems.push(`${name} is said to be updated and was replaced`);
  }
  return problems;
}

/** Each announced step happens, and no other. */
function judgeSteps({ preview, up, renamed }: Seen, changes: ReadonlyMap<string, ReportedChange>): Problems {
  const named = (steps: readonly string[]) =>
    [...new Set(steps.filter((step) => !step.endsWith(" replace")))].sort();
  const [said, done] = [named(preview.order), named(up.order)];
  // The old object of a replacement has its old name.
  const nameOf = (step: string) => {
    const [name = "", op] = step.split(" ");
    return op === "delete-replaced" && !changes.has(name) ? (renamed.get(name) ?? name) : name;
  };
  const isCertain = (step: string) => {
    const change = changes.get(nameOf(step));
    return change === undefined || !isUncertain(change);
  };
  return [
    ...said
      .filter((step) => !done.includes(step) && isCertain(step))
      .map((step) => `announced, and not done: ${step}; ${brief(changes.get(nameOf(step)))}`),
    ...done
      .filter((step) => !said.includes(step) && isCertain(step))
      .map((step) => `done, and not announced: ${step}; ${brief(changes.get(nameOf(step)))}`),
  ];
}

/** Unknown values, and secrets. */
const UNKNOWN = /04da6b54-80e4-46f7-96ec-b56ff0331ba9|4dabf18193072939515e22adb298388d/;

/** The last outputs of each resource that a command shows. */
function outputsIn({
  printed,
}: Outcome): ReadonlyMap<string, { readonly op: string; readonly outputs: Properties }> {
  const shown = eventsIn(printed).flatMap(({ resOutputsEvent }) => resOutputsEvent?.metadata ?? []);
  return new Map(
    shown.flatMap(({ urn, op, new: now }) =>
      isOurs(urn) && now?.outputs !== undefined
        ? [[nameInUrn(urn), { op, outputs: now.outputs as Properties }] as const]
        : [],
    ),
  );
}

/** What a preview shows as known is so afterwards. */
function judgeValues({ preview, up }: Seen, changes: ReadonlyMap<string, ReportedChange>): Problems {
  const [shown, then] = [outputsIn(preview), outputsIn(up)];
  return [...shown].flatMap(([name, { op, outputs }]) => {
    const real = then.get(name);
    const change = changes.get(name);
    if (real === undefined || change === undefined || isUncertain(change) || /delete|same/.test(op))
      return [];
    return Object.entries(outputs).flatMap(([path, value]) => {
      const after = real.outputs[path];
      // A row of a dynamic resource shows inputs in place of outputs.
      if (path.startsWith("__") || OWN.includes(path) || after === undefined || isShownIn(value, after))
        return [];
      const [text, other] = [value, after].map((one) => String(JSON.stringify(one)).slice(0, 100));
      return [`shown, and not so: ${name}.${path} (${op}) ${text} → ${other}`];
    });
  });
}

/** Whether a value is what a preview showed of it. The preview hides secrets, and has no text for what is not known. */
function isShownIn(shown: unknown, value: unknown): boolean {
  if (shown === "" || UNKNOWN.test(JSON.stringify(shown))) return true;
  if (!isObject(shown) || !isObject(value)) return JSON.stringify(shown) === JSON.stringify(value);
  return Object.entries(shown).every(([name, inner]) => isShownIn(inner, value[name]));
}

/** What both ways of serving say of the changes that are certain in both, by resource. */
export const agreed = (report: Report): ReadonlyMap<string, string> =>
  new Map(
    changesIn(report)
      .filter(({ type }) => !type.startsWith("pulumi:"))
      .map((change) => [change.name, isUncertain(change) ? PERHAPS : wordsOf(change)]),
  );

export const PERHAPS = "perhaps";

const wordsOf = ({
  type,
  operation,
  section,
  losses,
  interruptions,
  deletions,
  properties,
}: ReportedChange): string =>
  JSON.stringify([
    ...[type, operation, section],
    ...[losses, interruptions, deletions].map((lines) =>
      lines.map((line) => line.replace(/-[0-9a-f]{7}\b/g, "").replace(/\d+/g, "N")).sort(),
    ),
    [...new Set(properties.map(({ path }) => path.split(/[.[]/, 1)[0]))].sort(),
  ]);
