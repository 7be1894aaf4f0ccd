import { DateTime } from 'luxon';
import { parseLocal } from '../../kit/time-zones.ts';
import type { ConsentChannel, ConsentEvidence, ConsentInput } from './consents.ts';

/** A clock that is a little ahead of ours is no reason to refuse. */
export const AHEAD_MS = 60_000;

/** What the people of an import agreed to, as its layout keeps it. */
export interface ImportConsent {
  readonly channel: ConsentChannel;
  readonly purpose: string;
  readonly evidence: ConsentEvidence;
  /** When all of them agreed, milliseconds since the epoch; or the index of the column that says it of each. */
  readonly when: { readonly at: number } | { readonly column: number };
  /** IANA name: whose clock times without an offset go by. */
  readonly zone: string;
}

/** A row of an import, and when its person agreed, in milliseconds since the epoch; null: they did not. */
export interface AgreedRow<Row> {
  readonly row: Row;
  readonly agreedAt: number | null;
}

/**
 * When the person of a row agreed, in milliseconds since the epoch; null for an empty cell: they did not. `bad-consent-time` for
 * what is no date like `2026-02-01`, `2026-02-01T08:00` (with an offset or without) or `01/02/2026 08:00`, or is in the future.
 */
export function readAgreedAt(
  fields: readonly string[],
  { when, zone }: ImportConsent,
  now: number,
): number | null | 'bad-consent-time' {
  if ('at' in when) return when.at;
  const cell = (fields[when.column] ?? '').trim();
  if (cell === '') return null;
  const time = readTime(cell, zone);
  return time === null || time > now + AHEAD_MS ? 'bad-consent-time' : time;
}

/** The entries of the consent log for rows of an import, those who have agreed. `id` is that of the import. */
export function entriesOf<Row>(
  rows: Iterable<AgreedRow<Row>>,
  { channel, purpose, evidence }: ImportConsent,
  id: number,
  subjectOf: (row: Row) => string,
): ConsentInput[] {
  const shown = { ...evidence, file: evidence.file ?? `import ${id}` };
  const entries: ConsentInput[] = [];
  for (const { row, agreedAt } of rows) {
    if (agreedAt === null) continue;
    const subject = subjectOf(row);
    entries.push({
      ...{ subject, channel, purpose, action: 'given', at: agreedAt, source: 'import' },
      evidence: shown,
    });
  }
  return entries;
}

function readTime(text: string, zone: string): number | null {
  if (/^\d{4}-\d{2}-\d{2}/.test(text)) {
    const time = DateTime.fromISO(text.replace(' ', 'T'), { zone });
    return time.isValid ? time.toMillis() : null;
  }
  return parseLocal(/\s/.test(text) ? text : `${text} 00:00`, zone);
}
