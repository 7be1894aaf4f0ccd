import { defineCondition } from '../condition.ts';

/** Results of messages could not be stored and wait for the operator. */
export const quarantine = defineCondition({
  kind: 'quarantine',
  of: ['operator'],
  reads: [],
  thresholds: {},
  forMinutes: 0,
  example: { subject: '', measured: { results: 3 } },
  holds: {
    en: ({ results }) => `${results} results are in quarantine`,
    he: ({ results }) => `${results} תוצאות נמצאות בהסגר`,
  },
  async measure({ sql }, rules) {
    const [row] = await sql<{ count: number }[]>`SELECT count(*)::int AS count FROM quarantine`;
    if (row!.count === 0) return [];
    return rules.map(({ id }) => ({ ruleId: id, subject: '', measured: { results: row!.count } }));
  },
});
