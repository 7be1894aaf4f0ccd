/** A state of the automaton: a prefix of some keywords. */
class State {
  readonly next = new Map<string, State>();
  /** The state of the longest proper suffix of this prefix that is itself a prefix of a keyword. */
  fail: State = this;
  /** Keywords that end here. */
  readonly found: string[] = [];
}

/**
 * Finds the given keywords in a text in one pass, however many keywords there are (Aho and Corasick, 1975). People
 * write the keywords, so neither their number nor their form may slow down the search.
 */
export class KeywordFinder {
  readonly #root = new State();

  constructor(keywords: Iterable<string>) {
    for (const keyword of keywords) this.#add(keyword);
    this.#link();
  }

  /** Returns the keywords that occur in a text. */
  find(text: string): Set<string> {
    const found = new Set<string>();
    let state = this.#root;
    for (const character of text) {
      while (state !== this.#root && !state.next.has(character)) state = state.fail;
      state = state.next.get(character) ?? this.#root;
      for (const keyword of state.found) found.add(keyword);
    }
    return found;
  }

  #add(keyword: string): void {
    let state = this.#root;
    for (const character of keyword) {
      let next = state.next.get(character);
      if (!next) {
        next = new State();
        state.next.set(character, next);
      }
      state = next;
    }
    if (state !== this.#root && state.found.length === 0) state.found.push(keyword);
  }

  /** Sets the failure link of each state, shortest prefixes first. */
  #link(): void {
    const states = [...this.#root.next.values()];
    for (const state of states) state.fail = this.#root;
    for (const state of states) {
      for (const [character, next] of state.next) {
        let fail = state.fail;
        while (fail !== this.#root && !fail.next.has(character)) fail = fail.fail;
        next.fail = fail.next.get(character) ?? this.#root;
        next.found.push(...next.fail.found);
        states.push(next);
      }
    }
  }
}
