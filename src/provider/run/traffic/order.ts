/** The order of all reads and writes of a process. A read that began before the end of a write does not count after it. */
export class Order {
  #last = 0;
  #lastWrite = 0;
  #writing = 0;

  next(): number {
    return ++this.#last;
  }

  /** The earliest place in the order from which reads count: later after each write, and with each call while something is written. */
  sinceWrites(): number {
    return this.#writing > 0 ? this.next() : this.#lastWrite;
  }

  /** Notes that a write begins. Returns what notes its end. */
  beginWrite(): () => void {
    this.#writing++;
    return () => {
      this.#writing--;
      this.#lastWrite = this.next();
    };
  }

  /** Runs a step that writes. Reads that began before its end do not count after it. */
  async writing<Result>(step: () => Promise<Result>): Promise<Result> {
    const end = this.beginWrite();
    try {
      return await step();
    } finally {
      end();
    }
  }
}
