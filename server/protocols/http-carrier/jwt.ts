import { createPrivateKey, type KeyObject, randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import type { Clock } from '../../kit/clock.ts';
import { keyBytes } from './send-signature.ts';
import type { JwtAuth } from './send-signature-settings.ts';
import { DescriptionError, Template } from './template.ts';
import { secretValues } from './values.ts';

type Secrets = Readonly<Record<string, string>>;

/** Share of the lifetime after which a new token is signed. */
const USED_SHARE = 0.9;

/** Types of private keys, by algorithm (RFC 7518, 3.1; RFC 8037, 3.1). */
const keyTypes = { RS256: ['rsa'], ES256: ['ec'], EdDSA: ['ed25519'] } as const;

/** Tokens that the service signs. One is used for several requests, because a signature of RSA takes a millisecond. */
export class JwtTokens {
  readonly #auth: JwtAuth;
  readonly #key: KeyObject | Uint8Array;
  readonly #claims: Readonly<Record<string, string | number | boolean>>;
  readonly #keyId: string | undefined;
  readonly #clock: Pick<Clock, 'now'>;
  #current: { readonly header: string; readonly until: number } | undefined;

  /** @throws DescriptionError when the secret is no key of the algorithm */
  constructor(auth: JwtAuth, secrets: Secrets, clock: Pick<Clock, 'now'>) {
    const values = secretValues(secrets);
    const render = (text: string) => new Template(text, 'plain').render(values);
    this.#auth = auth;
    this.#clock = clock;
    this.#key = keyOf(auth, secrets[auth.secret]!);
    this.#keyId = auth.keyId === undefined ? undefined : render(auth.keyId);
    this.#claims = Object.fromEntries(
      Object.entries(auth.claims).map(([name, value]) => [
        name,
        typeof value === 'string' ? render(value) : value,
      ]),
    );
  }

  /** Returns the header with a token. */
  async authorization(): Promise<{ readonly header: string }> {
    const now = this.#clock.now();
    if (this.#current && now < this.#current.until) return this.#current;
    const { algorithm, lifetime } = this.#auth;
    const seconds = Math.floor(now / 1_000);
    const token = await new SignJWT({ ...this.#claims })
      .setProtectedHeader({
        ...{ alg: algorithm, typ: 'JWT' },
        ...(this.#keyId !== undefined && { kid: this.#keyId }),
      })
      .setIssuedAt(seconds)
      .setExpirationTime(seconds + lifetime)
      .setJti(randomUUID())
      .sign(this.#key);
    this.#current = { header: `Bearer ${token}`, until: now + lifetime * 1_000 * USED_SHARE };
    return this.#current;
  }

  /** Forgets the token, after the provider refused it. */
  forget(): void {
    this.#current = undefined;
  }
}

function keyOf({ algorithm, key }: JwtAuth, secret: string): KeyObject | Uint8Array {
  if (algorithm === 'HS256') return keyBytes(secret, key);
  const types: readonly string[] = keyTypes[algorithm];
  const refusal = new DescriptionError(`is no private key for ${algorithm} in PEM`);
  let found: KeyObject;
  try {
    found = createPrivateKey(pemOf(secret));
  } catch {
    throw refusal;
  }
  const { asymmetricKeyType: type = '', asymmetricKeyDetails: details } = found;
  const isLong = type !== 'rsa' || (details?.modulusLength ?? 0) >= 2_048;
  const isCurve = type !== 'ec' || details?.namedCurve === 'prime256v1';
  if (!types.includes(type) || !isLong || !isCurve) throw refusal;
  return found;
}

/** Returns a key in PEM with the line breaks that an input of one line removed. */
function pemOf(text: string): string {
  const [, begin = '', label = ''] = /^\s*(-----BEGIN ([A-Z ]{1,30})-----)/.exec(text) ?? [];
  const end = `-----END ${label}-----`;
  const at = text.indexOf(begin) + begin.length;
  const base64 = text.slice(at, text.indexOf(end, at)).replace(/\s/g, '');
  // RFC 7468, 2: lines of 64 characters.
  const lines = base64.match(/.{1,64}/g) ?? [];
  return [begin, ...lines, end, ''].join('\n');
}
