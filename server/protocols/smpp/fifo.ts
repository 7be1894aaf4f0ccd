/** A queue with insertion and removal in constant time, without a node per entry. */
export class Fifo<T> {
  #items: T[] = [];
  #head = 0;

  get length(): number {
    return this.#items.length - this.#head;
  }

  push(item: T): void {
    this.#items.push(item);
  }

  /**
   * Inserts items before all others, in their order. Linear in the queue's length when there is no free space in front.
   */
  putBack(items: readonly T[]): void {
    if (this.#head >= items.length) {
      this.#head -= items.length;
      for (let i = 0; i < items.length; i++) this.#items[this.#head + i] = items[i]!;
    } else {
      this.#items = items.concat(this.#items.slice(this.#head));
      this.#head = 0;
    }
  }

  peek(): T | undefined {
    return this.#items[this.#head];
  }

  shift(): T | undefined {
    if (this.#head === this.#items.length) return undefined;
    const item = this.#items[this.#head]!;
    this.#items[this.#head++] = undefined as T;
    if (this.#head === this.#items.length) {
      this.#items = [];
      this.#head = 0;
    } else if (this.#head >= 1024 && this.#head * 2 >= this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }

  /** Removes and returns all items. */
  drain(): T[] {
    const items = this.#items.slice(this.#head);
    this.#items = [];
    this.#head = 0;
    return items;
  }
}
