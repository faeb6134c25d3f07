import { type Description } from "../describe/define-resource";
import { inputAt, type Leaf, leavesOf } from "../describe/fields";
import { answerOf } from "../state/answers";
import { canonicalAddress, type Properties, same, stableJson, valueAt } from "../base/values";
import { matchOf } from "./match-object";
import { cached } from "../../api/cached";

interface Matching {
  /** The inputs in which an object must be equal. The service may have rewritten those of the description's `identity`. */
  readonly by?: readonly string[];
  /** The properties of an object to compare with inputs. */
  readonly shown?: (reply: Properties) => Properties;
}

/** Objects of one kind under one parent, found by their content. */
export class ObjectPool {
  readonly ids: ReadonlySet<string>;
  readonly #identity: readonly Leaf[];
  readonly #others: readonly Leaf[];
  readonly #shown: (reply: Properties) => Properties;
  /** The objects that were not taken, by their content. An object with rewritten texts is near its wanted one. */
  #index: { readonly equal: Index; readonly near: Index } | undefined;

  constructor(
    description: Description,
    private readonly replies: readonly Properties[],
    { by = description.identity, shown = (reply) => answerOf(description, reply) }: Matching = {},
  ) {
    const leaves = leavesOf(description.fields);
    this.ids = new Set(replies.map((reply) => description.idOf(reply)));
    this.#identity = leaves.filter(({ path }) => description.identity.includes(path));
    this.#others = leaves.filter(({ path }) => by.includes(path) && !description.identity.includes(path));
    this.#shown = shown;
  }

  /** The objects that equal the inputs, whatever the case of texts and the spelling of addresses. */
  equalTo(inputs: Properties): readonly Properties[] {
    return [...this.#indexed.equal.at(this.#contentOf((leaf) => inputAt(inputs, leaf)))];
  }

  /** The object that equals the inputs, or else one that the service may have rewritten. */
  find(inputs: Properties): Properties | undefined {
    const { equal, near } = this.#indexed;
    const content = this.#contentOf((leaf) => inputAt(inputs, leaf));
    const place = this.#placeOf((leaf) => inputAt(inputs, leaf));
    const match = (reply: Properties) => matchOf(this.#identity, this.#shown(reply), inputs);
    const equals = equal.at(content);
    return (
      first(equals, (reply) => match(reply) === "equal") ??
      first(equals) ??
      first(near.at(place), (reply) => this.#hasOthers(reply, inputs) && match(reply) !== undefined)
    );
  }

  /** Finds an object, and takes it out: each is taken once. */
  take(inputs: Properties): Properties | undefined {
    const { equal, near } = this.#indexed;
    const taken = this.find(inputs);
    if (taken !== undefined) {
      const valueOf = this.#valuesOf(taken);
      equal.at(this.#contentOf(valueOf)).delete(taken);
      near.at(this.#placeOf(valueOf)).delete(taken);
    }
    return taken;
  }

  /** Takes the first one that is not another's. */
  async takeUnless(
    isOthers: (reply: Properties) => Promise<boolean>,
    inputs: Properties,
  ): Promise<Properties | undefined> {
    let found = this.take(inputs);
    while (found !== undefined && (await isOthers(found))) found = this.take(inputs);
    return found;
  }

  get #indexed() {
    if (this.#index !== undefined) return this.#index;
    const [equal, near] = [new Index(), new Index()];
    for (const reply of this.replies) {
      const valueOf = this.#valuesOf(reply);
      equal.add(this.#contentOf(valueOf), reply);
      near.add(this.#placeOf(valueOf), reply);
    }
    return (this.#index = { equal, near });
  }

  #valuesOf(reply: Properties): (leaf: Leaf) => unknown {
    const shown = this.#shown(reply);
    return ({ path }) => valueAt(shown, path);
  }

  #contentOf(valueOf: (leaf: Leaf) => unknown): string {
    return JSON.stringify([...this.#identity, ...this.#others].map((leaf) => canonical(valueOf(leaf))));
  }

  /** The part of rewritten texts that the service keeps: the first one. */
  #placeOf(valueOf: (leaf: Leaf) => unknown): string {
    return JSON.stringify(this.#identity.map((leaf) => canonical(valueOf(leaf)).split(".", 1)[0]));
  }

  #hasOthers(reply: Properties, inputs: Properties): boolean {
    const shown = this.#shown(reply);
    return this.#others.every((leaf) =>
      same(leaf.comparison, inputAt(inputs, leaf) ?? "", valueAt(shown, leaf.path) ?? ""),
    );
  }
}

class Index {
  readonly #groups = new Map<string, Set<Properties>>();

  add(key: string, reply: Properties): void {
    cached(this.#groups, key, () => new Set<Properties>()).add(reply);
  }

  at(key: string): Set<Properties> {
    return this.#groups.get(key) ?? new Set();
  }
}

function first(replies: Iterable<Properties>, isRight: (reply: Properties) => boolean = () => true) {
  for (const reply of replies) if (isRight(reply)) return reply;
  return undefined;
}

/** A value that is not set equals an empty text. */
function canonical(given: unknown): string {
  const value = given ?? "";
  return typeof value === "string" ? canonicalAddress(value) : stableJson(value);
}
