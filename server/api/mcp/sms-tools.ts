import { z } from 'zod';
import { estimateBy, type Money, spendingTool } from './spending-tool.ts';
import { readOnly, type Tool, tool } from './tool.ts';

/** Longer lists belong into a contact list: the model would have to repeat each number with the confirmation. */
const MAX_PHONES = 500;

/** Fields of POST /v1/sms, which checks them. The limits keep a call small. */
const sms = z.strictObject({
  source: z
    .string()
    .max(50)
    .describe('Sender: a verified number of the account, or an approved name of up to 11 characters'),
  message: z.string().max(5_000).describe('Text of the message'),
  phones: z
    .array(z.string().max(50))
    .max(MAX_PHONES)
    .optional()
    .describe('Recipients: numbers in any spelling, each receives the message once'),
  lists: z
    .array(z.string().max(20))
    .max(100)
    .optional()
    .describe('Ids of contact lists whose contacts receive the message'),
  at: z
    .string()
    .max(40)
    .optional()
    .describe('Time of sending, ISO 8601 with an offset; immediately if absent or in the past'),
  includes_international: z.boolean().optional().describe('Whether numbers of other countries are allowed'),
  removal: z
    .enum(['link', 'reply'])
    .optional()
    .describe(
      'Removal text that is appended: a link, or the word to reply. Many countries require one in advertisements',
    ),
  transactional: z
    .boolean()
    .optional()
    .describe('Whether the message is exempt from the sending policy, such as a receipt or an alarm'),
});

const ESTIMATE = 'POST /v1/sms/estimate';

/** The part of the answer of ESTIMATE on which a send depends. */
interface Estimate extends Money {
  readonly text: string;
  readonly recipients: number;
  readonly blocked: number;
  readonly recent: number;
  readonly without_consent: number | null;
}

const estimateSms = tool({
  name: 'estimate_sms',
  title: 'Estimate an SMS',
  description:
    'Returns recipients, parts, encoding, price in credits and times of an SMS that is not sent. Recipients are optional.',
  routes: [ESTIMATE],
  input: sms.partial({ source: true }),
  annotations: readOnly,
  run: async (args, context) => ({ fields: await estimateBy(context, ESTIMATE, args) }),
});

const sendSms = spendingTool({
  name: 'send_sms',
  title: 'Send an SMS',
  description: 'Sends one text to phones and contact lists.',
  input: sms.extend({
    campaign_name: z.string().max(50).optional().describe('Name of the campaign in reports'),
  }),
  estimate: ESTIMATE,
  send: 'POST /v1/sms',
  previewOf: ({ text, recipients, blocked, recent, without_consent }: Estimate) => ({
    text,
    recipients,
    reached: recipients - blocked - recent - (without_consent ?? 0),
  }),
});

/** Tools of SMS. */
export const smsTools: readonly Tool[] = [estimateSms, sendSms];
