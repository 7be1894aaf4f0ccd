import type { PersonalDataPart } from '../personal-data/part.ts';
import { identifiersOf } from '../personal-data/subject.ts';
import { isoOf } from '../personal-data/table-parts.ts';
import type { Consents } from './consents.ts';

/** Rows of one page. */
const PAGE = 500;

/**
 * What a person agreed to and withdrew. The rows stay after an erasure, as a proof for legal claims (GDPR art. 17(3)(e)), with a
 * keyed digest in place of the number or address.
 */
export const consentsPart = (consents: Consents): PersonalDataPart => ({
  tables: ['consents', 'consent_subjects', 'consent_heads'],

  async count(search) {
    let count = 0;
    for await (const _ of this.rows(search)) count++;
    return { consents: count };
  },

  async *rows({ accountId, subject, keepLease }) {
    for (const identifier of identifiersOf(subject)) {
      for (let before: number | undefined; ; ) {
        await keepLease();
        const rows = await consents.list(accountId, { before, limit: PAGE, subject: identifier });
        for (const row of rows) {
          if (row.subject === null) continue;
          const { position, channel, purpose, action, source, at, recordedAt, evidence, digest } = row;
          const times = { at: isoOf(at), recorded_at: isoOf(recordedAt) };
          yield {
            kind: 'consents',
            row: {
              position,
              subject: row.subject,
              ...times,
              channel,
              purpose,
              action,
              source,
              evidence,
              digest,
            },
          };
        }
        if (rows.length < PAGE) break;
        before = rows.at(-1)!.position;
      }
    }
  },

  async erase(erasure) {
    const { accountId, subject, keepLease } = erasure;
    // Entries, as a search counts them: the number of all of them is in one row.
    const entries = await this.count(erasure);
    for (const identifier of identifiersOf(subject)) {
      await keepLease();
      await consents.forget(accountId, identifier);
    }
    return entries;
  },
});
