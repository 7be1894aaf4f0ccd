/** Files from one host among those that are fetched: a host that does not answer leaves the other places to files from elsewhere. */
const MAX_PER_HOST = 8;
/** Upper limit of accounts whose last host is remembered. */
const MAX_HOSTS = 10_000;

/** A file that is being fetched. */
interface FetchUnderWay {
  readonly accountId: number;
  /** Host and port of the download; undefined before the platform names the address. */
  host: string | undefined;
}

/** The hosts that this process downloads files from, and the accounts that wait for one that has no place left. */
export class FetchHosts {
  readonly #underWay = new Set<FetchUnderWay>();
  /** The host of the last file by account. The platform names an address only on request. */
  readonly #hosts = new Map<number, string>();

  /** Returns accounts of which no file can begin now, because the host of their files is at its limit. */
  full(): number[] {
    const hosts = new Map<string, number>();
    for (const { host } of this.#underWay)
      if (host !== undefined) hosts.set(host, (hosts.get(host) ?? 0) + 1);
    if (![...hosts.values()].some((count) => count >= MAX_PER_HOST)) return [];
    const behind = [...this.#hosts].filter(([, host]) => (hosts.get(host) ?? 0) >= MAX_PER_HOST);
    return behind.map(([accountId]) => accountId);
  }

  /** Notes a file of an account; to be passed to `end`. */
  begin(accountId: number): FetchUnderWay {
    const fetch = { accountId, host: undefined };
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
