import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { loadEnvFile } from 'node:process';
import { isSupportedCountry } from 'libphonenumber-js/max';
import { IANAZone } from 'luxon';
import { z } from 'zod';

/*
 * Every setting, its default and its meaning. Settings are environment variables; a file `.env` in the working
 * directory is read first and does not override what the environment has. docs/settings.md is made from this list.
 */

const whole = (least: number, most: number) =>
  z.coerce
    .number({ error: `must be a whole number from ${least} to ${most}` })
    .int(`must be a whole number from ${least} to ${most}`)
    .min(least, `must be a whole number from ${least} to ${most}`)
    .max(most, `must be a whole number from ${least} to ${most}`);

const onOff = z.enum(['on', 'off'], { error: 'must be on or off' }).transform((value) => value === 'on');
const onOffAuto = z.enum(['on', 'off', 'auto'], { error: 'must be on, off or auto' });
const text = z.string();
const price = z
  .string()
  .regex(
    /^\d{1,6}(\.\d{1,4})?$/,
    'must be an amount like 1 or 0.25, below a million and with four places at most',
  );

interface Setting<T> {
  readonly schema: z.ZodType<T>;
  readonly fallback?: string;
  readonly about: string;
}

const setting = <T>(schema: z.ZodType<T>, fallback: string | undefined, about: string): Setting<T> => ({
  schema,
  fallback,
  about,
});

/** name → what it may be, its default, its meaning. */
export const settings = {
  HOST: setting(text, '127.0.0.1', 'Address to listen on.'),
  PORT: setting(whole(0, 65535), '8080', 'Port to listen on; 0 takes a free one.'),
  PUBLIC_URL: setting(
    z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
    undefined,
    'Address under which others reach this service. Default: http://HOST:PORT.',
  ),
  SHORT_LINK_DOMAIN: setting(
    text
      .regex(
        /^(https?:\/\/)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?(\/[\w./-]*)?$/i,
        'must be an address like https://go.example.com, or go.example.com',
      )
      .transform((address) => address.replace(/\/+$/, ''))
      .optional(),
    undefined,
    'What short links and removal links begin with, as it stands in messages; must lead to this service. Short is cheap: links count as text. Default: PUBLIC_URL.',
  ),
  REMOVAL_WORDS: setting(
    text.regex(/[^\s,]/, 'must have a word'),
    'הסר,הסרה,הסירו,הסירו אותי,עצור,stop,remove,unsubscribe,stop all,stopall,احذف,حذف,إلغاء,الغاء,إلغاء الاشتراك,توقف,стоп,удалить,отписаться,отписка',
    'Words, with commas between, that remove a number from the recipients of an account when one of them is the whole of an SMS to a number of the account.',
  ),
  DATA_DIR: setting(
    text.min(1),
    './data',
    'Folder of the embedded PostgreSQL. Not used when DATABASE_URL is given.',
  ),
  DATABASE_URL: setting(
    z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// address' }).optional(),
    undefined,
    'A PostgreSQL 15 or later to use instead of the embedded one, `postgres://user:password@host/database`.',
  ),
  DATABASE_CONNECTIONS: setting(whole(2, 100), '10', 'Connections to the database, at most.'),
  LOG_LEVEL: setting(
    z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
      error: 'must be trace, debug, info, warn, error, fatal or silent',
    }),
    'info',
    'How much is logged (JSON lines on standard error).',
  ),
  TRUST_PROXY: setting(
    onOff,
    'off',
    'Take the client address from X-Forwarded-For. Only behind a proxy of yours that sets it.',
  ),
  HOME_COUNTRY: setting(
    z.string().refine(isSupportedCountry, 'must be a country code of two capital letters, like IL'),
    'IL',
    'Country whose local number spellings are understood and which is not "international".',
  ),
  TIME_ZONE: setting(
    z.string().refine((zone) => IANAZone.isValidZone(zone), 'must be a time zone like Asia/Jerusalem'),
    'Asia/Jerusalem',
    'Time zone of accounts that have none of their own: of `timing`, `from`, `to` and dates in answers.',
  ),
  RATE_LIMIT_ACCOUNT: setting(
    whole(0, 1_000_000),
    '200',
    'Requests a second of one account; 0 is no limit. Off in the sandbox.',
  ),
  RATE_LIMIT_ADDRESS: setting(
    whole(0, 1_000_000),
    '50',
    'Requests a second from one client address; 0 is no limit. Off in the sandbox.',
  ),
  VERIFY_SOURCES: setting(
    onOffAuto,
    'auto',
    'Whether a source must be a verified number or an approved name of the account. auto: off in the sandbox, else on.',
  ),
  VERIFY_SMS_SOURCE: setting(
    text.regex(/^[0-9A-Za-z]{1,11}$/, 'must have 1 to 11 digits or English letters'),
    'Carillon',
    'Sender of the SMS by which somebody confirms that an account may send from his number.',
  ),
  VERIFY_SMS_TEXT: setting(
    z
      .string()
      .max(500, 'must be at most 500 characters')
      .includes('[link]', { error: 'must contain [link]' }),
    'To let [name] send messages from this number, open [link] within 24 hours. If you do not know why, ignore this message.',
    'Text of that SMS; `[link]` is where the link goes, `[name]` where the name of the account does.',
  ),
  VERIFY_CALL_NUMBER: setting(
    text.regex(/^[+*]?\d[\d -]{2,19}$/, 'must be a phone number').optional(),
    undefined,
    'The number to call from a landline for its verification. Who answers it confirms by `carillon source confirm`.',
  ),
  DEFAULT_PART_PRICE: setting(
    price,
    '1',
    'Credits for one part of an SMS to a destination that no row of the price list names.',
  ),
  VALIDITY_HOURS: setting(
    whole(1, 168),
    '48',
    'How long delivery of an SMS is tried before it is given up as expired.',
  ),
  KEEP_DAYS: setting(
    whole(8, 10_000),
    '400',
    'How long messages, incoming messages and events are kept; older partitions are dropped.',
  ),
  REQUEST_LOG_DAYS: setting(
    whole(1, 400),
    '7',
    'How many days the request log is kept: time, operation, status and address of each request, and nothing of its content.',
  ),
  OTP_TEXT: setting(
    z
      .string()
      .max(1_005, 'must be at most 1005 characters')
      .includes('[code]', { error: 'must contain [code]' }),
    'Your verification code is [code]',
    'Text of a one-time code for which none was given; `[code]` is where the code goes.',
  ),
  OTP_PER_PHONE_HOUR: setting(
    whole(0, 1_000),
    '5',
    'One-time codes of one account to one phone within an hour; 0 is no limit.',
  ),
  OTP_PER_ACCOUNT_MINUTE: setting(
    whole(0, 100_000),
    '20',
    'One-time codes of one account within a minute; 0 is no limit.',
  ),
  OTP_BRAKE: setting(
    onOffAuto,
    'auto',
    'The brake against traffic pumping with one-time codes (docs/one-time-codes.md). auto: off in the sandbox, else on.',
  ),
  OTP_DAY_SPENDING: setting(
    price,
    '10000',
    "Credits that one account's one-time codes may cost within a day; 0 is no cap. Part of the brake.",
  ),
  OTP_NEIGHBOURS: setting(
    whole(1, 200),
    '10',
    'From so many neighbouring numbers with unused one-time codes on, the brake stops codes to their neighbours.',
  ),
  OTP_PREFIX_CODES: setting(
    whole(1, 1_000),
    '20',
    'By how many of the last one-time codes to a prefix the brake judges it.',
  ),
  OTP_PREFIX_USED: setting(
    whole(0, 100),
    '20',
    'Percentage of them that must have been used, or the brake stops codes to the prefix.',
  ),
  DEFAULT_CHAT_PRICE: setting(
    price,
    '1',
    'Price of a chat conversation (24 hours with one client) where the price list has none.',
  ),
  CHAT_PLATFORM_URL: setting(
    z.url({ protocol: /^https?$/, error: 'must be an http or https address' }),
    'https://graph.facebook.com',
    'Where the chat platform is, see docs/chat-platform.md.',
  ),
  CHAT_APP_ID: setting(
    text.optional(),
    undefined,
    'The app on the chat platform, which uploads samples of media.',
  ),
  CHAT_APP_SECRET: setting(
    text.optional(),
    undefined,
    "The app's secret, which signs the chat platform's webhooks. Without it /chat-webhooks does not exist.",
  ),
  CHAT_VERIFY_TOKEN: setting(
    text.optional(),
    undefined,
    'What the chat platform has to name when /chat-webhooks is registered there.',
  ),
  CHAT_API_ALIASES: setting(
    text.regex(/^[\w-]+(,[\w-]+)*$/, 'must be path segments with commas between').optional(),
    undefined,
    'Other first segments of the paths of the chat API beside `chat-api`, with commas between.',
  ),
  CHAT_CLIENT_PAUSE_MS: setting(
    whole(0, 60_000),
    '6000',
    'Between two chat messages to one client, in milliseconds: what the platform takes in the long run. 0 is no pause.',
  ),
  CHAT_UNANSWERED_DAYS: setting(
    whole(0, 365),
    '0',
    'After so many days without another, unanswered template messages to a client do not count any more; 0 is never.',
  ),
  MEDIA_CHECK: setting(
    z.enum(['on', 'strict', 'off'], 'must be on, strict or off'),
    'on',
    'Whether links to media are asked for their type and size before a chat message is taken; strict refuses those that do not answer.',
  ),
  SMPP_URL: setting(
    z.url({ protocol: /^smpps?$/, error: 'must be an smpp:// or smpps:// address' }).optional(),
    undefined,
    'One SMPP link to a carrier, `smpp://systemId:password@host:2775?window=100` (smpps:// is TLS); the options of a link are query parameters. For several links and routes: CARRIERS_FILE.',
  ),
  CARRIERS_FILE: setting(
    text.optional(),
    undefined,
    'JSON file with links and routes, see docs/carriers.md.',
  ),
  SANDBOX: setting(
    onOffAuto,
    'auto',
    'The simulated network and the demo account. auto: on with `carillon start` when neither a carrier nor CHAT_APP_SECRET is configured.',
  ),
  SANDBOX_RECEIPT_DELAY_MS: setting(
    whole(0, 3_600_000),
    '300',
    'How long the simulated network takes to deliver, in milliseconds.',
  ),
  SANDBOX_MESSAGES_PER_SECOND: setting(
    whole(0, 1_000_000),
    '0',
    'What the simulated network takes before it answers ESME_RTHROTTLED; 0 is no limit.',
  ),
  SANDBOX_CHAT_MESSAGES_PER_SECOND: setting(
    whole(0, 1_000_000),
    '0',
    'What the simulated chat platform takes from a business number before it answers 130429; 0 is no limit.',
  ),
  CARILLON_DEMO_TOKEN: setting(
    z.string().min(16, 'must be at least 16 characters').optional(),
    undefined,
    "The demo account's token, for scripts that drive a fresh sandbox. Default: random, printed at the first start.",
  ),
  CARILLON_DEMO_PASSWORD: setting(
    z.string().min(8, 'must be at least 8 characters').optional(),
    undefined,
    "The demo account's password. Default: random, printed at the first start.",
  ),
  WEBHOOKS_TO_PRIVATE_ADDRESSES: setting(
    onOffAuto,
    'auto',
    'Whether pushes and webhooks may go to private and loopback addresses. auto: on in the sandbox, else off.',
  ),
} as const;

type Settings = { [K in keyof typeof settings]: z.output<(typeof settings)[K]['schema']> };

/** The settings as the program uses them. */
export interface Config extends Settings {
  /** Absolute. */
  readonly DATA_DIR: string;
}

/** A setting that cannot be used. Stops the start; the message names every wrong setting and what it may be. */
export class ConfigError extends Error {}

/**
 * Reads the settings from `environment`; an empty value counts as absent.
 * Throws ConfigError with one line for each setting that cannot be used.
 */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, { schema, fallback }] of Object.entries(settings)) {
    const given = environment[name]?.trim();
    const result = schema.safeParse(given === '' || given === undefined ? fallback : given);
    if (result.success) values[name] = result.data;
    else problems.push(`${name} ${result.error.issues[0]?.message ?? 'cannot be used'}`);
  }
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
  const config = values as Settings;
  return { ...config, DATA_DIR: resolve(config.DATA_DIR) };
}

/** Reads `.env` of the working directory, if there is one, into the environment. */
export function loadDotEnv(): void {
  if (existsSync('.env')) loadEnvFile('.env');
}
