/** Remembers the names of the resources of one run, by URN. */
export class NameMemory {
  readonly #compared = new Map<string, string>();
  readonly #givenBack = new Set<string>();

  /** Notes the name of an object when the engine compares it. A later check of a new resource with this URN is for its replacement. */
  compares(urn: string | undefined, name: unknown): void {
    if (urn !== undefined && typeof name === "string") this.#compared.set(urn, name);
  }

  /** The name of the object that a new resource replaces. */
  replacedBy(urn: string): string | undefined {
    return this.#compared.get(urn);
  }

  /** Notes that the inputs hold the earlier automatic name, because of `ignoreChanges` or because the program now sets that name. */
  givesBack(urn: string | undefined): void {
    if (urn !== undefined) this.#givenBack.add(urn);
  }

  isGivenBack(urn: string | undefined): boolean {
    return urn !== undefined && this.#givenBack.has(urn);
  }
}
