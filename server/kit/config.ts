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
 * All settings with their defaults and descriptions. Settings are environment variables, or files that these name
 * (setting-files.ts). A file `.env` in the working directory is read first and does not override the environment.
 * docs/settings.md is generated from this list. The settings of a channel are in its folder (`settings` of a
 * `Channel`).
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

/** Of the process numbers, commands and replaced processes need some, too. */
export const MAX_PROCESSES = 32;

/** Name → permitted values, default, description. */
const settings = {
  HOST: setting(text, '127.0.0.1', 'Address to listen on.'),
  PORT: setting(whole(0, 65535), '8080', 'Port to listen on; 0 chooses a free port.'),
  PUBLIC_URL: setting(
    z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
    undefined,
    'Public address of the service. Default: http://HOST:PORT.',
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
    'Start of short links and removal links in messages; must lead to this service. A short address saves cost: links count as text. Default: PUBLIC_URL.',
  ),
  REMOVAL_WORDS: setting(
    text.regex(/[^\s,]/, 'must have a word'),
    'הסר,הסרה,הסירו,הסירו אותי,עצור,stop,remove,unsubscribe,stop all,stopall,احذف,حذف,إلغاء,الغاء,إلغاء الاشتراك,توقف,стоп,удалить,отписаться,отписка',
    'Removal words, separated by commas. An SMS to a number of the account that consists of one of them removes its sender from the recipients of the account.',
  ),
  DATA_DIR: setting(
    text.min(1),
    './data',
    'Folder of the embedded PostgreSQL (without DATABASE_URL), of rendered speech, of files of chat messages, and of the key file `secret.key` (without SECRET_KEY).',
  ),
  DATABASE_URL: setting(
    z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// address' }).optional(),
    undefined,
    'A PostgreSQL 15 or later to use instead of the embedded one, `postgres://user:password@host/database`.',
  ),
  SECRET_KEY: setting(
    secretKey.optional(),
    undefined,
    'Key that encrypts secrets in the database, the same for every process: 32 bytes or more in base64, as `openssl rand -base64 32` prints them. Default: the file `secret.key` in DATA_DIR, created at the first start.',
  ),
  SECRET_KEY_PREVIOUS: setting(
    text
      .transform((value) => value.split(',').map((key) => key.trim()))
      .pipe(z.array(secretKey))
      .optional(),
    undefined,
    'Earlier keys with which secrets may still be encrypted, separated by commas; see "Secrets at rest" in docs/operating.md.',
  ),
  PROCESSES: setting(
    z.union([z.literal('auto'), whole(1, MAX_PROCESSES)], {
      error: `must be auto, or a whole number from 1 to ${MAX_PROCESSES}`,
    }),
    '1',
    'Number of processes of `carillon start`, which share PORT and the sessions of connectors. auto: two for three cores, or one for each core with DATABASE_URL (docs/scaling.md).',
  ),
  DATABASE_CONNECTIONS: setting(
    whole(2, 100),
    '10',
    'Maximum number of connections of each process to the database.',
  ),
  DATABASE_STATEMENT_SECONDS: setting(
    whole(1, 3_600),
    '30',
    'Maximum duration of one statement, in seconds; a transaction may last twice that and 10 s more. Migrations and the maintenance of partitions have longer deadlines. See docs/reliability.md.',
  ),
  STUCK_SECONDS: setting(
    whole(30, 86_400),
    '120',
    'Work without a response of the database for this number of seconds is abandoned and restarted; `/readyz?for=dispatch` reports it after half that time. At least 20 more than DATABASE_STATEMENT_SECONDS.',
  ),
  LOG_LEVEL: setting(
    z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
      error: 'must be trace, debug, info, warn, error, fatal or silent',
    }),
    'info',
    'Lowest level of log lines, which are written to standard error.',
  ),
  LOG_FORMAT: setting(
    z.enum(['auto', 'text', 'json'], { error: 'must be auto, text or json' }),
    'auto',
    'Format of the log: `json` (one object a line), `text` (for people), or `auto`: text in a terminal, JSON elsewhere. NO_COLOR=1 turns colours off.',
  ),
  TRUST_PROXY: setting(
    trustedProxies,
    'off',
    'Proxies in front of the service that set X-Forwarded-For: their addresses and networks, separated by commas (`127.0.0.1,10.0.0.0/8`; `loopback`, `linklocal` and `uniquelocal` are names of networks), or the number of proxies in a chain (`1`; the nearest must have a private or loopback address). See docs/operating.md.',
  ),
  METRICS_PORT: setting(
    whole(0, 65535).optional(),
    undefined,
    'Port of a separate server for `/metrics`, and `/readyz` with details, without sign-in; 0 chooses a free port. Default: none.',
  ),
  METRICS_HOST: setting(text, '127.0.0.1', 'Address that METRICS_PORT listens on.'),
  METRICS_TOKEN: setting(
    z.string().min(16, 'must be at least 16 characters').optional(),
    undefined,
    'Bearer token for `/metrics`, and `/readyz` with details, on PORT. Without it, PORT does not serve metrics.',
  ),
  ...traceSettings,
  KANNEL_API: setting(
    onOff,
    'off',
    'Whether programs can send as to Kannel, at `/cgi-bin/sendsms` (docs/migrating.md).',
  ),
  JASMIN_API: setting(
    onOff,
    'off',
    'Whether programs can send as to Jasmin, at `/jasmin/send` (docs/migrating.md).',
  ),
  TWILIO_API: setting(
    onOff,
    'off',
    'Whether programs can send, answer messages and verify numbers as at Twilio, at `/2010-04-01/…` and `/v2/Services/…` (docs/migrating.md).',
  ),
  MCP_API: setting(
    onOff,
    'off',
    'Whether assistants can use the account of a token by the Model Context Protocol, at `/mcp` (docs/mcp.md).',
  ),
  HOME_COUNTRY: setting(
    z.string().refine(isSupportedCountry, 'must be a country code of two capital letters, like IL'),
    'IL',
    'Country of numbers in local format, which are not "international".',
  ),
  TIME_ZONE: setting(
    z.string().refine((zone) => IANAZone.isValidZone(zone), 'must be a time zone like Asia/Jerusalem'),
    'Asia/Jerusalem',
    'Default time zone of accounts, for `timing`, `from`, `to` and dates in responses.',
  ),
  RATE_LIMIT_ACCOUNT: setting(
    whole(0, 1_000_000),
    '200',
    'Maximum requests per second of one account; 0 is no limit. Off in a sandbox on loopback.',
  ),
  RATE_LIMIT_ADDRESS: setting(
    whole(0, 1_000_000),
    '50',
    'Maximum requests per second from one client address (of IPv6: one network of 64 bits); 0 is no limit. Off in a sandbox on loopback.',
  ),
  HTTP_CONNECTIONS: setting(
    whole(0, 1_000_000),
    '10000',
    'Maximum number of open HTTP connections; 0 is no limit.',
  ),
  HTTP_CONNECTIONS_PER_ADDRESS: setting(
    whole(0, 1_000_000),
    '500',
    'Maximum number of open HTTP connections from one client address (of IPv6: one network of 64 bits); 0 is no limit. Not used with TRUST_PROXY, where the proxy limits connections.',
  ),
  HTTP_HEADERS_SECONDS: setting(
    whole(1, 600),
    '15',
    'Maximum time until the headers of a request have arrived, in seconds.',
  ),
  HTTP_BODY_STALL_SECONDS: setting(
    whole(1, 600),
    '15',
    'Maximum pause in the body of a request, in seconds. After 30 seconds a body must also have brought 32 KiB a second.',
  ),
  API_TOKEN_DAYS: setting(
    whole(0, 3_650),
    '365',
    'Days for which a token from `getApiToken` is valid; 0 is without expiry.',
  ),
  VERIFY_SOURCES: setting(
    onOffAuto,
    'auto',
    'Whether a source must be a verified number or an approved name of the account. auto: off in the sandbox, else on.',
  ),
  VERIFY_SMS_SOURCE: setting(
    text.regex(/^[0-9A-Za-z]{1,11}$/, 'must have 1 to 11 digits or English letters'),
    'Carillon',
    'Sender of the SMS that asks the owner of a number to confirm it.',
  ),
  VERIFY_SMS_TEXT: setting(
    z
      .string()
      .max(500, 'must be at most 500 characters')
      .includes('[link]', { error: 'must contain [link]' }),
    'To let [name] send messages from this number, open [link] within 24 hours. If you do not know why, ignore this message.',
    'Text of that SMS; `[link]` is replaced with the link, `[name]` with the name of the account.',
  ),
  VERIFY_CALL_NUMBER: setting(
    text.regex(/^[+*]?\d[\d -]{2,19}$/, 'must be a phone number').optional(),
    undefined,
    'Number to call from a landline to verify it. If a trunk receives its calls, they are rejected and the landline is called back with a code; otherwise the operator calls back and confirms with `carillon source confirm`.',
  ),
  VERIFY_CALL_TEXT: setting(
    z
      .string()
      .max(500, 'must be at most 500 characters')
      .includes('[code]', { error: 'must contain [code]' })
      .includes('[name]', { error: 'must contain [name]' }),
    'The account [name] asks to send messages from this number. If that is right, the code is [code]. If you do not know why, hang up.',
    'Text of the call to a landline; `[code]` is replaced with its code, `[name]` with the name of the account.',
  ),
  VOICE_KOSHER_PREFIXES: setting(
    text.regex(/^\d{1,15}(,\d{1,15})*$/, 'must be prefixes of digits with commas between').optional(),
    undefined,
    'Prefixes of kosher phones, international digits separated by commas, instead of the built-in table (docs/voice.md).',
  ),
  VALIDITY_HOURS: setting(whole(1, 168), '48', 'Time until an undelivered SMS or call expires.'),
  MAX_COPIES: setting(
    whole(1, 100),
    '2',
    'Maximum number of submissions without a response of the carrier; then the message ends with status 105. Each submission may have reached the recipient.',
  ),
  COPY_PAUSE_SECONDS: setting(
    whole(0, 3_600),
    '60',
    'Pause before a message is resubmitted after its session was lost without a response. It doubles with each further lost session, up to 16 times the value; one-time codes wait a twelfth of it. Batches of a process that was killed twice wait as long (docs/reliability.md). 0 resubmits without a pause.',
  ),
  KEEP_DAYS: setting(
    whole(8, 10_000),
    '400',
    'Retention of messages, incoming messages and events; older partitions are dropped.',
  ),
  TEXT_KEEP_DAYS: setting(
    whole(1, 10_000),
    '10000',
    'Retention of the texts of messages, if shorter than KEEP_DAYS (docs/data.md); an account may choose a shorter time.',
  ),
  TEXT_STORAGE: setting(
    z.enum(['plain', 'sealed', 'none'], { error: 'must be plain, sealed or none' }),
    'plain',
    'Storage of the texts of messages in the database (docs/data.md): `plain`; `sealed`, encrypted; `none`, encrypted until they are sent and then removed. An account may choose a stricter mode.',
  ),
  ERASURES_DIR: setting(
    text.optional(),
    undefined,
    'Folder of the records from which a database restored from a backup repeats later erasures of people (docs/data.md), the same for every process; preferably on another disk. Default: `erasures` in DATA_DIR.',
  ),
  ERASURES_KEEP_DAYS: setting(
    whole(1, 10_000),
    '400',
    'Retention of these records: at least as long as the oldest backup.',
  ),
  MEDIA_KEEP_DAYS: setting(whole(1, 10_000), '400', 'Retention of files of chat messages.'),
  MEDIA_DIR: setting(
    text.optional(),
    undefined,
    'Folder of the files of chat messages, the same for every process; with MEDIA_S3_URL it only holds files during their upload. Default: `media` in DATA_DIR.',
  ),
  MEDIA_S3_URL: setting(
    z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
    undefined,
    'Bucket of an S3-compatible store for the files of chat messages, instead of MEDIA_DIR: `https://s3.example.com/bucket` or `https://bucket.s3.example.com`, optionally with a prefix for the names.',
  ),
  MEDIA_S3_REGION: setting(text.min(1), 'us-east-1', 'Region of that bucket.'),
  MEDIA_S3_ACCESS_KEY_ID: setting(text.optional(), undefined, 'Access key of that bucket.'),
  MEDIA_S3_SECRET_ACCESS_KEY: setting(text.optional(), undefined, 'Secret of that access key.'),
  REQUEST_LOG_DAYS: setting(
    whole(1, 400),
    '7',
    'Days for which the request log is kept: time, operation, status and address of each request, without its content.',
  ),
  OTP_TEXT: setting(
    z
      .string()
      .max(1_005, 'must be at most 1005 characters')
      .includes('[code]', { error: 'must contain [code]' }),
    'Your verification code is [code]',
    'Default text of a one-time code; `[code]` is replaced with the code.',
  ),
  OTP_PER_PHONE_HOUR: setting(
    whole(0, 1_000),
    '5',
    'Maximum one-time codes of one account to one phone within an hour; 0 is no limit.',
  ),
  OTP_PER_ACCOUNT_MINUTE: setting(
    whole(0, 100_000),
    '20',
    'Maximum one-time codes of one account within a minute; 0 is no limit.',
  ),
  OTP_BRAKE: setting(
    onOffAuto,
    'auto',
    'The fraud guard against traffic pumping with one-time codes and other sends that outsiders can cause (docs/one-time-codes.md). auto: off in the sandbox, else on.',
  ),
  OTP_DAY_SPENDING: setting(
    price,
    '10000',
    'Maximum credits for one-time codes of one account within a day; 0 is no cap. Part of the fraud guard.',
  ),
  OTP_NEIGHBOURS: setting(
    whole(1, 200),
    '10',
    'Number of adjacent phone numbers with unused one-time codes at which the fraud guard stops codes to their neighbours.',
  ),
  OTP_PREFIX_CODES: setting(
    whole(1, 1_000),
    '20',
    'Number of recent one-time codes to a prefix by which the fraud guard judges it.',
  ),
  OTP_PREFIX_USED: setting(
    whole(0, 100),
    '20',
    'Percentage of them that must have been used; below it the fraud guard stops codes to the prefix.',
  ),
  BUDGET_SERVICE_MAILS: setting(
    whole(0, 1_000_000),
    '500',
    'Maximum alerts by email that one account may cause in a day; 0 is no limit. This and the other budgets renew at midnight in the time zone of the account, and the operator can change them for one account (docs/operating.md).',
  ),
  BUDGET_TESTS: setting(
    whole(0, 1_000_000),
    '100',
    'Maximum test alerts (one for each recipient), test emails and test events of webhooks of one account in a day; 0 is no limit.',
  ),
  BUDGET_VERIFICATIONS: setting(
    whole(0, 1_000_000),
    '1000',
    'Maximum requests for confirmation by one account in a day, to users of mailing lists, senders and recipients of alerts; 0 is no limit.',
  ),
  BUDGET_AUTOMATIC_REPLIES: setting(
    whole(0, 1_000_000),
    '5000',
    'Maximum automatic replies of one account in a day; 0 is no limit.',
  ),
  BUDGET_AUTOMATIC_REPLY_CREDITS: setting(
    price,
    '1000',
    'Maximum credits for automatic replies of one account in a day; 0 is no limit.',
  ),
  BUDGET_FILES: setting(
    whole(0, 100_000_000),
    '2000',
    'Maximum size of stored files of one account in MB: uploads, files from clients, imports, exports; 0 is no limit. Files from clients may use a quarter more (docs/operating.md).',
  ),
  SMPP_URL: setting(
    z.url({ protocol: /^smpps?$/, error: 'must be an smpp:// or smpps:// address' }).optional(),
    undefined,
    'SMPP connection to a carrier, `smpp://systemId:password@host:2775?window=100` (smpps:// is TLS); its options are query parameters. For several connections and routes: CARRIERS_FILE.',
  ),
  CARRIERS_FILE: setting(
    text.optional(),
    undefined,
    'JSON file with SMPP and HTTP connectors, trunks and routes, see docs/carriers.md and docs/http-carriers.md.',
  ),
  SMPP_SERVER_PORT: setting(
    whole(0, 65535).optional(),
    undefined,
    'Port of the SMPP server without TLS, to which programs of accounts bind (docs/smpp-server.md); 0 chooses a free port. Default: none. Set the settings of the SMPP server for every process.',
  ),
  SMPP_SERVER_TLS_PORT: setting(
    whole(0, 65535).optional(),
    undefined,
    'Port of the SMPP server with TLS 1.2 or later; 0 chooses a free port. Needs SMPP_SERVER_CERTIFICATE and SMPP_SERVER_KEY. Default: none.',
  ),
  SMPP_SERVER_HOST: setting(text, '127.0.0.1', 'Address that the SMPP server listens on.'),
  SMPP_SERVER_CERTIFICATE: setting(
    text.optional(),
    undefined,
    'Path of the certificate of the SMPP server with its chain (PEM). The file is read again when it changes.',
  ),
  SMPP_SERVER_KEY: setting(
    text.optional(),
    undefined,
    'Path of the private key of that certificate (PEM). The file is read again when it changes.',
  ),
  SMPP_SERVER_UNBOUND: setting(
    whole(1, 100_000),
    '500',
    'Maximum number of connections to the SMPP server that are not bound yet; of more, the oldest is disconnected. From one address at most a tenth, and 20 at least.',
  ),
  SMPP_SERVER_RECEIPT_DAYS: setting(
    whole(1, 30),
    '3',
    'Days that receipts and incoming messages wait for a receiver of their SMPP client.',
  ),
  SMPP_SERVER_PART_SECONDS: setting(
    whole(1, 3_600),
    '120',
    'Time to wait for the missing parts of a long message of an SMPP client, in seconds from its last part.',
  ),
  SMPP_SERVER_SEND_KEY_TAG: setting(
    text
      .regex(/^0x[0-9a-f]{4}$/i, 'must be a tag like 0x1501')
      .transform(Number)
      .refine((tag) => tag >= 0x1400 && tag <= 0x3fff, 'must be from 0x1400 to 0x3fff')
      .optional(),
    undefined,
    'Tag of the vendor-specific parameter with which SMPP clients send a send key (docs/send-keys.md). Default: none.',
  ),
  SANDBOX: setting(
    onOffAuto,
    'auto',
    'Simulated network and demo account. auto: on with `carillon start` when none of SMPP_URL, CARRIERS_FILE, CHAT_APP_SECRET and MAIL_RELAY_URL is set. `carillon serve` has it when this is on.',
  ),
  SANDBOX_PORT: setting(
    whole(1_024, 65_531),
    '24770',
    'First of five ports on 127.0.0.1 through which processes of `carillon serve` share a sandbox; the same for all of them.',
  ),
  SANDBOX_PUBLIC: setting(
    onOff,
    'off',
    'Permits other machines to reach the sandbox, by a HOST or a PUBLIC_URL beyond loopback. Rate limits are then on, and webhooks to private addresses off.',
  ),
  SANDBOX_RECEIPT_DELAY_MS: setting(
    whole(0, 3_600_000),
    '300',
    'Delivery time of the simulated network, in milliseconds.',
  ),
  SANDBOX_MESSAGES_PER_SECOND: setting(
    whole(0, 1_000_000),
    '0',
    'Messages per second that the simulated network accepts before it answers ESME_RTHROTTLED; 0 is no limit.',
  ),
  SANDBOX_RING_MS: setting(
    whole(0, 60_000),
    '500',
    'Ringing time of simulated phones before they are answered, in milliseconds.',
  ),
  SANDBOX_CHAT_MESSAGES_PER_SECOND: setting(
    whole(0, 1_000_000),
    '0',
    'Messages per second of a business number that the simulated chat platform accepts before it answers 130429; 0 is no limit.',
  ),
  CARILLON_DEMO_TOKEN: setting(
    z.string().min(16, 'must be at least 16 characters').optional(),
    undefined,
    'Token of the demo account, for scripts that drive a fresh sandbox. Default: random, printed at the first start.',
  ),
  CARILLON_DEMO_MAIL_TOKEN: setting(
    z.string().min(16, 'must be at least 16 characters').optional(),
    undefined,
    'Mail token of the demo account. Default: random, printed at the first start.',
  ),
  CARILLON_DEMO_PASSWORD: setting(
    z.string().min(8, 'must be at least 8 characters').optional(),
    undefined,
    'Password of the demo account. Default: random, printed at the first start. The operator chooses another one through a link.',
  ),
  WEBHOOKS_TO_PRIVATE_ADDRESSES: setting(
    onOffAuto,
    'auto',
    'Whether pushes and webhooks may go to private and loopback addresses. auto: on in a sandbox on loopback, else off.',
  ),
} as const;

/** A statement may wait 10 s for a connection, and is abandoned 5 s after its time limit (database/connection.ts). */
const STATEMENT_MARGIN_SECONDS = 20;

/** Parsed settings; those of a channel are read with `settingsOf`. */
export interface Config extends ValuesOf<typeof settings> {
  /** Absolute path. */
  readonly DATA_DIR: string;
  /** Paths of the files that settings were read from (`NAME_FILE`), by the name of the setting. */
  readonly settingFiles: Readonly<Record<string, string>>;
}

/** An object that adds its own settings: a channel. */
interface HasSettings {
  readonly settings?: SettingTable;
}

/** An invalid setting. Stops the start; the message names every invalid setting and its permitted values. */
export class ConfigError extends Error {}

/** Returns all settings, those of the channels last. */
export function allSettings(channels: Iterable<HasSettings>): SettingTable {
  return Object.assign({}, settings, ...Array.from(channels, (channel) => channel.settings));
}

/**
 * Reads the settings, those of the channels too, from `environment` and from the files that it names (`NAME_FILE`). An
 * empty value counts as absent. Throws ConfigError with one line for each invalid setting.
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

/** Returns the settings of a channel. Throws if `readConfig` did not read them. */
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
