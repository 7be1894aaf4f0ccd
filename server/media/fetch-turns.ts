/** Files that a process fetches at a time. They are spooled to disk, so that 16 of 100 MiB need no memory. */
const MAX_AT_ONCE = 16;
/** Files of one account among them: an account whose files are slow leaves the other places to others. */
const MAX_PER_ACCOUNT = 2;
/** Files from one host among them: a host that does not answer leaves the other places to files from elsewhere. */
const MAX_PER_HOST = 8;
/** Upper limit of accounts whose last host is remembered. */
const MAX_HOSTS = 10_000;

/** A file that is being fetched. */
interface FetchUnderWay {
  readonly accountId: number;
  /** Host and port of the download; undefined before the platform names the address. */
  host: string | undefined;
}

/**
 * Decides which accounts a process may fetch files of next. Accounts take turns: in a round each account gets one place before
 * any account gets a second one. Limits of accounts and hosts apply to what is under way in this process.
 */
export class FetchTurns {
  readonly #underWay = new Set<FetchUnderWay>();
  /** Accounts that got a place in this round. */
  readonly #served = new Set<number>();
  /** The host of the last file by account. The platform names an address only on request. */
  readonly #hosts = new Map<number, string>();

  /** Whether a place is free for another file. */
  get hasPlace(): boolean {
    return this.#underWay.size < MAX_AT_ONCE;
  }

  /** Accounts that had their turn in this round. */
  get served(): readonly number[] {
    return [...this.#served];
  }

  /** Lets every account have its turn again. */
  beginRound(): void {
    this.#served.clear();
  }

  /** Accounts of which no further file may be fetched now, because the account or the host of its files is at its limit. */
  full(): number[] {
    const accounts = new Map<number, number>();
    const hosts = new Map<string, number>();
    for (const { accountId, host } of this.#underWay) {
      accounts.set(accountId, (accounts.get(accountId) ?? 0) + 1);
      if (host !== undefined) hosts.set(host, (hosts.get(host) ?? 0) + 1);
    }
    const full = [...accounts]
      .filter(([, count]) => count >= MAX_PER_ACCOUNT)
      .map(([accountId]) => accountId);
    if (![...hosts.values()].some((count) => count >= MAX_PER_HOST)) return full;
    const behind = [...this.#hosts].filter(([, host]) => (hosts.get(host) ?? 0) >= MAX_PER_HOST);
    return [...full, ...behind.map(([accountId]) => accountId)];
  }

  /** Gives a place to a file of an account; to be passed to `end`. */
  begin(accountId: number): FetchUnderWay {
    const fetch = { accountId, host: undefined };
    this.#served.add(accountId);
    this.#underWay.add(fetch);
    return fetch;
  }

  /** Notes the host that a file is downloaded from. */
  downloadsFrom(fetch: FetchUnderWay, host: string): void {
    fetch.host = host;
    if (this.#hosts.size >= MAX_HOSTS) this.#hosts.clear();
    this.#hosts.set(fetch.accountId, host);
  }

  /** Frees the place of a file. */
  end(fetch: FetchUnderWay): void {
    this.#underWay.delete(fetch);
  }
}
