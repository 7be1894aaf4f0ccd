import type { Answer } from '../../api/operations.ts';
import type { Tone } from '../../components/values.tsx';

export type MailList = Answer<'/v1/mail/lists/{id}'>;
export type MailUser = Answer<'/v1/mail/lists/{id}/users'>['users'][number];

type UserState = MailUser['status'] | 'waiting';

/** State of a recipient in a list: an active recipient may still have to confirm the subscription. */
export const stateOf = ({ status, waiting }: MailUser): UserState =>
  status === 'active' && waiting ? 'waiting' : status;

export const toneOf: Readonly<Record<UserState, Tone>> = {
  active: 'good',
  waiting: 'busy',
  removed: 'warning',
  complained: 'bad',
  bounced: 'bad',
  deleted: 'neutral',
};
