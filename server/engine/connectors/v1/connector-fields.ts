import { z } from 'zod';
import { out } from '../../../api/openapi/out.ts';
import {
  field,
  flag,
  listOf,
  oneOf,
  requiredText,
  text,
  textUpTo,
  whole,
} from '../../../api/v1/kit/fields.ts';
import { serializer } from '../../../api/v1/kit/serializer.ts';
import { Refusal } from '../../../kit/errors.ts';
import type { SipTrunkSettings } from '../../../protocols/sip/settings.ts';
import {
  integerOctets,
  MAX_PARAMETER_VALUE,
  MAX_PARAMETERS,
  parameterForms,
  tagPattern,
} from '../../../protocols/smpp/parameters.ts';
import type { SmppConnectorSettings } from '../../../protocols/smpp/settings.ts';
import type { ConnectorView, SettingsInput } from '../connectors.ts';
import { protocols } from '../stored.ts';
import { httpAnswer, type httpInput, showHttp } from './http-fields.ts';

/* Connectors in requests and responses of /v1: the settings of docs/carriers.md, in snake case. */

const MAX_PEM = 20_000;
const MAX_PER_SECOND = 100_000;

/** An optional setting: it keeps its value, or has its default. */
const option = <T extends z.ZodType>(schema: T, description: string, example: unknown) =>
  field(schema.optional(), description, example);
/** As `option`, for a setting without a default: null removes it. */
const removable = <T extends z.ZodType>(schema: T, description: string, example: unknown) =>
  field(schema.nullable().optional(), `${description} Null: none.`, example);

const smppTon = whole(0, 6);
const smppNpi = whole(0, 18);
const tlsInput = {
  tls_ca: removable(
    textUpTo(MAX_PEM),
    'PEM of the authorities to trust instead of those of the machine.',
    null,
  ),
  tls_server_name: removable(textUpTo(255), 'Name on the certificate, if it is not the host.', null),
  tls_verify: option(flag, 'False accepts any certificate: only for a private network.', true),
};
const passwordInput = removable(textUpTo(256), 'Password, stored encrypted and never returned.', 'secret12');
const longMessages = ['udh', 'payload'] as const;
const alphabets = ['gsm', 'latin1'] as const;
const validities = ['relative', 'absolute', 'none'] as const;
const bindModes = ['transceiver', 'pair'] as const;

const exampleParameter = { tag: '0x1400', form: 'text', value: '{dlt.entity}', octets: null };
const parameterMeanings = {
  list: 'Optional parameters that each `submit_sm` has. One whose placeholder has no value for a message is left out; one that the message itself has stays.',
  tag: 'Tag in hexadecimal.',
  form: 'Form of the octets: a text without or with NUL at its end, the SHA-256 of a text in hexadecimal digits, hexadecimal digits, or a number.',
  value: 'Value. Texts may contain `{dlt.entity}`, `{dlt.template}`, `{from}`, `{to.digits}` and `{id}`.',
  octets: 'Octets of a number; null for other forms.',
};
const parameterInput = z.object({
  tag: field(text.regex(tagPattern, 'must be hexadecimal, like 0x1400'), parameterMeanings.tag, '0x1400'),
  form: field(oneOf(parameterForms).default('text'), parameterMeanings.form, 'text'),
  value: field(requiredText(MAX_PARAMETER_VALUE), parameterMeanings.value, '{dlt.entity}'),
  octets: field(
    z.literal(integerOctets, 'must be 1, 2 or 4').nullable().default(null),
    parameterMeanings.octets,
    null,
  ),
});

/** Settings of an SMPP connection in a body. */
export const smppInput = z.object({
  host: option(textUpTo(255), 'Name or address of the SMSC. Required for a new connector.', 'smsc.example'),
  port: option(whole(1, 65_535), 'Port; default 2775.', 2775),
  tls: option(flag, 'Whether the connection uses TLS; default false.', false),
  ...tlsInput,
  system_id: option(textUpTo(64), '`system_id` of the bind. Required for a new connector.', 'me'),
  password: passwordInput,
  system_type: option(textUpTo(12), '`system_type` of the bind; default empty.', ''),
  bind_mode: option(
    oneOf(bindModes),
    'Sessions: `transceiver`, or `pair`, a transmitter and a receiver.',
    'transceiver',
  ),
  binds: option(whole(1, 64), 'Concurrent sessions, or pairs; default 1.', 1),
  window: option(whole(1, 100_000), 'Maximum number of submits without a stored outcome; default 500.', 500),
  long_messages: option(
    oneOf(longMessages),
    'Form of long messages: parts with a header, or whole in `message_payload`.',
    'udh',
  ),
  source_ton: removable(smppTon, 'Type of number of senders; default: by their form.', null),
  source_npi: removable(smppNpi, 'Numbering plan of senders; default: by their form.', null),
  destination_ton: option(smppTon, 'Type of number of recipients; default 1.', 1),
  destination_npi: option(smppNpi, 'Numbering plan of recipients; default 1.', 1),
  registered_delivery: option(whole(0, 31), 'Requested delivery receipts: 1 all, 2 failures, 0 none.', 1),
  default_alphabet: option(oneOf(alphabets), 'Alphabet that the SMSC uses for data coding 0.', 'gsm'),
  default_data_coding: option(whole(0, 255), 'Data coding of texts in the default alphabet.', 0),
  unicode_data_coding: option(whole(0, 255), 'Data coding of texts in UCS-2; default 8.', 8),
  sender_messages_per_second: option(
    z.number('must be a number').min(0, 'must be 0 or more').max(MAX_PER_SECOND),
    'Maximum messages per second of each sender; 0 is no limit.',
    0,
  ),
  parameters: option(listOf(parameterInput, MAX_PARAMETERS), parameterMeanings.list, [exampleParameter]),
  validity: option(oneOf(validities), 'Format of `validity_period`.', 'relative'),
  enquire_link_ms: option(whole(1, 86_400_000), 'Idle time before `enquire_link`, in milliseconds.', 30_000),
  response_timeout_ms: option(
    whole(1, 86_400_000),
    'Time after which a response is overdue, in milliseconds.',
    30_000,
  ),
});

/** Settings of a SIP trunk in a body. */
export const sipInput = z.object({
  uri: option(
    textUpTo(255),
    'SIP URI of the trunk. Required for a new connector.',
    'sip:sip.voip.example;transport=tls',
  ),
  ...tlsInput,
  username: removable(textUpTo(128), 'User name for challenges.', 'me'),
  password: passwordInput,
  realm: removable(textUpTo(128), 'Realm of accepted challenges; others are not answered.', null),
  caller_id: option(textUpTo(128), 'Caller number. Required for a new connector.', '+97237654321'),
  domain: removable(textUpTo(128), 'Name after `@`, if it is not the host.', null),
  register: option(flag, 'Whether the service registers with the trunk; default false.', false),
  calls_at_once: option(whole(1, 10_000), 'Concurrent calls; default 10.', 30),
  prefixes: option(
    z
      .array(text.regex(/^\d{0,15}$/, 'must be digits'), 'must be a list')
      .min(1)
      .max(1_000),
    'Prefixes of the numbers that it accepts; an empty one matches every number.',
    ['972'],
  ),
  number_prefix: option(
    text.regex(/^[+*#\d]{0,16}$/, 'must be digits or + * #'),
    'Prefix that is added to numbers.',
    '+',
  ),
  keep_alive_seconds: option(
    whole(0, 3_600),
    'Interval of OPTIONS requests to the trunk in seconds; 0 never.',
    15,
  ),
});

const tlsAnswer = {
  tls_ca: out.maybeText('PEM of the trusted authorities, instead of those of the machine.', null),
  tls_server_name: out.maybeText('Name on the certificate, if it is not the host.', null),
  tls_verify: out.flag('Whether its certificate must be trusted.', true),
};
const smppAnswer = z.object({
  host: out.text('Name or address of the SMSC.', 'smsc.example'),
  port: out.count('Port.', 2775),
  tls: out.flag('Whether the connection uses TLS.', false),
  ...tlsAnswer,
  system_id: out.text('`system_id` of the bind.', 'me'),
  system_type: out.text('`system_type` of the bind.', ''),
  bind_mode: out.oneOf(
    bindModes,
    'Sessions: `transceiver`, or `pair`, a transmitter and a receiver.',
    'transceiver',
  ),
  binds: out.count('Concurrent sessions, or pairs.', 1),
  window: out.count('Maximum number of submits without a stored outcome.', 500),
  long_messages: out.oneOf(longMessages, 'Form of long messages.', 'udh'),
  source_ton: out.maybeCount('Type of number of senders; null: by their form.', null),
  source_npi: out.maybeCount('Numbering plan of senders; null: by their form.', null),
  destination_ton: out.count('Type of number of recipients.', 1),
  destination_npi: out.count('Numbering plan of recipients.', 1),
  registered_delivery: out.count('Requested delivery receipts.', 1),
  default_alphabet: out.oneOf(alphabets, 'Alphabet that the SMSC uses for data coding 0.', 'gsm'),
  default_data_coding: out.count('Data coding of texts in the default alphabet.', 0),
  unicode_data_coding: out.count('Data coding of texts in UCS-2.', 8),
  sender_messages_per_second: out.number('Maximum messages per second of each sender; 0 is no limit.', 0),
  parameters: z
    .array(
      z.object({
        tag: out.text(parameterMeanings.tag, '0x1400'),
        form: out.oneOf(parameterForms, parameterMeanings.form, 'text'),
        value: out.text(parameterMeanings.value, '{dlt.entity}'),
        octets: out.maybeCount(parameterMeanings.octets, null),
      }),
    )
    .describe(parameterMeanings.list),
  validity: out.oneOf(validities, 'Format of `validity_period`.', 'relative'),
  enquire_link_ms: out.count('Idle time before `enquire_link`, in milliseconds.', 30_000),
  response_timeout_ms: out.count('Time after which a response is overdue, in milliseconds.', 30_000),
});
const sipAnswer = z.object({
  uri: out.text('SIP URI of the trunk.', 'sip:sip.voip.example;transport=tls'),
  ...tlsAnswer,
  username: out.maybeText('User name for challenges.', 'me'),
  realm: out.maybeText('Realm of accepted challenges; others are not answered.', null),
  caller_id: out.text('Caller number.', '+97237654321'),
  domain: out.maybeText('Name after `@`, if it is not the host.', null),
  register: out.flag('Whether the service registers with the trunk.', false),
  calls_at_once: out.count('Concurrent calls.', 30),
  prefixes: out.texts('Prefixes of the numbers that it accepts; empty matches every number.', ['972']),
  number_prefix: out.text('Prefix that is added to numbers.', '+'),
  keep_alive_seconds: out.count('Interval of OPTIONS requests to the trunk in seconds; 0 never.', 15),
});

const connectorProtocols = [...protocols, 'smtp'] as const;
/** Messages per second in a body; null restores the value of the settings. */
export const limitInput = field(
  z.number('must be a number').min(0, 'must be 0 or more').max(MAX_PER_SECOND).nullable().optional(),
  'Maximum messages (calls of a trunk) per second; 0 is no limit, null the limit of its settings.',
  50,
);
export const connectorAnswer = z.object({
  name: out.text('Name of the connector.', 'alpha'),
  protocol: out.oneOf(
    connectorProtocols,
    'Protocol: `smpp` for SMS, `sip` for calls, `http` for SMS or calls, `smtp` for email.',
    'smpp',
  ),
  channel: out.oneOf(['sms', 'voice', 'mail'], 'Channel of its messages.', 'sms'),
  is_configured: out.flag('Whether it is part of the configuration and is changed there.', false),
  is_enabled: out.flag('Whether it is enabled.', true),
  per_second: out.number('Maximum messages (calls of a trunk) per second; 0 is no limit.', 50),
  is_limit_set: out.flag('Whether an operator set `per_second`; otherwise it is from its settings.', true),
  has_password: out.flag('Whether it has a password.', true),
  routes: out.texts('Names of the routes that use it.', ['to/972']),
  smpp: smppAnswer.nullable().describe('Settings of an SMPP connection; otherwise null.'),
  sip: sipAnswer.nullable().describe('Settings of a SIP trunk; otherwise null.'),
  http: httpAnswer
    .nullable()
    .describe('Settings of an HTTP connector; otherwise null, also for one of the configuration.'),
});

const showSmpp = serializer(smppAnswer);
const showSip = serializer(sipAnswer);
const show = serializer(connectorAnswer);

/** Formats a connector for responses. `requestsUrl` is the address for the provider of an HTTP connector, if its secret is new. */
export function showConnector(view: ConnectorView, requestsUrl?: string): z.output<typeof connectorAnswer> {
  const { protocol, settings } = view;
  return show({
    ...view,
    perSecond: view.limit ?? view.settingsLimit,
    isLimitSet: view.limit !== null,
    routes: [...view.routes],
    smpp: protocol === 'smpp' ? showSmpp({ ...tlsFieldsOf(settings), ...smppOf(settings) }) : null,
    sip: protocol === 'sip' ? showSip({ ...tlsFieldsOf(settings), ...sipOf(settings) }) : null,
    http: protocol === 'http' ? showHttp(view, requestsUrl) : null,
  });
}

type Shown<Settings> = { [Name in keyof Settings]-?: Exclude<Settings[Name], undefined> };
const smppOf = (settings: ConnectorView['settings']) =>
  ({ sourceTon: null, sourceNpi: null, ...settings, tls: settings?.tls !== false }) as unknown as Omit<
    Shown<SmppConnectorSettings>,
    'tls' | 'sourceTon' | 'sourceNpi'
  > & { tls: boolean; sourceTon: number | null; sourceNpi: number | null };
const sipOf = (settings: ConnectorView['settings']) =>
  ({ username: null, realm: null, domain: null, ...settings }) as unknown as Omit<
    Shown<SipTrunkSettings>,
    'username' | 'realm' | 'domain'
  > & {
    username: string | null;
    realm: string | null;
    domain: string | null;
  };

function tlsFieldsOf(settings: ConnectorView['settings']) {
  const tls = settings?.tls;
  const { ca, servername, rejectUnauthorized } = (typeof tls === 'object' ? tls : {}) as {
    readonly ca?: string;
    readonly servername?: string;
    readonly rejectUnauthorized?: boolean;
  };
  return {
    tlsCa: ca ?? null,
    tlsServerName: servername ?? null,
    tlsVerify: rejectUnauthorized ?? true,
  };
}

type Given = z.output<typeof smppInput> | z.output<typeof sipInput>;

/** Converts settings of an HTTP connector for the domain. */
export const httpSettingsOf = (given: z.output<typeof httpInput>): SettingsInput => camelNames(given);

/** Converts settings of a body for the domain; `before` is the changed connector. */
export function settingsOf(given: Given, before: ConnectorView | undefined): SettingsInput {
  const { tls_ca: ca, tls_server_name: servername, tls_verify: verify, ...rest } = given;
  const { tls, ...settings } = camelNames(rest);
  const isOfTls = [tls, ca, servername, verify].some((value) => value !== undefined);
  if (!isOfTls) return settings;
  const known = tlsFieldsOf(before?.settings ?? null);
  const names = {
    ca: ca === undefined ? known.tlsCa : ca,
    servername: servername === undefined ? known.tlsServerName : servername,
  };
  const options = {
    ...Object.fromEntries(Object.entries(names).filter(([, value]) => value !== null)),
    rejectUnauthorized: verify ?? known.tlsVerify,
  };
  // The address of a trunk determines whether it uses TLS.
  const isOn = 'uri' in given || before?.protocol === 'sip' || (tls ?? (before?.settings?.tls || false));
  return { ...settings, tls: isOn === false ? false : options };
}

function camelNames(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );
}

/** Runs code that reads settings of a protocol. A Refusal that it throws gets the field name of the body. */
export async function withSettingNames<T>(protocol: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'bad-field' || !error.path) throw error;
    if (error.path === 'name') throw error;
    const [first = '', second, third] = error.path.split('.');
    const name = first === 'tls' && second ? (tlsNames[second] ?? 'tls') : first;
    // Paths into a description stay whole, with its own names.
    const entry =
      first === 'parameters' && second !== undefined ? `[${second}]${third ? `.${third}` : ''}` : '';
    const rest = protocol === 'http' ? error.path.slice(first.length) : entry;
    throw error.at(`${protocol}.${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}${rest}`);
  }
}

const tlsNames: Readonly<Record<string, string>> = {
  ca: 'tls_ca',
  servername: 'tls_server_name',
  rejectUnauthorized: 'tls_verify',
};
