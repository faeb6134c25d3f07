import { type Description } from "../describe/define-resource";
import { inputAt, leavesOf } from "../describe/fields";
import { type Properties, stableJson, valueAt } from "../state/values";
import { canonicalAddress } from "../state/values";
import { answerOf } from "../state/answers";

/** Finds objects of one kind under one parent by their content. */
export class Inventory {
  readonly ids: ReadonlySet<string>;
  #byContent: Map<string, Properties[]> | undefined;

  constructor(
    private readonly description: Description,
    private readonly items: readonly Properties[],
  ) {
    this.ids = new Set(items.map((item) => description.idOf(item)));
  }

  /** The objects that equal the inputs in all identifying fields. */
  equalTo(inputs: Properties): readonly Properties[] {
    this.#byContent ??= this.#index();
    const identity = this.#leaves();
    return this.#byContent.get(keyOf(identity.map((leaf) => inputAt(inputs, leaf)))) ?? [];
  }

  #index(): Map<string, Properties[]> {
    const paths = this.#leaves().map(({ path }) => path);
    const index = new Map<string, Properties[]>();
    for (const item of this.items) {
      const shown = answerOf(this.description, item);
      const key = keyOf(paths.map((path) => valueAt(shown, path)));
      const alike = index.get(key);
      if (alike === undefined) index.set(key, [item]);
      else alike.push(item);
    }
    return index;
  }

  #leaves() {
    const { fields, identity } = this.description;
    return leavesOf(fields).filter(({ path }) => identity.includes(path));
  }
}

/** The service changes the case of names and the spelling of addresses. */
const keyOf = (values: readonly unknown[]): string =>
  JSON.stringify(
    values.map((value) => (typeof value === "string" ? canonicalAddress(value) : stableJson(value ?? ""))),
  );
