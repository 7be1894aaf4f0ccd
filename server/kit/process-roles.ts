/** Roles of a process: serve requests, send messages, run jobs. */
export const roles = ['api', 'dispatch', 'jobs'] as const;
export type Role = (typeof roles)[number];
