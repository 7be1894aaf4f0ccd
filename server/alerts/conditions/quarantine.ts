import type { Condition } from '../condition.ts';

/** Results of messages could not be stored and wait for the operator. */
export const quarantine: Condition = {
  kind: 'quarantine',
  of: ['operator'],
  reads: [],
  thresholds: {},
  forMinutes: 0,
  async measure({ sql }, rules) {
    const [row] = await sql<{ count: number }[]>`SELECT count(*)::int AS count FROM quarantine`;
    if (row!.count === 0) return [];
    return rules.map(({ id }) => ({ ruleId: id, subject: '', measured: { results: row!.count } }));
  },
};
