import type { paths } from '../../api/schema.ts';
import type { Tone } from '../../components/values.tsx';

export type MailList = paths['/v1/mail/lists/{id}']['get']['responses'][200]['content']['application/json'];
export type MailUser =
  paths['/v1/mail/lists/{id}/users']['get']['responses'][200]['content']['application/json']['users'][number];

export type UserState = MailUser['status'] | 'waiting';

/** How a user of a list stands there: who is active may still have to confirm it. */
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
