import { z } from 'zod';
import { type Money, spendingTool } from './spending-tool.ts';
import type { Tool } from './tool.ts';

/** Fields of POST /v1/chat/messages, which checks them. The limits keep a call small. */
const templateMessage = z.strictObject({
  source: z.string().max(50).describe('Business number that sends'),
  to: z
    .string()
    .max(140)
    .describe('Number of the recipient; for a client who hides it, the recipient id of their messages'),
  template_id: z
    .string()
    .max(600)
    .describe('`template_id` of an approved template, from `list_chat_templates`'),
  variables: z
    .partialRecord(z.enum(['1', '2', '3', '4', '5']), z.string().max(1_024))
    .optional()
    .describe('Variables of the body, by number'),
  header_link: z
    .string()
    .max(2_000)
    .optional()
    .describe('Link to the media file of the header, or the variable of a text header'),
  website_variable: z
    .string()
    .max(2_000)
    .optional()
    .describe('Value that completes the address of a website button'),
});

/** The part of the answer of the estimate on which a send depends. */
interface Estimate extends Money {
  /** Body with the variables. */
  readonly body: string;
}

const sendChatTemplate = spendingTool({
  name: 'send_chat_template',
  title: 'Send a chat template',
  description: 'Sends an approved template by chat to one recipient.',
  input: templateMessage,
  estimate: 'POST /v1/chat/messages/estimate',
  send: 'POST /v1/chat/messages',
  previewOf: ({ body }: Estimate) => ({ text: body, recipients: 1, reached: 1 }),
});

/** Tools of chat. */
export const chatTools: readonly Tool[] = [sendChatTemplate];
