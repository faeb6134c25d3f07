/** What was read before a write does not count after it. Every read and write of a process has its place in one order. */
export class Order {
  #last = 0;
  #lastWrite = 0;
  #writing = 0;

  next(): number {
    return ++this.#last;
  }

  /** From where on what was read still counts: from here while something is being written. */
  sinceWrites(): number {
    return this.#writing > 0 ? this.next() : this.#lastWrite;
  }

  async writing<Result>(step: () => Promise<Result>): Promise<Result> {
    this.#writing++;
    try {
      return await step();
    } finally {
      this.#writing--;
      this.#lastWrite = this.next();
    }
  }
}
