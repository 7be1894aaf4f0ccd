import { DateTime } from 'luxon';
import type { Clock } from '../../../server/kit/clock.ts';
import { weekdays } from '../../../server/kit/week-hours.ts';
import { asPerson, type Calls, withToken } from '../../api/v1/calls.ts';
import type { TestService } from '../../support/service.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

/** The same hours on every day of the week. */
export const everyDay = (...spans: string[]) => Object.fromEntries(weekdays.map((day) => [day, spans]));

/** Hours of every day from a time on; `from` is in hours from now, the hours are those of a zone. */
export function hoursFrom(clock: Clock, from: number, { hours = 2, zone = 'UTC' } = {}) {
  const begins = DateTime.fromMillis(clock.now() + from * HOUR, { zone }).startOf('minute');
  const text = `${begins.toFormat('HH:mm')}-${begins.plus({ hours }).toFormat('HH:mm')}`;
  return { text, week: everyDay(text), begins: begins.toMillis() };
}

/** A new account with a sending policy, in UTC, with its owner and calls by its token. */
export async function newAccountWith(service: TestService, username: string, policy: object) {
  const account = await service.addAccount({ username, timeZone: 'UTC' }, 1_000);
  const owner = await asPerson(service, 'owner', account.id);
  const calls = withToken(service.url, account.token);
  await owner.call('PATCH', '/sending-policy', policy);
  return { account, owner, calls };
}

/** The messages of a shipment, each with its timeline. */
export async function messagesOf<T>(calls: Calls, shipmentId: string): Promise<T[]> {
  const { messages } = await calls.get<{ messages: { id: string }[] }>(`/messages?shipment_id=${shipmentId}`);
  return Promise.all(messages.map(({ id }) => calls.get<T>(`/messages/${id}`)));
}
