import type { Queryable } from '../../database/connection.ts';
import { counter, gauge } from '../../kit/observability/metrics.ts';

export const attemptsTotal = counter(
  'carillon_work_attempts_total',
  'Attempts of background work by kind and outcome: done, later, failed, abandoned, lost.',
  'kind',
  'outcome',
);

export const rescuedTotal = counter(
  'carillon_work_rescued_total',
  'Background work that was taken over from a process that was killed or paused.',
  'kind',
);

const waiting = gauge(
  'carillon_work_waiting',
  'Background work that is due or waits for its next attempt.',
  'kind',
);
const failed = gauge(
  'carillon_work_failed',
  'Abandoned background work, which an operator can retry or discard.',
  'kind',
);
const late = gauge(
  'carillon_work_late_seconds',
  'How long the oldest due item of background work has been waiting.',
  'kind',
);

interface Measured {
  readonly kind: string;
  readonly waiting: number;
  readonly failed: number;
  readonly oldest: number | null;
}

/** Measures the background work of these kinds. Throws errors of the database. */
export async function measureWork(sql: Queryable, kinds: readonly string[], now: number): Promise<void> {
  const rows = await sql<Measured[]>`
    SELECT kind, count(*) FILTER (WHERE state = 'waiting') AS waiting, count(*) FILTER (WHERE state = 'failed') AS failed,
      min(due_at) FILTER (WHERE state = 'waiting' AND due_at <= ${now}) AS oldest
    FROM work GROUP BY kind`;
  const byKind = new Map(rows.map((row) => [row.kind, row]));
  for (const kind of kinds) {
    const row = byKind.get(kind);
    waiting.set({ kind }, row?.waiting ?? 0);
    failed.set({ kind }, row?.failed ?? 0);
    late.set({ kind }, row?.oldest ? (now - row.oldest) / 1_000 : 0);
  }
}
