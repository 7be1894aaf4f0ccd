/**
 * Collects items for requests with several. While no request is under way, the items of one turn of the event loop leave at its end.
 * Otherwise they wait until there are enough for a request, until the last request has ended, or for a short time.
 */
export class Gatherer<Item> {
  readonly #max: number;
  readonly #waitMs: number;
  readonly #send: (items: readonly Item[]) => Promise<void>;
  #waiting: Item[] = [];
  #underWay = 0;
  #soon: NodeJS.Immediate | undefined;
  #later: NodeJS.Timeout | undefined;

  /**
   * @param options.max items of a request
   * @param options.waitMs milliseconds that an item waits for others while requests are under way
   * @param options.send sends a request; its promise resolves when the request has ended, and never rejects
   */
  constructor(options: {
    readonly max: number;
    readonly waitMs: number;
    readonly send: (items: readonly Item[]) => Promise<void>;
  }) {
    this.#max = options.max;
    this.#waitMs = options.waitMs;
    this.#send = options.send;
  }

  add(item: Item): void {
    this.#waiting.push(item);
    if (this.#waiting.length >= this.#max) this.flush();
    else if (this.#underWay === 0) this.#soon ??= setImmediate(() => this.flush());
    else this.#later ??= setTimeout(() => this.flush(), this.#waitMs);
  }

  /** Sends what waits. */
  flush(): void {
    clearImmediate(this.#soon);
    clearTimeout(this.#later);
    this.#soon = undefined;
    this.#later = undefined;
    const items = this.#waiting;
    if (items.length === 0) return;
    this.#waiting = [];
    this.#underWay++;
    void this.#send(items).finally(() => {
      this.#underWay--;
      // Items that the answer made room for arrive in this turn.
      if (this.#underWay === 0 && this.#waiting.length > 0) this.#soon ??= setImmediate(() => this.flush());
    });
  }
}
