import { z } from 'zod';
import { dailyWork, operatorChanges, operatorReads } from '../../../api/access/rules.ts';
import { out } from '../../../api/openapi/out.ts';
import { field, idText, notFound, requiredText, rowsAnswer, text } from '../../../api/v1/kit/fields.ts';
import { resource } from '../../../api/v1/kit/route.ts';
import { serializer } from '../../../api/v1/kit/serializer.ts';
import type { CoreContext } from '../../../run/services.ts';

const MAX_REASON = 500;

const waitingAnswer = z.object({
  account_id: out.id('Id of the account that made the request.', '1774337460000003'),
  username: out.text('User name of the account.', 'shop'),
  source: out.text('Requested name.', 'Shop'),
  note: out.text('Note of the account for the operator.', 'our name in the streets'),
  asked_at: out.time('Time of the request'),
});
const approval = z.object({
  account_id: field(idText('an account'), 'Id of the account that made the request.', '1774337460000003'),
  source: field(text, 'Requested name.', 'Shop'),
});
const refusal = approval.extend({
  reason: field(requiredText(MAX_REASON), 'Reason, shown to the account.', 'the name of another company'),
});

const show = serializer(waitingAnswer, ({ name }: { name: string }) => ({ source: name }));

type OperatorSendersDeps = Pick<CoreContext, 'sourceRequests'>;

const route = resource<OperatorSendersDeps>('operator');

/** Requests of accounts for sender names, for operators. */
export const operatorSenderRoutes = [
  route('GET /v1/operator/source-requests', {
    access: operatorReads,
    operationId: 'listSourceRequests',
    title: 'List pending sender names',
    description: 'Lists the requests of all accounts, oldest first, 500 at most.',
    answer: rowsAnswer('requests', waitingAnswer),
    handler: async (_call, { sourceRequests }) => ({
      requests: (await sourceRequests.waiting()).map(show),
    }),
  }),
  route('POST /v1/operator/source-requests/approve', {
    access: dailyWork(operatorChanges),
    operationId: 'approveSourceRequest',
    title: 'Approve a sender name',
    description: 'Approves a requested name: the account may send from it.',
    refusals: ['not-found'],
    body: approval,
    handler: async ({ body: { account_id: id, source }, audit }, { sourceRequests }) => {
      if (!(await sourceRequests.approve(Number(id), source))) throw notFound('request waits');
      audit({ kind: 'accounts', id, after: { source } });
    },
  }),
  route('POST /v1/operator/source-requests/refuse', {
    access: dailyWork(operatorChanges),
    operationId: 'refuseSourceRequest',
    title: 'Reject a sender name',
    description: 'Rejects a requested name with a reason, shown to the account.',
    refusals: ['not-found'],
    body: refusal,
    handler: async ({ body: { account_id: id, source, reason }, audit }, { sourceRequests }) => {
      if (!(await sourceRequests.refuse(Number(id), source, reason))) throw notFound('request waits');
      audit({ kind: 'accounts', id, after: { source, reason } });
    },
  }),
];
