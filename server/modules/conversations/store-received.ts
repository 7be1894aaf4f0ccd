import { accountsOf } from '../../database/arrays.ts';
import { bigints, ints, smallints, textArray } from '../../database/binary-arrays.ts';
import type { TransactionSql } from '../../database/connection.ts';
import { timeOfId } from '../../kit/ids.ts';
import type { AccountReceived, Received } from './received.ts';
import { beginning, type Conversation, conversationColumns } from './rows.ts';

/** A conversation after a message of its client. */
export interface StoredConversation extends Conversation {
  /** The message that opened it, or opened it again. */
  readonly opened_id: number;
  /** Time of the last away message; null: never. */
  readonly away_at: number | null;
}

/** Consecutive messages of one kind in a conversation. Kinds change its row differently. */
interface Run {
  readonly accountId: number;
  readonly kind: 'written' | 'echo' | 'other';
  readonly messages: Received[];
}

const kindOf = ({ isWritten, isEcho }: Received): Run['kind'] =>
  isWritten ? 'written' : isEcho ? 'echo' : 'other';

/** Returns the key of a message's conversation in a group. */
export const keyOf = ({ accountId, received: { client, sender } }: AccountReceived): string =>
  conversationKey(accountId, client, sender);

const conversationKey = (accountId: number, client: string, sender: string) =>
  `${accountId}\0${client}\0${sender}`;

/**
 * Stores messages in their conversations, in as few statements as possible. Returns the conversations with messages that
 * the client wrote, by `keyOf`.
 */
export async function storeInConversations(
  tx: TransactionSql,
  all: readonly AccountReceived[],
): Promise<Map<string, StoredConversation>> {
  const runs = new Map<string, Run[]>();
  for (const one of all) {
    const { accountId, received } = one;
    const kind = kindOf(received);
    const own = runs.get(keyOf(one)) ?? [];
    const last = own.at(-1);
    if (last?.kind === kind) last.messages.push(received);
    else own.push({ accountId, kind, messages: [received] });
    runs.set(keyOf(one), own);
  }
  const found = new Map<string, StoredConversation>();
  // A statement changes a row once, so the next run of a conversation has the next statement.
  for (let turn = 0; ; turn++) {
    const next = [...runs.values()].flatMap((own) => own[turn] ?? []);
    if (next.length === 0) return found;
    for (const row of await storeRuns(tx, next)) {
      const { account_id: accountId, ...conversation } = row;
      found.set(conversationKey(accountId, conversation.client, conversation.sender), conversation);
    }
  }
}

/**
 * Stores runs of different conversations in one statement, which locks them in one order in all processes. Only messages
 * that the client wrote have `client_at`; others begin no conversation.
 */
async function storeRuns(
  tx: TransactionSql,
  runs: readonly Run[],
): Promise<(StoredConversation & { readonly account_id: number })[]> {
  const firsts = runs.map(({ messages }) => messages[0]!);
  const lasts = runs.map(({ messages }) => messages.at(-1)!);
  const times = lasts.map(({ messageId }) => timeOfId(messageId));
  const isWritten = runs.map(({ kind }) => kind === 'written');
  const texts = lasts.map(({ text }, index) => tx.keptText(runs[index]!.accountId, beginning(text)) ?? '');
  return tx<(StoredConversation & { account_id: number })[]>`
    INSERT INTO conversations AS c (account_id, id, sender, client, client_name, channel, state, unread, last_id, last_type,
      last_text, last_from_client, client_at, opened_id, changed_at)
    SELECT w.account_id, u.id, u.sender, u.client, u.name, u.channel, 0, u.unread, u.last_id, u.type, u.text,
      u.from_client = 1, u.client_at, u.id, u.at
    FROM wallets w, unnest(
      ${bigints(runs.map(({ accountId }) => accountId))}::bigint[],
      ${bigints(firsts.map(({ messageId }) => messageId))}::bigint[],
      ${textArray(firsts.map(({ sender }) => sender))}::text[], ${textArray(firsts.map(({ client }) => client))}::text[],
      ${textArray(runs.map(nameOf))}::text[], ${smallints(lasts.map(({ channel }) => channel))}::smallint[],
      ${ints(runs.map(({ messages }, index) => (isWritten[index] ? messages.length : 0)))}::integer[],
      ${bigints(lasts.map(({ messageId }) => messageId))}::bigint[], ${textArray(lasts.map(({ type }) => type))}::text[],
      ${textArray(texts)}::text[], ${smallints(runs.map(({ kind }) => (kind === 'echo' ? 0 : 1)))}::smallint[],
      ${bigints(times.map((at, index) => (isWritten[index] ? at : null)))}::bigint[], ${bigints(times)}::bigint[]
    ) AS u (account_id, id, sender, client, name, channel, unread, last_id, type, text, from_client, client_at, at)
    WHERE w.account_id = u.account_id AND w.account_id = ANY(${accountsOf(runs)}::bigint[])
      ${isWritten.every(Boolean) ? tx`` : existing(tx)}
    ORDER BY u.account_id, u.client COLLATE "C", u.sender
    ON CONFLICT ON CONSTRAINT conversations_client_key DO UPDATE SET
      client_name = CASE WHEN excluded.client_name = '' THEN c.client_name ELSE excluded.client_name END,
      channel = CASE WHEN excluded.client_at IS NULL THEN c.channel ELSE excluded.channel END,
      state = CASE WHEN excluded.client_at IS NULL THEN c.state ELSE 0 END,
      unread = CASE WHEN excluded.last_from_client THEN c.unread + excluded.unread ELSE 0 END,
      last_id = greatest(c.last_id, excluded.last_id),
      last_type = excluded.last_type,
      last_text = excluded.last_text,
      last_from_client = excluded.last_from_client,
      client_at = coalesce(excluded.client_at, c.client_at),
      opened_id = CASE WHEN c.state = 0 OR excluded.client_at IS NULL THEN c.opened_id ELSE excluded.opened_id END,
      changed_at = excluded.changed_at
    WHERE excluded.client_at IS NOT NULL OR c.last_id < excluded.last_id
    RETURNING account_id, ${conversationColumns(tx)}, opened_id, away_at`;
}

/** The condition that a message which the client did not write has a conversation. */
const existing = (tx: TransactionSql) => tx`
  AND (u.client_at IS NOT NULL OR EXISTS (
    SELECT FROM conversations e
    WHERE e.account_id = u.account_id AND e.client = u.client AND e.sender = u.sender
  ))`;

/** Returns the last known name that the client wrote with. */
const nameOf = ({ kind, messages }: Run): string =>
  kind === 'written' ? (messages.findLast(({ name }) => name !== '')?.name ?? '') : '';
