import { type CommonKind } from "../process/kind";
import { SENT } from "../state/hidden-properties";
import { type Lifecycle } from "./provider-interface";
import { isSecretAt, secretPathsOf, valueIn } from "../state/secret-inputs";
import { isObject, type Properties } from "../state/values";

/** Hides the secrets in properties from everything that is printed from now on. */
function hideSecrets(kind: CommonKind, ...all: readonly Properties[]): void {
  const { session, description } = kind;
  const paths = secretPathsOf(description, ...all);
  for (const properties of all) {
    for (const path of paths) session.words.hide(valueIn(properties, path));
    const sent = properties[SENT];
    if (!isObject(sent)) continue;
    for (const [property, value] of Object.entries(sent))
      if (isSecretAt(paths, property)) session.words.hide(value);
  }
}

/**
 * Runs each call of a provider so that its messages show no secret and no terminal control characters, and arrive before its answer.
 *
 * @param hideMore hides secrets in the state that no path names
 */
export function hidingSecrets(
  kind: CommonKind,
  provider: Lifecycle,
  hideMore: (olds: Properties, news?: Properties) => void = () => undefined,
): Lifecycle {
  const { session } = kind;
  const { words } = session;
  const speaking = async <Result>(
    known: readonly Properties[],
    work: () => Promise<Result>,
  ): Promise<Result> => {
    try {
      hideSecrets(kind, ...known);
      return await work();
    } catch (error) {
      throw words.cleaned(error);
    } finally {
      await session.log.delivered();
    }
  };
  const inState = <Result>(
    olds: Properties,
    news: Properties | undefined,
    work: () => Promise<Result>,
  ): Promise<Result> =>
    speaking([olds, ...(news === undefined ? [] : [news])], () => {
      hideMore(olds, news);
      return work();
    });
  return {
    ...provider,
    check: (olds, news) =>
      speaking([olds, news], async () => {
        const { inputs, failures } = await provider.check(olds, news);
        return {
          inputs,
          failures: failures.map(({ property, reason }) => ({ property, reason: words.line(reason) })),
        };
      }),
    diff: (id, olds, news) => inState(olds, news, () => provider.diff(id, olds, news)),
    create: (inputs) => speaking([inputs], () => provider.create(inputs)),
    read: (id, props) => inState(props, undefined, () => provider.read(id, props)),
    update: (id, olds, news) => inState(olds, news, () => provider.update(id, olds, news)),
    delete: (id, props) => inState(props, undefined, () => provider.delete(id, props)),
    readForImport: (id) => speaking([], () => provider.readForImport(id)),
    previewCreate: (inputs) => speaking([inputs], () => provider.previewCreate(inputs)),
    previewUpdate: (olds, news) => inState(olds, news, () => provider.previewUpdate(olds, news)),
  };
}
