import { z } from 'zod';
import type { SourceRequests } from '../../audience/source-requests.ts';
import { answered } from '../openapi/shown.ts';
import { described } from './about.ts';
import { addDetails } from './audited.ts';
import { read, type V1Part } from './door.ts';
import { NotFound } from './errors.ts';
import { done, doneAnswer, idText, iso, isoTime } from './fields.ts';
import { withBody } from './json-body.ts';

const REASON_MOST = 500;

const waitingAnswer = z.object({
  account_id: answered(z.string(), 'Who asked.', '1774337460000003'),
  username: answered(z.string(), 'Its user name.', 'shop'),
  source: answered(z.string(), 'The name.', 'Shop'),
  note: answered(z.string(), 'What was said of it.', 'our name in the streets'),
  asked_at: isoTime('When it was asked for'),
});
const approval = z.object({
  account_id: idText('an account').meta({ description: 'Who asked.', examples: ['1774337460000003'] }),
  source: z.string('must be a text').meta({ description: 'The name.', examples: ['Shop'] }),
});
const refusal = approval.extend({
  reason: z
    .string('must be a text')
    .trim()
    .min(1, 'missing')
    .max(REASON_MOST, `over ${REASON_MOST} characters`)
    .meta({ description: 'Why, for the account to read.', examples: ['the name of another company'] }),
});

/**
 * Sender names that accounts ask for, for operators, a part of the door:
 * - `GET /operator/source-requests`: what waits
 * - `POST /operator/source-requests/approve`, `/refuse`: answers one
 */
export function operatorSendersPart({ sourceRequests }: { readonly sourceRequests: SourceRequests }): V1Part {
  return (app) => {
    app.get(
      '/operator/source-requests',
      described({
        chapter: 'operator',
        id: 'listSourceRequests',
        title: 'Sender names that wait for an answer',
        description: 'Of all accounts, the oldest first, 500 at most.',
        answer: z.object({ requests: z.array(waitingAnswer) }),
      }),
      async () => ({
        requests: (await sourceRequests.waiting()).map(({ accountId, username, name, note, askedAt }) => ({
          account_id: String(accountId),
          username,
          source: name,
          note,
          asked_at: iso(askedAt),
        })),
      }),
    );

    app.post(
      '/operator/source-requests/approve',
      withBody(
        described({
          chapter: 'operator',
          id: 'approveSourceRequest',
          title: 'Approve a sender name',
          description: 'One that an account has asked for: it may send from it from now on.',
          answer: doneAnswer,
          refusals: ['not-found'],
        }),
        approval,
      ),
      async (request) => {
        const { account_id: id, source } = read(approval, request.body);
        if (!(await sourceRequests.approve(Number(id), source))) throw new NotFound('no such request waits');
        addDetails(request, { kind: 'accounts', id, after: { source } });
        return done;
      },
    );

    app.post(
      '/operator/source-requests/refuse',
      withBody(
        described({
          chapter: 'operator',
          id: 'refuseSourceRequest',
          title: 'Refuse a sender name',
          description: 'With a reason that the account reads.',
          answer: doneAnswer,
          refusals: ['not-found'],
        }),
        refusal,
      ),
      async (request) => {
        const { account_id: id, source, reason } = read(refusal, request.body);
        if (!(await sourceRequests.refuse(Number(id), source, reason))) {
          throw new NotFound('no such request waits');
        }
        addDetails(request, { kind: 'accounts', id, after: { source, reason } });
        return done;
      },
    );
  };
}
