import { z } from 'zod';
import { labelColors, MAX_LABELS } from '../../conversations/labels.ts';
import type { CoreContext } from '../../core.ts';
import { out } from '../../interfaces/openapi/out.ts';
import {
  field,
  found,
  idOf,
  notFound,
  oneOf,
  requiredText,
  rowsAnswer,
} from '../../interfaces/v1/kit/fields.ts';
import { resource } from '../../interfaces/v1/kit/route.ts';
import { serializer } from '../../interfaces/v1/kit/serializer.ts';

const MAX_NAME = 40;

const name = field(requiredText(MAX_NAME), 'The name, which no other label has.', 'Order');
const color = oneOf(labelColors);

const labelAnswer = z.object({
  id: out.id('Its id.', '1774337460000062'),
  name: out.text('The name.', 'Order'),
  color: out.oneOf(labelColors, 'How it is shown.', 'blue'),
});
const show = serializer(labelAnswer);
const id = idOf('label');

const route = resource<Pick<CoreContext, 'conversationLabels'>>('conversations');

/** Labels of conversations. */
export const labelRoutes = [
  route('GET /v1/conversation-labels', {
    operationId: 'listConversationLabels',
    title: 'List labels',
    description: 'Labels that conversations can have, by name.',
    answer: rowsAnswer('labels', labelAnswer),
    handler: async ({ accountId }, { conversationLabels }) => ({
      labels: (await conversationLabels.list(accountId)).map(show),
    }),
  }),
  route('POST /v1/conversation-labels', {
    operationId: 'createConversationLabel',
    title: 'Create a label',
    description: `An account has at most ${MAX_LABELS}.`,
    refusals: ['not-now'],
    body: z.object({ name, color: field(color.default('gray'), 'How it is shown.', 'blue') }),
    answer: labelAnswer,
    handler: async ({ accountId, body }, { conversationLabels }) =>
      show(await conversationLabels.create(accountId, body)),
  }),
  route('PATCH /v1/conversation-labels/:id', {
    operationId: 'changeConversationLabel',
    title: 'Change a label',
    description: 'Conversations that have it show it as it is then.',
    id,
    body: z.object({ name: name.optional(), color: field(color.optional(), 'How it is shown.', 'green') }),
    answer: labelAnswer,
    handler: async ({ accountId, id, body }, { conversationLabels }) =>
      show(found(await conversationLabels.change(accountId, id, body), 'label')),
  }),
  route('DELETE /v1/conversation-labels/:id', {
    operationId: 'deleteConversationLabel',
    title: 'Delete a label',
    description: 'Conversations do not have it any more.',
    id,
    handler: async ({ accountId, id }, { conversationLabels }) => {
      if (!(await conversationLabels.remove(accountId, id))) throw notFound('label');
    },
  }),
];
