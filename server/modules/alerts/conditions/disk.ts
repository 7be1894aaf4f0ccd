import { statfs } from 'node:fs/promises';
import { defineCondition } from '../condition.ts';

/** Free space is low on the disk of the service's data, on the machine of the evaluating process. */
export const disk = defineCondition({
  kind: 'disk',
  of: ['operator'],
  reads: [],
  thresholds: { free_percent: 10 },
  forMinutes: 0,
  example: { subject: '', measured: { free_percent: 7.4 } },
  holds: {
    en: ({ free_percent }) => `${free_percent} % of the disk is free`,
    he: ({ free_percent }) => `${free_percent}% מהדיסק פנויים`,
  },
  async measure({ config }, rules) {
    const { bavail, blocks } = await statfs(config.DATA_DIR).catch((error: NodeJS.ErrnoException) => {
      // With an external PostgreSQL and an external media store, the folder does not exist.
      if (error.code === 'ENOENT') return { bavail: 1, blocks: 1 };
      throw error;
    });
    const free = Math.round((bavail / blocks) * 1_000) / 10;
    return rules
      .filter(({ thresholds }) => free < thresholds.free_percent!)
      .map(({ id }) => ({ ruleId: id, subject: '', measured: { free_percent: free } }));
  },
});
