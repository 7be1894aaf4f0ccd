import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { PROTOCOL } from './protocol.ts';

/** Values that both sides of a connection know when they prove that they belong to one installation. */
interface Agreed {
  /** Key of the installation. */
  readonly key: Buffer;
  readonly dispatcherNonce: string;
  readonly acceptorNonce: string;
  /** Owner that the side claims to be. */
  readonly owner: string;
}

/** Returns a value that makes the proofs of one connection useless for another. */
export const newNonce = (): string => randomBytes(16).toString('base64url');

/** Returns the proof of one side: a process without the key cannot compute it. */
export function proofOf(
  side: 'acceptor' | 'dispatcher',
  { key, dispatcherNonce, acceptorNonce, owner }: Agreed,
): string {
  const text = JSON.stringify([side, PROTOCOL, dispatcherNonce, acceptorNonce, owner]);
  return createHmac('sha256', key).update(text).digest('base64url');
}

/** Whether a proof is the expected one. */
export function isProof(given: unknown, expected: string): boolean {
  if (typeof given !== 'string' || given.length !== expected.length) return false;
  return timingSafeEqual(Buffer.from(given), Buffer.from(expected));
}
