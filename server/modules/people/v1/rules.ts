import { z } from 'zod';
import { changes, operatorChanges, operatorReads, proven, reads } from '../../../api/access/rules.ts';
import { out } from '../../../api/openapi/out.ts';
import { field, flag } from '../../../api/v1/kit/fields.ts';
import { resource } from '../../../api/v1/kit/route.ts';
import { serializer } from '../../../api/v1/kit/serializer.ts';
import { Refusal } from '../../../kit/errors.ts';
import type { PeopleRules } from '../people-rules.ts';
import type { Session } from '../sessions.ts';

const required = field(flag, 'Whether a second factor is required from all people.', true);
const rulesBody = z.object({
  second_factor_required: required.optional(),
  provider_only: field(
    flag.optional(),
    'Whether all people must sign in with a sign-in provider. Other sessions end.',
    false,
  ),
  second_factor_demanded: field(
    flag.optional(),
    'Whether the operator requires it from this account, regardless of its owners. For operators only.',
    false,
  ),
});
const operatorBody = z.object({
  second_factor_required: required.optional(),
  second_factor_of_accounts: field(
    flag.optional(),
    'Whether the operator requires a second factor from the people of all accounts.',
    false,
  ),
});
const common = {
  second_factor_required: out.flag('Whether a second factor is required from all people.', true),
  without_second_factor: out.count(
    'Number of active people without a second factor: while it is required, they can only set one up.',
    2,
  ),
};
const rulesAnswer = z.object({
  ...common,
  second_factor_demanded: out.flag('Whether the operator requires it from this account.', false),
  provider_only: out.flag('Whether all people must sign in with a sign-in provider.', false),
  by_operator: out.flag(
    'Whether the operator requires it from this account or from all accounts, regardless of `second_factor_required`.',
    false,
  ),
});
const operatorAnswer = z.object({
  ...common,
  second_factor_of_accounts: out.flag('Whether it is required from the people of all accounts.', false),
});

const show = serializer(rulesAnswer);
const showOperators = serializer(operatorAnswer);

interface PeopleRulesDeps {
  readonly rules: PeopleRules;
}

const route = resource<PeopleRulesDeps>('people');

const MEANING =
  'Updates the given fields. The rules apply from the next request, also to people who are signed in: for people without a second factor, all routes except those for setting it up and signing out return `second-factor-required`. Sessions continue. Whoever requires a second factor must have one (`not-now`).';

/** Sign-in rules for the people of an account, for its owners, and for the operator's people. */
export const peopleRulesRoutes = [
  route('GET /v1/people/rules', {
    access: reads('owner'),
    operationId: 'getPeopleRules',
    title: 'Show the sign-in rules of the account',
    description: 'Returns the rules for all people, and the number of people who do not meet them yet.',
    answer: rulesAnswer,
    handler: async ({ accountId }, { rules }) => show(await rules.find(accountId)),
  }),
  route('PATCH /v1/people/rules', {
    access: proven(changes('owner')),
    operationId: 'changePeopleRules',
    title: 'Change the sign-in rules of the account',
    description: MEANING,
    refusals: ['not-now'],
    body: rulesBody,
    answer: rulesAnswer,
    handler: async ({ accountId, session, body, note }, { rules }) => {
      const { second_factor_required: secondFactorRequired, second_factor_demanded: secondFactorDemanded } =
        body;
      checkOwn(session, secondFactorRequired, 'second_factor_required');
      checkOwn(session, secondFactorDemanded, 'second_factor_demanded');
      if (secondFactorDemanded !== undefined && session.person.role !== 'operator') {
        throw new Refusal('not-allowed', 'this is for operators', 'second_factor_demanded');
      }
      const { provider_only: providerOnly } = body;
      if (providerOnly && session.person.role !== 'operator' && !session.provider) {
        throw new Refusal('not-now', 'sign in by the provider yourself first', 'provider_only', {
          reason: 'provider-first',
        });
      }
      const wanted = given({ secondFactorRequired, secondFactorDemanded, providerOnly });
      return show(await rules.change(accountId, wanted, note));
    },
  }),
  route('GET /v1/operator/people/rules', {
    access: operatorReads,
    operationId: 'getOperatorRules',
    title: 'Show the sign-in rules of the operator',
    description:
      'Returns the rules for all people of the operator, and the number of people who do not meet them yet.',
    answer: operatorAnswer,
    handler: async (_call, { rules }) => showOperators(await rules.find(null)),
  }),
  route('PATCH /v1/operator/people/rules', {
    access: proven(operatorChanges),
    operationId: 'changeOperatorRules',
    title: 'Change the sign-in rules of the operator',
    description: MEANING,
    refusals: ['not-now'],
    body: operatorBody,
    answer: operatorAnswer,
    handler: async ({ session, body, note }, { rules }) => {
      const {
        second_factor_required: secondFactorRequired,
        second_factor_of_accounts: secondFactorOfAccounts,
      } = body;
      checkOwn(session, secondFactorRequired, 'second_factor_required');
      checkOwn(session, secondFactorOfAccounts, 'second_factor_of_accounts');
      return showOperators(
        await rules.change(null, given({ secondFactorRequired, secondFactorOfAccounts }), note),
      );
    },
  }),
];

/** Throws Refusal `not-now` for a person who would require a second factor without having one. */
function checkOwn({ person, provider }: Session, wanted: boolean | undefined, path: string): void {
  if (wanted && !person.secondFactor && !provider?.secondFactor) {
    throw new Refusal('not-now', 'set up your own second factor first', path, { reason: 'own-factor-first' });
  }
}

/** Returns only the given rules. */
const given = <T extends object>(rules: T) =>
  Object.fromEntries(Object.entries(rules).filter(([, value]) => value !== undefined)) as Partial<T>;
