/** What people of the console may do, from the least to the most; each may do what those before it may. */
export const roles = ['viewer', 'sender', 'owner', 'operator'] as const;
export type PersonRole = (typeof roles)[number];

/** The roles that people of an account can have. */
export const accountRoles = ['viewer', 'sender', 'owner'] as const;

/** Whether a role may do what `needed` may. */
export function atLeast(role: PersonRole, needed: PersonRole): boolean {
  return roles.indexOf(role) >= roles.indexOf(needed);
}
