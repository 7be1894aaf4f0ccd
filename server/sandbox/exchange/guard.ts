import { randomBytes } from 'node:crypto';
import { type Credentials, digestResponse, parseDigest } from '../../protocols/sip/digest.ts';
import type { SipRequest } from '../../protocols/sip/message.ts';
import { dropOldest } from '../inbox.ts';

const KEPT_NONCES = 10_000;

export interface GuardOptions extends Credentials {
  readonly realm: string;
  readonly algorithm: 'MD5' | 'SHA-256';
  /** 401 or 407. */
  readonly status: 401 | 407;
}

/** Demands credentials, as a trunk does. */
export class Guard {
  readonly #options: GuardOptions;
  /** Issued nonces, and the number of their uses. */
  readonly #nonces = new Map<string, number>();

  constructor(options: GuardOptions) {
    this.#options = options;
  }

  get status(): number {
    return this.#options.status;
  }

  /** Whether a request answers one of our challenges correctly, with a new nonce count. */
  admits({ method, headers }: SipRequest): boolean {
    const { username, password, realm, algorithm, status } = this.#options;
    const line = headers.get(status === 401 ? 'Authorization' : 'Proxy-Authorization');
    const given = line === undefined ? undefined : parseDigest(line);
    if (!given || given.get('username') !== username || given.get('realm') !== realm) return false;
    const nonce = given.get('nonce') ?? '';
    const count = Number.parseInt(given.get('nc') ?? '', 16);
    if (!(count > (this.#nonces.get(nonce) ?? Number.POSITIVE_INFINITY))) return false;
    const expected = digestResponse(
      new Map([...given, ['algorithm', algorithm]]),
      { username, password },
      { method, uri: given.get('uri') ?? '', count, cnonce: given.get('cnonce') },
    );
    if (given.get('response') !== expected) return false;
    this.#nonces.set(nonce, count);
    return true;
  }

  /** Returns the header field of a challenge. */
  challenge(): [name: string, value: string] {
    const { realm, algorithm, status } = this.#options;
    const nonce = randomBytes(16).toString('hex');
    this.#nonces.set(nonce, 0);
    dropOldest(this.#nonces, KEPT_NONCES);
    return [
      status === 401 ? 'WWW-Authenticate' : 'Proxy-Authenticate',
      `Digest realm="${realm}", nonce="${nonce}", algorithm=${algorithm}, qop="auth"`,
    ];
  }
}
