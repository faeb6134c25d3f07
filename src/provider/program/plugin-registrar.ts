import type * as pulumi from "@pulumi/pulumi";
import * as sdk from "./sdk";
import { type Outline } from "../describe/outline";
import { handedInputs } from "../state/handed";
import { PLUGIN_TYPE_PREFIX, TYPE_PREFIX } from "../describe/type-token";
import { readAtBy } from "./accounts";
import { adoptedId, watchWished } from "./adopt";
import { inputsForEngine } from "./engine-inputs";
import { ignoredOf, refuseParts } from "./ignore-changes";
import { announceImport, importsIn, setsBeside } from "./imports";
import { sourceOf } from "./output-source";
import { pluginOptions } from "./plugin-options";
import { isMocked, isPreview } from "./run-mode";
import { isUrnInState } from "./state-of-resource";
import { resourceOf, urnIn } from "./urn";
import { type Inputs, type TypeAndName, type Registered, type Registrar } from "./registrar";

const typeOf = ({ type }: Pick<Outline, "type">): string => PLUGIN_TYPE_PREFIX + type;

/** The way of the full plugin. The engine itself hands over what dynamic resources need hidden inputs for. */
export const pluginRegistrar: Registrar = { typeOf, registration, settle: () => undefined };

function registration(
  outline: Outline,
  { type, name }: TypeAndName,
  given: Inputs,
  opts: pulumi.CustomResourceOptions,
): Registered {
  // A test of a program checks the program's own values.
  if (isMocked()) return { props: given, opts };
  const ignored = ignoredOf(outline, name, opts.ignoreChanges);
  refuseParts(outline, name, "replaceOnChanges", opts.replaceOnChanges, (path) => path.length > 1);
  watchWished();
  const adopted = adoptedId(outline.type, name, opts);
  const id = opts.import ?? adopted;
  if (id !== undefined) announceImport({ type, name, id, opts });
  const isRead = opts.id !== undefined;
  const sources = isPreview() && !isRead ? sourcesIn(outline, given) : {};
  return {
    props: isRead
      ? given
      : {
          ...inputsForEngine(outline, name, given, opts),
          ...handedInputs({
            imports: importsIn(outline, opts),
            beside: setsBeside(outline, { type, name }, given, opts),
            readAt: readAtBy(opts),
            ...sources,
          }),
        },
    opts: sdk.mergeOptions(
      {
        ...pluginOptions(),
        ...opts,
        ...(ignored === undefined ? {} : { ignoreChanges: [...ignored] }),
        ...(adopted === undefined
          ? {}
          : { transforms: [...(opts.transforms ?? []), importing(adopted, urnIn(name, type, opts.parent))] }),
      },
      // A stack of dynamic resources moves to the plugin without a change of an object.
      { aliases: [{ type: TYPE_PREFIX + outline.type }] },
    ),
  };
}

/**
 * Sets the option `import` if the state does not have the resource. The engine replaces no resource with this option, and the SDK wants the option
 * before the state can be read.
 */
const importing =
  (id: string, urn: string | Promise<string>): pulumi.ResourceTransform =>
  async ({ props, opts }) =>
    (await isUrnInState(urn)) ? undefined : { props, opts: { ...opts, import: id } };

/**
 * The resources that inputs come from whose values a preview does not know yet, so that it still refuses two declarations of one object. The state
 * keeps none of this, because a preview writes none. An empty text says that no single resource is known.
 */
const sourcesIn = ({ contentIdentity, onlyOnePer }: Outline, given: Inputs) => ({
  within: contentIdentity && (resourceOf(given[contentIdentity.within]) ?? ""),
  source:
    onlyOnePer && sourceOf(given[onlyOnePer.path], typeOf({ type: onlyOnePer.of })).then((urn) => urn ?? ""),
});
