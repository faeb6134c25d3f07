import { checkConfiguration } from "../../process/connect";
import { attempting } from "../../engine/errors";
import { idsIn, IMPORT_ID, LEFT, URN } from "../../state/hidden-properties";
import { type Identified, identify } from "../../inputs/identify";
import { type Lifecycle } from "../../engine/provider-interface";
import { ownerOf } from "../../engine/warnings";
import { placeOf } from "../../inputs/declared-twice";
import { type Session } from "../../process/session";
import { type Properties } from "../../state/values";
import { isGivenAgain, keepGiven } from "./packed-members";

/** What the outline says of a collection: enough for one that did not change. */
interface UnchangedCollection {
  readonly type: string;
  readonly property: string;
  /** The input with the parent's id, and the type of the members. */
  readonly within: string;
  readonly of: string;
}

/** Runs a collection that changed. */
interface Whole extends Lifecycle {
  /** What a text of the state declares, by identity. */
  listed?(text: unknown): ReadonlyMap<string, string>;
}

/**
 * Answers the checks and diffs of a collection that did not change, without its description. The first call that needs more loads the
 * description. It exists for speed only: most previews are of collections that did not change.
 */
export function unlessChanged(session: Session, kind: UnchangedCollection, load: () => Whole): Lifecycle {
  const { property, within, of } = kind;
  let loaded: Whole | undefined;
  const whole = () => (loaded ??= load());
  const described = { type: kind.type, property };

  /** Whether another resource of the program is about to create one of the members. */
  const isContested = (olds: Properties, { urn, source, news }: Identified): boolean => {
    const place = placeOf(of, within, news, source);
    const declared = {
      owner: ownerOf(described, news, urn),
      all: () => whole().listed?.(olds[property]) ?? new Map(),
      made: new Set<string>(),
    };
    return place !== undefined && session.declared.declareMany(place, declared) !== undefined;
  };

  /** Notes which members the resource has; false where another resource adopts one of them. */
  const holdsItself = (olds: Properties, news: Properties): boolean => {
    const parent = String(news[within]);
    const isShared = IMPORT_ID in news;
    const list = () => idsIn(olds);
    const owner = ownerOf(described, news);
    return session.owners.holdMany({ type: of }, parent, owner, list, isShared) === undefined;
  };

  return {
    configure: ({ config }) => session.configure((key) => config.get(key)),

    check: (olds, news) => {
      const isSame = isGivenAgain(property, olds, news[property]) && haveSameSettings(property, olds, news);
      if (!isSame) return whole().check(olds, news);
      return attempting("check", () => {
        checkConfiguration(session.configuration);
        const identified = identify(session, URN in olds, news);
        if (isContested(olds, identified)) return whole().check(olds, news);
        session.hasChecked();
        const hidden = Object.entries(identified.news).filter(([name]) => name.startsWith("__"));
        const settings = settingsIn(property, olds);
        const inputs: Properties = {
          ...Object.fromEntries([...hidden, ...settings]),
          [property]: olds[property],
        };
        keepGiven(inputs, olds);
        return Promise.resolve({ inputs, failures: [] });
      });
    },

    diff: (id, olds, news) =>
      typeof news[property] === "string" &&
      olds[property] === news[property] &&
      !(LEFT in olds) &&
      haveSameSettings(property, olds, news) &&
      holdsItself(olds, news)
        ? Promise.resolve({
            changes: false,
            replaces: [],
            deleteBeforeReplace: false,
            shouldDeleteFirst: true,
            details: [],
          })
        : whole().diff(id, olds, news),

    create: (inputs) => whole().create(inputs),
    read: (id, props) => whole().read(id, props),
    update: (id, olds, news) => whole().update(id, olds, news),
    delete: (id, props) => whole().delete(id, props),
    readForImport: (id) => whole().readForImport(id),
    previewCreate: (inputs) => whole().previewCreate(inputs),
    previewUpdate: (olds, news) => whole().previewUpdate(olds, news),
  };
}

/** The inputs besides the members. */
const settingsIn = (property: string, properties: Properties): [string, unknown][] =>
  Object.entries(properties).filter(
    ([name, value]) => name !== property && !name.startsWith("__") && value != null,
  );

/** Whether both have the same settings, all of them texts or numbers: a boolean may need a warning. */
function haveSameSettings(property: string, olds: Properties, news: Properties): boolean {
  const before = settingsIn(property, olds);
  const isPlain = ([, value]: [string, unknown]) => typeof value === "string" || typeof value === "number";
  return (
    before.length === settingsIn(property, news).length &&
    before.every((entry) => isPlain(entry) && String(entry[1]) === String(news[entry[0]]))
  );
}
