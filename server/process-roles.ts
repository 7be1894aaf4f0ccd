/** What a process does: takes requests, sends, runs jobs. */
export const roles = ['api', 'dispatch', 'jobs'] as const;
export type Role = (typeof roles)[number];
