import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { Context } from '../../kit/context.ts';
import { badField, Refusal } from '../../kit/errors.ts';
import type { LoginThrottle } from '../login-throttle/login-throttle.ts';
import { verifyPasswordOf } from '../passwords/hashes.ts';
import type { PasskeySite } from './passkey-site.ts';
import type { Passkeys } from './passkeys.ts';
import { lockPerson, type Person } from './person.ts';
import { type Origin, PROOF_MS, type Session, type Sessions } from './sessions.ts';
import type { SecondFactors } from './totp.ts';

/** Ways in which a person can prove who they are within a session. */
export const proofMethods = ['password', 'passkey', 'code', 'provider'] as const;
type ProofMethod = (typeof proofMethods)[number];

/** The route name of a proof, for metrics and logs. */
const ENDPOINT = 'POST /v1/session/proof';

interface ProofsDeps extends Pick<Context, 'sql'> {
  readonly sessions: Sessions;
  readonly throttle: LoginThrottle;
  readonly secondFactors: SecondFactors;
  readonly passkeys: Passkeys;
}

/** The parts of a session that a proof needs. */
export type ProvableSession = Pick<Session, 'id' | 'person' | 'proofAgeMs'>;

/** Input of a proof; exactly one field must be set. */
export interface GivenProof {
  readonly password?: string | undefined;
  /** A code of the authenticator app, or a recovery code. */
  readonly code?: string | undefined;
  readonly passkey?: AuthenticationResponseJSON | undefined;
}

/** Whether the last proof of a session is recent enough for what requires one. */
export const isProven = ({ proofAgeMs }: Pick<Session, 'proofAgeMs'>): boolean =>
  proofAgeMs !== null && proofAgeMs <= PROOF_MS;

/**
 * Returns the ways in which a person can prove who they are. A provider counts only for people without credentials
 * here.
 */
export function methodsOf({ hasPassword, hasPasskey, hasTotp, providerId }: Person): ProofMethod[] {
  const can: Record<ProofMethod, boolean> = {
    password: hasPassword,
    passkey: hasPasskey,
    code: hasTotp,
    provider: providerId !== null,
  };
  return proofMethods.filter((method) => can[method]);
}

/**
 * Proofs of identity within a session: a person who borrowed or stole one cannot give them. Routes whose row of the access
 * table says `proof` require a recent one (api/access/rules.ts).
 */
export class Proofs {
  readonly #deps: ProofsDeps;

  constructor(deps: ProofsDeps) {
    this.#deps = deps;
  }

  /**
   * Checks a proof and stores its time with the session. Attempts go through the login throttle. Throws Refusal
   * `bad-field` unless the input has exactly one proof, `wrong-password`, `wrong-code`, and LoginThrottled.
   *
   * @param siteOf returns the site that passkeys are bound to; throws if passkeys are not possible
   */
  async prove(
    session: ProvableSession,
    given: GivenProof,
    origin: Origin,
    siteOf: () => PasskeySite,
  ): Promise<void> {
    const { password, code, passkey } = given;
    if ([password, code, passkey].filter((one) => one !== undefined).length !== 1) {
      throw badField('password', 'send one of password, code and passkey', 'one-of-both');
    }
    if (password !== undefined) return this.byPassword(session, password, origin);
    const { sql, throttle, passkeys, secondFactors } = this.#deps;
    const { id } = session.person;
    await throttle.runCode(ENDPOINT, id, async () => {
      const used = passkey && (await passkeys.check(id, 'second-factor', siteOf(), passkey));
      await sql.begin(async (tx) => {
        await lockPerson(tx, id);
        if (used) await used(tx);
        else await secondFactors.use(tx, id, code!);
        await this.#deps.sessions.prove(tx, session.id);
      });
    });
  }

  /** As `prove`, with the password. Throws Refusal `wrong-password` also for a person without a password. */
  async byPassword({ id: sessionId, person }: ProvableSession, password: string, origin: Origin) {
    const { sql, throttle, sessions } = this.#deps;
    const { id, accountId, username } = person;
    const attempt = {
      endpoint: ENDPOINT,
      among: 'people',
      typed: username,
      who: { accountId: accountId ?? undefined, personId: id, username },
      place: origin,
      audited: false,
    } as const;
    await throttle.runInSession(attempt, async () => {
      const [row] = await sql<{ password_hash: string | null }[]>`
        SELECT password_hash FROM people WHERE id = ${id}`;
      if (!(await verifyPasswordOf(row?.password_hash ?? null, password, 'known'))) {
        throw new Refusal('wrong-password', 'the password is wrong');
      }
      await sessions.prove(sql, sessionId);
    });
  }

  /**
   * Requires a proof before a change of credentials: the password, or from people without one a recent proof in the
   * session. Returns the age of the proof in milliseconds. Throws Refusal `wrong-password`, Refusal `proof-needed`,
   * LoginThrottled.
   */
  async confirm(session: ProvableSession, password: string | undefined, origin: Origin): Promise<number> {
    if (session.person.hasPassword) {
      await this.byPassword(session, password ?? '', origin);
      return 0;
    }
    if (isProven(session)) return session.proofAgeMs!;
    throw new Refusal('proof-needed', 'prove again who you are, with POST /v1/session/proof');
  }
}
