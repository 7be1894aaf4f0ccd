import { z } from 'zod';
import { out } from '../../api/openapi/out.ts';
import { field, oneOf, whole } from '../../api/v1/kit/fields.ts';
import { speechFields } from '../../api/v1/kit/speech-fields.ts';
import { storable } from '../../api/v1/kit/text-fields.ts';
import type { RowsBeside } from '../../database/rows-beside.ts';
import { estimateFallback } from '../../engine/fallback/estimate.ts';
import { MAX_REPEAT, REPEAT } from '../../engine/messages/call-request.ts';
import { callTypes } from '../../engine/messages/calls.ts';
import type { ShipmentRequest } from '../../engine/messages/plan.ts';
import { MAX_GIVEN_SOURCE, MAX_MESSAGE } from '../../engine/messages/send-request.ts';
import { countParts } from '../../kit/text/segmentation.ts';
import { formatAmount } from '../../modules/accounts/money.ts';
import type { OwnHours, Transactional } from '../../modules/sending-policy/policy.ts';
import type { CoreContext } from '../../run/services.ts';
import { CALL_CHANNEL, TEXT_CHANNEL } from '../contract/channels.ts';

/* The field `fallback` of a send: another channel for messages that fail. */

const MINUTE_MS = 60_000;
const MIN_MINUTES = 5;
const MAX_MINUTES = 1_440;
const MINUTES = 30;

/** Channels that can replace messages, by the names of the API. */
const channels = ['sms', 'voice', 'chat'] as const;

const maybe = (max: number, description: string) =>
  storable(max).optional().meta({ description, examples: [] });

export const fallbackField = field(
  z
    .object({
      channel: field(
        oneOf(channels),
        'Channel of the second message, other than that of the send: `sms`, `voice` (a call) or `chat`.',
        'voice',
      ),
      after_minutes: field(
        whole(MIN_MINUTES, MAX_MINUTES).default(MINUTES),
        'Minutes after the submission of a message, 5 to 1440: without a delivery by then, the second message is sent.',
        MINUTES,
      ),
      text: maybe(
        MAX_MESSAGE,
        'Text of an SMS or a call. Absent: `message`. Required for a send with `dynamic`.',
      ),
      source: maybe(
        MAX_GIVEN_SOURCE,
        'Sender of an SMS; absent: `source` of the send. For `chat`, the business number, which is required.',
      ),
      template_id: maybe(600, 'Approved template of the business number, without variables; for `chat`.'),
      header_link: maybe(2_000, 'Link to the media file, for a template with a media header.'),
      ...speechFields,
      repeat: field(
        whole(1, MAX_REPEAT).default(REPEAT),
        'Number of times that a call speaks the text.',
        REPEAT,
      ),
    })
    .nullable()
    .default(null),
  'Sends a second message by another channel to each recipient whose message fails or is not delivered in time. It has its own price and status. Failures that hold on every channel, such as a blacklisted recipient, are not repeated. Not possible with `tts` of type `2` or `3`.',
  null,
);

/** Names of the fields of a fallback in this API. */
export const fallbackNames = {
  'fallback.templateId': 'fallback.template_id',
  'fallback.headerLink': 'fallback.header_link',
};

export type FallbackDeps = Pick<
  CoreContext,
  'channels' | 'clock' | 'fallbacks' | 'hourlyStatistics' | 'prices'
>;

export const fallbackEstimate = z
  .object({
    messages: out.count('Second messages, if as many messages fail as in the last 7 days.', 480),
    cost: out.text('Price of these messages in credits.', '192'),
  })
  .nullable()
  .describe(
    'Estimate of the second messages, which are not part of `cost`; null without `fallback`, and without delivered or failed messages in the last 7 days.',
  );

type Given = NonNullable<z.output<typeof fallbackField>>;

/** Fields of the send that its fallback depends on. */
interface GivenSend {
  readonly message: string;
  readonly dynamic: boolean;
  readonly removal: 'link' | 'reply' | null;
  readonly includes_international: boolean;
  readonly tts: { readonly type: number } | null;
}

/** Returns the rows of a fallback, which are stored with the shipment. Throws Refusal with a field of `fallback`. */
export function readFallback(
  { channels: all, fallbacks }: FallbackDeps,
  { channel, after_minutes, text, source, template_id, header_link, voice, rate, repeat }: Given,
  { message, dynamic, removal, includes_international: international, tts }: GivenSend,
  terms: Pick<ShipmentRequest, 'accountId' | 'source' | 'dueAt'> & {
    readonly rule: OwnHours | Transactional | null;
  },
): Promise<readonly RowsBeside[]> {
  return fallbacks.read(
    {
      channel: all.named(channel).id,
      afterMs: after_minutes * MINUTE_MS,
      input: { text, source, templateId: template_id, headerLink: header_link, voice, rate, repeat },
    },
    { ...terms, message, dynamic, removal, international, channels: channelsOf(tts) },
  );
}

/** Returns the estimate of the second messages. `phone` is one of the recipients, or '' for an unknown one. */
export async function showFallbackEstimate(
  deps: FallbackDeps,
  accountId: number,
  { fallback, message, tts }: Pick<GivenSend, 'message' | 'tts'> & { readonly fallback: Given | null },
  { recipients, phone }: { readonly recipients: number; readonly phone: string },
): Promise<z.output<typeof fallbackEstimate>> {
  const [first, ...others] = channelsOf(tts);
  if (!fallback || others.length > 0) return null;
  const { channel: second, text } = fallback;
  const parts = second === 'sms' ? countParts(text ?? message) : 1;
  const estimate = await estimateFallback(deps, {
    accountId,
    first: first!,
    second,
    recipients,
    parts,
    phone,
  });
  return estimate && { messages: estimate.messages, cost: formatAmount(estimate.cost) };
}

/** Returns the channels by which a recipient receives the message. */
function channelsOf(tts: GivenSend['tts']): readonly number[] {
  if (!tts) return [TEXT_CHANNEL];
  return tts.type === callTypes.callOnly ? [CALL_CHANNEL] : [TEXT_CHANNEL, CALL_CHANNEL];
}
