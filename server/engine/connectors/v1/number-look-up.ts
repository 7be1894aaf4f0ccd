import { z } from 'zod';
import { operatorChanges, operatorReads, proven, sendsNothing } from '../../../api/access/rules.ts';
import { out } from '../../../api/openapi/out.ts';
import { answered } from '../../../api/openapi/shown.ts';
import { field, flag, listOf, requiredText, text, whole } from '../../../api/v1/kit/fields.ts';
import { resource } from '../../../api/v1/kit/route.ts';
import { faultReasons } from '../../../kit/connector-faults.ts';
import { badField, Refusal } from '../../../kit/errors.ts';
import type { LookUpResult } from '../../../protocols/http-carrier/look-up.ts';
import { namedLookUp, readyLookUps } from '../../../protocols/http-carrier/look-up-description.ts';
import { usesOf } from '../../../protocols/http-carrier/settings.ts';
import type { CoreContext } from '../../../run/services.ts';
import { nameOfNetwork } from '../../carriers/network-condition.ts';
import type { LookUpInput, LookUpView } from '../look-ups/stored-look-up.ts';
import { descriptionInput, secretsInput } from './http-fields.ts';

/** Kind of the look-up in the audit log. */
export const LOOK_UP_KIND = 'number-lookup';
const MAX_PREFIXES = 1_000;
const MAX_PHONE = 40;

const meanings = {
  description:
    'Description of the interface of the provider: the name of a ready one, or an object (docs/number-lookup.md).',
  enabled: 'Whether networks are looked up.',
  prefixes:
    'Prefixes of the numbers that are looked up, international digits; an empty one matches every number.',
  timeout:
    'Timeout of a request in milliseconds. Then the message takes the route of a number without a known network.',
  window: 'Maximum number of simultaneous requests of a process.',
  days: 'Days for which an answer is valid, unless it says so itself.',
  perDay:
    'Maximum number of requests of all processes in a day (UTC). Afterwards only remembered networks count.',
} as const;

const lookUpBody = z.object({
  description: field(descriptionInput, meanings.description, 'twilio'),
  secrets: field(
    secretsInput.optional(),
    'Values of the secrets of the description, by name, stored encrypted and never returned. Without them the stored ones stay. All are required when the address of the provider changes.',
    { account: 'AC0123456789', token: 'secret12' },
  ),
  is_enabled: field(flag.default(true), meanings.enabled, true),
  prefixes: field(
    listOf(text.regex(/^\d{0,15}$/, 'must be digits'), MAX_PREFIXES)
      .min(1, 'missing')
      .default(['']),
    meanings.prefixes,
    ['972'],
  ),
  timeout_ms: field(whole(100, 10_000).default(2_000), meanings.timeout, 2_000),
  window: field(whole(1, 200).default(20), meanings.window, 20),
  valid_days: field(whole(1, 90).default(7), meanings.days, 7),
  per_day: field(whole(1, 100_000_000).default(10_000), meanings.perDay, 10_000),
});

const faultAnswer = z.object({
  reason: out.oneOf(faultReasons, 'Reason of the fault.', 'access'),
  detail: out.text('Error of the network, or HTTP status.', 'HTTP 401'),
});
const lookUpAnswer = z.object({
  description: answered(
    z.union([z.string(), z.record(z.string(), z.unknown())]),
    meanings.description,
    'twilio',
  ),
  secret_names: out.texts('Names of the secrets that are set.', ['account', 'token']),
  is_enabled: out.flag(meanings.enabled, true),
  prefixes: out.texts(meanings.prefixes, ['972']),
  timeout_ms: out.count(meanings.timeout, 2_000),
  window: out.count(meanings.window, 20),
  valid_days: out.count(meanings.days, 7),
  per_day: out.count(meanings.perDay, 10_000),
  used_today: out.count('Requests of today, in steps of up to 50.', 350),
  fault: faultAnswer
    .nullable()
    .describe('Reason of the failure of the last request; null: the last request succeeded.'),
});
const stateAnswer = z.object({
  look_up: lookUpAnswer.nullable().describe('The look-up; null: none is set.'),
  ready: z
    .array(
      z.object({
        name: out.text('Name of the description.', 'twilio'),
        title: out.text('Provider and interface.', 'Twilio Lookup v2'),
        secret_names: out.texts('Names of the secrets that it needs.', ['account', 'token']),
      }),
    )
    .describe('Ready descriptions.'),
});

const tryBody = z.object({
  phone: field(requiredText(MAX_PHONE), 'Number, in any spelling.', '972501112222'),
});
const results = ['found', 'unknown', 'failed'] as const;
const tryAnswer = z.object({
  result: out.oneOf(
    results,
    '`unknown`: the provider knows no network of the number. `failed`: it did not tell.',
    'found',
  ),
  network: out.maybeText('Mobile network: country code and network code, like `425-01`.', '425-01'),
  ported: answered(z.boolean().nullable(), 'Whether the number was ported; null: not known.', true),
  reachable: answered(z.boolean().nullable(), 'Whether the phone can be reached; null: not known.', null),
  fault: faultAnswer.nullable().describe('Reason of a failure; null without one.'),
  milliseconds: out.count('Duration of the request in milliseconds.', 180),
});

/** Network of a recipient in the response with the route of a message. */
export const recipientNetwork = z
  .object({
    network: out.maybeText(
      'Mobile network that was looked up, like `425-01`; null: it is not known.',
      '425-01',
    ),
    ported: answered(z.boolean().nullable(), 'Whether the number was ported; null: not known.', null),
    reachable: answered(z.boolean().nullable(), 'Whether the phone could be reached; null: not known.', null),
    country_codes: out.texts('Mobile country codes of the country of the number.', ['425']),
    waits: out.flag(
      'Whether a message, unless it is a one-time code, waits until the network is looked up.',
      false,
    ),
  })
  .describe('Network of the number. Without a known one, only the country of the number counts.');

const route = resource<Pick<CoreContext, 'lookUps' | 'numberNetworks' | 'numbers'>>('operator', {
  'names of ready descriptions and of secrets': ['title', 'secret_names'],
  'what a provider tells of a number that the operator names': ['network', 'result'],
});

/** The look-up of networks of numbers, for operators. */
export const numberLookUpRoutes = [
  route('GET /v1/operator/number-lookup', {
    access: operatorReads,
    operationId: 'showNumberLookup',
    title: 'Show the look-up of networks',
    description:
      'Returns how mobile networks of numbers are looked up, which routes with `networks` need, and the ready descriptions of providers.',
    answer: stateAnswer,
    handler: async (_call, { lookUps }) => stateOf(await lookUps.find()),
  }),
  route('PUT /v1/operator/number-lookup', {
    access: sendsNothing(proven(operatorChanges)),
    operationId: 'setNumberLookup',
    title: 'Set the look-up of networks',
    description:
      'Sets how mobile networks of numbers are looked up. It applies within a second, to messages whose route depends on the network. Remembered networks stay until their validity ends.',
    body: lookUpBody,
    answer: stateAnswer,
    handler: async ({ body: given, audit }, { lookUps }) => {
      const before = await lookUps.find();
      await lookUps.set(inputOf(given));
      const state = stateOf(await lookUps.find());
      audit({
        kind: LOOK_UP_KIND,
        id: LOOK_UP_KIND,
        ...(before && { before: show(before) }),
        // Not under the name of the field, which the audit log would remove.
        after: { ...state.look_up, ...(given.secrets && { credentials: 'replaced' }) },
      });
      return state;
    },
  }),
  route('DELETE /v1/operator/number-lookup', {
    access: sendsNothing(proven(operatorChanges)),
    operationId: 'removeNumberLookup',
    title: 'Remove the look-up of networks',
    description:
      'Removes the look-up with its secrets, if there is one. Remembered networks count until their validity ends; then only the country of a number does.',
    handler: async ({ audit }, { lookUps }) => {
      const before = await lookUps.find();
      await lookUps.remove();
      audit({ kind: LOOK_UP_KIND, id: LOOK_UP_KIND, ...(before && { before: show(before) }) });
    },
  }),
  route('POST /v1/operator/number-lookup/try', {
    access: sendsNothing(proven(operatorChanges)),
    operationId: 'tryNumberLookup',
    title: 'Look a number up',
    description:
      'Looks a number up at the provider, even if its network is remembered, and remembers the answer. The provider may charge for it; it counts among the requests of the day.',
    refusals: ['not-now'],
    body: tryBody,
    answer: tryAnswer,
    handler: async ({ body: { phone }, audit }, { numberNetworks, numbers }) => {
      const digits = numbers.parse(phone)?.digits;
      if (digits === undefined) throw badField('phone', 'not a phone number', 'not-a-phone');
      const began = performance.now();
      const result = await numberNetworks.try(digits);
      if (result === undefined)
        throw new Refusal('not-now', 'no look-up is set and enabled', undefined, { reason: 'no-look-up' });
      if (result === 'spent')
        throw new Refusal('not-now', 'the requests of the day are used up', undefined, {
          reason: 'look-ups-used-up',
        });
      const answer = { ...showResult(result), milliseconds: Math.round(performance.now() - began) };
      audit({ kind: LOOK_UP_KIND, id: LOOK_UP_KIND, after: { result: answer.result } });
      return answer;
    },
  }),
];

type Given = z.output<typeof lookUpBody>;

const inputOf = ({ description, secrets, is_enabled, ...given }: Given): LookUpInput => ({
  settings: {
    ...{ description, prefixes: [...new Set(given.prefixes)], timeoutMs: given.timeout_ms },
    ...{ window: given.window, keepDays: given.valid_days, perDay: given.per_day },
  },
  secrets,
  isEnabled: is_enabled,
});

const stateOf = (view: LookUpView | undefined) => ({
  look_up: view ? show(view) : null,
  ready: readyLookUps.map((name) => {
    const description = namedLookUp.parse(name);
    const { needed } = usesOf(description, undefined);
    return { name, title: description.title ?? name, secret_names: [...needed].toSorted() };
  }),
});

const show = ({ settings, secretNames, isEnabled, usedToday, fault }: LookUpView) => ({
  description: settings.description as string | Record<string, unknown>,
  secret_names: [...secretNames],
  is_enabled: isEnabled,
  prefixes: [...settings.prefixes],
  timeout_ms: settings.timeoutMs,
  window: settings.window,
  valid_days: settings.keepDays,
  per_day: settings.perDay,
  used_today: usedToday,
  fault: fault ? { reason: fault.reason, detail: fault.detail } : null,
});

function showResult(result: LookUpResult) {
  const facts = result.kind === 'found' ? result : undefined;
  const fault = result.kind === 'failed' ? result.fault : undefined;
  return {
    result: facts && !facts.network ? ('unknown' as const) : result.kind,
    network: facts?.network ? nameOfNetwork(facts.network) : null,
    ported: facts?.ported ?? null,
    reachable: facts?.reachable ?? null,
    fault: fault ? { reason: fault.reason, detail: fault.detail } : null,
  };
}
