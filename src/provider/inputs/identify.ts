import { announceEarlier } from "../creation/announce-earlier";
import { nameInUrn } from "../describe/urn";
import { GOES_FIRST, PROGRAM_NAME, STANDING, STANDS, URN } from "../state/hidden-properties";
import { type Session } from "../process/session";
import { type Properties } from "../state/values";

const HANDED =
  /^(?:(?<organization>[^/]+)\/)?(?<urn>urn:pulumi:(?<stack>[^:]+)::(?<project>[^:]+)::[^\n]*)(?:\n(?<source>.*))?$/;

export interface Standing {
  readonly goesFirst: boolean;
}

export interface Identified {
  readonly urn: string | undefined;
  /** The URN of the parent's resource, which is known before its id. */
  readonly source: string | undefined;
  readonly news: Properties;
  /** What the state has of the resource, if the program knows it: that it exists, and whether it is deleted before its replacement is created. */
  readonly standing: Standing | undefined;
}

/** Reads from the hidden inputs of a check which resource it is. The inputs keep what the state needs: the URN, or the name in the program. */
export function identify(session: Session, keepsUrn: boolean, news: Properties): Identified {
  const { [URN]: handed, [STANDING]: known, ...rest } = news;
  const standing = standingOf(known);
  if (typeof handed !== "string") return { urn: undefined, source: undefined, news: rest, standing };
  const { organization = "", project, stack, urn = handed, source } = HANDED.exec(handed)?.groups ?? {};
  if (project !== undefined && stack !== undefined) session.stack.hears({ organization, project, stack });
  announceEarlier(session, session.stack.inProject);
  const kept = keepsUrn ? { [URN]: urn } : { [PROGRAM_NAME]: nameInUrn(urn) };
  return { urn, source, news: { ...rest, ...kept }, standing };
}

const standingOf = (known: unknown): Standing | undefined =>
  known === STANDS || known === GOES_FIRST ? { goesFirst: known === GOES_FIRST } : undefined;
