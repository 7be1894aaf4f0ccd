import { numbers, texts } from '../../database/arrays.ts';
import type { Row } from '../../database/connection.ts';
import type { Suppressions } from '../../modules/audience/suppressions.ts';
import type { Media } from '../../modules/media/media.ts';
import { receivedFile, sentFile } from '../../modules/media/references.ts';
import { mediaState } from '../../modules/media/rows.ts';
import { replaceInJson } from '../../modules/personal-data/mentions.ts';
import type {
  Erasure,
  ExportedRow,
  OwnUse,
  PersonalDataPart,
  Search,
} from '../../modules/personal-data/part.ts';
import { identifiersOf } from '../../modules/personal-data/subject.ts';
import {
  countNamed,
  eraseNamed,
  type NamedTable,
  partOfMentions,
  ROWS_AT_ONCE,
  rowsNamed,
} from '../../modules/personal-data/table-parts.ts';
import { unusable } from './campaign-request.ts';
import { chatChannel } from './channel.ts';

const incoming: NamedTable = {
  table: 'chat_incoming',
  kind: 'incoming-chat',
  by: { client: ['phones', 'chatIds'], client_user_id: ['chatIds'] },
  key: ['id'],
  shown: [
    'id',
    'number',
    'client',
    'type',
    'body',
    'content',
    'client_name',
    'client_username',
    'client_user_id',
    'is_echo',
  ],
};
const windows: NamedTable = {
  table: 'chat_windows',
  kind: 'chat-windows',
  by: { client: ['phones', 'chatIds'] },
  key: ['number', 'client'],
  shown: ['number', 'client', 'client_at', 'conversation_at', 'template_at', 'unanswered'],
  times: ['client_at', 'conversation_at', 'template_at'],
};
const reached: NamedTable = {
  table: 'chat_reached',
  kind: 'chat-windows',
  by: { client: ['phones', 'chatIds'] },
  key: ['portfolio_id', 'client'],
  shown: ['client'],
};
const users: NamedTable = {
  table: 'chat_users',
  kind: 'chat-windows',
  by: { user_id: ['chatIds'], phone: ['phones'] },
  key: ['user_id'],
  shown: ['user_id', 'phone'],
};
const stops: NamedTable = {
  table: 'chat_stops',
  kind: 'blacklist',
  by: { user_id: ['chatIds'] },
  key: ['user_id'],
  shown: ['user_id', 'is_stopped', 'at'],
  times: ['at'],
};
const named = [incoming, windows, reached, users, stops];
/** Without the opt-outs, which become digests. */
const deleted = [windows, reached, users];

/** Statuses that arrived before their messages, until those are found. */
const early = partOfMentions([
  { table: 'chat_early_statuses', kind: 'mentions', key: 'id', columns: { fact: replaceInJson } },
]);

interface ChatPartDeps {
  readonly media: Pick<Media, 'find' | 'read' | 'remove'>;
  readonly suppressions: Pick<Suppressions, 'add'>;
}

/** Chat: messages of clients, sent and received files, windows, and ids of clients who hide their number. */
export const chatPart = (deps: ChatPartDeps): PersonalDataPart => ({
  tables: [
    ...named.map(({ table }) => table),
    'chat_campaign_phones',
    'chat_received',
    'media',
    ...early.tables,
  ],

  async complete({ sql, accountId, subject: { phones, chatIds } }) {
    const rows = await sql<{ user_id: string; phone: string }[]>`
      SELECT user_id, phone FROM chat_users
      WHERE account_id = ${accountId}
        AND (phone = ANY(${texts(phones)}::text[]) OR user_id = ANY(${texts(chatIds)}::text[]))`;
    return { phones: rows.map(({ phone }) => phone), chatIds: rows.map(({ user_id }) => user_id) };
  },

  async ownUses({ sql, accountId, subject: { phones, addresses } }) {
    return sql<OwnUse[]>`
      SELECT phone AS identifier, 'business-number' AS use FROM chat_numbers
      WHERE account_id = ${accountId} AND phone = ANY(${texts([...phones, ...addresses])}::text[])`;
  },

  async count(search) {
    let files = 0;
    for await (const _ of filesOf(search)) files++;
    return { ...(await countNamed(search, named)), files };
  },

  async *rows(search) {
    for await (const { kind, row } of rowsNamed(search, named)) yield { kind, row };
    for await (const { id } of filesOf(search)) yield* fileRow(deps, search, id);
  },

  async erase(erasure) {
    let files = 0;
    for await (const { id, isTheirs } of filesOf(erasure)) {
      if (isTheirs || (await isOnlyFor(erasure, id))) files += await deps.media.remove(erasure.accountId, id);
    }
    const chats = await eraseIncoming(erasure);
    const stopped = await moveStops(erasure, deps.suppressions);
    await eraseWaitingPhones(erasure);
    await early.erase(erasure);
    return { ...(await eraseNamed(erasure, deleted)), 'incoming-chat': chats, blacklist: stopped, files };
  },
});

/** Yields the files that the person sent (`isTheirs`), and those that were sent to them. */
async function* filesOf({
  sql,
  accountId,
  subject,
  keepLease,
}: Search): AsyncGenerator<{ id: number; isTheirs: boolean }> {
  const clients = texts([...subject.phones, ...subject.chatIds]);
  const came = sql`
    SELECT id AS row_id, ${receivedFile(sql)} AS media_id FROM chat_incoming
    WHERE account_id = ${accountId} AND client = ANY(${clients}::text[]) AND ${receivedFile(sql)} IS NOT NULL`;
  const went = sql`
    SELECT id AS row_id, ${sentFile(sql, chatChannel.id)} AS media_id FROM messages
    WHERE account_id = ${accountId} AND recipient = ANY(${clients}::text[]) AND channel = ${chatChannel.id}
      AND ${sentFile(sql, chatChannel.id)} IS NOT NULL`;
  for (const [source, isTheirs] of [[came, true] as const, [went, false] as const]) {
    for (let after = 0; ; ) {
      await keepLease();
      const rows = await sql<{ row_id: number; media_id: number }[]>`
        SELECT row_id, media_id FROM (${source}) files WHERE row_id > ${after} ORDER BY row_id LIMIT ${ROWS_AT_ONCE}`;
      for (const { media_id } of rows) yield { id: media_id, isTheirs };
      if (rows.length < ROWS_AT_ONCE) break;
      after = rows.at(-1)!.row_id;
    }
  }
}

async function* fileRow(
  { media }: ChatPartDeps,
  { accountId }: Search,
  id: number,
): AsyncGenerator<ExportedRow> {
  const file = await media.find(accountId, id);
  if (!file) return;
  const { kind, mimeType, fileName, size, sha256 } = file;
  const row = { id: String(id), what: kind, mime_type: mimeType, file_name: fileName, size, sha256 };
  if (file.state !== mediaState.stored || size === null) {
    yield { kind: 'files', row };
    return;
  }
  const extension =
    /\.[a-z0-9]{1,8}$/i.exec(fileName)?.[0] ??
    `.${mimeType
      .split('/')
      .at(-1)!
      .replaceAll(/[^a-z0-9]/gi, '')}`;
  const name = `${id}${extension.toLowerCase()}`;
  yield { kind: 'files', row: { ...row, file: name }, file: { name, size, read: () => media.read(file) } };
}

/** Messages that one statement searches for a file. */
const LOOKED_THROUGH = 5_000;

/** Whether a file was uploaded only for this person: not sent by somebody else, and to nobody else. */
async function isOnlyFor({ sql, accountId, subject, keepLease }: Erasure, id: number): Promise<boolean> {
  const [upload] =
    await sql`SELECT 1 FROM media WHERE account_id = ${accountId} AND id = ${id} AND origin = ''`;
  if (!upload) return false;
  const mine = texts(identifiersOf(subject));
  // A file is older than every message that contains it.
  for (let after = id; ; ) {
    await keepLease();
    const beyond = sql`account_id = ${accountId} AND id > ${after} AND channel = ${chatChannel.id}`;
    const [end]: readonly Row[] = await sql`
      SELECT max(page.id) AS last, count(*)::int AS count FROM (
        SELECT id FROM messages WHERE ${beyond} ORDER BY id LIMIT ${LOOKED_THROUGH}) page`;
    if (end!.count === 0) return true;
    const [other] = await sql`
      SELECT 1 FROM messages
      WHERE ${beyond} AND id <= ${end!.last} AND recipient <> ALL(${mine}::text[])
        AND ${sentFile(sql, chatChannel.id)} = ${id} LIMIT 1`;
    if (other) return false;
    if (end!.count < LOOKED_THROUGH) return true;
    after = end!.last as number;
  }
}

/** Deletes received messages, and the records that recognise repetitions: their ids contain the number. */
async function eraseIncoming({ sql, accountId, subject, keepLease }: Erasure): Promise<number> {
  let erased = 0;
  for (const client of [...subject.phones, ...subject.chatIds]) {
    const isMine = subject.chatIds.includes(client)
      ? sql`(client = ${client} OR client_user_id = ${client})`
      : sql`client = ${client}`;
    for (;;) {
      await keepLease();
      const count = await sql.begin(async (tx) => {
        const rows = await tx<{ id: number; platform_id: string }[]>`
          SELECT id, platform_id FROM chat_incoming WHERE account_id = ${accountId} AND ${isMine}
          ORDER BY id LIMIT ${ROWS_AT_ONCE}`;
        await tx`
          DELETE FROM chat_received
          WHERE account_id = ${accountId} AND platform_id = ANY(${texts(rows.map((row) => row.platform_id))}::text[])`;
        await tx`
          DELETE FROM chat_incoming
          WHERE account_id = ${accountId} AND id = ANY(${numbers(rows.map(({ id }) => id))}::bigint[])`;
        return rows.length;
      });
      erased += count;
      if (count < ROWS_AT_ONCE) break;
    }
    // Prefix of recorded opt-outs (opt-outs.ts).
    await sql`
      DELETE FROM chat_received
      WHERE account_id = ${accountId} AND platform_id >= ${`stop ${client} `} AND platform_id < ${`stop ${client}!`}`;
  }
  return erased;
}

async function moveStops(
  { sql, accountId, subject, requestId, keepLease }: Erasure,
  suppressions: Pick<Suppressions, 'add'>,
): Promise<number> {
  let moved = 0;
  for (const userId of subject.chatIds) {
    await keepLease();
    moved += await sql.begin(async (tx) => {
      const rows = await tx<{ is_stopped: boolean }[]>`
        DELETE FROM chat_stops WHERE account_id = ${accountId} AND user_id = ${userId} RETURNING is_stopped`;
      if (rows.some((row) => row.is_stopped)) await suppressions.add(tx, accountId, [userId], requestId);
      return rows.length;
    });
  }
  return moved;
}

/** Single phones of campaigns that have no message yet: an invalid number keeps the position, and gets no message. */
async function eraseWaitingPhones({
  sql,
  accountId,
  subject,
  pseudonymOf,
  keepLease,
}: Erasure): Promise<void> {
  for (const phone of subject.phones) {
    await keepLease();
    await sql`
      UPDATE chat_campaign_phones SET phones = array_replace(phones, ${phone}, ${unusable(pseudonymOf(phone))})
      WHERE account_id = ${accountId} AND phones @> ${texts([phone])}::text[]`;
  }
}
