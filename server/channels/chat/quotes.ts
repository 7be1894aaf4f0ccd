import { accountsOf } from '../../database/arrays.ts';
import { bigints, smallints, textArray } from '../../database/binary-arrays.ts';
import type { Queryable } from '../../database/connection.ts';
import { Refusal } from '../../kit/errors.ts';
import { idFloor } from '../../kit/ids.ts';
import { normaliseId } from '../../protocols/smpp/message-id.ts';
import type { ChatNumber } from './business-numbers.ts';
import { chatRoute } from './statuses.ts';

/** Milliseconds for which messages can be found when they are quoted or their buttons pressed. */
const LOOK_BACK = 30 * 86_400_000;

type NumberKey = Pick<ChatNumber, 'accountId' | 'phone'>;

/**
 * Returns the platform's id of a client's message to a business number, for quoting it. `id` is ours, as in
 * `chat.message`; `client` is E.164 digits. Throws Refusal `bad-reply` if no such message exists.
 */
export async function findQuoted(
  sql: Queryable,
  { accountId, phone }: NumberKey,
  client: string,
  id: string,
): Promise<string> {
  const number = /^\d{1,16}$/.test(id) ? Number(id) : NaN;
  if (Number.isSafeInteger(number)) {
    const [row] = await sql<{ platform_id: string }[]>`
      SELECT platform_id FROM chat_incoming
      WHERE account_id = ${accountId} AND id = ${number} AND number = ${phone} AND client = ${client}
        AND NOT is_echo`;
    if (row) return row.platform_id;
  }
  throw new Refusal('bad-reply', 'the client has sent no such message', 'replyTo');
}

/** Returns our id of a client's message by the platform's; null if it is no longer known. */
export async function findReceived(
  sql: Queryable,
  accountId: number,
  platformId: string,
): Promise<number | null> {
  const [row] = await sql<{ message_id: number | null }[]>`
    SELECT message_id FROM chat_received WHERE account_id = ${accountId} AND platform_id = ${platformId}`;
  return row?.message_id ?? null;
}

/** Returns our id of a sent message by the platform's; null if it is no longer known. */
export async function findSent(
  sql: Queryable,
  { accountId, phone }: NumberKey,
  platformId: string,
  now: number,
): Promise<number | null> {
  return (await findSentEach(sql, [{ accountId, phone, platformId }], now))[0]!;
}

/** Returns our id of each message as `findSent` does; null without a statement for the id ''. */
export async function findSentEach(
  sql: Queryable,
  asked: readonly (NumberKey & { readonly platformId: string })[],
  now: number,
): Promise<(number | null)[]> {
  const found: (number | null)[] = asked.map(() => null);
  const known = asked.flatMap((one, n) => (one.platformId === '' ? [] : [{ ...one, n }]));
  if (known.length === 0) return found;
  const rows = await sql<{ n: number; message_id: number }[]>`
    SELECT u.n, c.message_id FROM unnest(
      ${smallints(known.map(({ n }) => n))}::smallint[], ${bigints(known.map(({ accountId }) => accountId))}::bigint[],
      ${textArray(known.map(({ phone }) => chatRoute(phone)))}::text[],
      ${textArray(known.map(({ platformId }) => normaliseId(platformId)))}::text[]
    ) AS u (n, account_id, route, carrier_id), LATERAL (
      SELECT message_id FROM carrier_messages
      WHERE carrier_id = u.carrier_id AND link = u.route AND account_id = u.account_id
        AND account_id = ANY(${accountsOf(known)}::bigint[]) AND message_id >= ${idFloor(now - LOOK_BACK)} OFFSET 0
    ) c`;
  for (const { n, message_id } of rows) found[n] = message_id;
  return found;
}
