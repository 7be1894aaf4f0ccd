/** An answer that tells whether another page follows. */
interface Following {
  readonly next: string | null;
}

/**
 * The rows of all pages (`for await (const row of pages)`), and the first page (`await pages`). Each page is requested
 * when it is needed.
 */
export class Pages<Page, Row> implements AsyncIterable<Row>, PromiseLike<Page> {
  readonly #fetch: (after: string | undefined) => Promise<Page>;
  readonly #rows: string;
  #first: Promise<Page> | undefined;

  /**
   * @param fetch requests the page after this `next`; undefined for the first page
   * @param rows name of the field with the rows
   */
  constructor(fetch: (after: string | undefined) => Promise<Page>, rows: string) {
    this.#fetch = fetch;
    this.#rows = rows;
  }

  // biome-ignore lint/suspicious/noThenProperty: `await` returns the first page.
  then<Done = Page, Failed = never>(
    done?: ((page: Page) => Done | PromiseLike<Done>) | null,
    failed?: ((reason: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Done | Failed> {
    return this.#firstPage().then(done, failed);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Row, void, undefined> {
    for await (const page of this.pages()) {
      yield* (page as Readonly<Record<string, readonly Row[]>>)[this.#rows] ?? [];
    }
  }

  /** Yields the pages, each in the service's format. */
  async *pages(): AsyncGenerator<Page, void, undefined> {
    let page = await this.#firstPage();
    for (;;) {
      yield page;
      const { next } = page as Following;
      if (next === null || next === undefined) return;
      page = await this.#fetch(next);
    }
  }

  #firstPage(): Promise<Page> {
    this.#first ??= this.#fetch(undefined);
    return this.#first;
  }
}
