/** A state of the automaton: what has been read of some keywords. */
class State {
  readonly next = new Map<string, State>();
  /** The state of the longest end of what was read that begins a keyword. */
  fail: State = this;
  /** Keywords that end here. */
  readonly found: string[] = [];
}

/**
 * Finds which of some keywords are in a text, in one pass over it, however many there are (Aho and Corasick, 1975). The
 * keywords come from people, so neither their number nor their form may make it slower.
 */
export class KeywordFinder {
  readonly #root = new State();

  constructor(keywords: Iterable<string>) {
    for (const keyword of keywords) this.#add(keyword);
    this.#link();
  }

  /** The keywords that are in a text. */
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

  /** Sets where each state goes when the next character is in no keyword, the shortest first. */
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
