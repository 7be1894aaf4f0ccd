import { numbers, texts } from '../../database/arrays.ts';
import type { Erasure, ExportedRow, OwnUse, PersonalDataPart, Search } from '../personal-data/part.ts';
import { countNamed, eraseNamed, isoOf, type NamedTable, rowsNamed } from '../personal-data/table-parts.ts';
import { deleteContacts, lockLists } from './contact-rows.ts';
import type { Suppressions } from './suppressions.ts';

const contacts: NamedTable = {
  table: 'contacts',
  kind: 'contacts',
  by: { phone: ['phones'] },
  key: ['list_id', 'phone'],
  shown: ['list_id', 'phone', 'df1', 'df2', 'df3', 'df4', 'df5', 'df6'],
};
const blacklist: NamedTable = {
  table: 'blacklist',
  kind: 'blacklist',
  by: { phone: ['phones'] },
  key: ['phone'],
  shown: ['phone', 'created_at'],
  times: ['created_at'],
};
const verifications: NamedTable = {
  table: 'phone_verifications',
  kind: 'verifications',
  by: { phone: ['phones'] },
  key: ['id'],
  shown: ['id', 'phone', 'landline', 'expires_at', 'confirmed_at'],
  times: ['expires_at', 'confirmed_at'],
};
const named = [contacts, blacklist, verifications];

/** Jobs whose files are deleted per step. */
const JOBS_AT_ONCE = 50;

interface AudiencePartDeps {
  readonly suppressions: Suppressions;
}

/**
 * Contact lists, the blacklist, verified numbers, and imported or exported files. People who were on the blacklist when
 * they were erased still get no messages: a keyed digest of the number replaces the entry (suppressions.ts).
 */
export const audiencePart = ({ suppressions }: AudiencePartDeps): PersonalDataPart => ({
  tables: [
    ...named.map(({ table }) => table),
    'blacklist_removals',
    'suppressions',
    'csv_jobs',
    'csv_chunks',
    'csv_refusals',
  ],

  async ownUses({ sql, accountId, subject: { phones, addresses } }) {
    return sql<OwnUse[]>`
      SELECT source AS identifier, 'sender' AS use FROM sources
      WHERE account_id = ${accountId} AND source = ANY(${texts([...phones, ...addresses])}::text[])`;
  },

  async count(search) {
    const counts = await countNamed(search, named);
    const files = await finishedJobs(search);
    return { ...counts, 'csv-files': files.length };
  },

  async *rows(search) {
    for await (const { kind, row } of rowsNamed(search, named)) yield { kind, row };
    yield* removals(search);
  },

  async erase(erasure) {
    const contactCount = await eraseContacts(erasure);
    const onList = await moveToSuppressions(erasure, suppressions);
    const rest = await eraseNamed(erasure, [verifications]);
    await eraseRemovals(erasure);
    return { ...rest, contacts: contactCount, blacklist: onList, 'csv-files': await eraseFiles(erasure) };
  },

  /** A running import may add the person again. */
  async isBusy({ sql, accountId }) {
    const [open] = await sql`
      SELECT 1 FROM csv_jobs WHERE account_id = ${accountId} AND finished_at IS NULL LIMIT 1`;
    return open !== undefined;
  },
});

/** Removes contacts from their lists and updates the counts. */
async function eraseContacts({ sql, accountId, subject, keepLease }: Erasure): Promise<number> {
  let erased = 0;
  for (const phone of subject.phones) {
    await keepLease();
    const lists = await sql<{ list_id: number }[]>`
      SELECT list_id FROM contacts WHERE account_id = ${accountId} AND phone = ${phone} ORDER BY list_id`;
    for (const { list_id: listId } of lists) {
      await keepLease();
      erased += await sql.begin(async (tx) => {
        const there = await lockLists(tx, accountId, [listId]);
        if (there.has(listId)) return (await deleteContacts(tx, accountId, listId, [phone])).length;
        // The list was removed, and its contacts are being deleted.
        const { count } = await tx`
          DELETE FROM contacts WHERE account_id = ${accountId} AND list_id = ${listId} AND phone = ${phone}`;
        return count;
      });
    }
  }
  return erased;
}

async function moveToSuppressions(
  { sql, accountId, subject, requestId, keepLease }: Erasure,
  suppressions: Suppressions,
): Promise<number> {
  let moved = 0;
  for (const phone of subject.phones) {
    await keepLease();
    moved += await sql.begin(async (tx) => {
      const { count } = await tx`DELETE FROM blacklist WHERE account_id = ${accountId} AND phone = ${phone}`;
      if (count > 0) await suppressions.add(tx, accountId, [phone], requestId);
      return count;
    });
  }
  return moved;
}

/**
 * The removals of the number from the blacklist, with reason and time, without other numbers that were removed with it.
 */
async function* removals({ sql, accountId, subject }: Search): AsyncGenerator<ExportedRow> {
  if (subject.phones.length === 0) return;
  const rows = await sql<{ id: number; reason: string; at: number }[]>`
    SELECT id, reason, at FROM blacklist_removals
    WHERE account_id = ${accountId} AND phones && ${texts(subject.phones)}::text[] ORDER BY id`;
  for (const { reason, at } of rows) {
    yield { kind: 'blacklist', row: { removed_at: isoOf(at), reason } };
  }
}

async function eraseRemovals({ sql, accountId, subject, pseudonymOf, keepLease }: Erasure): Promise<void> {
  for (const phone of subject.phones) {
    await keepLease();
    await sql`
      UPDATE blacklist_removals SET phones = array_replace(phones, ${phone}, ${pseudonymOf(phone)})
      WHERE account_id = ${accountId} AND phones @> ${texts([phone])}::text[]`;
  }
}

/** Finished jobs that still have a file, or the number at which they stopped. */
async function finishedJobs({ sql, accountId }: Search): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    SELECT j.id FROM csv_jobs j
    WHERE j.account_id = ${accountId} AND j.finished_at IS NOT NULL AND (j.after_phone <> '' OR EXISTS (
      SELECT 1 FROM csv_chunks c WHERE c.account_id = ${accountId} AND c.job_id = j.id))
    ORDER BY j.id`;
  return rows.map(({ id }) => id);
}

/**
 * Deletes files of exports that are kept for download: they contain whole lists, which may include the person, and can
 * be created again.
 */
async function eraseFiles(erasure: Erasure): Promise<number> {
  const { sql, accountId, keepLease } = erasure;
  const jobs = await finishedJobs(erasure);
  for (let from = 0; from < jobs.length; from += JOBS_AT_ONCE) {
    await keepLease();
    const ids = numbers(jobs.slice(from, from + JOBS_AT_ONCE));
    await sql.begin(async (tx) => {
      await tx`DELETE FROM csv_chunks WHERE account_id = ${accountId} AND job_id = ANY(${ids}::bigint[])`;
      await tx`
        UPDATE csv_jobs SET chunks = 0, after_phone = '', state = CASE WHEN state = 'done' AND kind = 'export' THEN 'stopped' ELSE state END
        WHERE account_id = ${accountId} AND id = ANY(${ids}::bigint[])`;
    });
  }
  return jobs.length;
}
