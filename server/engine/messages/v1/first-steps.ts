import { z } from 'zod';
import { reads } from '../../../api/access/rules.ts';
import { out } from '../../../api/openapi/out.ts';
import { resource } from '../../../api/v1/kit/route.ts';
import type { CoreContext } from '../../../run/services.ts';

const firstStepsAnswer = z.object({
  sender_needed: out.flag('Whether the service checks senders, so that the account needs one.', true),
  sender: out.flag('Whether it has a sender.', true),
  send: out.flag('Whether it has sent a message that is still stored.', true),
  contacts: out.flag('Whether it has a contact list.', false),
  token: out.flag('Whether it has an API token that was not revoked.', false),
  webhook: out.flag('Whether it has an endpoint for events.', false),
});

type FirstStepsDeps = Pick<
  CoreContext,
  'sql' | 'sources' | 'verifySources' | 'contactLists' | 'tokens' | 'events'
>;

const route = resource<FirstStepsDeps>('reports');

/** Steps of the setup that an account has completed. The overview of the console would otherwise ask for five lists to see which are empty. */
export const firstStepsRoutes = [
  route('GET /v1/first-steps', {
    access: reads('owner'),
    operationId: 'showFirstSteps',
    title: 'Show the first steps',
    description: 'Returns which steps of the setup the account has done.',
    answer: firstStepsAnswer,
    handler: async ({ accountId }, { sql, sources, verifySources, contactLists, tokens, events }) => {
      const [senders, messages, lists, made, endpoints] = await Promise.all([
        sources.list(accountId),
        sql`SELECT 1 FROM messages WHERE account_id = ${accountId} LIMIT 1`,
        contactLists.list(accountId, 0, 1),
        tokens.list(accountId),
        events.endpoints.list(accountId),
      ]);
      return {
        sender_needed: verifySources,
        sender: senders.length > 0,
        send: messages.length > 0,
        contacts: lists.length > 0,
        token: made.length > 0,
        webhook: endpoints.length > 0,
      };
    },
  }),
];
