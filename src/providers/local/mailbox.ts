/** What one side tells as it comes and one other reads at its own pace, all at once that waits for it. */
export class Mailbox<T> {
  #waiting: T[] = [];
  #closed = false;
  #bell = Promise.withResolvers<void>();

  put(item: T): void {
    this.#waiting.push(item);
    this.#bell.resolve();
  }

  /** Nothing will come any more. */
  close(): void {
    this.#closed = true;
    this.#bell.resolve();
  }

  /** Resolves when something came or nothing will. */
  get opened(): Promise<void> {
    return this.#bell.promise;
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T[]> {
    for (;;) {
      if (!this.isEmpty) yield this.#waiting.splice(0);
      else if (this.#closed) return;
      else {
        this.#bell = Promise.withResolvers();
        await this.#bell.promise;
      }
    }
  }
}
