import { useLocation } from 'wouter';
import { byId, client } from '../../api/client.ts';
import type { Answer } from '../../api/operations.ts';
import type { PersonLink } from '../../features/invitations/show-link.tsx';

/** Somebody who signs in. */
export type Person = Answer<'/v1/people'>['people'][number];
export type AccountRole = 'owner' | 'sender' | 'agent' | 'viewer';
export const accountRoles: readonly AccountRole[] = ['owner', 'sender', 'agent', 'viewer'];

interface NewPerson {
  readonly username: string;
  readonly name: string;
  readonly role: AccountRole;
  readonly language?: 'en' | 'he';
}

interface PersonChange {
  readonly name?: string;
  readonly suspended?: boolean;
  readonly role?: AccountRole;
}

/** The people of an account, or the operators: the same pages on other paths. */
export interface Team {
  /** Paths of its people, audit log and rules. */
  readonly people: '/v1/people' | '/v1/operator/people';
  readonly audit: '/v1/audit' | '/v1/operator/audit';
  readonly rules: '/v1/people/rules' | '/v1/operator/people/rules';
  readonly providers: '/v1/sign-in-providers' | '/v1/operator/sign-in-providers';
  readonly operators: boolean;
  add(person: NewPerson): Promise<{ person: Person; link: PersonLink }>;
  change(id: string, change: PersonChange): Promise<unknown>;
  reset(id: string, secondFactor: boolean): Promise<PersonLink>;
  changeRules(rules: RulesChange): Promise<unknown>;
}

/** Rules to change; fields of the other kind of team are left out. */
interface RulesChange {
  readonly second_factor_required?: boolean;
  readonly second_factor_demanded?: boolean;
  readonly provider_only?: boolean;
  readonly second_factor_of_accounts?: boolean;
}

/** Sign-in rules of a team. */
export type Rules = Answer<'/v1/people/rules'> | Answer<'/v1/operator/people/rules'>;

const ofAccount: Team = {
  people: '/v1/people',
  audit: '/v1/audit',
  rules: '/v1/people/rules',
  providers: '/v1/sign-in-providers',
  operators: false,
  add: (body) => client.POST('/v1/people', { body }),
  change: (id, body) => client.PATCH('/v1/people/{id}', { ...byId(id), body }),
  reset: (id, secondFactor) =>
    client.POST('/v1/people/{id}/reset', { ...byId(id), body: { second_factor: secondFactor } }),
  changeRules: (body) => client.PATCH('/v1/people/rules', { body }),
};

const ofOperator: Team = {
  people: '/v1/operator/people',
  audit: '/v1/operator/audit',
  rules: '/v1/operator/people/rules',
  providers: '/v1/operator/sign-in-providers',
  operators: true,
  add: ({ role: _all, ...body }) => client.POST('/v1/operator/people', { body }),
  change: (id, { role: _all, ...body }) => client.PATCH('/v1/operator/people/{id}', { ...byId(id), body }),
  reset: (id, secondFactor) =>
    client.POST('/v1/operator/people/{id}/reset', { ...byId(id), body: { second_factor: secondFactor } }),
  changeRules: (body) => client.PATCH('/v1/operator/people/rules', { body }),
};

/** The team that a page is of, by its address. */
export function useTeam(): Team {
  const [location] = useLocation();
  return location.startsWith('/operator/') ? ofOperator : ofAccount;
}
