import { harmlessName } from '../../../kit/text/harmless-name.ts';
import { type AlertLanguage, OPERATOR } from '../condition.ts';
import { conditionOf } from '../conditions/index.ts';
import type { Notification, ToldAlert } from '../notifications.ts';
import { en } from './en.ts';
import { he } from './he.ts';
import type { AlertWords } from './words.ts';

const languages: Readonly<Record<AlertLanguage, AlertWords>> = { en, he };

/** Maximum alerts of one rule that a message lists; it gives only the number of the others. */
const MAX_IN_MAIL = 20;
const MAX_IN_SMS = 2;

/** `2026-03-24 07:31 UTC`: recipients have no time zone. */
const timeOf = (at: number) => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** Email text of a notification. `console` is the base address of the console, without a trailing slash. */
export function mailOf(
  notification: Notification,
  console: string,
): { readonly subject: string; readonly text: string } {
  const { phase, accountId, accountName, ruleName, alerts, language } = notification;
  const words = languages[language];
  const lines = alerts.slice(0, MAX_IN_MAIL).map((alert) => linesOf(language, alert).join('\n'));
  const page = accountId === OPERATOR ? 'operator/alerts' : 'alerts';
  const about = [
    words.rule(harmlessName(ruleName)),
    ...(accountId === OPERATOR ? [] : [words.account(harmlessName(accountName))]),
    words.seeConsole(`${console}/${page}`),
  ];
  const text = [
    ...(phase === 'test' ? [words.isTest] : []),
    ...lines,
    ...moreOf(words, alerts, MAX_IN_MAIL),
    about.join('\n'),
  ];
  return { subject: headOf(notification, 1), text: `${text.join('\n\n')}\n` };
}

/** SMS text of a notification. */
export const smsOf = (notification: Notification): string => headOf(notification, MAX_IN_SMS);

function headOf({ phase, alerts, language }: Notification, most: number): string {
  const words = languages[language];
  const [first] = alerts as [ToldAlert];
  const said = alerts.slice(0, most).map((alert) => holdsOf(language, alert));
  const times = phase === 'began' && first.times > 1 ? [words.times(first.times)] : [];
  return [`${words[phase]}: ${[...said, ...moreOf(words, alerts, most)].join('; ')}`, ...times].join('. ');
}

function linesOf(language: AlertLanguage, alert: ToldAlert): readonly string[] {
  const words = languages[language];
  const { beganAt, endedAt, times } = alert;
  return [
    `${holdsOf(language, alert)}.`,
    endedAt === null ? words.since(timeOf(beganAt)) : words.from(timeOf(beganAt), timeOf(endedAt)),
    ...(times > 1 ? [words.times(times)] : []),
  ];
}

/** The measured values can contain names that other people chose, so they are sanitized. */
const holdsOf = (language: AlertLanguage, { kind, measured }: ToldAlert) =>
  conditionOf(kind).holds[language](
    Object.fromEntries(
      Object.entries(measured).map(([name, value]) => [name, nameOrNumber(name, value)] as const),
    ),
  );

/** Only user names (chosen by accounts) and error texts (chosen by carriers) can hold harmful text. Hosts, connectors and prefixes have a checked form. */
const nameOrNumber = (name: string, value: string | number) =>
  (name === 'account' || name === 'detail') && typeof value === 'string' ? harmlessName(value) : value;

const moreOf = (words: AlertWords, alerts: readonly ToldAlert[], most: number) =>
  alerts.length > most ? [words.more(alerts.length - most)] : [];
