import type * as pulumi from "@pulumi/pulumi";
import * as sdk from "./sdk";
import { ENCRYPTED } from "../state/codec";
import { handedInputs, handedStanding, type Hidden } from "../state/handed";
import { type Outline } from "../describe/outline";
import { classIn, PLUGIN_TYPE_PREFIX, TYPE_PREFIX } from "../describe/type-token";
import { readAtBy } from "./accounts";
import { adoptedId, type AdoptingResource, watchWished } from "./adopt";
import { inputsForEngine } from "./engine-inputs";
import { announceImport, importsIn, setsBeside, tellOfImport } from "./imports";
import { ignoredOf, refuseParts } from "./ignore-changes";
import { providerText } from "./provider-text";
import { hasExplicit } from "./given-providers";
import { isMocked, isPreview } from "./run-mode";
import { secretPaths } from "./secret-paths";
import { sourceOf } from "./output-source";
import { isUrnInState } from "./state-of-resource";
import { handedUrn, urnIn } from "./urn";
import { type Inputs, type TypeAndName, type Registered } from "./registrar";

/** The type token of a resource in the engine. */
export const typeOf = ({ type }: Pick<Outline, "type">): string => TYPE_PREFIX + type;

/** The registration of a resource with the engine: its inputs after the program's transformations, and the hidden inputs that the plugin needs. */
export function registration(
  outline: Outline,
  { type, name }: TypeAndName,
  given: Inputs,
  opts: pulumi.CustomResourceOptions,
): Registered {
  // A test of a program checks the program's own values.
  if (isMocked()) return { props: given, opts: withSecrets(outline, opts) };
  const ignored = ignoredOf(outline, name, opts.ignoreChanges);
  refuseParts(
    outline,
    name,
    "replaceOnChanges",
    opts.replaceOnChanges,
    (path) => typeof path[1] === "number",
  );
  const isRead = opts.id !== undefined;
  watchWished();
  const adopted = adoptedId(outline.type, name, opts);
  const inputs = isRead ? given : inputsForEngine(outline, name, given, opts);
  const ofManaged = () => ({
    ...told(outline, { type, name, inputs }, opts),
    secrets: secretPaths(given, opts.additionalSecretOutputs),
    ...importIn(outline, { type, name, ignored, adopted }, opts),
    source: sourceIn(outline, inputs),
    imports: importsIn(outline, opts),
    beside: setsBeside(outline, { type, name }, inputs, opts),
    explicit: hasExplicit(type, opts) ? true : undefined,
    preview: isPreview() ? true : undefined,
    readAt: readAtBy(opts),
  });
  return {
    props: {
      ...inputs,
      ...handedInputs({ ...(isRead ? {} : ofManaged()), provider: providerText(outline.type) }),
    },
    importId: isAliased(opts) ? undefined : (opts.import ?? adopted),
    opts: withSecrets(outline, {
      ...withoutImport(opts),
      ...(ignored === undefined ? {} : { ignoreChanges: [...ignored] }),
      // A stack of the full plugin moves to dynamic resources without a change of an object.
      aliases: [...(opts.aliases ?? []), { type: PLUGIN_TYPE_PREFIX + outline.type }],
    }),
  };
}

/** Whether the program gives a resource, or one above it, aliases, so that the state may have it under another URN. */
const isAliased = ({ aliases = [], parent }: pulumi.CustomResourceOptions): boolean =>
  aliases.length > 0 || hasAliases(parent as unknown as AdoptingResource | undefined);

function hasAliases(one: AdoptingResource | undefined): boolean {
  if (one === undefined) return false;
  const { __pulumiType: type, __aliases: all = [], __parentResource: parent } = one;
  // A resource of this package has one for the other way of serving.
  const own = classIn(type) === undefined ? 0 : 1;
  return all.length > own || hasAliases(parent);
}

/** The dynamic plugin does not support the engine's import, so `create` gets the id as a hidden input. */
function withoutImport(opts: pulumi.CustomResourceOptions): pulumi.CustomResourceOptions {
  const options = { ...opts };
  delete options.import;
  return options;
}

function withSecrets(outline: Outline, opts: pulumi.CustomResourceOptions): pulumi.CustomResourceOptions {
  return sdk.mergeOptions(opts, {
    additionalSecretOutputs: [
      ...ENCRYPTED.always,
      // The data that finishes a creation may be secret, such as an upload URL.
      ...(outline.remembers ? ENCRYPTED.ofUnfinished : []),
      ...(outline.secretOutputs ?? []),
    ],
  });
}

/** The facts that the plugin needs about a resource and the engine does not tell it. */
function told(
  { autoname, contentIdentity }: Outline,
  { type, name, inputs }: TypeAndName & { readonly inputs: Inputs },
  opts: pulumi.CustomResourceOptions,
): Hidden {
  const urn = urnIn(name, type, opts.parent);
  return {
    // `check` decides whether the automatic name applies, because it knows the values.
    resourceName: autoname === undefined ? undefined : name,
    timeouts: opts.customTimeouts && { ...opts.customTimeouts },
    replaceOn: opts.replaceOnChanges && [...opts.replaceOnChanges],
    urn: handedUrn(urn, contentIdentity === undefined ? undefined : inputs[contentIdentity.within]),
  };
}

/** The hidden inputs of a resource that adopts an object. */
function importIn(
  outline: Outline,
  {
    type,
    name,
    ignored,
    adopted,
  }: TypeAndName & { readonly ignored: readonly string[] | undefined; readonly adopted: string | undefined },
  opts: pulumi.CustomResourceOptions,
): Hidden {
  const id = opts.import ?? adopted;
  if (id === undefined) return {};
  const own = { type, name, id, opts };
  announceImport(own);
  const urn = urnIn(name, type, opts.parent);
  const isThere = isUrnInState(urn).then(async (is) => {
    if (!is) await tellOfImport(outline, own, await urn);
    return is;
  });
  if (adopted === undefined) {
    const { deleteBeforeReplace: goesFirst = false } = opts;
    const standing = isThere.then((is) => (is ? handedStanding({ goesFirst }) : undefined));
    return { importId: id, ignored: ignored && [...ignored], standing };
  }
  return {
    importId: isThere.then((is) => (is ? undefined : id)),
    ignored: isThere.then((is) => (is ? undefined : ignored)),
  };
}

const sourceIn = ({ onlyOnePer }: Outline, inputs: Inputs): unknown =>
  onlyOnePer === undefined ? undefined : sourceOf(inputs[onlyOnePer.path], typeOf({ type: onlyOnePer.of }));
