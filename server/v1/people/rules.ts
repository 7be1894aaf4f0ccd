import { z } from 'zod';
import { Refusal } from '../../errors.ts';
import { out } from '../../interfaces/openapi/out.ts';
import { field, flag } from '../../interfaces/v1/kit/fields.ts';
import { resource } from '../../interfaces/v1/kit/route.ts';
import { serializer } from '../../interfaces/v1/kit/serializer.ts';
import type { PeopleRules } from '../../people/people-rules.ts';
import type { Session } from '../../people/sessions.ts';

const required = field(flag, 'Whether everybody has to have a second factor.', true);
const rulesBody = z.object({
  second_factor_required: required.optional(),
  provider_only: field(
    flag.optional(),
    'That everybody signs in by a sign-in provider, and by nothing else. Sessions that began otherwise end.',
    false,
  ),
  second_factor_demanded: field(
    flag.optional(),
    'That the operator demands it of this account, whatever its owners want. For operators alone.',
    false,
  ),
});
const operatorBody = z.object({
  second_factor_required: required.optional(),
  second_factor_of_accounts: field(
    flag.optional(),
    'That the operator demands a second factor of the people of every account.',
    false,
  ),
});
const common = {
  second_factor_required: out.flag('Whether everybody has to have a second factor.', true),
  without_second_factor: out.count(
    'How many people may sign in and have no second factor yet: while it is required they can do nothing but set one up.',
    2,
  ),
};
const rulesAnswer = z.object({
  ...common,
  second_factor_demanded: out.flag('Whether the operator demands it of this account.', false),
  provider_only: out.flag('Whether everybody signs in by a sign-in provider alone.', false),
  by_operator: out.flag(
    'Whether the operator demands it, of this account or of every one: then it holds whatever `second_factor_required` says.',
    false,
  ),
});
const operatorAnswer = z.object({
  ...common,
  second_factor_of_accounts: out.flag('Whether it is demanded of the people of every account.', false),
});

const show = serializer(rulesAnswer);
const showOperators = serializer(operatorAnswer);

interface PeopleRulesDeps {
  readonly rules: PeopleRules;
}

const route = resource<PeopleRulesDeps>('people');

const MEANING =
  'What is given is changed. It holds from the next request on, also for those who are signed in: people without a second factor are answered `second-factor-required` by every route but those that set it up and sign out. Sessions stay. Whoever requires a second factor has to have one (`not-now`).';

/** Rules for all people of an account, for its owners, and for the operator's people. */
export const peopleRulesRoutes = [
  route('GET /v1/people/rules', {
    operationId: 'getPeopleRules',
    title: 'Show the sign-in rules of the account',
    description: 'The rules for all people, and how many people do not meet them yet.',
    answer: rulesAnswer,
    handler: async ({ accountId }, { rules }) => show(await rules.find(accountId)),
  }),
  route('PATCH /v1/people/rules', {
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
        throw new Refusal('not-now', 'sign in by the provider yourself first', 'provider_only');
      }
      const wanted = given({ secondFactorRequired, secondFactorDemanded, providerOnly });
      return show(await rules.change(accountId, wanted, note));
    },
  }),
  route('GET /v1/operator/people/rules', {
    operationId: 'getOperatorRules',
    title: 'Show the sign-in rules of the operator',
    description: 'The rules for all people of the operator, and how many people do not meet them yet.',
    answer: operatorAnswer,
    handler: async (_call, { rules }) => showOperators(await rules.find(null)),
  }),
  route('PATCH /v1/operator/people/rules', {
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

/** Throws Refusal `not-now` for who would require what they do not have. */
function checkOwn({ person, provider }: Session, wanted: boolean | undefined, path: string): void {
  if (wanted && !person.secondFactor && !provider?.secondFactor) {
    throw new Refusal('not-now', 'set up your own second factor first', path);
  }
}

/** Without the rules that are not given. */
const given = <T extends object>(rules: T) =>
  Object.fromEntries(Object.entries(rules).filter(([, value]) => value !== undefined)) as Partial<T>;
