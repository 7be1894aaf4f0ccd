import type { ShipmentRequest } from '../../engine/messages/plan.ts';
import {
  checkMaySend,
  MAX_CAMPAIGN_NAME,
  MAX_LISTS,
  MAX_MESSAGE,
  MAX_PHONES,
  MAX_SOURCE,
  readCampaignName,
  readRecentDays,
  type TextInput,
} from '../../engine/messages/send-request.ts';
import type { FieldNames } from '../field-names.ts';
import { out } from '../openapi/out.ts';
import { answerOf } from './about.ts';
import { includesInternational, readTime } from './fields.ts';
import type { Call } from './operation.ts';
import { done, type SmsRefusalCode } from './status-codes.ts';
import type { AnswerFields } from './wire/encode.ts';
import {
  list,
  maybeTextWithId,
  optionalElement,
  optionalText,
  type TextWithId,
  text,
  textInput,
  textWithId,
} from './wire/fields.ts';
import { given } from './wire/presence.ts';

/*
 * Shared fields of `sms` and `bulk` (interface, B1 and B2). The checks are those of every API that sends
 * (engine/messages/send-request.ts).
 */

export const destinations = optionalElement({
  phone: list(maybeTextWithId, { max: MAX_PHONES }, `over ${MAX_PHONES} numbers, use several requests`).meta({
    description:
      'Phone number, `05xxxxxxxx`, `5xxxxxxxx` or international; each receives the message once. `id` is your own id for the delivery report.',
  }),
  cl_id: list(text, { max: MAX_LISTS }, `over ${MAX_LISTS} contact lists`).meta({
    description: 'Ids of contact lists.',
  }),
  cl: given.anything.describe('Ignored, as `message` of the response says. Contact lists are in `cl_id`.'),
}).describe('Recipients: phones, contact lists, or both.');

export const links = optionalElement({
  link: list(textWithId).describe('Address of a link; its `id` identifies `[link-<id>]` in the message.'),
}).describe('Links to shorten; their clicks are counted.');

/** Fields of both operations, without their messages. */
export const shared = {
  timing: optionalText.describe(
    'Time of sending, `dd/mm/yy hh:mm` in the time zone of the account; immediately if absent or in the past.',
  ),
  add_unsubscribe: optionalText.describe(
    '`3` adds a removal link, `2` the word to reply for removal; other values add nothing.',
  ),
  temp_bl: optionalText.describe(
    'Days, `1` to `14`: skips recipients who received a message of the account within them.',
  ),
  includes_international: includesInternational,
  campaign_name: optionalText.meta({
    description: 'Name of the campaign, shown in reports and accepted by `cancel`.',
    maxLength: MAX_CAMPAIGN_NAME,
  }),
};

export const message = {
  source: textInput.meta({
    description:
      'Sender: digits and English letters. A number must be verified, a name approved for the account.',
    maxLength: MAX_SOURCE,
  }),
  message: textInput.meta({ description: 'Text of the message.', maxLength: MAX_MESSAGE }),
};

interface SharedInput {
  timing?: string | undefined;
  add_unsubscribe?: string | undefined;
  temp_bl?: string | undefined;
  includes_international?: number | undefined;
  campaign_name?: string | undefined;
}

/** Reads the shared fields. Throws Refusal with the status of the first invalid one. */
export function readShared(
  input: SharedInput,
  call: Call,
): Pick<ShipmentRequest, 'accountId' | 'campaignName' | 'dueAt' | 'recentDays'> {
  checkMaySend(call);
  return {
    accountId: call.account.id,
    campaignName: readCampaignName(input.campaign_name),
    dueAt: input.timing === undefined ? null : readTime('timing', input.timing, call),
    recentDays: readRecentDays(input.temp_bl),
  };
}

/** Returns the fields of a text. Any value of `add_unsubscribe` other than 2 and 3 means no (interface, B1). */
export function textInputOf(
  entry: {
    tag?: string | undefined;
    links?: { link: readonly TextWithId[] } | undefined;
    add_dynamic?: string | undefined;
  },
  message: string | undefined,
  unsubscribe: string | undefined,
): TextInput {
  return {
    message,
    tag: entry.tag,
    links: entry.links?.link,
    dynamic: entry.add_dynamic === '1',
    removal: unsubscribe === '2' ? 'reply' : unsubscribe === '3' ? 'link' : null,
  };
}

/**
 * Names of the fields of a send in this API; `field` is the element around a text and its recipients, with a dot, or
 * ''.
 */
export const namesIn = (field: string): FieldNames => ({
  source: `${field}source`,
  message: `${field}message`,
  links: `${field}links.link`,
  phones: `${field}destinations.phone`,
  lists: `${field}destinations.cl_id`,
  dynamic: `${field}add_dynamic`,
  campaignName: 'campaign_name',
  recentDays: 'temp_bl',
});

/** The response of `send`. */
export const sent = answerOf(
  {
    shipment_id: out.text(
      'Id of the shipment, in reports and as `campaign_id` of `cancel`.',
      '1774337460000001',
    ),
  },
  { message: 'SMS will be sent' },
);

/** Possible refusals of `sms` and `bulk`. */
export const sendRefusals: readonly SmsRefusalCode[] = [
  'no-credit',
  'not-now',
  'all-blocked',
  'bad-destination',
  'source-not-verified',
  'bad-recent-days',
  'all-filtered',
  'bad-links',
  'unknown-list',
  'bad-message',
  'bad-source',
];

/**
 * Accepts a shipment, or in a dry run runs the same checks. Returns the response of both operations. `unused` names an
 * ignored field. Throws Refusal.
 */
export async function send(request: ShipmentRequest, call: Call, unused?: string): Promise<AnswerFields> {
  const { acceptor, ids } = call.services;
  const message =
    unused === undefined
      ? 'SMS will be sent'
      : `SMS will be sent; ${unused} was not used, contact lists are named in cl_id`;
  const answer = (id: number) => ({ status: done.accepted, message, shipment_id: String(id) });
  if (call.dryRun) {
    await acceptor.check(request);
    return answer(ids.next());
  }
  const { sendKey } = call;
  return answer(
    await acceptor.accept(sendKey ? { ...request, sendKey: sendKey.answering(answer) } : request),
  );
}
