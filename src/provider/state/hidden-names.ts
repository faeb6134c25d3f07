/**
 * The names of the hidden properties: the engine shows no property whose name starts with two underscores. Dynamic resources hand over by them what
 * the engine does not tell their provider, and the state keeps by them what programs do not see.
 */
export const HIDDEN = {
  /** Input and output: the resource's name in the program. The class always sends it; the state keeps it only if the object's name is automatic. */
  resourceName: "__resourceName",
  /** Input and output of a kind that does not keep its URN: the resource's name in the program, for messages. */
  programName: "__programName",
  /** Input: the id of the option `import`. */
  importId: "__importId",
  /** Input and output: the option `customTimeouts`. */
  timeouts: "__timeouts",
  /** Input and output: the paths of the option `replaceOnChanges`, as the program wrote them. */
  replaceOn: "__replaceOn",
  /** Input and output of a resource that adopts an object: the paths of the option `ignoreChanges`, for which the object's values are taken. */
  ignored: "__ignored",
  /**
   * Input and output: the resource's URN, by which progress finds its row. The class always sends it, after the organization of the stack if the
   * backend has organizations. The state keeps it only for the kinds that need it, without the organization.
   */
  urn: "__urn",
  /** Input, only with `import`, if the state already has the resource: see `ForcedReplacement`. */
  standing: "__standing",
  /** Input: the URN of the resource whose id another input is. It is known before that id. */
  source: "__source",
  /** Input of a collection: the resources of the program that import members, each as its type, the id and its name. */
  imports: "__imports",
  /** Input of a collection: the URNs of the program's collections below its parent that wait for no other resource. */
  beside: "__beside",
  /** Input of the full plugin, only in previews: the URN of the resource whose id the parent's is. It is known before that id. */
  within: "__within",
  /** Input and output of a resource with secrets: the paths of the program's secrets, so that no message shows them. */
  secrets: "__secrets",
  /** Input and output of a collection: whether the program's members hold a secret, so that nothing shows their values. */
  guarded: "__guarded",
  /** Input and output: the constant text by which the plugin finds the provider. */
  provider: "__provider",
  /** Input of a check: whether the program gives the resource an explicit provider. */
  explicit: "__explicit",
  /** Input of a check: where data functions of an inline program have read through the provider of the resource, see `whereabouts`. */
  readAt: "__readAt",
  /** Input of a dynamic check: whether the program runs for a preview, which asks a dynamic provider for no update. */
  preview: "__preview",
  /** Input that the full plugin reads for an import of an object that has another owner: why the command `pulumi import` must not add it. */
  refusal: "__refusal",
  /** Input of a collection: the hash of the members as the program gave them, if none can be a secret. */
  given: "__given",
  /** Input of a creation whose label the program sets: the ids of the equal objects that existed before it, joined by commas. */
  before: "__before",
  /** Input of a creation or an adoption: the base URL at which it is requested, in the short form of `whereabouts`. */
  askedAt: "__askedAt",

  /** Output: the paths of the inputs that the program set, joined by commas. */
  set: "__set",
  /** Output: where the object is, see `whereabouts`. */
  at: "__at",
  /** Output: inputs as they were sent, if the service answered other values. Encrypted, as a value may be a secret of the user. */
  sent: "__sent",
  /** Output: the resource was adopted, so properties that cannot be read are unknown, not unset. */
  adopted: "__adopted",
  /** Output, encrypted: what the rest of an unfinished creation needs. */
  memory: "__memory",
  /** Output: a run has failed before it carried out all inputs of an object that exists. The engine has those inputs already. */
  unfinished: "__unfinished",
  /** Output: an interrupted run may have carried out actions that the program asks for, and this state is from before it. */
  doubtful: "__doubtful",
  /** Output of a collection: the ids of its members, in the order of their lines. */
  ids: "__ids",
  /** Output of a collection, encrypted like `sent`: the values of each member that the service keeps in another form. */
  answered: "__answered",
  /** Output of a collection, encrypted: members that exist and are no longer declared. */
  left: "__left",
} as const;

type Name = keyof typeof HIDDEN;

/** Hidden properties by what they are. */
export type Hidden = { readonly [Key in Name]?: unknown };

const names = new Map<string, Name>(Object.entries(HIDDEN).map(([key, name]) => [name, key as Name]));

/** The properties that a program sees, and the hidden ones. A value of null counts as none. */
export function opened(properties: Readonly<Record<string, unknown>>): {
  readonly visible: Record<string, unknown>;
  readonly hidden: Hidden;
} {
  const visible: Record<string, unknown> = {};
  const hidden: Partial<Record<Name, unknown>> = {};
  for (const [name, value] of Object.entries(properties)) {
    const key = names.get(name);
    if (key !== undefined) hidden[key] = value ?? undefined;
    else if (!isHidden(name)) visible[name] = value;
  }
  return { visible, hidden };
}

/** Hidden properties by their names. */
export const named = (hidden: Hidden): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(hidden).flatMap(([key, value]) =>
      value === undefined ? [] : [[HIDDEN[key as Name], value]],
    ),
  );

/** Whether a property is hidden, also one that a later version has added. */
export const isHidden = (name: string): boolean => name.startsWith("__");
