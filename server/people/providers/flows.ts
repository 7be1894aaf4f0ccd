import { createHash } from 'node:crypto';
import type { Context } from '../../context.ts';
import { digestOf, newToken } from '../sessions.ts';

/** How long somebody has to sign in at the provider. */
export const FLOW_MS = 10 * 60_000;

/** What binds an answer of a provider to the browser that asked. */
export interface FlowSecrets {
  readonly state: string;
  readonly nonce: string;
  /** Of PKCE (RFC 7636). */
  readonly verifier: string;
}

/** A sign-in at a provider that a browser came back from. */
interface Flow {
  readonly providerId: number;
  /** The person had to sign in at the provider again. */
  readonly reauthenticates: boolean;
}

/**
 * Sign-ins that are under way at a provider. The browser has a token in a cookie; state, nonce and PKCE verifier are
 * made of it, so that the database has nothing that an answer could be forged with. A flow ends when the browser comes back.
 */
export class SignInFlows {
  readonly #deps: Pick<Context, 'sql' | 'clock'>;

  constructor(deps: Pick<Context, 'sql' | 'clock'>) {
    this.#deps = deps;
  }

  /**
   * Begins a flow; the token for the cookie.
   *
   * @param reauthenticates whether the person has to sign in at the provider again
   */
  async begin(providerId: number, reauthenticates: boolean): Promise<string> {
    const { sql, clock } = this.#deps;
    const token = newToken();
    await sql`
      INSERT INTO sign_in_flows (digest, provider_id, expires_at, reauthenticates)
      VALUES (${digestOf(token)}, ${providerId}, ${clock.now() + FLOW_MS}, ${reauthenticates})`;
    return token;
  }

  /** Ends a flow and returns it; undefined for an unknown flow, or one that took too long. */
  async end(token: string): Promise<Flow | undefined> {
    const { sql, clock } = this.#deps;
    const [row] = await sql<(Flow & { expiresAt: number })[]>`
      DELETE FROM sign_in_flows WHERE digest = ${digestOf(token)}
      RETURNING provider_id AS "providerId", expires_at AS "expiresAt", reauthenticates`;
    return row && row.expiresAt > clock.now() ? row : undefined;
  }

  /** Deletes flows that nobody came back from. */
  async cleanUp(): Promise<void> {
    const { sql, clock } = this.#deps;
    await sql`DELETE FROM sign_in_flows WHERE expires_at <= ${clock.now()}`;
  }
}

/** The secrets of a flow: digests of its token, each for its purpose. */
export function secretsOf(token: string): FlowSecrets {
  const made = (purpose: string) => createHash('sha256').update(`${purpose}:${token}`).digest('base64url');
  return { state: made('state'), nonce: made('nonce'), verifier: made('verifier') };
}
