import { z } from 'zod';
import { operatorChanges, operatorReads, proven, sends } from '../../api/access/rules.ts';
import { out } from '../../api/openapi/out.ts';
import type { SendKeyUse } from '../../api/send-keys/send-keys.ts';
import { sendRefusals } from '../../api/sms/sending.ts';
import { field, found, idOf, idText, textOf } from '../../api/v1/kit/fields.ts';
import { resource } from '../../api/v1/kit/route.ts';
import { storable } from '../../api/v1/kit/text-fields.ts';
import { badField } from '../../kit/errors.ts';
import type { RecordedExchange } from '../../protocols/http-carrier/recording.ts';
import type { CoreContext } from '../../run/services.ts';
import { verdictAnswer, verdictOf } from '../connectors/v1/http-carriers.ts';
import {
  checkMaySend,
  MAX_GIVEN_SOURCE,
  MAX_MESSAGE,
  readSend,
  readSource,
  type SendContext,
} from '../messages/send-request.ts';
import { messageStates, stateOf } from '../messages/states.ts';
import type { TestMessage } from './test-messages.ts';

const KIND = 'connectors';

const testBody = z.object({
  account_id: idText('an account')
    .optional()
    .meta({
      description:
        'Id of the account that sends and pays. Default: that of the operator. Operators without an account must give it.',
      examples: ['1774337460000003'],
    }),
  source: field(
    storable(MAX_GIVEN_SOURCE),
    'Sender: a verified number of the account in any spelling, or an approved name.',
    'Shop',
  ),
  phone: field(storable(50), 'Number in any spelling, also of another country.', '0501234567'),
  message: field(storable(MAX_MESSAGE), 'Text of the message.', 'Test of the connector'),
});

const sentAnswer = z.object({
  id: out.text('Id of the test message.', '1774337460000051'),
  account_id: out.text('Id of the account that sends it.', '1774337460000003'),
  message_id: out.text('Id of the message, for its timeline.', '1774337460000053'),
});

const exchangeAnswer = z.object({
  at: out.time('Time of the answer'),
  milliseconds: out.count('Duration of the request in milliseconds.', 210),
  request: z
    .object({
      method: out.text('Method.', 'POST'),
      url: out.text('Address.', 'https://api.twilio.com/2010-04-01/Accounts/***/Messages.json'),
      headers: z
        .array(z.object({ name: out.text('Name.', 'authorization'), value: out.text('Value.', 'Basic ***') }))
        .describe('Headers.'),
      body: out.maybeText('Body; null: none.', 'To=%2B972501234567&From=Shop&Body=Test+of+the+connector'),
    })
    .nullable()
    .describe(
      'Request with `***` in place of each secret; null without a request, or for an account that stores no texts.',
    ),
  sent: out.flag('Whether the request was sent.', true),
  answer: z
    .object({
      status: out.count('HTTP status.', 201),
      headers: z
        .array(
          z.object({
            name: out.text('Name.', 'content-type'),
            value: out.text('Value.', 'application/json'),
          }),
        )
        .describe('Headers that help to understand the answer; cookies are not among them.'),
      body: out.maybeText(
        'First 4,096 characters of the body; null if it did not arrive, or the account stores no texts.',
        '{"sid":"SM0123456789","num_segments":"1"}',
      ),
    })
    .nullable()
    .describe('Answer with `***` in place of each secret; null: none.'),
  error: out.maybeText('Error of the connection, or reason why nothing was sent.', null),
  verdict: verdictAnswer.nullable().describe('Meaning of the answer by the rules; null without an answer.'),
});

const testAnswer = z.object({
  id: out.text('Id of the test message.', '1774337460000051'),
  connector: out.text('Name of the connector.', 'alpha'),
  account_id: out.text('Id of the account that sends it.', '1774337460000003'),
  username: out.text('User name of the account.', 'shop'),
  message_id: out.text('Id of the message, for its timeline.', '1774337460000053'),
  state: out.maybeOneOf(messageStates, 'State of the message; null when it was deleted.', 'submitted'),
  code: out.maybeText('Code of the carrier, or the reason of the failure.', null),
  attempts: out.count('Exchanges with the provider of an HTTP connector; 0 for SMPP.', 1),
  exchange: exchangeAnswer
    .nullable()
    .describe('Last exchange with the provider of an HTTP connector; null: none yet.'),
});

interface TestMessagesDeps
  extends Pick<CoreContext, 'accounts' | 'connectors' | 'sendingGate' | 'testMessages'> {
  readonly sending: SendContext['services'];
}

const route = resource<TestMessagesDeps>('operator', {
  'the exchange of a test that the operator sent': [...['url', 'body']],
});

/** Test messages over one connector, for operators. */
export const testMessageRoutes = [
  route('POST /v1/operator/connectors/:id/test-messages', {
    access: sends(proven(operatorChanges), 'plain'),
    operationId: 'sendTestMessage',
    title: 'Send a test message over a connector',
    description:
      'Sends one SMS over this connector alone, whatever routes say. It is a message of an account: its rules, sender and credit apply. It is sent for up to an hour; while the connector is disabled or removed, it waits. An operator can send five in a minute.',
    refusals: [...sendRefusals, 'too-fast'],
    id: textOf('Name of the connector.'),
    body: testBody,
    fieldNames: { phones: 'phone' },
    answer: sentAnswer,
    status: 202,
    handler: async ({ id: connector, body: given, caller, session, once, audit }, deps) => {
      found(deps.connectors.find(connector), 'connector');
      const account =
        caller.own && given.account_id === undefined ? caller.own : await accountOf(deps, given);
      const context = { services: deps.sending, account, caller: account };
      const act = async (use: SendKeyUse | undefined) => {
        const request = await requestOf(deps, given, context);
        const made = (id: number) => ({ id: String(id) });
        const key = use && ((id: number) => use.answering(() => made(id)));
        return made(await deps.testMessages.send({ connector, personId: session.person.id, request }, key));
      };
      const { id } = await once(act, { accountId: account.id });
      const sent = found(await deps.testMessages.find(Number(id)), 'test message');
      const answer = {
        id,
        account_id: String(sent.accountId),
        message_id: String(sent.messageId),
      };
      audit({ kind: KIND, id: connector, after: answer });
      return answer;
    },
  }),
  route('GET /v1/operator/test-messages/:id', {
    access: operatorReads,
    operationId: 'showTestMessage',
    title: 'Show a test message',
    description:
      'Returns the state of a test message of the last day, and for an HTTP connector the request and the answer of the last attempt, with every secret masked.',
    id: idOf('test message'),
    answer: testAnswer,
    handler: async ({ id }, deps) => {
      const test = found(await deps.testMessages.find(id), 'test message');
      const account = await deps.accounts.byId(test.accountId);
      return showTest(test, account?.username ?? '');
    },
  }),
];

type Given = z.output<typeof testBody>;

/** Returns the account that a body names. Throws Refusal `bad-field` without one. */
async function accountOf({ accounts }: TestMessagesDeps, { account_id: id }: Given) {
  if (id === undefined)
    throw badField('account_id', 'missing, an operator without an account names one', 'missing');
  const account = await accounts.byId(Number(id));
  if (!account) throw badField('account_id', 'no account has this id', 'unknown');
  return account;
}

/** Makes the checks of every send. Throws their Refusals. */
async function requestOf({ sendingGate }: TestMessagesDeps, given: Given, context: SendContext) {
  const accountId = context.account.id;
  const source = await readSource(given.source, 'source', context);
  checkMaySend(context);
  const rule = await sendingGate.ruleOf(accountId, { hours: null, transactional: false });
  return readSend(
    {
      text: { message: given.message, dynamic: false, removal: null },
      phones: [{ text: given.phone, id: undefined }],
      lists: [],
      international: true,
    },
    { accountId, source, rule, campaignName: null, dueAt: null, recentDays: null },
    context,
  );
}

function showTest(test: TestMessage, username: string): z.output<typeof testAnswer> {
  const { id, connector, accountId, messageId, message, attempts, exchange } = test;
  return {
    id: String(id),
    connector,
    account_id: String(accountId),
    username,
    message_id: String(messageId),
    state: message ? stateOf(message) : null,
    code: message?.code ?? null,
    attempts,
    exchange: exchange ? showExchange(exchange) : null,
  };
}

const showExchange = (exchange: RecordedExchange): z.output<typeof exchangeAnswer> => {
  const { at, milliseconds, request, isSent, answer, error, verdict } = exchange;
  return {
    at: new Date(at).toISOString(),
    milliseconds,
    request: request && { ...request, headers: [...request.headers] },
    sent: isSent,
    answer: answer && { ...answer, headers: [...answer.headers] },
    error,
    verdict: verdict && verdictOf(verdict),
  };
};
