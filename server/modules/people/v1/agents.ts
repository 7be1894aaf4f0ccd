import { z } from 'zod';
import { readsConversations } from '../../../api/access/rules.ts';
import { out } from '../../../api/openapi/out.ts';
import { rowsAnswer } from '../../../api/v1/kit/fields.ts';
import { resource } from '../../../api/v1/kit/route.ts';
import { serializer } from '../../../api/v1/kit/serializer.ts';
import type { People } from '../people.ts';

const agentAnswer = z.object({
  id: out.id('Id of the person.', '1774337460000021'),
  name: out.text('Name of the person.', 'Dana Levi'),
});
const show = serializer(agentAnswer);

const route = resource<{ readonly people: People }>('people');

/** People who may answer conversations. */
export const agentRoutes = [
  route('GET /v1/conversation-agents', {
    access: readsConversations,
    operationId: 'listConversationAgents',
    title: 'List the people who answer conversations',
    description:
      'Lists the people to whom conversations can be assigned: those with the role `agent`, `sender` or `owner` who are not disabled, by name.',
    answer: rowsAnswer('agents', agentAnswer),
    handler: async ({ accountId }, { people }) => ({
      agents: (await people.listAgents(accountId)).map(show),
    }),
  }),
];
