import { nameInUrn, PROGRAM_NAME, URN } from "./hidden";
import { type Session } from "./session";
import { type Properties } from "./values";

const HANDED = /^(?:(?<organization>[^/]+)\/)?(?<urn>urn:pulumi:(?<stack>[^:]+)::(?<project>[^:]+)::.*)$/s;

/** Learns from the inputs of a check whose they are. In them stays what the state keeps of it: the URN, or the name in the program. */
export function introduce(
  session: Session,
  keepsUrn: boolean,
  news: Properties,
): { readonly urn: string | undefined; readonly news: Properties } {
  const { [URN]: handed, ...rest } = news;
  if (typeof handed !== "string") return { urn: undefined, news };
  const { organization = "", project, stack, urn = handed } = HANDED.exec(handed)?.groups ?? {};
  if (project !== undefined && stack !== undefined) session.hears({ organization, project, stack });
  return { urn, news: { ...rest, ...(keepsUrn ? { [URN]: urn } : { [PROGRAM_NAME]: nameInUrn(urn) }) } };
}
