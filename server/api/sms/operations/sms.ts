import { MAX_TAG, readSend, readSource } from '../../../engine/messages/send-request.ts';
import { Refusal } from '../../../kit/errors.ts';
import { programs, sends } from '../../access/rules.ts';
import { inFieldNames } from '../../field-names.ts';
import { askedFor } from '../../openapi/shown.ts';
import { checksOfCall, tts } from '../calling.ts';
import { sendKey, user } from '../fields.ts';
import { operation } from '../operation.ts';
import {
  destinations,
  links,
  message,
  namesIn,
  readShared,
  send,
  sendRefusals,
  sent,
  shared,
  textInputOf,
} from '../sending.ts';
import { element, optionalText } from '../wire/fields.ts';
import { given } from '../wire/presence.ts';

const names = namesIn('');

/** Sends a text to phones and contact lists, by SMS and by calls that read it aloud (interface, B1 and B3). */
export const sms = operation({
  roots: ['sms'],
  access: sends(programs('send'), 'plain'),
  chapter: 'sending',
  title: 'Send an SMS',
  description:
    'Sends one text to phones and contact lists, now or at a scheduled time. Each number receives it once. The price depends on the number of parts, of 160 characters of the GSM alphabet or 70 of others. Recipients on the blacklist are skipped and not charged. With `tts` the text is read aloud in a call: each call is a message of its own, with its own price and status (`ttsDlr`).',
  example: {
    source: 'Shop',
    destinations: { phone: [{ $: { id: 'order-17' }, _: '0501234567' }, '0521234567'] },
    message: 'Spring is here: [link-1]',
    links: { link: [{ $: { id: '1' }, _: 'https://example.com/spring' }] },
    campaign_name: 'Spring',
  },
  answer: sent,
  refusals: [...sendRefusals, 'several-messages', 'not-allowed', 'bad-dynamic-fields'],
  schema: element({
    user,
    send_key: sendKey,
    ...message,
    message: given.orSeveral.meta(message.message.meta()!),
    destinations: askedFor(destinations),
    tag: optionalText.meta({
      description: 'Prefix for programs that read codes: `#` adds `<#>` and a space.',
      maxLength: MAX_TAG,
    }),
    add_dynamic: optionalText.describe(
      '`1`: `df1` to `df6` of the contact replace `[DYNAMIC_FIELD1]` to `[DYNAMIC_FIELD6]`. Requires one contact list and no phones.',
    ),
    links,
    tts,
    ...shared,
  }),
  async run(input, call) {
    if (input.message === 'several') {
      throw new Refusal('several-messages', 'given more than once, use bulk for several messages', 'message');
    }
    const { tts: asked, message: text } = input;
    const request = await inFieldNames(names, async () => {
      const source = await readSource(input.source, 'source', call);
      const common = readShared(input, call);
      return readSend(
        {
          text: textInputOf(input, text, input.add_unsubscribe),
          phones: input.destinations?.phone ?? [],
          lists: input.destinations?.cl_id ?? [],
          international: input.includes_international === 1,
          ...(asked && { calls: checksOfCall(asked, text!, call) }),
        },
        { ...common, source },
        call,
      );
    });
    return send(request, call, input.destinations?.cl ? 'destinations.cl' : undefined);
  },
});
