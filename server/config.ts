import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { loadEnvFile } from 'node:process';
import { isSupportedCountry } from 'libphonenumber-js/max';
import { IANAZone } from 'luxon';
import { z } from 'zod';
import { readTrustedProxies } from './http/trusted-proxies.ts';
import {
  onOff,
  onOffAuto,
  price,
  type SettingTable,
  setting,
  text,
  type ValuesOf,
  whole,
} from './setting.ts';
import { SettingFileError, settingFrom } from './setting-files.ts';
import { readKeyText } from './text/key-text.ts';
import { traceSettings } from './trace-settings.ts';

/*
 * Every setting with its default and meaning. Settings are environment variables, or files that they name (setting-files.ts). A
 * file `.env` in the working directory is read first and does not override the environment. docs/settings.md is generated from
 * this list. The settings of a channel are in its folder (`settings` of a `Channel`).
 */

const secretKey = text.refine(
  (value) => readKeyText(value) !== undefined,
  'must be 32 bytes or more in base64, as `openssl rand -base64 32` prints them',
);
const trustedProxies = text.transform((value, context) => {
  try {
    return readTrustedProxies(value);
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as Error).message });
    return z.NEVER;
  }
});

/** name → what it may be, its default, its meaning. */
const settings = {
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
    'Folder of the embedded PostgreSQL (not when DATABASE_URL is given), of rendered speech, of files of chat messages, and of the key file `secret.key` (not when SECRET_KEY is given).',
  ),
  DATABASE_URL: setting(
    z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// address' }).optional(),
    undefined,
    'A PostgreSQL 15 or later to use instead of the embedded one, `postgres://user:password@host/database`.',
  ),
  SECRET_KEY: setting(
    secretKey.optional(),
    undefined,
    'The key that secrets in the database are encrypted with, the same for every process: 32 bytes or more in base64, as `openssl rand -base64 32` prints them. Default: the file `secret.key` in DATA_DIR, made at the first start.',
  ),
  SECRET_KEY_PREVIOUS: setting(
    text
      .transform((value) => value.split(',').map((key) => key.trim()))
      .pipe(z.array(secretKey))
      .optional(),
    undefined,
    'Other keys that secrets may still be encrypted with, with commas between; see "Secrets at rest" in docs/operating.md.',
  ),
  DATABASE_CONNECTIONS: setting(whole(2, 100), '10', 'Connections to the database, at most.'),
  DATABASE_STATEMENT_SECONDS: setting(
    whole(1, 3_600),
    '30',
    'How long one statement may take, in seconds; a transaction may take twice that and 10 s more. Migrations and the upkeep of partitions have longer deadlines of their own. See docs/reliability.md.',
  ),
  STUCK_SECONDS: setting(
    whole(30, 86_400),
    '120',
    'Work that gets no answer of the database for that many seconds is given up and begins anew; `/readyz?for=dispatch` shows it from half that time on. At least 20 more than DATABASE_STATEMENT_SECONDS.',
  ),
  LOG_LEVEL: setting(
    z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
      error: 'must be trace, debug, info, warn, error, fatal or silent',
    }),
    'info',
    'Level from which lines are logged, on standard error.',
  ),
  LOG_FORMAT: setting(
    z.enum(['auto', 'text', 'json'], { error: 'must be auto, text or json' }),
    'auto',
    'Format of the log: `json` (one object a line), `text` (for people), or `auto`: text in a terminal, JSON elsewhere. NO_COLOR=1 turns colours off.',
  ),
  TRUST_PROXY: setting(
    trustedProxies,
    'off',
    'The proxies in front of the service, which set X-Forwarded-For: their addresses and networks with commas between (`127.0.0.1,10.0.0.0/8`; `loopback`, `linklocal` and `uniquelocal` are names of networks), or how many there are, one behind the other (`1`; the nearest has a private or loopback address then). See docs/operating.md.',
  ),
  METRICS_PORT: setting(
    whole(0, 65535).optional(),
    undefined,
    'Port of a server of its own for `/metrics`, and `/readyz` with details, without sign-in; 0 takes a free one. Default: none.',
  ),
  METRICS_HOST: setting(text, '127.0.0.1', 'Address that METRICS_PORT listens on.'),
  METRICS_TOKEN: setting(
    z.string().min(16, 'must be at least 16 characters').optional(),
    undefined,
    'Bearer token with which `/metrics`, and `/readyz` with details, are read on PORT. Without it nobody reads metrics there.',
  ),
  ...traceSettings,
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
    'Requests a second of one account; 0 is no limit. Off in a sandbox on loopback.',
  ),
  RATE_LIMIT_ADDRESS: setting(
    whole(0, 1_000_000),
    '50',
    'Requests a second from one client address (of IPv6: one network of 64 bits); 0 is no limit. Off in a sandbox on loopback.',
  ),
  HTTP_CONNECTIONS: setting(
    whole(0, 1_000_000),
    '10000',
    'HTTP connections that are open at once, at most; 0 is no limit.',
  ),
  HTTP_CONNECTIONS_PER_ADDRESS: setting(
    whole(0, 1_000_000),
    '500',
    'HTTP connections from one client address (of IPv6: one network of 64 bits) that are open at once; 0 is no limit. Not used with TRUST_PROXY, where the proxy limits connections.',
  ),
  HTTP_HEADERS_SECONDS: setting(
    whole(1, 600),
    '15',
    'How long the headers of a request may take to arrive, in seconds.',
  ),
  HTTP_BODY_STALL_SECONDS: setting(
    whole(1, 600),
    '15',
    'A request whose body brings nothing for that many seconds is ended. After 30 seconds a body must also have brought 32 KiB a second.',
  ),
  API_TOKEN_DAYS: setting(
    whole(0, 3_650),
    '365',
    'For how many days a token is valid that `getApiToken` makes; 0 is for good.',
  ),
  VERIFY_SOURCES: setting(
    onOffAuto,
    'auto',
    'Whether a source must be a verified number or an approved name of the account. auto: off in the sandbox, else on.',
  ),
  VERIFY_SMS_SOURCE: setting(
    text.regex(/^[0-9A-Za-z]{1,11}$/, 'must have 1 to 11 digits or English letters'),
    'Carillon',
    'Sender of the SMS by which somebody confirms that an account may send from their number.',
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
    'The number to call from a landline for its verification. Where a trunk brings its calls, they are rejected and the landline is called back with a code; else the operator calls it back and confirms by `carillon source confirm`.',
  ),
  VERIFY_CALL_TEXT: setting(
    z
      .string()
      .max(500, 'must be at most 500 characters')
      .includes('[code]', { error: 'must contain [code]' })
      .includes('[name]', { error: 'must contain [name]' }),
    'The account [name] asks to send messages from this number. If that is right, the code is [code]. If you do not know why, hang up.',
    'What the call to a landline says; `[code]` is where its code goes, `[name]` where the name of the account does.',
  ),
  VOICE_KOSHER_PREFIXES: setting(
    text.regex(/^\d{1,15}(,\d{1,15})*$/, 'must be prefixes of digits with commas between').optional(),
    undefined,
    'Prefixes of kosher phones, international digits with commas between, instead of the table that comes along (docs/voice.md).',
  ),
  VALIDITY_HOURS: setting(
    whole(1, 168),
    '48',
    'How long delivery of an SMS or a call is tried before it is given up as expired.',
  ),
  MAX_COPIES: setting(
    whole(1, 100),
    '2',
    'How often a message is submitted without an answer of the carrier, at most; then it ends with status 105. Each such submit may have reached the recipient.',
  ),
  COPY_PAUSE_SECONDS: setting(
    whole(0, 3_600),
    '60',
    'Pause before a message is submitted again after its session was lost without an answer. It doubles with each further lost session, up to 16 times the value; one-time codes wait a twelfth of it. Batches of a process that was killed twice rest as long (docs/reliability.md). 0 submits again without a pause.',
  ),
  KEEP_DAYS: setting(
    whole(8, 10_000),
    '400',
    'How long messages, incoming messages and events are kept; older partitions are dropped.',
  ),
  TEXT_KEEP_DAYS: setting(
    whole(1, 10_000),
    '10000',
    'How long the texts of messages are kept, where that is shorter than KEEP_DAYS (docs/data.md); an account may ask for less.',
  ),
  TEXT_STORAGE: setting(
    z.enum(['plain', 'sealed', 'none'], { error: 'must be plain, sealed or none' }),
    'plain',
    'How the texts of messages stand in the database (docs/data.md): `plain`; `sealed`, encrypted; `none`, encrypted until they are sent and then removed. An account may choose a stricter one.',
  ),
  ERASURES_DIR: setting(
    text.optional(),
    undefined,
    'Folder of the records by which a database that is restored from a backup repeats later erasures of people (docs/data.md), the same for every process; best on another disk. Default: `erasures` in DATA_DIR.',
  ),
  ERASURES_KEEP_DAYS: setting(
    whole(1, 10_000),
    '400',
    'How long these records are kept: at least as long as the oldest backup.',
  ),
  MEDIA_KEEP_DAYS: setting(whole(1, 10_000), '400', 'How long files of chat messages are kept.'),
  MEDIA_DIR: setting(
    text.optional(),
    undefined,
    'Folder of the files of chat messages, the same for every process; with MEDIA_S3_URL files are only there while they come. Default: `media` in DATA_DIR.',
  ),
  MEDIA_S3_URL: setting(
    z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
    undefined,
    'The bucket of an S3-compatible store for the files of chat messages, in place of MEDIA_DIR: `https://s3.example.com/bucket` or `https://bucket.s3.example.com`, with a prefix of the names where one is wanted.',
  ),
  MEDIA_S3_REGION: setting(text.min(1), 'us-east-1', 'The region of that bucket.'),
  MEDIA_S3_ACCESS_KEY_ID: setting(
    text.optional(),
    undefined,
    'The key with which the bucket is read and written.',
  ),
  MEDIA_S3_SECRET_ACCESS_KEY: setting(text.optional(), undefined, 'The secret of that key.'),
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
    'The fraud guard against traffic pumping with one-time codes and other sends that outsiders can cause (docs/one-time-codes.md). auto: off in the sandbox, else on.',
  ),
  OTP_DAY_SPENDING: setting(
    price,
    '10000',
    "Credits that one account's one-time codes may cost within a day; 0 is no cap. Part of the fraud guard.",
  ),
  OTP_NEIGHBOURS: setting(
    whole(1, 200),
    '10',
    'From so many neighbouring numbers with unused one-time codes on, the fraud guard stops codes to their neighbours.',
  ),
  OTP_PREFIX_CODES: setting(
    whole(1, 1_000),
    '20',
    'By how many of the last one-time codes to a prefix the fraud guard judges it.',
  ),
  OTP_PREFIX_USED: setting(
    whole(0, 100),
    '20',
    'Percentage of them that must have been used, or the fraud guard stops codes to the prefix.',
  ),
  BUDGET_SERVICE_MAILS: setting(
    whole(0, 1_000_000),
    '500',
    'Alerts by email that one account may cause in a day; 0 is no limit. This and the other budgets renew at midnight in the time zone of the account, and the operator can change them for one account (docs/operating.md).',
  ),
  BUDGET_TESTS: setting(
    whole(0, 1_000_000),
    '100',
    'Test alerts (one for each recipient), test emails and test events of webhooks that one account may send in a day; 0 is no limit.',
  ),
  BUDGET_VERIFICATIONS: setting(
    whole(0, 1_000_000),
    '1000',
    'Numbers and addresses that one account may ask to confirm something in a day: users of mailing lists, senders, recipients of alerts; 0 is no limit.',
  ),
  BUDGET_AUTOMATIC_REPLIES: setting(
    whole(0, 1_000_000),
    '5000',
    'Automatic replies that one account may send in a day; 0 is no limit.',
  ),
  BUDGET_AUTOMATIC_REPLY_CREDITS: setting(
    price,
    '1000',
    'Credits that the automatic replies of one account may cost in a day; 0 is no limit.',
  ),
  BUDGET_FILES: setting(
    whole(0, 100_000_000),
    '2000',
    'MB of files that one account may store: uploads, files that clients sent, imports, exports; 0 is no limit. Files that clients sent may use a quarter more (docs/operating.md).',
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
    'The simulated network and the demo account. auto: on with `carillon start` when none of SMPP_URL, CARRIERS_FILE, CHAT_APP_SECRET and MAIL_RELAY_URL is set. `carillon serve` has it when this is on.',
  ),
  SANDBOX_PORT: setting(
    whole(1_024, 65_531),
    '24770',
    'First of five ports on 127.0.0.1 by which processes of `carillon serve` share a sandbox; the same for all of them.',
  ),
  SANDBOX_PUBLIC: setting(
    onOff,
    'off',
    'Lets the sandbox be reached from other machines: by a HOST or a PUBLIC_URL beyond loopback. Rate limits are on then, and webhooks to private addresses off.',
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
  SANDBOX_RING_MS: setting(
    whole(0, 60_000),
    '500',
    'How long simulated phones ring before they are answered, in milliseconds.',
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
  CARILLON_DEMO_MAIL_TOKEN: setting(
    z.string().min(16, 'must be at least 16 characters').optional(),
    undefined,
    "The demo account's mail token. Default: random, printed at the first start.",
  ),
  CARILLON_DEMO_PASSWORD: setting(
    z.string().min(8, 'must be at least 8 characters').optional(),
    undefined,
    "The demo account's password. Default: random, printed at the first start. Not the operator's, who chooses one by a link.",
  ),
  WEBHOOKS_TO_PRIVATE_ADDRESSES: setting(
    onOffAuto,
    'auto',
    'Whether pushes and webhooks may go to private and loopback addresses. auto: on in a sandbox on loopback, else off.',
  ),
} as const;

/** A statement may wait 10 s for a connection, and is given up 5 s after its time (database/connection.ts). */
const STATEMENT_MARGIN_SECONDS = 20;

/** The settings as the program uses them; those of a channel are read with `settingsOf`. */
export interface Config extends ValuesOf<typeof settings> {
  /** Absolute. */
  readonly DATA_DIR: string;
  /** Paths of the files that settings were read from (`NAME_FILE`), by the name of the setting. */
  readonly settingFiles: Readonly<Record<string, string>>;
}

/** Who has settings of its own: a channel. */
interface HasSettings {
  readonly settings?: SettingTable;
}

/** A setting that cannot be used. Stops the start; the message names every wrong setting and what it may be. */
export class ConfigError extends Error {}

/** Every setting, those of the channels last. */
export function allSettings(channels: Iterable<HasSettings>): SettingTable {
  return Object.assign({}, settings, ...Array.from(channels, (channel) => channel.settings));
}

/**
 * Reads the settings, those of the channels too, from `environment` and from the files that it names (`NAME_FILE`); an empty value
 * counts as absent.
 * Throws ConfigError with one line for each setting that cannot be used.
 */
export function readConfig(
  environment: Record<string, string | undefined>,
  channels: Iterable<HasSettings>,
): Config {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  const settingFiles: Record<string, string> = {};
  for (const [name, { schema, fallback }] of Object.entries(allSettings(channels))) {
    try {
      const found = settingFrom(environment, name);
      const result = schema.safeParse(found?.value ?? fallback);
      if (result.success) values[name] = result.data;
      else problems.push(`${name} ${result.error.issues[0]?.message ?? 'cannot be used'}`);
      if (found?.file !== undefined) settingFiles[name] = found.file;
    } catch (error) {
      if (!(error instanceof SettingFileError)) throw error;
      problems.push(error.message);
    }
  }
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
  const config = { ...values, settingFiles } as unknown as Config;
  if (config.STUCK_SECONDS < config.DATABASE_STATEMENT_SECONDS + STATEMENT_MARGIN_SECONDS) {
    throw new ConfigError(
      `STUCK_SECONDS must be at least ${STATEMENT_MARGIN_SECONDS} more than DATABASE_STATEMENT_SECONDS`,
    );
  }
  return { ...config, DATA_DIR: resolve(config.DATA_DIR) };
}

/** The settings of a channel. Throws when `readConfig` did not read them. */
export function settingsOf<Table extends SettingTable>(config: Config, table: Table): ValuesOf<Table> {
  const missing = Object.keys(table).find((name) => !(name in config));
  if (missing !== undefined) throw new Error(`the setting ${missing} was not read`);
  return config as unknown as ValuesOf<Table>;
}

/**
 * Reads `.env` of the working directory into the environment, if the file exists. `CARILLON_DOTENV=off` disables this: an installed
 * command runs in any directory, and another user may have written the file there.
 */
export function loadDotEnv(): void {
  if (process.env.CARILLON_DOTENV !== 'off' && existsSync('.env')) loadEnvFile('.env');
}
