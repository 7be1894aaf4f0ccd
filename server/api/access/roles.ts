/** Roles of people who use the console. */
export const roles = ['agent', 'viewer', 'sender', 'owner', 'operator'] as const;
export type PersonRole = (typeof roles)[number];

/** The roles that people of an account can have. */
export const accountRoles = ['agent', 'viewer', 'sender', 'owner'] as const;

/** Roles that each role includes, with all their rights. Agent and viewer do not include each other. */
const included: Readonly<Record<PersonRole, readonly PersonRole[]>> = {
  agent: [],
  viewer: [],
  sender: ['agent', 'viewer'],
  owner: ['sender'],
  operator: ['owner'],
};

/** Whether a role has the rights of `needed`; of several, of at least one. */
export function atLeast(role: PersonRole, needed: PersonRole | readonly PersonRole[]): boolean {
  const least = typeof needed === 'string' ? [needed] : needed;
  return least.includes(role) || included[role].some((other) => atLeast(other, least));
}
