import { lanes } from '../../../engine/messages/lanes.ts';
import type { ListPart, ShipmentItem } from '../../../engine/messages/plan.ts';
import {
  listPart,
  MAX_LISTS,
  MAX_PHONES,
  readDestinations,
  readLists,
  readSource,
  readWords,
} from '../../../engine/messages/send-request.ts';
import { badField } from '../../../kit/errors.ts';
import { TimeSlice } from '../../../kit/time-slices.ts';
import { programs, sends } from '../../access/rules.ts';
import { inFieldNames } from '../../field-names.ts';
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
import { element, list, text } from '../wire/fields.ts';

const MAX = 2_500;

/**
 * Sends many texts in one request (interface, B2). Numbers may repeat across its messages. `cl_id` outside the messages
 * applies to each of them.
 */
export const bulk = operation({
  roots: ['bulk'],
  access: sends(programs('send'), 'plain'),
  chapter: 'sending',
  title: 'Send many SMS',
  description:
    'Sends many texts in one request, each to its own phones and contact lists, as one campaign. The request is accepted or refused as a whole. A number in several of its messages receives each of them. All messages together have at most 100,000 numbers.',
  example: {
    messages: {
      sms: [
        {
          source: 'Shop',
          destinations: { phone: [{ $: { id: 'order-17' }, _: '0501234567' }] },
          message: 'Dana, your order is on its way',
        },
        {
          source: 'Shop',
          destinations: { phone: ['0521234567'] },
          message: 'Noam, your order can be fetched',
        },
      ],
    },
    campaign_name: 'Orders',
  },
  answer: sent,
  refusals: sendRefusals,
  schema: element({
    user,
    send_key: sendKey,
    messages: element({
      sms: list(element({ ...message, destinations, links }), { min: 1, max: MAX }).describe('Messages.'),
    }),
    cl_id: list(text, { max: MAX_LISTS }, `over ${MAX_LISTS} contact lists`).describe(
      'Contact lists that receive every message.',
    ),
    ...shared,
  }),
  async run(input, call) {
    const common = await inFieldNames(namesIn(''), () => readShared(input, call));
    const everywhere = await inFieldNames({ lists: 'cl_id' }, () => readLists(input.cl_id, call));
    const international = input.includes_international === 1;
    const items: ShipmentItem[] = [];
    const parts: ListPart[] = [];
    let source = '';
    const slice = new TimeSlice();
    for (const [index, entry] of input.messages.sms.entries()) {
      if (slice.isOverNow) await slice.rest();
      await inFieldNames(namesIn(`messages.sms[${index}].`), async () => {
        const from = entry.source === source ? source : await readSource(entry.source, 'source', call);
        source ||= from;
        const words = readWords(textInputOf(entry, entry.message, input.add_unsubscribe), call);
        const own = {
          source: from === source ? null : from,
          text: words.text,
          ...(words.template && { template: words.template }),
        };
        const lists = [...everywhere, ...(await readLists(entry.destinations?.cl_id ?? [], call))];
        const phones = entry.destinations?.phone ?? [];
        const mine = await readDestinations(phones, call, international, own, lists);
        for (const item of mine) items.push(item);
        if (items.length > MAX_PHONES) throw tooMany();
        if (lists.length > 0) parts.push(listPart(words, from, lists, mine, international));
      });
    }
    const request = {
      ...common,
      lane: lanes.bulk,
      source,
      text: null,
      items,
      international,
      ...(parts.length > 0 && { lists: parts }),
    };
    const unused = input.messages.sms.findIndex(({ destinations }) => destinations?.cl);
    return send(request, call, unused < 0 ? undefined : `messages.sms[${unused}].destinations.cl`);
  },
});

const tooMany = () =>
  badField('phones', `over ${MAX_PHONES} numbers in all messages, use several requests`, 'too-many', {
    max: MAX_PHONES,
  });
