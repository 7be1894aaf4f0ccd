import { z } from 'zod';
import { isAddressBlock, isSourceName } from '../../modules/accounts/account-rules.ts';
import type { CoreContext } from '../../run/services.ts';
import { changes, dailyWork, proven, reads, sendsNothing, withoutProof } from '../access/rules.ts';
import { out } from '../openapi/out.ts';
import { because } from '../schema-problems.ts';
import {
  field,
  flag,
  found,
  idOf,
  listOf,
  oneOf,
  requiredText,
  rowsAnswer,
  text,
  whole,
} from '../v1/kit/fields.ts';
import { resource } from '../v1/kit/route.ts';
import { serializer } from '../v1/kit/serializer.ts';
import { bindModes, type SmppBind } from './binds.ts';
import { defaults } from './client-defaults.ts';
import { isSystemId, MAX_CLIENTS, type SmppClient } from './clients.ts';

const MAX_NAME = 50;
const MAX_BLOCKS = 50;
const MAX_SOURCES = 100;
const MAX_BINDS = 50;
const MAX_WINDOW = 500;
const MAX_RATE = 10_000;
const alphabets = ['gsm', 'latin1'] as const;

const bindAnswer = z.object({
  id: out.id('Id of the bind.', '1774337460000008'),
  mode: out.oneOf(bindModes, 'Kind of the bind.', 'transceiver'),
  address: out.text('Address of the client.', '192.0.2.7'),
  secure: out.flag('Whether the bind uses TLS.', true),
  interface_version: out.count('`interface_version` of the bind.', 52),
  bound_at: out.time('Time of the bind'),
  accepted: out.count('Messages accepted over the bind.', 1_204),
  refused: out.count('Messages refused over the bind.', 3),
  last_error: out.text('Name of the last refusal; empty: none.', 'ESME_RTHROTTLED'),
});
const showBind = serializer(bindAnswer);

const settings = {
  name: out.text('Name for people.', 'Order system'),
  enabled: out.flag('Whether the client may bind.', true),
  addresses: out.texts('Networks from which it may bind; empty: any.', ['192.0.2.0/24']),
  tls_required: out.flag('Whether only binds with TLS are accepted.', true),
  max_binds: out.count('Maximum number of binds at a time.', 4),
  messages_per_second: out.count('Maximum messages per second; 0: no limit.', 100),
  window: out.count('Maximum requests of a bind that wait for their answer.', 50),
  default_source: out.maybeText('Sender of messages without one; null: such messages are refused.', 'Shop'),
  sources: out.texts('Senders that it may use; empty: all of the account.', ['Shop']),
  default_alphabet: out.oneOf(alphabets, 'Alphabet of `data_coding` 0.', 'gsm'),
  international: out.flag('Whether it may send to other countries.', false),
  incoming: out.flag('Whether it receives the incoming messages of the account.', true),
};
const clientAnswer = z.object({
  id: out.id('Id of the client.', '1774337460000007'),
  system_id: out.text('`system_id` of its binds.', 'orders'),
  ...settings,
  created_at: out.time('Time of creation'),
  binds: z.array(bindAnswer).describe('Current binds, oldest first.'),
});
const show = serializer(
  clientAnswer,
  ({ id, binds }: SmppClient & { readonly binds: readonly SmppBind[] }) => ({
    binds: binds.filter(({ clientId }) => clientId === id).map((bind) => showBind(bind)),
  }),
);

const serverAnswer = z.object({
  port: out.maybeCount('Port without TLS; null: off.', 2_775),
  tls_port: out.maybeCount('Port with TLS; null: off.', 3_550),
});
const showServer = serializer(serverAnswer);

const password = field(
  text
    .min(8, 'must have 8 characters or more')
    .max(64, 'over 64 characters')
    .regex(/^[\x21-\x7e]*$/, 'must be printable ASCII without spaces'),
  'Password, 8 to 64 characters. It is never returned. Many programs send at most 8.',
  'kT3c0y2v',
);
const source = text
  .min(1, 'missing')
  .refine(
    (value) => /^\d{1,20}$/.test(value) || isSourceName(value),
    because('must be a number or a name of a sender', 'not-a-sender'),
  );
const given = {
  name: field(requiredText(MAX_NAME), 'Name for people.', 'Order system'),
  enabled: field(flag, 'Whether the client may bind.', true),
  addresses: field(
    listOf(
      text.refine(
        isAddressBlock,
        because('must be an address or a block like 192.0.2.0/24', 'not-a-network'),
      ),
      MAX_BLOCKS,
    ),
    'Networks from which it may bind; empty: any.',
    ['192.0.2.0/24'],
  ),
  tls_required: field(flag, 'Whether only binds with TLS are accepted.', true),
  max_binds: field(whole(1, MAX_BINDS), 'Maximum number of binds at a time.', 4),
  messages_per_second: field(whole(0, MAX_RATE), 'Maximum messages per second; 0: no limit.', 100),
  window: field(whole(1, MAX_WINDOW), 'Maximum requests of a bind that wait for their answer.', 50),
  default_source: field(
    source.nullable(),
    'Sender of messages without one; null: such messages are refused.',
    'Shop',
  ),
  sources: field(listOf(source, MAX_SOURCES), 'Senders that it may use; empty: all of the account.', [
    'Shop',
  ]),
  default_alphabet: field(
    oneOf(alphabets),
    'Alphabet of `data_coding` 0: unpacked GSM 03.38, or Latin-1.',
    'gsm',
  ),
  international: field(flag, 'Whether it may send to other countries.', false),
  incoming: field(flag, 'Whether it receives the incoming messages of the account.', true),
};
const newClient = z.object({
  system_id: field(
    text.refine(isSystemId, because('must be 1 to 64 letters, digits, or one of _ . @ -', 'wrong-format')),
    '`system_id` of its binds, unique in the installation. Many programs send at most 15 characters.',
    'orders',
  ),
  password,
  name: given.name,
  enabled: given.enabled.default(defaults.enabled),
  addresses: given.addresses.default([]),
  tls_required: given.tls_required.default(defaults.tlsRequired),
  max_binds: given.max_binds.default(defaults.maxBinds),
  messages_per_second: given.messages_per_second.default(defaults.messagesPerSecond),
  window: given.window.default(defaults.window),
  default_source: given.default_source.default(defaults.defaultSource),
  sources: given.sources.default([]),
  default_alphabet: given.default_alphabet.default(defaults.defaultAlphabet),
  international: given.international.default(defaults.international),
  incoming: given.incoming.default(defaults.incoming),
});
const optional = <Shape extends Record<string, z.ZodType>>(shape: Shape) =>
  Object.fromEntries(Object.entries(shape).map(([name, schema]) => [name, schema.optional()])) as {
    readonly [Name in keyof Shape]: z.ZodOptional<Shape[Name]>;
  };
const clientChange = z.object({ password: password.optional(), ...optional(given) });

/** Returns the settings of the domain. */
const settingsOf = <Body extends z.output<typeof clientChange>>(body: Body) => {
  const { tls_required, max_binds, messages_per_second, default_source, default_alphabet, ...same } = body;
  return {
    ...same,
    tlsRequired: tls_required as Body['tls_required'],
    maxBinds: max_binds as Body['max_binds'],
    messagesPerSecond: messages_per_second as Body['messages_per_second'],
    defaultSource: default_source as Body['default_source'],
    defaultAlphabet: default_alphabet as Body['default_alphabet'],
  };
};

type SmppDeps = Pick<CoreContext, 'smpp'>;
const CLIENT = 'SMPP client';

const route = resource<SmppDeps>('account', {
  'settings of an SMPP client': ['default_source', 'sources'],
  'a bind of an SMPP client': ['mode', 'bound_at'],
});
const withBinds = async (accountId: number, { binds }: CoreContext['smpp'], client: SmppClient) =>
  show({ ...client, binds: await binds.of(accountId, [client.id]) });

/** Programs that bind to the SMPP server. */
export const smppRoutes = [
  route('GET /v1/smpp-clients', {
    access: reads('viewer', 'read'),
    operationId: 'listSmppClients',
    title: 'List SMPP clients',
    description:
      'Lists the SMPP clients of the account with their binds, oldest first, without passwords, and the ports that they connect to.',
    answer: rowsAnswer('clients', clientAnswer).extend({ server: serverAnswer }),
    handler: async ({ accountId }, { smpp: { clients, binds, settings: server } }) => {
      const all = await clients.list(accountId);
      const bound = await binds.of(
        accountId,
        all.map(({ id }) => id),
      );
      return { clients: all.map((client) => show({ ...client, binds: bound })), server: showServer(server) };
    },
  }),
  route('GET /v1/smpp-clients/:id', {
    access: reads('viewer', 'read'),
    operationId: 'showSmppClient',
    title: 'Show an SMPP client',
    description: 'Returns one SMPP client with its binds, without its password.',
    id: idOf(CLIENT),
    answer: clientAnswer,
    handler: async ({ accountId, id }, { smpp }) =>
      withBinds(accountId, smpp, found(await smpp.clients.one(accountId, id), CLIENT)),
  }),
  route('POST /v1/smpp-clients', {
    access: sendsNothing(proven(changes('owner'))),
    operationId: 'createSmppClient',
    title: 'Create an SMPP client',
    description: `Creates a client for a program that binds to the SMPP server. An account has at most ${MAX_CLIENTS}. Other processes know it within two seconds.`,
    fieldNames: { systemId: 'system_id' },
    body: newClient,
    answer: clientAnswer,
    handler: async ({ accountId, body: { system_id: systemId, ...body } }, { smpp }) =>
      withBinds(accountId, smpp, await smpp.clients.create(accountId, { systemId, ...settingsOf(body) })),
  }),
  route('PATCH /v1/smpp-clients/:id', {
    access: proven(changes('owner')),
    operationId: 'changeSmppClient',
    title: 'Change an SMPP client',
    description:
      'Updates the given fields. A new password does not end current binds; disabling the client ends them within some seconds.',
    id: idOf(CLIENT),
    body: clientChange,
    answer: clientAnswer,
    handler: async ({ accountId, id, body }, { smpp }) =>
      withBinds(accountId, smpp, found(await smpp.clients.change(accountId, id, settingsOf(body)), CLIENT)),
  }),
  route('POST /v1/smpp-clients/:id/disconnect', {
    access: dailyWork(changes('owner')),
    operationId: 'disconnectSmppClient',
    title: 'Disconnect an SMPP client',
    description: 'Ends the current binds of the client within some seconds. The client may bind again.',
    id: idOf(CLIENT),
    handler: async ({ accountId, id }, { smpp: { clients, binds } }) => {
      found(await clients.one(accountId, id), CLIENT);
      await binds.removeAll(accountId, id);
    },
  }),
  route('DELETE /v1/smpp-clients/:id', {
    access: withoutProof(changes('owner'), 'takes power away'),
    operationId: 'deleteSmppClient',
    title: 'Delete an SMPP client',
    description:
      'Deletes the client and ends its binds. Receipts and incoming messages that wait for it are deleted, too; messages that it submitted are sent.',
    id: idOf(CLIENT),
    handler: async ({ accountId, id }, { smpp: { clients, binds } }) => {
      found((await clients.remove(accountId, id)) || undefined, CLIENT);
      await binds.removeAll(accountId, id);
    },
  }),
];
