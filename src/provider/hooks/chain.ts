import { AfterCutOff } from "./after-cut-off";
import { Repeats } from "./repeats";
import { announceEarlier, announceInterrupted } from "../creation/announce-earlier";
import { stackInUrn } from "../describe/urn";
import { attempting, ProviderError } from "../base/errors";
import { hideSecrets } from "../kind/hide-secrets";
import {
  type Answers,
  type Ask,
  type Calls,
  type CheckCall,
  type Method,
  type StateCall,
} from "../state/provider-interface";
import { type ServedKind } from "../kind/kind";
import { type Describe, refuseOtherAccount, refuseReadsElsewhere } from "../object/account-of-object";
import { ownerOf } from "../kind/warnings";
import { type Call } from "../state/call";
import { isObject } from "../base/values";

/** One call of the engine. */
interface Asked {
  readonly kind: ServedKind;
  readonly method: Method;
  readonly call: Call & Partial<StateCall & CheckCall>;
  readonly describe: Describe;
}

/** A part of the way from the engine to a hook. `next` is the rest of the way. */
type Link = <Answer>(asked: Asked, next: () => Promise<Answer>) => Promise<Answer>;

/** The engine may end while a call runs. The process then exits with the last of them. */
const counted: Link = ({ kind }, next) => kind.run.ending.during(next);

/** The id that a call imports. */
function importedBy({ method, call }: Asked): string | undefined {
  if (method === "readForImport") return call.id;
  return method === "create" || (method === "check" && call.olds === undefined) ? call.importId : undefined;
}

const hasFailures = (answer: unknown): boolean =>
  isObject(answer) && Array.isArray(answer["failures"]) && answer["failures"].length > 0;

/** Notes that the engine has come to an import. If it has failed, what it would have taken over is deleted for no other resource of this run. */
function noteImport(asked: Asked, { hasFailed }: { readonly hasFailed: boolean }): void {
  const { kind, method, call } = asked;
  const id = importedBy(asked);
  const imported = id === undefined ? undefined : kind.importedAs(id);
  if (imported === undefined) return;
  const { owners } = kind.run;
  const owner = ownerOf(kind.description, call);
  if (hasFailed) owners.misses(imported.kind, imported.ref, owner);
  else if (method === "check") owners.comes(owner);
}

/** No message shows a secret or a terminal's control characters, and all arrive before the answer. */
const reported: Link = async (asked, next) => {
  const { kind, method, call } = asked;
  const { words, log } = kind.screen;
  try {
    hideSecrets(kind, call);
    if (call.state !== undefined) kind.hideMore(call.state, isOfState(method) ? undefined : call);
    const answer = await next();
    noteImport(asked, { hasFailed: hasFailures(answer) });
    return answer;
  } catch (error) {
    noteImport(asked, { hasFailed: true });
    throw words.cleaned(error);
  } finally {
    await log.delivered();
  }
};

const isOfState = (method: Method): boolean => method === "read" || method === "delete";

/** Progress shows in the row of the resource. In checks, comparisons and previews there are no rows yet. */
const inRow: Link = ({ kind, method, call }, next) =>
  kind.screen.rows.during(WORKING.includes(method) ? call.urn : undefined, next);

const WORKING: readonly Method[] = ["create", "read", "update", "delete"];

/** An error says in one line what was attempted. */
const attempted: Link = ({ kind, method, call: { inputs, id = "" } }, next) => {
  switch (method) {
    case "read":
      return attempting(`read ${kind.type} ${id}`, next);
    case "readForImport":
      return attempting(`import ${kind.type} ${id}`, next);
    case "previewCreate":
    case "previewUpdate":
      return next();
    default:
      return attempting(`${method} ${kind.nameOf(inputs, kind.parseId(id))}`, next);
  }
};

/** A check tells which stack it is. The first call about a stack says what interrupted runs of it were at. */
const introduced: Link = async ({ kind, method, call }, next) => {
  const { run, account } = kind;
  if (method === "check") {
    // Reading it checks it.
    void run.configuration;
    run.hasChecked(call);
    await run.notesCutOff();
    refuseReadsElsewhere(account, call);
  } else if (call.urn !== undefined) run.stack.hearsOf(call.urn);
  await announceEarlier(kind, stackInUrn(call.fullUrn ?? call.urn));
  await announceInterrupted(kind);
  return next();
};

/**
 * A resource of the full plugin that is now dynamic: the engine has kept what it imported, also if the import did not succeed. The full plugin settles
 * that.
 */
const settled: Link = async ({ kind: { screen, run, type }, method, call: { olds } }, next) => {
  const { importId } = (method === "check" && !screen.engineShowsImports && olds) || {};
  if (importId !== undefined && (await run.stack.state())?.hasImported(type, importId) === true)
    throw new ProviderError(
      `the import of the ${type} ${importId} by the full plugin has not succeeded, so it may differ from the program. Run \`pulumi up\` with the full plugin first, ` +
        "or remove it with `pulumi state delete` and import it again",
      { code: "IMPORT_INCOMPLETE" },
    );
  return next();
};

/** Nothing is done to an object in an account that the provider is not known to reach. */
const placed: Link = async ({ kind, method, call, describe }, next) => {
  const { state, id } = call;
  if (state !== undefined && id !== undefined)
    await refuseOtherAccount(kind, method, { ...call, state, id }, describe).catch((error: unknown) => {
      // A refresh keeps the state of what the token may not read.
      if (method !== "read" || !kind.account.hides(error, "warn")) throw error;
    });
  return next();
};

/** All that happens between a call of the engine and its hook, in this order. Then `answerAfterTrouble`, which may call another hook in place of the one that is asked. */
const LINKS: readonly Link[] = [counted, reported, inRow, attempted, introduced, settled, placed];

/** The hooks of a kind of resource. Most previews only check and compare, so the others are loaded by their first call. */
export type Hooks<Kind> = {
  readonly [Name in Method]: () => (kind: Kind, call: Calls[Name]) => Answers[Name] | Promise<Answers[Name]>;
};

/**
 * The answer of a hook that an interruption or a failed try concerns: what an earlier run was changing is read before it is compared. Undefined for the other hooks.
 */
function answerAfterTrouble<Kind extends ServedKind, Name extends Method>(
  kind: Kind,
  hooks: Hooks<Kind>,
  { afterCutOff, repeats }: { afterCutOff: AfterCutOff; repeats: Repeats },
  method: Name,
  call: Calls[Name],
): Promise<Answers[Name]> | undefined {
  const asked = { method, call } as { [Any in Method]: { method: Any; call: Calls[Any] } }[Method];
  const update = (one: StateCall) => hooks.update()(kind, one);
  const answer = async (): Promise<Answers[Method]> => {
    switch (asked.method) {
      case "create":
        return repeats.create(asked.call, () => hooks.create()(kind, asked.call), update);
      case "diff":
        return afterCutOff.compare(
          asked.call,
          async () => hooks.read()(kind, { ...asked.call, inputs: asked.call.state.outputs }),
          (one) => hooks.diff()(kind, one),
        );
      case "update": {
        const updated = await repeats.update(afterCutOff.asFound(asked.call), update);
        await afterCutOff.settles(asked.call);
        return updated;
      }
      case "previewUpdate":
        return hooks.previewUpdate()(kind, afterCutOff.asFound(asked.call));
      default: {
        const found = await hooks[method]()(kind, call);
        if (asked.method === "read") await afterCutOff.hasRefreshed(asked.call);
        return found;
      }
    }
  };
  return CONCERNED.includes(method) ? (answer() as Promise<Answers[Name]>) : undefined;
}

const CONCERNED: readonly Method[] = ["create", "diff", "update", "previewUpdate", "read"];

/** Calls the hooks of a kind through the links. */
export const asking = <Kind extends ServedKind>(kind: Kind, hooks: Hooks<Kind>, describe: Describe): Ask => {
  const trouble = { afterCutOff: new AfterCutOff(kind), repeats: new Repeats(kind) };
  return (method, call) => {
    const asked = { kind, method, call, describe };
    const work = async () =>
      answerAfterTrouble(kind, hooks, trouble, method, call) ?? hooks[method]()(kind, call);
    return LINKS.reduceRight<typeof work>((next, link) => () => link(asked, next), work)();
  };
};
