import { type OperationSpec } from "../api/operation";
import { service } from "../api/service";
import { formatId } from "../provider/describe/define-resource";
import { camelKeys, compact, type Properties, stableJson } from "../provider/base/values";
import { type ReadAccount } from "../provider/program/account";
import { type ListDeclaration } from "./declarations";
import { type Fields, fieldsIn } from "./fields";
import { type ReadOperation } from "./types";
import { cached } from "../api/cached";

type Params = Readonly<Record<string, string>>;

/** A method of the client that is selected by name. */
interface Method {
  (params: Params): Promise<Properties>;
  all(params: Params): AsyncIterable<Properties>;
}

/** The operation with this name. */
export const specOf = (operation: ReadOperation): OperationSpec => at(service, operation) as OperationSpec;

function at(families: object, operation: ReadOperation): unknown {
  const [family = "", name = ""] = operation.split(".");
  return (families as Record<string, Record<string, unknown>>)[family]?.[name];
}

const knownFields = new WeakMap<ListDeclaration, Fields>();

/** The fields of a list to filter by. */
export const fieldsOf = (list: ListDeclaration): Fields =>
  cached(knownFields, list, () => new Map([...parentField(list), ...fieldsIn(itemSchema(list))]));

const itemSchema = (list: ListDeclaration) => specOf(list.item ?? list.reads).reply;
const parentField = ({ parent }: ListDeclaration) =>
  parent === undefined ? [] : [[parent.property, { type: "string", isList: false }] as const];

/** The context of a read. Equal reads of an account are sent once, unless they wait for different resources. */
export interface DataReader {
  readonly account: ReadAccount;
  /** The URNs of the resources that must exist before the read. */
  readonly after: readonly string[];
}

/** All items of a list, in the order of the API. Callers share them, and must copy them before they return them. */
export function readList(
  list: ListDeclaration,
  parent: string | undefined,
  reader: DataReader,
): Promise<Properties[]> {
  const { itemsOf, reads } = list;
  const spec = specOf(reads);
  const params = paramsOf(spec, parent === undefined ? [] : [parent]);
  return reader.account.once(keyOf(reads, params, reader), async () => {
    const method = at(reader.account.client, reads) as Method;
    const answers =
      itemsOf === undefined
        ? await Array.fromAsync(method.all(params))
        : itemsOf((await method(params)) as never);
    return answers.map((answer) => shownItem(list, parent, answer));
  });
}

/** One item, by the operation that reads a single item. */
export function readItem(
  list: ListDeclaration,
  reads: ReadOperation,
  { parent, id }: { readonly parent?: string; readonly id: string },
  reader: DataReader,
): Promise<Properties> {
  const answer = readAnswer(reads, parent === undefined ? [id] : [parent, id], reader);
  return answer.then((item) => shownItem(list, parent, item));
}

/** The answer of an operation, unchanged. */
export function readAnswer(
  reads: ReadOperation,
  ids: readonly string[],
  reader: DataReader,
): Promise<Properties> {
  const params = paramsOf(specOf(reads), ids);
  return reader.account.once(keyOf(reads, params, reader), () =>
    (at(reader.account.client, reads) as Method)(params),
  );
}

/** Assigns ids to the parameters of a path, from left to right. */
function paramsOf({ path }: OperationSpec, ids: readonly string[]): Params {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  return Object.fromEntries(names.map((name, index) => [name, ids[index] ?? ""]));
}

const keyOf = (reads: ReadOperation, params: Params, { after }: DataReader) =>
  stableJson([reads, params, after]);

/** An answer with the names that programs use, without null values. */
export const shown = (answer: object): Properties => compact(camelKeys(answer)) as Properties;

function shownItem(
  { parent: declared }: ListDeclaration,
  parent: string | undefined,
  answer: object,
): Properties {
  const { id, ...fields } = shown(answer);
  return {
    ...(id === undefined
      ? {}
      : { id: formatId({ id: String(id), ...(parent === undefined ? {} : { parent }) }) }),
    ...(declared === undefined || parent === undefined ? {} : { [declared.property]: parent }),
    ...fields,
  };
}
