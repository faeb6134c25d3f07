import { isApiError } from "../../api/errors";
import { type CommonDescription, type Ref, type Operation } from "../describe/define-resource";
import { ProviderError } from "../base/errors";
import { type StateCall } from "../state/provider-interface";
import { type Kind, type ObjectKind } from "../kind/kind";
import { type Told } from "../state/call";
import { type Properties } from "../base/values";
import { ParentWatch } from "./parent-watch";

/** How recent the answer has to be: current, or at most some seconds old. */
export type Recency = "now" | "lately";

/** An object that was read. */
export interface Found {
  readonly ref: Ref;
  readonly live: Properties;
}

/** The object with this id. Undefined if it does not exist or the id has another form. */
export async function lookUp(kind: ObjectKind, id: string, recency: Recency): Promise<Found | undefined> {
  const ref = kind.parseId(id);
  if (ref === undefined) return undefined;
  const live = await (recency === "now" ? kind.reads.now(ref) : kind.reads.lately(ref));
  return live === undefined ? undefined : { ref, live };
}

/** The object with this id. Throws if it does not exist or the id has another form. `advice` follows the reason. */
export async function findById(kind: ObjectKind, attempt: string, id: string, advice = ""): Promise<Found> {
  const { description } = kind;
  if (kind.parseId(id) === undefined) {
    throw notAnId(description, attempt, id);
  }
  const found = await lookUp(kind, id, "lately");
  if (found === undefined)
    throw new ProviderError(`${attempt}: there is no ${kind.type} with the id ${id}${advice}`, {
      code: "NO_SUCH_OBJECT",
    });
  return found;
}

/** The advice on an import of an object that does not exist. No other one is created, because the token may be that of another account. */
export const HOW_TO_CREATE =
  ". It was deleted, or another account has it. To create a new one, remove the id from the call of adopt (adopt.ts), or the option import";

/** The object to import. Throws if it does not exist or the id has another form. */
export const findToImport = (kind: ObjectKind, id: string): Promise<Found> =>
  findById(kind, `import ${kind.type} ${id}`, id, HOW_TO_CREATE);

/** The error for an update of an object that is gone. */
export const gone = (kind: Kind, { id, inputs }: StateCall): ProviderError =>
  new ProviderError(
    `update ${kind.nameOf(inputs, kind.parseId(id))}: it no longer exists. Run \`pulumi refresh\` to remove it from the state; ` +
      "the next `pulumi up` then creates it again",
    { code: "GONE" },
  );

/** The error for an id of another form. */
export const notAnId = (
  { type, id: { form } }: CommonDescription,
  attempt: string,
  id: string,
): ProviderError =>
  new ProviderError(`${attempt}: "${id}" is not the id of a ${type}; the id has the form ${form}`, {
    code: "NO_SUCH_OBJECT",
  });

/** Looks an object up. If the status of its parent forbids that, waits until the status allows it. */
export async function lookUpBelow(
  kind: ObjectKind,
  id: string,
  { recency, operation, attempt }: { recency: Recency; operation: Operation; attempt: string },
  told: Told,
): Promise<Found | undefined> {
  const parent = kind.parseId(id)?.parent;
  try {
    return await lookUp(kind, id, recency);
  } catch (error) {
    if (!isApiError(error, 400) || parent === undefined || kind.description.parent?.statuses === undefined)
      throw error;
    const { waitsForStatusOf: requires } = kind.description;
    const watch = new ParentWatch(kind, parent, operation, attempt, told);
    if (await watch.takes(requires?.read)) throw error;
    await watch.accepted(requires?.read, "It stays in the state; the next run tries again");
    return lookUp(kind, id, "now");
  }
}
