import { z } from 'zod';
import { operatorChanges, operatorReads, proven, sendsNothing } from '../../../api/access/rules.ts';
import { out } from '../../../api/openapi/out.ts';
import { field, flag, found, rowsAnswer, text, textOf } from '../../../api/v1/kit/fields.ts';
import { resource } from '../../../api/v1/kit/route.ts';
import { serializer } from '../../../api/v1/kit/serializer.ts';
import { badField } from '../../../kit/errors.ts';
import { requestsOrigin } from '../../../protocols/http-carrier/settings.ts';
import type { RunSettings } from '../../../run/run-settings.ts';
import type { Connectors, ConnectorView, SettingsInput } from '../connectors.ts';
import type { Protocol } from '../stored.ts';
import {
  connectorAnswer,
  httpSettingsOf,
  limitInput,
  settingsOf,
  showConnector,
  sipInput,
  smppInput,
  withSettingNames,
} from './connector-fields.ts';
import { httpInput } from './http-fields.ts';

const NAME = /^[a-z0-9][a-z0-9-]{0,39}$/;
const KIND = 'connectors';

const settings = {
  is_enabled: field(flag.optional(), 'Whether it is enabled.', true),
  per_second: limitInput,
  smpp: smppInput.optional().describe('Settings of an SMPP connection, for SMS.'),
  sip: sipInput.optional().describe('Settings of a SIP trunk, for calls.'),
  http: httpInput.optional().describe('Settings of an HTTP connector, for SMS or calls.'),
};
const newConnector = z.object({
  name: field(
    text.regex(NAME, 'must be lower-case letters, digits and dashes, up to 40'),
    'Name of the connector, used in messages and metrics.',
    'alpha',
  ),
  ...settings,
});
const connectorChanges = z.object(settings);
const trialAnswer = z.object({
  is_accepted: out.flag('Whether all steps succeeded.', true),
  steps: z
    .array(
      z.object({
        name: out.text('Name of the step in the protocol.', 'bind_transmitter'),
        is_accepted: out.flag('Whether the step succeeded.', true),
        answer: out.text('Response of the carrier, or the error.', 'ESME_ROK'),
        milliseconds: out.count('Duration of the step in milliseconds.', 12),
      }),
    )
    .describe('Steps in order, up to the first failed one.'),
});
const showTrial = serializer(trialAnswer);
const showStep = serializer(trialAnswer.shape.steps.element);

interface OperatorConnectorsDeps extends Pick<RunSettings, 'pageBase'> {
  readonly connectors: Connectors;
}

const nameOf = textOf('Name of the connector; `%2F` for the slash in the name of a relay.');
const route = resource<OperatorConnectorsDeps>('operator', {
  'names of secrets, and addresses that are returned once to the operator who makes them': [
    ...['secret_names', 'reports_url', 'incoming_url'],
  ],
  'tags and forms of optional parameters': ['tag', 'form'],
});

/** Connections to carriers, for operators. */
export const operatorConnectorRoutes = [
  route('GET /v1/operator/connectors', {
    access: operatorReads,
    operationId: 'listConnectors',
    title: 'List connectors',
    description:
      'Lists the settings of connections to carriers, those of the configuration first. `GET /v1/operator/carriers` has their state.',
    answer: rowsAnswer('connectors', connectorAnswer),
    handler: async (_call, { connectors }) => ({
      connectors: connectors.list().map((one) => showConnector(one)),
    }),
  }),
  route('POST /v1/operator/connectors', {
    access: sendsNothing(proven(operatorChanges)),
    operationId: 'createConnector',
    title: 'Add a connector',
    description:
      'Adds a connector with exactly one of `smpp`, `sip` and `http`, and connects it within seconds. Messages use it when a route names it; calls use a trunk, or an HTTP connector for calls, by its `prefixes`.',
    refusals: ['not-now'],
    body: newConnector,
    answer: connectorAnswer,
    handler: async ({ body: given, audit }, { connectors, pageBase }) => {
      const { protocol, read } = settingsGiven(given);
      if (!protocol) throw badField('smpp', 'missing: give one of smpp, sip and http', 'missing');
      const made = await withSettingNames(protocol, () =>
        connectors.create(given.name, protocol, {
          isEnabled: given.is_enabled,
          limit: given.per_second,
          settings: read(undefined),
        }),
      );
      audit({ kind: KIND, id: made.name, after: showConnector(made) });
      return showConnector(made, requestsUrlOf(made, pageBase()));
    },
  }),
  route('PATCH /v1/operator/connectors/:id', {
    access: proven(operatorChanges),
    operationId: 'changeConnector',
    title: 'Change a connector',
    description:
      'Updates the given fields. A new limit applies immediately, to the running session. With other settings the connector reconnects when all responses have arrived, after 9 seconds at the latest. Waiting messages are kept; while it is disabled, they use other connectors of their route or wait.',
    refusals: ['not-now'],
    id: nameOf,
    body: connectorChanges,
    answer: connectorAnswer,
    handler: async ({ id: name, body: given, audit }, { connectors, pageBase }) => {
      const before = found(connectors.find(name), 'connector');
      const { protocol = before.protocol, read, isSecretNew } = settingsGiven(given);
      if (protocol !== before.protocol)
        throw badField(protocol, `the connector is of ${before.protocol}`, 'other-protocol');
      const after = await withSettingNames(protocol, () =>
        connectors.change(name, {
          isEnabled: given.is_enabled,
          limit: given.per_second,
          settings: read?.(before),
        }),
      );
      const stored = found(after, 'connector');
      audit({
        kind: KIND,
        id: name,
        before: showConnector(before),
        // Not under the name of the setting, which the audit log would remove.
        after: { ...showConnector(stored), ...(isSecretNew && { credentials: 'replaced' }) },
      });
      return showConnector(stored, requestsUrlOf(stored, pageBase()));
    },
  }),
  route('DELETE /v1/operator/connectors/:id', {
    access: proven(operatorChanges),
    operationId: 'removeConnector',
    title: 'Remove a connector',
    description:
      'Removes an added connector that no route uses, after the responses for submitted messages have arrived. Later delivery receipts are lost: disable the connector and wait for them first.',
    refusals: ['not-now'],
    id: nameOf,
    handler: async ({ id: name, audit }, { connectors }) => {
      const before = found(connectors.find(name), 'connector');
      if (!(await connectors.remove(name))) found(undefined, 'connector');
      audit({ kind: KIND, id: name, before: showConnector(before) });
    },
  }),
  route('POST /v1/operator/connectors/:id/try', {
    access: sendsNothing(proven(operatorChanges)),
    operationId: 'tryConnector',
    title: 'Test a connector',
    description:
      'Opens a separate connection for up to 10 seconds: an SMPP bind as transmitter and `enquire_link`, OPTIONS to a trunk, EHLO, STARTTLS and AUTH to a relay, a connection and a request for an OAuth token to an HTTP provider. Sends no message.',
    refusals: ['not-now'],
    id: nameOf,
    answer: trialAnswer,
    handler: async ({ id: name, audit }, { connectors }) => {
      const trial = found(await connectors.try(name), 'connector');
      const answer = showTrial({ ...trial, steps: trial.steps.map(showStep) });
      audit({ kind: KIND, id: name, after: answer });
      return answer;
    },
  }),
];

type Settings = z.output<typeof connectorChanges>;

/** Settings of a body, with their protocol. */
type Given =
  | { readonly protocol?: never; readonly read?: never; readonly isSecretNew?: never }
  | {
      readonly protocol: Protocol;
      /** Converts them for the domain; `before` is the changed connector. */
      readonly read: (before: ConnectorView | undefined) => SettingsInput;
      /** Whether they contain a secret. */
      readonly isSecretNew: boolean;
    };

/** Returns the settings of a body. Throws Refusal `bad-field` for settings of two protocols. */
function settingsGiven({ smpp, sip, http }: Settings): Given {
  if ([smpp, sip, http].filter((one) => one !== undefined).length > 1)
    throw badField(http ? 'http' : 'sip', 'give one of smpp, sip and http', 'other-protocol');
  if (http)
    return {
      protocol: 'http',
      read: () => httpSettingsOf(http),
      isSecretNew: http.secrets !== undefined || http.path_secret !== undefined,
    };
  const input = smpp ?? sip;
  if (!input) return {};
  return {
    protocol: smpp ? 'smpp' : 'sip',
    read: (before) => settingsOf(input, before),
    isSecretNew: input.password !== undefined,
  };
}

/** Returns the address for the provider of an HTTP connector, if the secret of its path is new. */
const requestsUrlOf = ({ name, newPathSecret: pathSecret }: ConnectorView, publicUrl: string) =>
  pathSecret === undefined ? undefined : requestsOrigin({ name, pathSecret }, publicUrl);
