import { z } from 'zod';
import type { Connectors } from '../../connectors/connectors.ts';
import type { Protocol } from '../../connectors/stored.ts';
import { Refusal } from '../../errors.ts';
import { out } from '../../interfaces/openapi/out.ts';
import { field, flag, found, rowsAnswer, text, textOf } from '../../interfaces/v1/kit/fields.ts';
import { resource } from '../../interfaces/v1/kit/route.ts';
import { serializer } from '../../interfaces/v1/kit/serializer.ts';
import {
  connectorAnswer,
  limitInput,
  settingsOf,
  showConnector,
  sipInput,
  smppInput,
  withSettingNames,
} from './connector-fields.ts';

const NAME = /^[a-z0-9][a-z0-9-]{0,39}$/;
const KIND = 'connectors';

const settings = {
  is_enabled: field(flag.optional(), 'Whether messages go over it.', true),
  per_second: limitInput,
  smpp: smppInput.optional().describe('Settings of an SMPP connection, for SMS.'),
  sip: sipInput.optional().describe('Settings of a SIP trunk, for calls.'),
};
const newConnector = z.object({
  name: field(
    text.regex(NAME, 'must be lower-case letters, digits and dashes, up to 40'),
    'Its name, in messages and metrics.',
    'alpha',
  ),
  ...settings,
});
const connectorChanges = z.object(settings);
const trialAnswer = z.object({
  is_accepted: out.flag('Whether every step was accepted.', true),
  steps: z
    .array(
      z.object({
        name: out.text('In the words of the protocol.', 'bind_transmitter'),
        is_accepted: out.flag('Whether it was accepted.', true),
        answer: out.text('What the other side answered, or the error.', 'ESME_ROK'),
        milliseconds: out.count('How long it took.', 12),
      }),
    )
    .describe('In their order, up to the first that was not accepted.'),
});
const showTrial = serializer(trialAnswer);
const showStep = serializer(trialAnswer.shape.steps.element);

interface OperatorConnectorsDeps {
  readonly connectors: Connectors;
}

const nameOf = textOf('The name of the connector; `%2F` for the slash of a relay’s.');
const route = resource<OperatorConnectorsDeps>('operator');

/** Connections to carriers, for operators. */
export const operatorConnectorRoutes = [
  route('GET /v1/operator/connectors', {
    operationId: 'listConnectors',
    title: 'List connectors',
    description:
      'How connections to carriers are set up, those of the configuration first. `GET /v1/operator/carriers` says how they stand.',
    answer: rowsAnswer('connectors', connectorAnswer),
    handler: async (_call, { connectors }) => ({ connectors: connectors.list().map(showConnector) }),
  }),
  route('POST /v1/operator/connectors', {
    operationId: 'createConnector',
    title: 'Add a connector',
    description:
      'Exactly one of `smpp` and `sip`. It connects within seconds. Messages go over it when a route names it; calls go over a trunk by its `prefixes`.',
    refusals: ['not-now'],
    body: newConnector,
    answer: connectorAnswer,
    handler: async ({ body: given, audit }, { connectors }) => {
      const { protocol, input } = settingsGiven(given);
      if (!protocol)
        throw new Refusal('bad-field', 'missing: give either smpp or sip', 'smpp', { reason: 'missing' });
      const made = await withSettingNames(protocol, () =>
        connectors.create(given.name, protocol, {
          isEnabled: given.is_enabled,
          limit: given.per_second,
          settings: settingsOf(input!, undefined),
        }),
      );
      audit({ kind: KIND, id: made.name, after: showConnector(made) });
      return showConnector(made);
    },
  }),
  route('PATCH /v1/operator/connectors/:id', {
    operationId: 'changeConnector',
    title: 'Change a connector',
    description:
      'Fields that are not given stay. Another limit is in effect at once, in the running session. With other settings it connects anew when what is in flight is answered, after 9 seconds at the latest. What waits is kept; while it is disabled, messages go over others of their route or wait.',
    refusals: ['not-now'],
    id: nameOf,
    body: connectorChanges,
    answer: connectorAnswer,
    handler: async ({ id: name, body: given, audit }, { connectors }) => {
      const before = found(connectors.find(name), 'connector');
      const { protocol = before.protocol, input } = settingsGiven(given);
      if (protocol !== before.protocol)
        throw new Refusal('bad-field', `the connector is of ${before.protocol}`, protocol, {
          reason: 'other-protocol',
        });
      const after = await withSettingNames(protocol, () =>
        connectors.change(name, {
          isEnabled: given.is_enabled,
          limit: given.per_second,
          settings: input && settingsOf(input, before),
        }),
      );
      const changed = showConnector(found(after, 'connector'));
      const isPasswordNew = input?.password !== undefined;
      audit({
        kind: KIND,
        id: name,
        before: showConnector(before),
        // Not under the name of the setting, which the audit log leaves out.
        after: { ...changed, ...(isPasswordNew && { credentials: 'replaced' }) },
      });
      return changed;
    },
  }),
  route('DELETE /v1/operator/connectors/:id', {
    operationId: 'removeConnector',
    title: 'Remove a connector',
    description:
      'One that was added, and that no route uses. What is in flight is waited for. Receipts that come later are lost, so disable it and wait for them first.',
    refusals: ['not-now'],
    id: nameOf,
    handler: async ({ id: name, audit }, { connectors }) => {
      const before = found(connectors.find(name), 'connector');
      if (!(await connectors.remove(name))) found(undefined, 'connector');
      audit({ kind: KIND, id: name, before: showConnector(before) });
    },
  }),
  route('POST /v1/operator/connectors/:id/try', {
    operationId: 'tryConnector',
    title: 'Try a connector',
    description:
      'Makes a connection beside the running ones, for 10 seconds at most: an SMPP bind as transmitter and `enquire_link`, OPTIONS to a trunk, EHLO, STARTTLS and AUTH to a relay. No message is sent.',
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

/** The settings of a body, with their protocol. Throws Refusal `bad-field` for those of two. */
function settingsGiven({ smpp, sip }: Settings): {
  readonly protocol?: Protocol;
  readonly input?: Settings['smpp'] | Settings['sip'];
} {
  if (smpp && sip)
    throw new Refusal('bad-field', 'give either smpp or sip', 'sip', { reason: 'other-protocol' });
  if (smpp) return { protocol: 'smpp', input: smpp };
  return sip ? { protocol: 'sip', input: sip } : {};
}
