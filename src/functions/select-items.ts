import { type Properties } from "../provider/base/values";
import { childId, flag, checkedArguments, idText, parentId } from "./arguments";
import { attemptOf, type ItemDeclaration, type ListDeclaration, type ViewDeclaration } from "./declarations";
import { type ItemCondition } from "./condition";
import { conditionOn, conditionsOf, newest, scalarType, sorted } from "./filter";
import { attempting, idShown, noneFits, ofParent, severalFit } from "./messages";
import { fieldsOf, readAnswer, type DataReader, readItem, readList, shown } from "./api-reads";
import { listed } from "../api/text";

/** The context of a call. */
export interface Look extends DataReader {
  /** Whether the arguments are secret, so that messages must not repeat them. */
  readonly secret: boolean;
}

/** The arguments of a function that returns a list. */
export const listArguments = (list: ListDeclaration): string[] => [
  ...parentArgument(list),
  ...["filter", "sortBy", "order"],
  ...mostRecentArgument(list),
];

/** The arguments of a function that returns one item. */
export const itemArguments = ({ list }: ItemDeclaration): string[] => [
  "id",
  ...parentArgument(list),
  ...seekingArguments(list),
];

/** The arguments that select an item in its list. */
const seekingArguments = (list: ListDeclaration) => [...list.by, "filter", ...mostRecentArgument(list)];
const parentArgument = ({ parent }: ListDeclaration) => (parent === undefined ? [] : [parent.property]);
const mostRecentArgument = (list: ListDeclaration) => (fieldsOf(list).has("created") ? ["mostRecent"] : []);

/** The items of a list that the arguments select. */
export async function lookAtList(list: ListDeclaration, args: unknown, look: Look): Promise<Properties> {
  const asked = checkedArguments(args, listArguments(list), ["mostRecent"]);
  const parent = list.parent === undefined ? undefined : parentId(list.parent, asked);
  const conditions = filterIn(list, asked);
  const onlyNewest = isOnlyNewest(list, asked);
  const inOrder = ordering(list, asked);
  const items = await itemsOf(attemptOf(list), list, parent, look);
  const fitting = items.filter((item) => conditions.every(({ fits }) => fits(item)));
  return { [list.collection]: structuredClone(inOrder(onlyNewest ? newest(fitting) : fitting)) };
}

/** The item that the arguments select. */
export async function lookAtItem(
  declaration: ItemDeclaration,
  args: unknown,
  look: Look,
): Promise<Properties> {
  const asked = checkedArguments(args, itemArguments(declaration), ["mostRecent"]);
  const found =
    asked["id"] === undefined ? itemInList(declaration, asked, look) : itemById(declaration, asked, look);
  return structuredClone(await found);
}

/** The answer of an operation. */
export async function lookAtAnswer(
  declaration: ViewDeclaration,
  args: unknown,
  look: Look,
): Promise<Properties> {
  const { parent, reads } = declaration;
  const id = parentId(parent, checkedArguments(args, [parent.property]));
  const attempt = `${attemptOf(declaration)}${ofParent(parent, id, look.secret)}`;
  return structuredClone(shown(await attempting(attempt, readAnswer(reads, [id], look))));
}

async function itemInList(declaration: ItemDeclaration, asked: Properties, look: Look): Promise<Properties> {
  const { list } = declaration;
  const parent = list.parent === undefined ? undefined : parentId(list.parent, asked);
  const conditions = [...shortcutsIn(list, asked), ...filterIn(list, asked)];
  const onlyNewest = isOnlyNewest(list, asked);
  if (conditions.length === 0 && !onlyNewest) {
    const ways = listed(["id", ...seekingArguments(list)], "or");
    throw new Error(`no argument selects the ${list.nouns[0]}: give ${ways}`);
  }
  const items = await itemsOf(attemptOf(declaration), list, parent, look);
  const fitting = items.filter((item) => conditions.every(({ fits }) => fits(item)));
  const [found, ...others] = onlyNewest ? newest(fitting) : fitting;
  const subject = { list, parent, secret: look.secret };
  if (found === undefined) throw noneFits(subject, items, conditions);
  if (others.length > 0) {
    const orNewest = mostRecentArgument(list).length > 0 ? ", or set mostRecent" : "";
    throw severalFit(subject, items, fitting, conditions, `narrow the filter${orNewest}`);
  }
  return found;
}

async function itemById(declaration: ItemDeclaration, asked: Properties, look: Look): Promise<Properties> {
  const { list, reads } = declaration;
  const besides = seekingArguments(list).filter((name) => asked[name] !== undefined);
  if (besides.length > 0) {
    throw new Error(`id already selects the ${list.nouns[0]}: remove ${besides.join(" and ")}`);
  }
  const ref =
    list.parent === undefined ? { id: idText("id", asked["id"], list.id) } : childId(list.parent, asked);
  const attempt = attemptOf(declaration);
  if (reads !== undefined) {
    const id = Object.values(ref).join("/");
    return attempting(`${attempt} ${idShown(id, look.secret)}`, readItem(list, reads, ref, look));
  }
  const items = await itemsOf(attempt, list, ref.parent, look);
  const condition = conditionOn("id", ref.id, "string", "id");
  const found = items.find(condition.fits);
  if (found === undefined)
    throw noneFits({ list, parent: ref.parent, secret: look.secret }, items, [condition]);
  return found;
}

const itemsOf = (attempt: string, list: ListDeclaration, parent: string | undefined, look: Look) =>
  attempting(`${attempt}${ofParent(list.parent, parent, look.secret)}`, readList(list, parent, look));

/** The conditions from the arguments for the identifying fields. */
const shortcutsIn = (list: ListDeclaration, asked: Properties): ItemCondition[] =>
  list.by
    .filter((name) => asked[name] !== undefined)
    .map((name) => conditionOn(name, asked[name], scalarType(name, fieldsOf(list), name), name));

const filterIn = (list: ListDeclaration, { filter }: Properties): ItemCondition[] =>
  filter === undefined ? [] : conditionsOf(filter, fieldsOf(list));

function isOnlyNewest(list: ListDeclaration, asked: Properties): boolean {
  const onlyNewest = flag(asked, "mostRecent");
  if (onlyNewest && mostRecentArgument(list).length === 0) {
    throw new Error(`mostRecent: the API shows no creation time of ${list.nouns[1]}`);
  }
  return onlyNewest;
}

function ordering(
  list: ListDeclaration,
  { sortBy, order }: Properties,
): (items: Properties[]) => Properties[] {
  if (order !== undefined && order !== "asc" && order !== "desc")
    throw new Error('order must be "asc" or "desc"');
  if (sortBy === undefined) {
    if (order !== undefined) throw new Error("order needs sortBy, the field to sort by");
    return (items) => items;
  }
  scalarType(String(sortBy), fieldsOf(list), "sortBy");
  return (items) => sorted(items, String(sortBy), order ?? "asc");
}
