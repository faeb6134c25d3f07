/** The order of all reads and writes of a process. A read that began before the end of a write does not count after it. */
export class Order {
  #last = 0;
  #lastWrite = 0;
  #writing = 0;

  next(): number {
    return ++this.#last;
  }

  /** The earliest place in the order from which reads count. */
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
