import { createHash } from 'node:crypto';
import type { Context } from '../../../kit/context.ts';
import { digestOf, newToken } from '../sessions.ts';

/** Milliseconds that a person has to sign in at the provider. */
export const FLOW_MS = 10 * 60_000;

/** Secrets that bind the answer of a provider to the browser that began the sign-in. */
export interface FlowSecrets {
  readonly state: string;
  readonly nonce: string;
  /** Code verifier of PKCE (RFC 7636). */
  readonly verifier: string;
}

/** A finished flow: the browser came back from the provider. */
interface Flow {
  readonly providerId: number;
  /** The provider had to ask the person for credentials again. */
  readonly reauthenticates: boolean;
}

/**
 * Sign-ins under way at a provider. The browser has a token in a cookie; state, nonce and PKCE verifier are derived
 * from it, so the database contains nothing that could forge an answer. A flow ends when the browser comes back.
 */
export class SignInFlows {
  readonly #deps: Pick<Context, 'sql' | 'clock'>;

  constructor(deps: Pick<Context, 'sql' | 'clock'>) {
    this.#deps = deps;
  }

  /**
   * Begins a flow. Returns the token for the cookie.
   *
   * @param reauthenticates whether the provider must ask the person for credentials again
   */
  async begin(providerId: number, reauthenticates: boolean): Promise<string> {
    const { sql, clock } = this.#deps;
    const token = newToken();
    await sql`
      INSERT INTO sign_in_flows (digest, provider_id, expires_at, reauthenticates)
      VALUES (${digestOf(token)}, ${providerId}, ${clock.now() + FLOW_MS}, ${reauthenticates})`;
    return token;
  }

  /** Ends a flow and returns it; undefined for an unknown or expired flow. */
  async end(token: string): Promise<Flow | undefined> {
    const { sql, clock } = this.#deps;
    const [row] = await sql<(Flow & { expiresAt: number })[]>`
      DELETE FROM sign_in_flows WHERE digest = ${digestOf(token)}
      RETURNING provider_id AS "providerId", expires_at AS "expiresAt", reauthenticates`;
    return row && row.expiresAt > clock.now() ? row : undefined;
  }

  /** Deletes expired flows. */
  async cleanUp(): Promise<void> {
    const { sql, clock } = this.#deps;
    await sql`DELETE FROM sign_in_flows WHERE expires_at <= ${clock.now()}`;
  }
}

/** Returns the secrets of a flow: a digest of its token for each purpose. */
export function secretsOf(token: string): FlowSecrets {
  const made = (purpose: string) => createHash('sha256').update(`${purpose}:${token}`).digest('base64url');
  return { state: made('state'), nonce: made('nonce'), verifier: made('verifier') };
}
