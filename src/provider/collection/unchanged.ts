import { checkConfiguration } from "../connect";
import { attempting } from "../errors";
import { GIVEN, LEFT, URN } from "../hidden";
import { introduce } from "../introduce";
import { type Lifecycle } from "../lifecycle";
import { type Session } from "../session";
import { type Properties } from "../values";
import { isGivenAgain } from "./packed";

/**
 * Answers for a collection that is the same as the last time by itself; only for another one it loads what looks into it. Most previews are
 * of collections that did not change, and what they need is a part of the time that an empty program takes.
 */
export function unlessChanged(session: Session, property: string, load: () => Lifecycle): Lifecycle {
  let loaded: Lifecycle | undefined;
  const whole = () => (loaded ??= load());

  return {
    configure: ({ config }) => session.configure((key) => config.get(key)),

    check: (olds, news) => {
      const isSame = isGivenAgain(property, olds, news[property]) && haveSameSettings(property, olds, news);
      if (!isSame) return whole().check(olds, news);
      return attempting("check", () => {
        checkConfiguration(session.configuration);
        session.hasChecked();
        const hidden = Object.entries(introduce(session, URN in olds, news).news).filter(([name]) =>
          name.startsWith("__"),
        );
        const settings = settingsIn(property, olds);
        const inputs: Properties = {
          ...Object.fromEntries([...hidden, ...settings]),
          [property]: olds[property],
        };
        if (olds[GIVEN] !== undefined) inputs[GIVEN] = olds[GIVEN];
        return Promise.resolve({ inputs, failures: [] });
      });
    },

    diff: (id, olds, news) =>
      typeof news[property] === "string" &&
      olds[property] === news[property] &&
      !(LEFT in olds) &&
      haveSameSettings(property, olds, news)
        ? Promise.resolve({ changes: false, replaces: [], deleteBeforeReplace: false })
        : whole().diff(id, olds, news),

    create: (inputs) => whole().create(inputs),
    read: (id, props) => whole().read(id, props),
    update: (id, olds, news) => whole().update(id, olds, news),
    delete: (id, props) => whole().delete(id, props),
  };
}

/** What is set besides the members. */
const settingsIn = (property: string, properties: Properties): [string, unknown][] =>
  Object.entries(properties).filter(
    ([name, value]) => name !== property && !name.startsWith("__") && value != null,
  );

/** Whether both have the same settings, all of them texts or numbers: a switch may have something to warn of. */
function haveSameSettings(property: string, olds: Properties, news: Properties): boolean {
  const before = settingsIn(property, olds);
  const isPlain = ([, value]: [string, unknown]) => typeof value === "string" || typeof value === "number";
  return (
    before.length === settingsIn(property, news).length &&
    before.every((entry) => isPlain(entry) && String(entry[1]) === String(news[entry[0]]))
  );
}
