import { announceEarlier } from "../creation/announce-earlier";
import { GOES_FIRST, nameInUrn, PROGRAM_NAME, STANDING, STANDS, URN } from "../state/hidden";
import { type Session } from "../process/session";
import { type Properties } from "../state/values";

const HANDED =
  /^(?:(?<organization>[^/]+)\/)?(?<urn>urn:pulumi:(?<stack>[^:]+)::(?<project>[^:]+)::[^\n]*)(?:\n(?<source>.*))?$/;

export interface Standing {
  readonly goesFirst: boolean;
}

export interface Introduced {
  readonly urn: string | undefined;
  /** The URN of the resource whose id the parent's is, known before that id is. */
  readonly source: string | undefined;
  readonly news: Properties;
  /** What the program was told of the resource in the state: that it is there, and whether it is deleted before its replacement is made. */
  readonly standing: Standing | undefined;
}

/** Learns from the inputs of a check whose they are. In them stays what the state keeps of it: the URN, or the name in the program. */
export function introduce(session: Session, keepsUrn: boolean, news: Properties): Introduced {
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
