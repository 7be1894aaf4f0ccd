import { z } from 'zod';
import { operatorChanges, operatorReads, sendsNothing, withoutProof } from '../../../api/access/rules.ts';
import { out } from '../../../api/openapi/out.ts';
import { found, idOf, rowsAnswer } from '../../../api/v1/kit/fields.ts';
import { resource } from '../../../api/v1/kit/route.ts';
import { serializer } from '../../../api/v1/kit/serializer.ts';
import type { CoreContext } from '../../../run/services.ts';
import {
  endpointStates,
  type FailingEndpoint,
  findEndpoint,
  listFailingEndpoints,
} from '../failing-endpoints.ts';
import { endpointKinds } from '../types.ts';

const endpointAnswer = z.object({
  id: out.id('Id of the endpoint.', '1774337460000002'),
  account_id: out.id('Id of the account that registered it.', '1774337460000003'),
  username: out.text('User name of that account.', 'shop'),
  kind: out.oneOf(
    endpointKinds,
    '`webhook`; the push of one event of the SMS API: `dlr`, `incoming`, `blacklist`; or `callback`: a host that programs named for status callbacks or for incoming messages.',
    'webhook',
  ),
  host: out.text('Host and port of its address. Only its account can see the whole address.', 'example.com'),
  state: out.oneOf(
    endpointStates,
    '`failing`: every attempt has failed since `since`. `off`: disabled since then; nothing is sent until it is enabled.',
    'failing',
  ),
  since: out.maybeTime('Time since which it is failing or disabled'),
  off_reason: out.maybeText('Reason why it was disabled.', null),
  waiting: out.count('Events that wait for a retry.', 120),
  last_status: out.maybeCount('HTTP status of the last failed attempt; null: no response.', 500),
  last_error: out.maybeText('Error of the last failed attempt.', 'answered 500'),
  last_failure_at: out.maybeTime('Time of the last failed attempt'),
  last_success_at: out.maybeTime('Time of the last successful attempt'),
});
const show = serializer(endpointAnswer);

type Deps = Pick<CoreContext, 'sql' | 'events'>;

const route = resource<Deps>('operator');

/** Failing webhook endpoints of all accounts, for operators. */
export const operatorWebhookRoutes = [
  route('GET /v1/operator/webhooks', {
    access: operatorReads,
    operationId: 'listFailingWebhooks',
    title: 'List failing and disabled webhook endpoints',
    description:
      'Lists endpoints of all accounts: the failing ones, longest first, then the disabled ones, newest first. Returns 500 at most.',
    answer: rowsAnswer('webhooks', endpointAnswer),
    handler: async (_call, { sql }) => ({ webhooks: (await listFailingEndpoints(sql)).map(showEndpoint) }),
  }),
  route('POST /v1/operator/webhooks/:id/enable', {
    access: sendsNothing(withoutProof(operatorChanges, 'resumes deliveries to a known endpoint')),
    operationId: 'enableSwitchedOffWebhook',
    title: 'Enable a webhook endpoint of an account',
    description:
      'Enables the endpoint and resets its failure counters. Deliveries dropped while it was disabled can be replayed.',
    id: idOf('endpoint'),
    answer: endpointAnswer,
    handler: async ({ id }, { sql, events }) => {
      const endpoint = await findEndpoint(sql, id);
      const { accountId } = found(endpoint?.state === 'off' ? endpoint : undefined, 'disabled endpoint');
      await events.endpoints.enable(accountId, id);
      return showEndpoint(found(await findEndpoint(sql, id), 'endpoint'));
    },
  }),
];

const showEndpoint = (endpoint: FailingEndpoint) =>
  show({
    ...endpoint,
    account_id: endpoint.accountId,
    off_reason: endpoint.offReason,
    last_status: endpoint.lastStatus,
    last_error: endpoint.lastError,
    last_failure_at: endpoint.lastFailureAt,
    last_success_at: endpoint.lastSuccessAt,
  });
