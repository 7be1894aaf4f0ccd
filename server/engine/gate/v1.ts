import { z } from 'zod';
import { operatorChanges, operatorReads, proven, sendsNothing } from '../../api/access/rules.ts';
import { out } from '../../api/openapi/out.ts';
import { because } from '../../api/schema-problems.ts';
import { field, flag, idText, notFound, queryText, text } from '../../api/v1/kit/fields.ts';
import { resource } from '../../api/v1/kit/route.ts';
import { serializer } from '../../api/v1/kit/serializer.ts';
import { Refusal } from '../../kit/errors.ts';
import { highCostKinds, highCostRanges } from '../../kit/numbers/high-cost-ranges.ts';
import { isPrefix } from '../../modules/accounts/account-rules.ts';
import { EVERYONE } from '../../modules/accounts/prices.ts';
import type { CoreContext } from '../../run/services.ts';
import type { DestinationRule } from './destinations.ts';

/** Maximum characters of a note. */
const MAX_NOTE = 200;
/** Maximum characters of a number in any spelling. */
const MAX_PHONE = 40;
const deciders = [...highCostKinds, 'rule'] as const;

const account = field(
  idText('an account').nullable().default(null),
  'Account to which the rule applies; null: all accounts.',
  '1774337460000003',
);
const prefix = field(
  text.refine(
    (value) => value !== '' && isPrefix(value),
    because('must be 1 to 15 digits, without +', 'not-a-prefix'),
  ),
  'Prefix of the numbers, international digits.',
  '88235',
);
const ruleToSet = z.object({
  account_id: account,
  prefix,
  permitted: field(flag, 'Whether the accounts may send to these numbers and call them.', true),
  note: field(text.max(MAX_NOTE).default(''), 'Reason, for other operators.', 'fleet trackers'),
});
const ruleToRemove = z.object({ account_id: account, prefix });
const query = z.object({
  account: idText('an account').optional().describe('Filters by account.'),
});
const numberToFind = z.object({
  phone: field(queryText(MAX_PHONE), 'Number, in any spelling.', '+88235123456'),
  account: idText('an account')
    .optional()
    .describe('Account that would send; default: an account without rules.'),
});

const ruleAnswer = z.object({
  account_id: out.maybeText('Account to which the rule applies; null: all accounts.', null),
  username: out.maybeText('User name of that account.', null),
  prefix: out.text('Prefix of the numbers, international digits.', '88235'),
  permitted: out.flag('Whether the accounts may send to these numbers and call them.', true),
  note: out.text('Reason, for other operators.', 'fleet trackers'),
  changed_at: out.time('Time of the last change'),
});
const rangeAnswer = z.object({
  prefix: out.text('Prefix of the numbers, international digits.', '881'),
  kind: out.oneOf(highCostKinds, 'Kind of the range.', 'satellite'),
});

type DestinationsDeps = Pick<CoreContext, 'accounts' | 'destinations' | 'numbers'>;

const route = resource<DestinationsDeps>('operator');

/** Ranges of numbers that accounts may not send to, for operators. */
export const operatorDestinationRoutes = [
  route('GET /v1/operator/destinations', {
    access: operatorReads,
    operationId: 'listDestinationRules',
    title: 'List destination rules',
    description:
      'Returns the rules of the operator, and the built-in table of denied ranges. Rules of the account decide first, then those for all accounts, then the table; in each the longest prefix decides. All other numbers are permitted.',
    query,
    answer: z.object({
      rules: z.array(ruleAnswer),
      ranges: z.array(rangeAnswer),
      source: out.text('Origin of the table.', 'libphonenumber-js 1.13.16'),
    }),
    handler: async ({ query: { account: id } }, deps) => ({
      rules: await Promise.all(
        (await deps.destinations.list(id === undefined ? undefined : Number(id))).map((rule) =>
          show(deps, rule),
        ),
      ),
      ranges: highCostKinds.flatMap((kind) =>
        highCostRanges.ranges[kind].map((beginning) => ({ prefix: beginning, kind })),
      ),
      source: highCostRanges.source,
    }),
  }),
  route('GET /v1/operator/destinations/find', {
    access: operatorReads,
    operationId: 'findDestinationRule',
    title: 'Find the rule for a number',
    description: 'Returns whether an account may send to a number, and the rule or range that decides.',
    refusals: ['bad-destination'],
    query: numberToFind,
    answer: z.object({
      phone: out.phone('Number, international digits.', '88235123456'),
      permitted: out.flag('Whether the account may send to it.', false),
      prefix: out.maybeText('Prefix of the rule or range that decides; null: none matches.', '882'),
      by: out.maybeOneOf(deciders, 'Kind of the range, or `rule`; null: none matches.', 'global-network'),
    }),
    handler: async ({ query: { phone, account: id } }, { destinations, numbers }) => {
      const number = numbers.parse(phone);
      if (!number) throw new Refusal('bad-destination', 'not a phone number', 'phone');
      await destinations.refresh();
      const found = destinations.find(id === undefined ? EVERYONE : Number(id), number.digits);
      return {
        phone: number.digits,
        permitted: found?.permitted ?? true,
        prefix: found?.prefix ?? null,
        by: found?.by ?? null,
      };
    },
  }),
  route('POST /v1/operator/destinations', {
    access: sendsNothing(proven(operatorChanges)),
    operationId: 'setDestinationRule',
    title: 'Set a destination rule',
    description:
      'Adds a rule about numbers that begin with a prefix, or replaces the rule about the same prefix and account. Other processes apply it within two seconds.',
    refusals: ['not-found', 'not-now'],
    body: ruleToSet,
    answer: ruleAnswer,
    handler: async ({ body: given, audit }, deps) => {
      const { accounts, destinations } = deps;
      const id = given.account_id === null ? null : Number(given.account_id);
      if (id !== null && !(await accounts.byId(id))) throw notFound('account');
      const accountId = id ?? EVERYONE;
      const { prefix: beginning, permitted, note } = given;
      const { before, after } = await destinations.set({ accountId, prefix: beginning, permitted, note });
      audit({ ...(before && { before: audited(before) }), after: audited(after) });
      return show(deps, after);
    },
  }),
  route('POST /v1/operator/destinations/remove', {
    access: sendsNothing(proven(operatorChanges)),
    operationId: 'removeDestinationRule',
    title: 'Delete a destination rule',
    description: 'Deletes the rule. Other processes stop applying it within two seconds.',
    refusals: ['not-found'],
    body: ruleToRemove,
    handler: async ({ body: { account_id: id, prefix: beginning }, audit }, { destinations }) => {
      const accountId = id === null ? EVERYONE : Number(id);
      const before = await destinations.remove({ accountId, prefix: beginning });
      if (!before) throw notFound('rule');
      audit({ before: audited(before) });
    },
  }),
];

const audited = ({ accountId, prefix: beginning, permitted, note }: DestinationRule) => ({
  account_id: accountId === EVERYONE ? null : String(accountId),
  prefix: beginning,
  permitted,
  note,
});

const showRule = serializer(ruleAnswer);

async function show(
  { accounts }: DestinationsDeps,
  rule: DestinationRule,
): Promise<z.output<typeof ruleAnswer>> {
  const own = rule.accountId !== EVERYONE;
  return showRule({
    ...rule,
    account_id: own ? String(rule.accountId) : null,
    username: own ? ((await accounts.byId(rule.accountId))?.username ?? null) : null,
    changed_at: rule.changedAt,
  });
}
