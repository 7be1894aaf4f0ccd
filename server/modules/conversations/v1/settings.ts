import { z } from 'zod';
import { changes, dailyWork, reads } from '../../../api/access/rules.ts';
import { out } from '../../../api/openapi/out.ts';
import { field, flag, idText, listOf, text, whole } from '../../../api/v1/kit/fields.ts';
import { resource } from '../../../api/v1/kit/route.ts';
import {
  closedDates,
  closedDatesAnswer,
  exampleDates,
  inOrderOfDates,
  weekHours,
  weekHoursAnswer,
} from '../../../api/v1/kit/week-fields.ts';
import { isOpen, weekdays } from '../../../kit/week-hours.ts';
import type { CoreContext } from '../../../run/services.ts';
import { type ConversationSettings, openingOf } from '../settings.ts';
import { replyText } from './saved-replies.ts';

const MAX_TURNS = 1_000;
const MAX_DAYS = 365;
const MAX_COUNTRIES = 250;

const exampleDay = ['09:00-13:00', '16:00-19:00'];
const exampleHours = Object.fromEntries(
  weekdays.map((day) => [
    day,
    day === 'friday' ? ['09:00-13:00'] : day === 'saturday' ? ['20:00-23:00'] : exampleDay,
  ]),
);
const AWAY = 'We are closed now, and answer from 9:00 on.';

const hoursMeaning =
  'Opening hours of each day of the week in the time zone of the account, such as `09:00-17:00`; several a day are allowed. Hours whose end is not later than their start continue after midnight. A day without hours is closed. null: always open.';
const datesMeaning = 'Days that are closed all day, regardless of their hours.';
const turnsMeaning =
  'People to whom conversations are assigned in turn. Empty: everyone who answers conversations.';
const closeMeaning = 'Days without activity after which an open conversation is closed; null: never.';

const countriesMeaning =
  'Countries outside the home country of the installation to which automatic replies by SMS are sent, such as `US`. Clients in other countries receive none; people can still answer them.';
const country = text.regex(/^[A-Z]{2}$/, 'must be two capital letters, like US');

const settingsBody = z.object({
  hours: field(weekHours.nullable(), hoursMeaning, exampleHours).optional(),
  closed_dates: field(closedDates, datesMeaning, exampleDates).optional(),
  away_message: field(
    replyText.nullable(),
    'Reply to a client who writes outside the opening hours, sent once until the next opening; null: none.',
    AWAY,
  ).optional(),
  assign_by_turns: field(
    flag,
    'Whether an unassigned conversation is assigned to the next person in turn when it starts or is reopened.',
    true,
  ).optional(),
  turn_ids: field(listOf(idText('a person'), MAX_TURNS), turnsMeaning, ['1774337460000021']).optional(),
  close_after_days: field(whole(1, MAX_DAYS).nullable(), closeMeaning, 14).optional(),
  automatic_reply_countries: field(listOf(country, MAX_COUNTRIES), countriesMeaning, ['US']).optional(),
});

const settingsAnswer = z.object({
  time_zone: out.text('Time zone of the hours: that of the account, or of the service.', 'Asia/Jerusalem'),
  is_open: out.flag('Whether it is open now.', true),
  hours: weekHoursAnswer(hoursMeaning, exampleHours),
  closed_dates: closedDatesAnswer(datesMeaning),
  away_message: out.maybeText('Reply to a client who writes outside the opening hours; null: none.', AWAY),
  away_stopped: out.maybeOneOf(
    ['author'],
    'Reason why the away message is not sent: `author`, because the token or person that set it lost the right to; set it again to take it over. null: the message is sent.',
    null,
  ),
  assign_by_turns: out.flag('Whether conversations are assigned in turn.', true),
  turn_ids: out.texts(turnsMeaning, ['1774337460000021']),
  close_after_days: out.maybeCount(closeMeaning, 14),
  automatic_reply_countries: out.texts(countriesMeaning, ['US']),
});

/** Converts the body for the domain. */
function changeOf({
  hours,
  closed_dates,
  away_message,
  assign_by_turns,
  turn_ids,
  close_after_days,
  automatic_reply_countries,
}: z.output<typeof settingsBody>): Partial<{
  [K in Exclude<keyof ConversationSettings, 'away_stopped'>]: ConversationSettings[K] | undefined;
}> {
  return {
    hours,
    closed_dates: inOrderOfDates(closed_dates),
    away_text: away_message,
    by_turns: assign_by_turns,
    turn_ids: turn_ids?.map(Number),
    close_after_days,
    reply_countries: automatic_reply_countries,
  };
}

/** The settings for the audit log, and most of the response. */
const shownOf = (settings: ConversationSettings) => ({
  hours: settings.hours && { ...settings.hours },
  closed_dates: settings.closed_dates.map(({ date, name }) => ({ date, name })),
  away_message: settings.away_text,
  away_stopped: settings.away_stopped,
  assign_by_turns: settings.by_turns,
  turn_ids: settings.turn_ids.map(String),
  close_after_days: settings.close_after_days,
  automatic_reply_countries: [...settings.reply_countries],
});

type SettingsDeps = Pick<CoreContext, 'clock' | 'conversationSettings' | 'defaultZone'>;

function show(
  settings: ConversationSettings,
  { timeZone }: { readonly timeZone: string | null },
  { clock, defaultZone }: SettingsDeps,
): z.output<typeof settingsAnswer> {
  const zone = timeZone ?? defaultZone;
  const opening = openingOf(settings, zone);
  return { time_zone: zone, is_open: isOpen(opening, clock.now()), ...shownOf(settings) } as z.output<
    typeof settingsAnswer
  >;
}

const route = resource<SettingsDeps>('conversations');

/** Opening hours, turns, and automatic closing of conversations. */
export const conversationSettingsRoutes = [
  route('GET /v1/conversation-settings', {
    access: reads('viewer', 'read'),
    operationId: 'showConversationSettings',
    title: 'Show the settings of conversations',
    description:
      'Returns opening hours, the away message, assignment in turn, and the closing of inactive conversations.',
    answer: settingsAnswer,
    handler: async ({ accountId, account }, deps) =>
      show(await deps.conversationSettings.find(accountId), account, deps),
  }),
  route('PATCH /v1/conversation-settings', {
    access: dailyWork(changes('owner', 'send')),
    operationId: 'changeConversationSettings',
    title: 'Change the settings of conversations',
    description: 'Updates the given fields. The time zone is that of the account (`PATCH /v1/account`).',
    body: settingsBody,
    answer: settingsAnswer,
    handler: async ({ accountId, account, body, audit }, deps) => {
      const { before, after } = await deps.conversationSettings.change(accountId, changeOf(body));
      audit({ before: shownOf(before), after: shownOf(after) });
      return show(after, account, deps);
    },
  }),
];
