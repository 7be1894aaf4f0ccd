/** What people of the console may do. */
export const roles = ['agent', 'viewer', 'sender', 'owner', 'operator'] as const;
export type PersonRole = (typeof roles)[number];

/** The roles that people of an account can have. */
export const accountRoles = ['agent', 'viewer', 'sender', 'owner'] as const;

/** The roles that a role includes: it may do what they may. An agent may not do what a viewer may, nor the reverse. */
const included: Readonly<Record<PersonRole, readonly PersonRole[]>> = {
  agent: [],
  viewer: [],
  sender: ['agent', 'viewer'],
  owner: ['sender'],
  operator: ['owner'],
};

/** Whether a role may do what `needed` may, or where several are given, what one of them may. */
export function atLeast(role: PersonRole, needed: PersonRole | readonly PersonRole[]): boolean {
  const least = typeof needed === 'string' ? [needed] : needed;
  return least.includes(role) || included[role].some((other) => atLeast(other, least));
}
