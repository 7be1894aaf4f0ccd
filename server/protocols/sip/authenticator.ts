import { authorization, type Credentials, chooseChallenge, type DigestParams } from './digest.ts';
import type { SipResponse } from './message.ts';

interface Known {
  readonly challenge: DigestParams;
  /** Number of uses of the nonce. */
  count: number;
  /** Whether a request with this answer was accepted. */
  isProven: boolean;
}

const headers = new Map([
  [401, ['WWW-Authenticate', 'Authorization']],
  [407, ['Proxy-Authenticate', 'Proxy-Authorization']],
] as const);

/** Answers the challenges of one peer (RFC 3261, 22), for one dialog or registration. */
export class Authenticator {
  readonly #credentials: Credentials;
  readonly #realm: string | undefined;
  readonly #known = new Map<string, Known>();

  /** With `realm`, only challenges for that realm are answered. */
  constructor(credentials: Credentials, realm?: string) {
    this.#credentials = credentials;
    this.#realm = realm;
  }

  /**
   * Processes a final response. Returns true for a challenge that a repeated request may satisfy. Rejected credentials
   * are not sent twice, unless only the nonce was stale.
   */
  learn(response: SipResponse): boolean {
    const names = headers.get(response.status as 401 | 407);
    if (!names) {
      for (const known of this.#known.values()) known.isProven = true;
      return false;
    }
    const [asks, answers] = names;
    const challenge = chooseChallenge(response.headers.lines(asks), this.#realm);
    if (!challenge) return false;
    const known = this.#known.get(answers);
    const isStale = challenge.get('stale')?.toLowerCase() === 'true';
    if (known && !known.isProven && !isStale) return false;
    this.#known.set(answers, { challenge, count: 0, isProven: false });
    return true;
  }

  /** Returns the header fields to add to a request; empty before the first challenge. */
  prepared(method: string, uri: string): (readonly [name: string, value: string])[] {
    return [...this.#known].map(([name, known]) => [
      name,
      authorization(known.challenge, this.#credentials, { method, uri, count: ++known.count }),
    ]);
  }
}
