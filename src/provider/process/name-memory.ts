/** What one run knows of the names of its resources, by URN. */
export class NameMemory {
  readonly #compared = new Map<string, string>();
  readonly #givenBack = new Set<string>();

  /** Notes the name of the object that a diff is about: the next check of a new resource with this URN is for what takes its place. */
  compares(urn: string | undefined, name: unknown): void {
    if (urn !== undefined && typeof name === "string") this.#compared.set(urn, name);
  }

  /** The name of the object whose place a new resource takes. */
  replacedBy(urn: string): string | undefined {
    return this.#compared.get(urn);
  }

  /** Notes that the inputs hold the automatic name of before, by `ignoreChanges` or since the program now sets the same. */
  givesBack(urn: string | undefined): void {
    if (urn !== undefined) this.#givenBack.add(urn);
  }

  isGivenBack(urn: string | undefined): boolean {
    return urn !== undefined && this.#givenBack.has(urn);
  }
}
