import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { Refusal } from '../../errors.ts';
import type { PeopleRules, PeopleRulesRow } from '../../people/people-rules.ts';
import { answered } from '../openapi/shown.ts';
import { described } from './about.ts';
import { noteOf } from './audited.ts';
import { type CallerOf, read, type V1Part } from './door.ts';
import { withBody } from './json-body.ts';

const rulesBody = z.object({
  second_factor_required: z.boolean('must be true or false').meta({
    description: 'Whether everybody has to have a second factor.',
    examples: [true],
  }),
});
const rulesAnswer = z.object({
  second_factor_required: answered(z.boolean(), 'Whether everybody has to have a second factor.', true),
  without_second_factor: answered(
    z.int(),
    'How many people may sign in and have no second factor yet: while it is required they can do nothing but set one up.',
    2,
  ),
});

/**
 * Rules for all people of an account, under /v1: `GET` and `PATCH /people/rules` for its owners, `/operator/people/rules`
 * for the operator's people.
 */
export function peopleRulesPart({ rules }: { readonly rules: PeopleRules }): V1Part {
  return (app, accountOf, callerOf) => {
    registerRules(app, rules, callerOf, {
      path: '/people/rules',
      id: 'People',
      whose: 'of the account',
      accountId: (request) => accountOf(request).id,
    });
    registerRules(app, rules, callerOf, {
      path: '/operator/people/rules',
      id: 'Operator',
      whose: 'of the operator',
      accountId: () => null,
    });
  };
}

interface RulesRoute {
  readonly path: string;
  /** What is between the verb and `Rules` in the names of its operations. */
  readonly id: string;
  readonly whose: string;
  /** null: the operator's people. */
  readonly accountId: (request: FastifyRequest) => number | null;
}

function registerRules(
  app: FastifyInstance,
  rules: PeopleRules,
  callerOf: CallerOf,
  { path, id, whose, accountId }: RulesRoute,
): void {
  app.get(
    path,
    described({
      chapter: 'people',
      id: `get${id}Rules`,
      title: `Rules for the people ${whose}`,
      description: 'What is demanded of everybody, and how many people do not fulfil it yet.',
      answer: rulesAnswer,
    }),
    async (request) => show(await rules.find(accountId(request))),
  );

  app.patch(
    path,
    withBody(
      described({
        chapter: 'people',
        id: `change${id}Rules`,
        title: `Change the rules for the people ${whose}`,
        description:
          'Holds from the next request on, also for those who are signed in: people without a second factor are answered `second-factor-required` by every route but those that set it up and sign out. Sessions stay. Whoever requires a second factor has to have one (`not-now`).',
        answer: rulesAnswer,
        refusals: ['not-now'],
      }),
      rulesBody,
    ),
    async (request) => {
      const whose = accountId(request);
      const { second_factor_required: secondFactorRequired } = read(rulesBody, request.body);
      if (secondFactorRequired && !callerOf(request).session!.person.secondFactor) {
        throw new Refusal('not-now', 'set up your own second factor first', 'second_factor_required');
      }
      return show(await rules.change(whose, { secondFactorRequired }, noteOf(request)));
    },
  );
}

const show = (row: PeopleRulesRow): z.output<typeof rulesAnswer> => ({
  second_factor_required: row.secondFactorRequired,
  without_second_factor: row.withoutSecondFactor,
});
