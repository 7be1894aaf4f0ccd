import { DateTime } from 'luxon';
import { z } from 'zod';
import { changes, dailyWork, reads } from '../../api/access/rules.ts';
import { iso, out } from '../../api/openapi/out.ts';
import { answered } from '../../api/openapi/shown.ts';
import { because as reason } from '../../api/schema-problems.ts';
import { field, flag, listOf, oneOf, timeText, whole, yesNo } from '../../api/v1/kit/fields.ts';
import { resource } from '../../api/v1/kit/route.ts';
import { storable } from '../../api/v1/kit/text-fields.ts';
import {
  closedDates,
  closedDatesAnswer,
  exampleDates,
  hoursText,
  inOrderOfDates,
  weekHours,
  weekHoursAnswer,
} from '../../api/v1/kit/week-fields.ts';
import {
  channelMeaning,
  channelNames,
  channelNumber,
  readRecipient,
} from '../../engine/messages/v1/fields.ts';
import { weekdays } from '../../kit/week-hours.ts';
import type { CoreContext } from '../../run/services.ts';
import { MAX_CAP_HOURS } from './caps.ts';
import { actions, consentRules, type SendingPolicy, scopes, usualRestDays, zones } from './policy.ts';
import { HORIZON_DAYS } from './schedule.ts';

const MAX_CAPS = 10;
const MAX_CAP_MESSAGES = 1_000;
/** Maximum latitude in degrees: up to there the sun sets every day. */
const MAX_LATITUDE = 65;
const MAX_REST_MINUTES = 180;

const exampleHours = Object.fromEntries(
  weekdays.map((day) => [
    day,
    day === 'saturday' ? [] : day === 'friday' ? ['08:00-13:00'] : ['08:00-20:00'],
  ]),
);
const exampleCaps = [{ messages: 3, hours: 168, channel: null }];

const meanings = {
  hours:
    'Hours of each day of the week in which messages are sent, such as `08:00-20:00`; several a day are allowed. Hours whose end is not later than their start continue after midnight. On a day without hours, nothing is sent. null: at any hour.',
  zone: '`account`: hours and dates are in the time zone of the account. `recipient`: in the time zone of the country of the number; in a country with several zones it must be permitted in all of them. Email, and numbers without a country, use the account.',
  dates: 'Days on which nothing is sent, from midnight to midnight.',
  rest: 'Shabbat and Jewish holidays, on which nothing is sent to anybody: from some minutes before sunset at a place until some minutes after it. null: not observed.',
  scope:
    '`campaigns`: sends to several recipients. `all`: single messages, too. One-time codes, verifications, confirmations, authentication templates, and replies to a client within 24 hours are always exempt.',
  outside:
    'Handling of messages outside the hours. `wait`: they wait for the next permitted time. `refuse`: a send without a permitted recipient is refused; in other sends, messages that are not permitted fail with status 16 and are not charged.',
  transactional: 'Whether a send may be marked `transactional`, which exempts it.',
  caps: 'Maximum number of messages to one recipient within a number of hours, for one channel or, with null, for all together.',
  overCap:
    'Handling of a message over a cap. `refuse`: it fails with status 16 and is not charged. `wait`: it waits until it is within the cap.',
  consent:
    '`marketing`: messages are sent only to recipients with a standing consent to marketing messages on their channel, by the consent log. A send without such a recipient is refused; other recipients get status 16 and are not charged. A withdrawal stops waiting messages. Exempt messages need no consent. `not_required`: the log is not checked.',
};

const hasHours = (hours: SendingPolicy['hours']) =>
  hours === null || Object.values(hours).some((spans) => spans.length > 0);

const restDays = z.object({
  latitude: field(
    z.number().min(-MAX_LATITUDE).max(MAX_LATITUDE),
    'Latitude in degrees north.',
    usualRestDays.latitude,
  ),
  longitude: field(z.number().min(-180).max(180), 'Longitude in degrees east.', usualRestDays.longitude),
  begins_before: field(
    whole(0, MAX_REST_MINUTES).default(usualRestDays.begins_before),
    'Minutes before sunset at which they begin.',
    usualRestDays.begins_before,
  ),
  ends_after: field(
    whole(0, MAX_REST_MINUTES).default(usualRestDays.ends_after),
    'Minutes after sunset at which they end.',
    usualRestDays.ends_after,
  ),
  second_days: field(
    flag.default(false),
    'Whether the second days of holidays are observed, as outside Israel.',
    false,
  ),
});

const cap = z.object({
  messages: field(whole(1, MAX_CAP_MESSAGES), 'Messages.', 3),
  hours: field(whole(1, MAX_CAP_HOURS), 'Hours.', 168),
  channel: field(oneOf(channelNames).nullable().default(null), 'Channel; null: all channels together.', null),
});

const policyBody = z.object({
  hours: field(
    weekHours.nullable().refine(hasHours, reason('no day has hours', 'no-hours')),
    meanings.hours,
    exampleHours,
  ).optional(),
  zone: field(oneOf(zones), meanings.zone, 'account').optional(),
  closed_dates: field(closedDates, meanings.dates, exampleDates).optional(),
  rest_days: field(restDays.nullable(), meanings.rest, usualRestDays).optional(),
  applies_to: field(oneOf(scopes), meanings.scope, 'campaigns').optional(),
  outside_hours: field(oneOf(actions), meanings.outside, 'wait').optional(),
  allows_transactional: field(flag, meanings.transactional, false).optional(),
  caps: field(listOf(cap, MAX_CAPS), meanings.caps, exampleCaps).optional(),
  over_cap: field(oneOf(actions), meanings.overCap, 'refuse').optional(),
  consent: field(oneOf(consentRules), meanings.consent, 'not_required').optional(),
});

const policyAnswer = z.object({
  time_zone: out.text('Time zone of the account, or of the service.', 'Asia/Jerusalem'),
  permitted_now: out.flag('Whether a campaign to the time zone of the account may be sent now.', true),
  permitted_from: out.maybeText(
    `Next permitted time, ISO 8601: now, or later; null: not within ${HORIZON_DAYS} days.`,
    '2026-03-24T07:31:00.000Z',
  ),
  hours: weekHoursAnswer(meanings.hours, exampleHours),
  zone: out.oneOf(zones, meanings.zone, 'account'),
  closed_dates: closedDatesAnswer(meanings.dates),
  rest_days: answered(
    z
      .object({
        latitude: z.number(),
        longitude: z.number(),
        begins_before: z.int(),
        ends_after: z.int(),
        second_days: z.boolean(),
      })
      .nullable(),
    meanings.rest,
    usualRestDays,
  ),
  applies_to: out.oneOf(scopes, meanings.scope, 'campaigns'),
  outside_hours: out.oneOf(actions, meanings.outside, 'wait'),
  allows_transactional: out.flag(meanings.transactional, false),
  caps: answered(
    z.array(z.object({ messages: z.int(), hours: z.int(), channel: z.string().nullable() })),
    meanings.caps,
    exampleCaps,
  ),
  over_cap: out.oneOf(actions, meanings.overCap, 'refuse'),
  consent: out.oneOf(consentRules, meanings.consent, 'not_required'),
});

const checkQuery = z.object({
  to: field(storable(255), 'Number in any spelling, or email address.', '0501234567'),
  at: timeText.optional().describe('Time of the send, ISO 8601 with an offset; default: now.'),
  campaign: yesNo.describe('Whether it would be part of a send to several recipients; default `true`.'),
  channel: z
    .enum(channelNames)
    .optional()
    .describe(`${channelMeaning} Determines the frequency caps and consents.`),
});

const dayQuery = z.object({
  at: timeText.optional().describe('Time of the send, ISO 8601 with an offset; default: now.'),
  sending_hours: hoursText
    .optional()
    .describe('Hours of the send itself, as `10:00-18:00`; default: those of the policy alone.'),
});

const dayAnswer = z.object({
  date: out.text('The day, in the time zone.', '2026-03-24'),
  time_zone: out.text('Time zone of the account, or of the service.', 'Asia/Jerusalem'),
  starts_at: out.maybeText(
    `Time at which the send starts, ISO 8601; null: not within ${HORIZON_DAYS} days.`,
    '2026-03-24T06:00:00.000Z',
  ),
  begins_at: out.time('Beginning of the day'),
  ends_at: out.time('End of the day; a day on which clocks are changed has 23 or 25 hours'),
  permitted: answered(
    z.array(z.object({ from: z.string(), to: z.string() })),
    'Periods in which a campaign is sent, ISO 8601; `to` is excluded.',
    [{ from: '2026-03-24T06:00:00.000Z', to: '2026-03-24T18:00:00.000Z' }],
  ),
});

const reasons = ['sending-hours', 'frequency-cap', 'no-consent'] as const;

const checkAnswer = z.object({
  permitted: out.flag('Whether it would be sent at that time.', false),
  because: out.maybeOneOf(reasons, 'Rule that does not permit it.', 'sending-hours'),
  permitted_from: out.maybeText(
    `First permitted time after that, ISO 8601; null: not within ${HORIZON_DAYS} days, or not without a consent.`,
    '2026-03-24T07:31:00.000Z',
  ),
  time_zones: out.texts('Time zones in which it must be permitted.', ['Asia/Jerusalem']),
});

type PolicyDeps = Pick<
  CoreContext,
  'clock' | 'numbers' | 'sendingPolicies' | 'sendingGate' | 'standingConsents' | 'capCounter' | 'defaultZone'
>;

/** The policy for the audit log, and most of the response. */
const shownOf = (policy: SendingPolicy) => ({
  ...policy,
  hours: policy.hours && { ...policy.hours },
  closed_dates: policy.closed_dates.map(({ date, name }) => ({ date, name })),
  rest_days: policy.rest_days && { ...policy.rest_days },
  caps: policy.caps.map((one) => ({ ...one })),
});

const fromText = (from: number): string | null => (Number.isFinite(from) ? iso(from) : null);

async function show(
  policy: SendingPolicy,
  { id: accountId, timeZone }: { readonly id: number; readonly timeZone: string | null },
  { clock, sendingPolicies, sendingGate, defaultZone }: PolicyDeps,
): Promise<z.output<typeof policyAnswer>> {
  await sendingPolicies.refresh();
  const now = clock.now();
  const from = sendingGate.of({ accountId, isCampaign: true, rule: null })?.from(null, now) ?? now;
  return {
    time_zone: timeZone ?? defaultZone,
    permitted_now: from === now,
    permitted_from: fromText(from),
    ...shownOf(policy),
  } as z.output<typeof policyAnswer>;
}

const route = resource<PolicyDeps>('account');

/** Sending policies. */
export const sendingPolicyRoutes = [
  route('GET /v1/sending-policy', {
    access: reads('viewer', 'read', 'send'),
    operationId: 'showSendingPolicy',
    title: 'Show the sending policy',
    description:
      'Returns quiet hours, closed dates, days of rest and frequency caps of the account, and whether recipients need a consent.',
    answer: policyAnswer,
    handler: async ({ accountId, account }, deps) =>
      show(await deps.sendingPolicies.find(accountId), account, deps),
  }),
  route('PATCH /v1/sending-policy', {
    access: dailyWork(changes('owner')),
    operationId: 'changeSendingPolicy',
    title: 'Change the sending policy',
    description:
      'Updates the given fields. The policy applies to new sends, and to messages that wait or are retried. The time zone is that of the account (`PATCH /v1/account`).',
    body: policyBody,
    answer: policyAnswer,
    handler: async ({ accountId, account, body, audit }, deps) => {
      const change = { ...body, closed_dates: inOrderOfDates(body.closed_dates) };
      const { before, after } = await deps.sendingPolicies.change(accountId, change);
      audit({ before: shownOf(before), after: shownOf(after) });
      return show(after, account, deps);
    },
  }),
  route('GET /v1/sending-policy/day', {
    access: reads('viewer', 'read', 'send'),
    operationId: 'showPermittedHours',
    title: 'Show the permitted hours of a campaign',
    description:
      'Returns the day on which a campaign starts, and the periods of the day in which it is sent to recipients in the time zone of the account, by the sending policy and the hours of the send.',
    query: dayQuery,
    answer: dayAnswer,
    handler: async ({ accountId, account, query: { at, sending_hours } }, deps) => {
      const { clock, sendingPolicies, sendingGate, defaultZone } = deps;
      await sendingPolicies.refresh();
      const zone = account.timeZone ?? defaultZone;
      const time = at === undefined ? clock.now() : Date.parse(at);
      const rule = sending_hours === undefined ? null : { hours: sending_hours };
      const restriction = sendingGate.of({ accountId, isCampaign: true, rule });
      const from = restriction?.from(null, time) ?? time;
      const day = DateTime.fromMillis(Number.isFinite(from) ? from : time, { zone }).startOf('day');
      const { begins, ends } = { begins: day.toMillis(), ends: day.plus({ days: 1 }).toMillis() };
      const permitted = restriction?.spans(null, { begins, ends }) ?? [{ begins, ends }];
      return {
        date: day.toISODate()!,
        time_zone: zone,
        starts_at: fromText(from),
        begins_at: iso(begins),
        ends_at: iso(ends),
        permitted: permitted.map((span) => ({ from: iso(span.begins), to: iso(span.ends) })),
      };
    },
  }),
  route('GET /v1/sending-policy/check', {
    access: reads('viewer', 'read', 'send'),
    operationId: 'checkSendingPolicy',
    title: 'Check whether a message is permitted',
    description:
      'Returns whether the sending policy permits a message to a recipient at a time, and otherwise the next permitted time. Sends and counts nothing.',
    query: checkQuery,
    answer: checkAnswer,
    handler: async ({ accountId, query: { to, at, campaign = true, channel } }, deps) => {
      const { clock, numbers, sendingPolicies, sendingGate, standingConsents, capCounter, defaultZone } =
        deps;
      await sendingPolicies.refresh();
      const recipient = readRecipient(to, 'to', numbers);
      const time = at === undefined ? clock.now() : Date.parse(at);
      const send = { accountId, isCampaign: campaign, rule: null };
      const restriction = sendingGate.of(send);
      const caps = sendingGate.capsOf(send);
      const counted = { recipient, channel: channelNumber(channel ?? channelNames[0]!) };
      const time_zones = [...(restriction?.zonesOf(recipient) ?? [defaultZone])];
      if (sendingGate.needsConsent(send)) {
        const agreed = await standingConsents.of([{ accountId, recipient }]);
        if (!agreed(accountId, counted.channel, recipient)) {
          return { permitted: false, because: 'no-consent' as const, permitted_from: null, time_zones };
        }
      }
      const free = caps.length === 0 ? time : await capCounter.freeFrom(accountId, caps, counted, time);
      const from = restriction?.from(recipient, free) ?? free;
      const isWithinHours = (restriction?.from(recipient, time) ?? time) === time;
      const because = isWithinHours ? ('frequency-cap' as const) : ('sending-hours' as const);
      return {
        permitted: from === time,
        because: from === time ? null : because,
        permitted_from: fromText(from),
        time_zones,
      };
    },
  }),
];
