import { z } from 'zod';
import { readOnly, type Tool, type ToolSpec, tool, UNTRUSTED } from './tool.ts';
import type { V1Input, V1Route } from './v1-calls.ts';

/** Rows of a page, unless the caller asks for more: a page is part of the context of a model. */
const ROWS = 20;
const MAX_ROWS = 100;

const limit = z.int().min(1).max(MAX_ROWS).default(ROWS).describe('Maximum number of rows');
const id = (what: string) => z.string().max(20).describe(`Id of the ${what}`);
const after = id('last row of the previous page, `next` of its result').optional();
const search = z.string().max(100).optional().describe('Text that the names contain');

interface LookUpSpec<Input extends z.ZodObject>
  extends Pick<ToolSpec<Input>, 'name' | 'title' | 'description' | 'input'> {
  readonly route: V1Route;
  /** Values of the query that the caller does not choose. */
  readonly fixed?: V1Input['query'];
}

/** Declares a tool that returns the answer of a route; its arguments are the query. */
const lookUp = <Input extends z.ZodObject>({ route, fixed, ...spec }: LookUpSpec<Input>): Tool =>
  tool({
    ...spec,
    routes: [route],
    annotations: readOnly,
    run: async (args, { call }) => {
      const { fields } = await call(route, { query: { ...(args as V1Input['query']), ...fixed } });
      return { fields };
    },
  });

const getBalance = lookUp({
  name: 'get_balance',
  title: 'Get the balance',
  description: 'Returns the credits that the account can spend.',
  route: 'GET /v1/wallet',
  input: z.strictObject({}),
});

const findMessages = lookUp({
  name: 'find_messages',
  title: 'Find messages',
  description: `Lists messages of all channels that match all given filters, newest first, with recipient, state, text and times. A page filtered by state or channel may be short and still have a \`next\`. ${UNTRUSTED}`,
  route: 'GET /v1/messages',
  input: z.strictObject({
    phone: z
      .string()
      .max(320)
      .optional()
      .describe('Recipient: a number in any spelling, or an email address'),
    state: z
      .enum(['waiting', 'submitted', 'delivered', 'read', 'failed', 'cancelled'])
      .optional()
      .describe('`submitted`: the carrier has the message, and its delivery status is not known yet'),
    channel: z.string().max(20).optional().describe('Channel: `sms`, `voice`, `chat` or `mail`'),
    shipment_id: id('shipment, as `send_sms` returns it').optional(),
    campaign_name: z.string().max(50).optional().describe('`campaign_name` of the send'),
    external_id: z.string().max(255).optional().describe('Your own id of a message'),
    from: z.string().max(40).optional().describe('Start of the span, ISO 8601 with an offset'),
    to: z.string().max(40).optional().describe('End of the span, excluded, ISO 8601 with an offset'),
    after,
    limit,
  }),
});

const getMessage = tool({
  name: 'get_message',
  title: 'Get a message and its timeline',
  description: `Returns a message with its content and the events of its timeline, oldest first. A failed message has the reason, the responsible party and the recommended action. ${UNTRUSTED}`,
  routes: ['GET /v1/messages/:id', 'GET /v1/messages/:id/content'],
  input: z.strictObject({ id: id('message, as `find_messages` returns it') }),
  annotations: readOnly,
  run: async (given, { call }) => {
    const { fields: message } = await call('GET /v1/messages/:id', given);
    const { fields: content } = await call('GET /v1/messages/:id/content', given);
    return { fields: { message, content } };
  },
});

const listChatTemplates = lookUp({
  name: 'list_chat_templates',
  title: 'List chat templates',
  description:
    'Lists the chat templates of the account in the order of creation, with their texts, variables and approval status.',
  route: 'GET /v1/chat/templates',
  input: z.strictObject({
    search,
    after: z.string().max(60).optional().describe('`template_id` of the last template of the previous page'),
    limit,
  }),
  fixed: { deleted: false },
});

const listMailTemplates = lookUp({
  name: 'list_mail_templates',
  title: 'List email templates',
  description: 'Lists the email templates of the account with name and subject, last saved first.',
  route: 'GET /v1/mail/templates',
  input: z.strictObject({ search }),
});

const listContactLists = lookUp({
  name: 'list_contact_lists',
  title: 'List contact lists',
  description:
    'Lists the contact lists of the account with their ids, names, columns and number of contacts, without phone numbers.',
  route: 'GET /v1/contact-lists',
  input: z.strictObject({
    search,
    after: id('last list of the previous page').optional(),
    limit,
  }),
});

const findContact = lookUp({
  name: 'find_contact',
  title: 'Find a contact',
  description: `Returns the contact lists that contain a phone number, each with its fields for the number. ${UNTRUSTED}`,
  route: 'GET /v1/contacts',
  input: z.strictObject({ phone: z.string().max(30).describe('Number in any spelling') }),
});

/** Tools that only read. */
export const readingTools: readonly Tool[] = [
  getBalance,
  findMessages,
  getMessage,
  listChatTemplates,
  listMailTemplates,
  listContactLists,
  findContact,
];
