import { z } from 'zod';
import { Refusal } from '../../errors.ts';
import { out } from '../../interfaces/openapi/out.ts';
import { field, flag } from '../../interfaces/v1/kit/fields.ts';
import { type Route, resource } from '../../interfaces/v1/kit/route.ts';
import { serializer } from '../../interfaces/v1/kit/serializer.ts';
import type { PeopleRules } from '../../people/people-rules.ts';

const rulesBody = z.object({
  second_factor_required: field(flag, 'Whether everybody has to have a second factor.', true),
});
const rulesAnswer = z.object({
  second_factor_required: out.flag('Whether everybody has to have a second factor.', true),
  without_second_factor: out.count(
    'How many people may sign in and have no second factor yet: while it is required they can do nothing but set one up.',
    2,
  ),
});

const show = serializer(rulesAnswer);

interface PeopleRulesDeps {
  readonly rules: PeopleRules;
}

const route = resource<PeopleRulesDeps>('people');

interface Team {
  readonly path: string;
  /** What is between the verb and `Rules` in the names of its operations. */
  readonly id: string;
  readonly whose: string;
  /** null: the operator's people. */
  readonly accountId: (call: { readonly accountId: number }) => number | null;
}

const routesOf = ({ path, id, whose, accountId }: Team): Route<PeopleRulesDeps>[] => [
  route(`GET /v1${path}`, {
    operationId: `get${id}Rules`,
    title: `Show the sign-in rules ${whose}`,
    description: 'The rules for all people, and how many people do not meet them yet.',
    answer: rulesAnswer,
    handler: async (call, { rules }) => show(await rules.find(accountId(call))),
  }),
  route(`PATCH /v1${path}`, {
    operationId: `change${id}Rules`,
    title: `Change the sign-in rules ${whose}`,
    description:
      'Holds from the next request on, also for those who are signed in: people without a second factor are answered `second-factor-required` by every route but those that set it up and sign out. Sessions stay. Whoever requires a second factor has to have one (`not-now`).',
    refusals: ['not-now'],
    body: rulesBody,
    answer: rulesAnswer,
    handler: async (call, { rules }) => {
      const ofAccount = accountId(call);
      const { second_factor_required: secondFactorRequired } = call.body;
      if (secondFactorRequired && !call.session.person.secondFactor) {
        throw new Refusal('not-now', 'set up your own second factor first', 'second_factor_required');
      }
      return show(await rules.change(ofAccount, { secondFactorRequired }, call.note));
    },
  }),
];

/** Rules for all people of an account, for its owners, and for the operator's people. */
export const peopleRulesRoutes = [
  ...routesOf({
    path: '/people/rules',
    id: 'People',
    whose: 'of the account',
    accountId: (call) => call.accountId,
  }),
  ...routesOf({
    path: '/operator/people/rules',
    id: 'Operator',
    whose: 'of the operator',
    accountId: () => null,
  }),
];
