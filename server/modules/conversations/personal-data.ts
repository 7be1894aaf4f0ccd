import { numbers, texts } from '../../database/arrays.ts';
import { timeOfId } from '../../kit/ids.ts';
import type { Erasure, ExportedRow, PersonalDataPart, Search } from '../personal-data/part.ts';
import { identifiersOf } from '../personal-data/subject.ts';
import { countNamed, isoOf, type NamedTable, ROWS_AT_ONCE, rowsNamed } from '../personal-data/table-parts.ts';

const conversations: NamedTable = {
  table: 'conversations',
  kind: 'conversations',
  by: { client: ['phones', 'addresses', 'chatIds'] },
  key: ['id'],
  shown: ['id', 'sender', 'client', 'client_name', 'last_text'],
};

/** Conversations with their notes and automatic replies: an erasure deletes them. */
export const conversationsPart: PersonalDataPart = {
  tables: ['conversations', 'conversation_entries', 'conversation_tasks'],

  async count(search) {
    const { sql, accountId, subject } = search;
    const counts = await countNamed(search, [conversations]);
    const [entries] = await sql<{ count: number }[]>`
      SELECT count(*)::int AS count FROM conversation_entries
      WHERE account_id = ${accountId} AND conversation_id IN (
        SELECT id FROM conversations
        WHERE account_id = ${accountId} AND client = ANY(${texts(identifiersOf(subject))}::text[]))`;
    return { ...counts, 'conversation-entries': entries!.count };
  },

  async *rows(search) {
    for await (const { kind, row, source } of rowsNamed(search, [conversations])) {
      yield { kind, row };
      yield* entriesOf(search, source.id as number);
    }
  },

  async erase(erasure) {
    let [erased, entries] = [0, 0];
    for (const client of identifiersOf(erasure.subject)) {
      for (;;) {
        const some = await eraseSome(erasure, client);
        erased += some.conversations;
        entries += some.entries;
        if (some.conversations < ROWS_AT_ONCE) break;
      }
    }
    return { conversations: erased, 'conversation-entries': entries };
  },
};

/** Entries other than messages: notes, labels, assignments. */
async function* entriesOf(
  { sql, accountId, keepLease }: Search,
  conversationId: number,
): AsyncGenerator<ExportedRow> {
  for (let after = 0; ; ) {
    await keepLease();
    const rows = await sql<
      { id: number; kind: string; person_name: string | null; text: string | null; details: object | null }[]
    >`
      SELECT id, kind, person_name, text, details FROM conversation_entries
      WHERE account_id = ${accountId} AND conversation_id = ${conversationId} AND id > ${after}
      ORDER BY id LIMIT ${ROWS_AT_ONCE}`;
    for (const { id, kind, person_name: by, text, details } of rows) {
      const at = isoOf(timeOfId(id));
      yield {
        kind: 'conversation-entries',
        row: { conversation_id: String(conversationId), at, what: kind, by, text, details },
      };
    }
    if (rows.length < ROWS_AT_ONCE) return;
    after = rows.at(-1)!.id;
  }
}

async function eraseSome({ sql, accountId, keepLease }: Erasure, client: string) {
  await keepLease();
  return sql.begin(async (tx) => {
    const rows = await tx<{ id: number }[]>`
      SELECT id FROM conversations WHERE account_id = ${accountId} AND client = ${client}
      ORDER BY id LIMIT ${ROWS_AT_ONCE} FOR UPDATE`;
    const ids = numbers(rows.map(({ id }) => id));
    await tx`
      DELETE FROM conversation_tasks WHERE account_id = ${accountId} AND conversation_id = ANY(${ids}::bigint[])`;
    const entries = await tx`
      DELETE FROM conversation_entries WHERE account_id = ${accountId} AND conversation_id = ANY(${ids}::bigint[])`;
    await tx`DELETE FROM conversations WHERE account_id = ${accountId} AND id = ANY(${ids}::bigint[])`;
    return { conversations: rows.length, entries: entries.count };
  });
}
