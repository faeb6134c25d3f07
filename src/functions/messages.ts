import { nounFor, printableLine } from "../api/text";
import { type Code } from "../provider/base/codes";
import { sayingOf } from "../provider/base/errors";
import { type Properties } from "../provider/base/values";
import { type ListDeclaration, type ParentDeclaration } from "./declarations";
import { concealing, type ItemCondition, showing } from "./condition";

/** The subject of a message: the list, its parent, and whether the arguments are secret, so that the message must not repeat them. */
export interface MessageSubject {
  readonly list: ListDeclaration;
  readonly parent: string | undefined;
  readonly secret: boolean;
}

/** The most objects that a message names. */
const MOST_NAMED = 10;

const selectionError = (message: string, code: Code) => Object.assign(new Error(message), { code });

/** Creates the error for no match: it names the conditions and the existing items. */
export function noneFits(
  subject: MessageSubject,
  items: readonly Properties[],
  conditions: readonly ItemCondition[],
): Error {
  const { list, parent, secret } = subject;
  const said =
    items.length === 0
      ? `there are no ${list.nouns[1]}${ofParent(list.parent, parent, secret)}`
      : `none of ${counted(subject, items)} has ${wanted(subject, conditions)}; there are ${named(subject, items)}`;
  return selectionError(said, "NOTHING_FITS");
}

/** Creates the error for several matches: it names them and what to do. */
export function severalFit(
  subject: MessageSubject,
  items: readonly Properties[],
  fitting: readonly Properties[],
  conditions: readonly ItemCondition[],
  hint: string,
): Error {
  return selectionError(
    `${fitting.length} of ${counted(subject, items)} have ${wanted(subject, conditions)}: ${named(subject, fitting)}; ${hint}`,
    "SEVERAL_FIT",
  );
}

/** ` of domain 34`, or nothing without a parent. */
export const ofParent = (
  parent: ParentDeclaration | undefined,
  id: string | undefined,
  secret: boolean,
): string => (parent === undefined || id === undefined ? "" : ` of ${parent.noun} ${idShown(id, secret)}`);

export const idShown = (id: string, secret: boolean): string => (secret ? concealing(id) : id);

/** `the 12 records of domain 34`. */
const counted = ({ list, parent, secret }: MessageSubject, items: readonly Properties[]): string =>
  `the ${items.length} ${nounFor(items.length, ...list.nouns)}${ofParent(list.parent, parent, secret)}`;

const wanted = ({ secret }: MessageSubject, conditions: readonly ItemCondition[]) =>
  conditions.map(({ says }) => says(secret ? concealing : showing)).join(" and ");

/** Names some items with their ids: `web (12), db (13) and 4 more`. */
function named({ list, secret }: MessageSubject, items: readonly Properties[]): string {
  const names = items.slice(0, MOST_NAMED).map((item) => {
    // The name of a match could reveal the secret that it was compared with.
    const called = secret
      ? []
      : list.by
          .map((name) => item[name])
          .filter(Boolean)
          .map(shortened);
    const parts =
      item["id"] === undefined ? called : [...called, called.length > 0 ? `(${item["id"]})` : item["id"]];
    return parts.join(" ");
  });
  const more = items.length - names.length;
  return `${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

const shortened = (value: unknown) => showing(value).slice(1, -1);

/** A failed request, with the attempt. */
export class RequestFailure extends Error {
  constructor(attempt: string, cause: unknown) {
    super(printableLine(`${attempt}: ${sayingOf(cause)}`), { cause });
  }
}

/** Adds the attempt to the message of a failed request. */
export async function attempting<Answer>(attempt: string, answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer;
  } catch (error) {
    throw new RequestFailure(attempt, error);
  }
}
