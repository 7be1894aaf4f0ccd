import { z } from 'zod';
import { changes, dailyWork, readsConversations } from '../../../api/access/rules.ts';
import { out } from '../../../api/openapi/out.ts';
import { field, found, idOf, notFound, oneOf, requiredText, rowsAnswer } from '../../../api/v1/kit/fields.ts';
import { resource } from '../../../api/v1/kit/route.ts';
import { serializer } from '../../../api/v1/kit/serializer.ts';
import type { CoreContext } from '../../../run/services.ts';
import { labelColors, MAX_LABELS } from '../labels.ts';

const MAX_NAME = 40;

const name = field(requiredText(MAX_NAME), 'Name, unique within the account.', 'Order');
const color = oneOf(labelColors);

const labelAnswer = z.object({
  id: out.id('Id of the label.', '1774337460000062'),
  name: out.text('Name of the label.', 'Order'),
  color: out.oneOf(labelColors, 'Colour of the label.', 'blue'),
});
const show = serializer(labelAnswer);
const id = idOf('label');

const route = resource<Pick<CoreContext, 'conversationLabels'>>('conversations');

/** Labels of conversations. */
export const labelRoutes = [
  route('GET /v1/conversation-labels', {
    access: readsConversations,
    operationId: 'listConversationLabels',
    title: 'List labels',
    description: 'Lists the labels for conversations, by name.',
    answer: rowsAnswer('labels', labelAnswer),
    handler: async ({ accountId }, { conversationLabels }) => ({
      labels: (await conversationLabels.list(accountId)).map(show),
    }),
  }),
  route('POST /v1/conversation-labels', {
    access: dailyWork(changes('sender', 'send')),
    operationId: 'createConversationLabel',
    title: 'Create a label',
    description: `Creates a label. An account has at most ${MAX_LABELS}.`,
    refusals: ['not-now'],
    body: z.object({ name, color: field(color.default('gray'), 'Colour of the label.', 'blue') }),
    answer: labelAnswer,
    handler: async ({ accountId, body }, { conversationLabels }) =>
      show(await conversationLabels.create(accountId, body)),
  }),
  route('PATCH /v1/conversation-labels/:id', {
    access: dailyWork(changes('sender', 'send')),
    operationId: 'changeConversationLabel',
    title: 'Change a label',
    description: 'Updates the label in all its conversations.',
    id,
    body: z.object({
      name: name.optional(),
      color: field(color.optional(), 'Colour of the label.', 'green'),
    }),
    answer: labelAnswer,
    handler: async ({ accountId, id, body }, { conversationLabels }) =>
      show(found(await conversationLabels.change(accountId, id, body), 'label')),
  }),
  route('DELETE /v1/conversation-labels/:id', {
    access: dailyWork(changes('sender', 'send')),
    operationId: 'deleteConversationLabel',
    title: 'Delete a label',
    description: 'Deletes the label and removes it from conversations.',
    id,
    handler: async ({ accountId, id }, { conversationLabels }) => {
      if (!(await conversationLabels.remove(accountId, id))) throw notFound('label');
    },
  }),
];
