import { createSecretKey, type KeyObject } from 'node:crypto';
import type { Endpoint } from './endpoints.ts';

/** Keys that sign a webhook's requests. With buffers a signature would take five times as long. */
export interface SigningKeys {
  readonly current: readonly KeyObject[];
  /** Both keys until `bothUntil`, in milliseconds since the epoch: the current one and the replaced one. */
  readonly both: readonly KeyObject[];
  readonly bothUntil: number;
}

/** Returns the keys of an endpoint; undefined for one that is no webhook. */
export function keysOf({ kind, secret, old_secret, old_secret_until }: Endpoint): SigningKeys | undefined {
  if (kind !== 'webhook') return undefined;
  const current = [keyOf(secret!)];
  const both = old_secret === null ? current : [...current, keyOf(old_secret)];
  return { current, both, bothUntil: old_secret_until ?? 0 };
}

const keyOf = (secret: string) => createSecretKey(Buffer.from(secret.slice('whsec_'.length), 'base64'));
