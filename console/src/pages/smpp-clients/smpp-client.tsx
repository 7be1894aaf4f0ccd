import { useState } from 'react';
import type { Answer } from '../../api/operations.ts';
import { StatusBadge } from '../../components/values.tsx';
import { useSmppTexts } from './texts.ts';

export type SmppClient = Answer<'/v1/smpp-clients/{id}'>;

export const CLIENTS = '/v1/smpp-clients';
export const CLIENT = '/v1/smpp-clients/{id}';
/** Milliseconds between two refreshes; the service stores the counts of binds every five seconds. */
export const REFRESH_MS = 5_000;

/** Characters of passwords: those that cannot be mistaken for others. */
const CHARACTERS = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** Returns a random password. */
export function newPassword(length: number): string {
  // Values beyond the last multiple would make some characters more frequent.
  const most = 256 - (256 % CHARACTERS.length);
  let password = '';
  while (password.length < length) {
    const [value = 0] = crypto.getRandomValues(new Uint8Array(1));
    if (value < most) password += CHARACTERS[value % CHARACTERS.length];
  }
  return password;
}

/** Says whether a client is bound, may bind, or is disabled. */
export function ClientState({ client: { enabled, binds } }: { readonly client: SmppClient }) {
  const t = useSmppTexts();
  if (!enabled) return <StatusBadge tone="neutral">{t.disabled}</StatusBadge>;
  return binds.length > 0 ? (
    <StatusBadge tone="good">{t.bound}</StatusBadge>
  ) : (
    <StatusBadge tone="warning">{t.notBound}</StatusBadge>
  );
}

/** Returns a count summed over the binds of a client. */
export const countOf = ({ binds }: SmppClient, count: 'accepted' | 'refused'): number =>
  binds.reduce((sum, bind) => sum + bind[count], 0);

interface Counted {
  readonly client: SmppClient;
  readonly at: number;
  /** Messages accepted per second since the answer before. */
  readonly perSecond: number;
}

/**
 * Returns how many messages per second a client submits, from the difference between two answers of the service.
 *
 * @param at time of the answer, in milliseconds
 */
export function useRate(client: SmppClient, at: number): number {
  const [last, setLast] = useState<Counted>({ client, at, perSecond: 0 });
  if (at === last.at) return last.perSecond;
  const before = new Map(last.client.binds.map(({ id, accepted }) => [id, accepted]));
  const accepted = client.binds.reduce((sum, bind) => sum + bind.accepted - (before.get(bind.id) ?? 0), 0);
  const perSecond = (1_000 * Math.max(0, accepted)) / (at - last.at);
  setLast({ client, at, perSecond });
  return perSecond;
}
