import { client } from '../../api/client.ts';
import type { paths } from '../../api/schema.ts';

/** Somebody who signs in. */
export type Person =
  paths['/v1/people']['get']['responses'][200]['content']['application/json']['people'][number];
export type AccountRole = 'owner' | 'sender' | 'viewer';
export const accountRoles: readonly AccountRole[] = ['owner', 'sender', 'viewer'];

/** What is given to somebody to choose a password by. */
export interface PersonLink {
  readonly token: string;
  readonly expires_at: string;
}

export interface NewPerson {
  readonly username: string;
  readonly name: string;
  readonly role: AccountRole;
  readonly language?: 'en' | 'he';
}

export interface PersonChange {
  readonly name?: string;
  readonly suspended?: boolean;
  readonly role?: AccountRole;
}

/** The people of an account, or the operators: the same pages on other paths. */
export interface Team {
  readonly key: readonly [string, string];
  readonly auditKey: readonly [string, string];
  readonly rulesKey: readonly [string, string];
  readonly operators: boolean;
  list(): Promise<readonly Person[]>;
  add(person: NewPerson): Promise<{ person: Person; link: PersonLink }>;
  change(id: string, change: PersonChange): Promise<unknown>;
  reset(id: string, secondFactor: boolean): Promise<PersonLink>;
  rules(): Promise<Rules>;
  changeRules(rules: { readonly second_factor_required: boolean }): Promise<unknown>;
}

/** What is demanded of everybody of a team. */
export type Rules = paths['/v1/people/rules']['get']['responses'][200]['content']['application/json'];

export const ofAccount: Team = {
  key: ['get', '/v1/people'],
  auditKey: ['get', '/v1/audit'],
  rulesKey: ['get', '/v1/people/rules'],
  operators: false,
  list: async () => (await client.GET('/v1/people')).data!.people,
  add: async (body) => (await client.POST('/v1/people', { body })).data!,
  change: (id, body) => client.PATCH('/v1/people/{id}', { params: { path: { id } }, body }),
  reset: async (id, secondFactor) =>
    (
      await client.POST('/v1/people/{id}/reset', {
        params: { path: { id } },
        body: { second_factor: secondFactor },
      })
    ).data!,
  rules: async () => (await client.GET('/v1/people/rules')).data!,
  changeRules: (body) => client.PATCH('/v1/people/rules', { body }),
};

export const ofOperator: Team = {
  key: ['get', '/v1/operator/people'],
  auditKey: ['get', '/v1/operator/audit'],
  rulesKey: ['get', '/v1/operator/people/rules'],
  operators: true,
  list: async () => (await client.GET('/v1/operator/people')).data!.people,
  add: async ({ role: _all, ...body }) => (await client.POST('/v1/operator/people', { body })).data!,
  change: (id, { role: _all, ...body }) =>
    client.PATCH('/v1/operator/people/{id}', { params: { path: { id } }, body }),
  reset: async (id, secondFactor) =>
    (
      await client.POST('/v1/operator/people/{id}/reset', {
        params: { path: { id } },
        body: { second_factor: secondFactor },
      })
    ).data!,
  rules: async () => (await client.GET('/v1/operator/people/rules')).data!,
  changeRules: (body) => client.PATCH('/v1/operator/people/rules', { body }),
};
