import { announceLeftover } from "../creation/announce-leftover";
import { leftoverLately } from "../creation/leftover";
import { type Failure, isNew } from "../describe/define-resource";
import { attempting } from "../engine/errors";
import { type Checked, type Lifecycle } from "../engine/provider-interface";
import { noteImport, ownerOf, warn } from "../engine/warnings";
import { checkConfiguration } from "../process/connect";
import { type Kind } from "../process/kind";
import { nameInUrn } from "../describe/urn";
import { SOURCE } from "../state/hidden-properties";
import { type Properties, UNKNOWN } from "../state/values";
import { type AdoptionClaims } from "../adoption/adoption-claims";
import { checkInputs } from "../inputs/check-inputs";
import { doublesOf } from "../inputs/declared-twice";
import { adoptIgnored, compareForImport } from "../adoption/compare-with-import";
import { identify, type Standing } from "../inputs/identify";
import { derive, normalise } from "../inputs/normalise";
import { settleName } from "../inputs/automatic-name";
import { rivalOf } from "../inputs/unique-names";
import { validate } from "../inputs/validate";

/** What a check is about. */
interface Subject {
  readonly olds: Properties;
  readonly inputs: Properties;
  readonly urn: string | undefined;
  /** The URN of the parent's resource. */
  readonly within: string | undefined;
  /** The URN of the resource whose id another input is. */
  readonly source: unknown;
  readonly standing: Standing | undefined;
  /** The object that a new resource adopts. */
  readonly importId: string | undefined;
}

/** Checks the inputs of a program: by their schemas and rules, by what else the program declares, and against the account. */
export const checkHook =
  (kind: Kind, adoption: AdoptionClaims): Lifecycle["check"] =>
  (olds, news) =>
    attempting(`check ${kind.nameOf(news)}`, async () => {
      checkConfiguration(kind.session.configuration);
      kind.session.hasChecked();
      const subject = await readInputs(kind, adoption, olds, news);
      const { inputs, importId, standing, source } = subject;
      const { failures, warnings } = checkInputs(kind.description, olds, inputs, importId !== undefined);
      const all = failures.length > 0 ? failures : await checkTogether(kind, adoption, subject);
      for (const { property, reason } of warnings) warn({ kind, inputs }, `${property} ${reason}`);
      if (isNew(olds) && standing !== undefined) adoption.announceReplacement(inputs);
      warnOfRivals(kind, inputs, source);
      return { inputs, failures: withoutProperties(all) };
    });

/** Reads what the class hands over, and gives the inputs the form and the name that they keep. */
async function readInputs(
  kind: Kind,
  adoption: AdoptionClaims,
  olds: Properties,
  handed: Properties,
): Promise<Subject> {
  const { urn, source: within, news, standing } = identify(kind.session, kind.keepsUrn, handed);
  const { [SOURCE]: source, ...rest } = news;
  const given = normalise(kind.description, rest);
  if (isNew(olds) && standing !== undefined) adoption.replaces(given);
  const inputs = await settleName(kind, olds, given, adoption.idIn(given) !== undefined);
  const importId = isNew(olds) ? adoption.idIn(inputs) : undefined;
  return { olds, inputs, urn, within, source, standing, importId };
}

/** Checks inputs that are right by themselves: against the other resources of the program first, then against the account. */
async function checkTogether(
  kind: Kind,
  adoption: AdoptionClaims,
  subject: Subject,
): Promise<readonly Failure[]> {
  const { olds, inputs, urn, within, importId } = subject;
  await derive(kind.description, inputs);
  const owner = ownerOf(kind.description, inputs, urn);
  const isAdopted = importId !== undefined;
  const failures = [
    ...(isAdopted ? adoption.claim(importId, owner) : []),
    ...doublesOf(kind, olds, inputs, { owner, within, isAdopted }),
  ];
  if (failures.length > 0) return failures;
  if (!isAdopted) return checkAccount(kind, subject);
  await adoptIgnored(kind, importId, inputs);
  await compareForImport(kind, importId, inputs);
  noteImport({ kind, inputs }, `${kind.type} ${importId}`);
  return [];
}

/** Checks inputs against the account, and says what an interrupted run has left of a new resource. */
async function checkAccount(kind: Kind, { olds, inputs, standing }: Subject): Promise<readonly Failure[]> {
  const left = isNew(olds) ? await leftoverLately(kind, inputs) : undefined;
  const failures = kind.session.configuration.validate
    ? await validate(kind, olds, inputs, { left, standing })
    : [];
  if (left === undefined || failures.length > 0) return failures;
  const refusal = announceLeftover(kind, inputs, left);
  return refusal === undefined ? [] : [{ property: "", reason: `cannot be created: ${refusal}` }];
}

/** Warns of another resource that has the same value of an input which only one should have. */
function warnOfRivals(kind: Kind, inputs: Properties, source: unknown): void {
  const { onePer } = kind.description;
  const value = onePer === undefined ? undefined : inputs[onePer.path];
  const isKnown = value !== UNKNOWN;
  const what = isKnown ? value : source;
  if (onePer === undefined || typeof what !== "string") return;
  const rival = rivalOf(kind, inputs, `${onePer.path} ${what}`);
  if (rival === undefined) return;
  const shared = isKnown ? what : `(the id of ${nameInUrn(what)}, not known yet)`;
  warn(
    { kind, inputs },
    `${rival} has the same ${onePer.path} ${shared}: ${onePer.because}. Keep one of the two`,
  );
}

/** Moves the property of each failure into its reason: the engine prints the value of a named property, even a secret. */
export const withoutProperties = (failures: readonly Failure[]): Checked["failures"] =>
  failures.map(({ property, reason }) => ({ property: "", reason: `${property} ${reason}`.trim() }));
