import { Refusal } from '../../../errors.ts';
import { lanes } from '../../../messages/lanes.ts';
import type { ShipmentItem } from '../../../messages/plan.ts';
import { user } from '../fields.ts';
import { operation } from '../operation.ts';
import {
  destinations,
  message,
  readDestinations,
  readMessage,
  readShared,
  readSource,
  refuseLists,
  send,
  shared,
} from '../sending.ts';
import { element, list, text } from '../wire/fields.ts';
import { given } from '../wire/presence.ts';

const MOST = 2_500;

/** Sends many texts in one request (interface, B2). Numbers may repeat across its messages. */
export const bulk = operation({
  roots: ['bulk'],
  schema: element({
    user,
    messages: element({
      sms: list(element({ ...message, destinations, links: given.anything }), { min: 1, max: MOST }),
    }),
    cl_id: list(text),
    ...shared,
  }),
  async run(input, call) {
    const common = readShared(input, call);
    await refuseLists(input.cl_id, 'cl_id', call);
    const international = input.includes_international === 1;
    const items: ShipmentItem[] = [];
    let source = '';
    for (const [index, entry] of input.messages.sms.entries()) {
      const field = `messages.sms[${index}]`;
      const from = entry.source === source ? source : await readSource(entry.source, `${field}.source`, call);
      source ||= from;
      const own = {
        source: from === source ? null : from,
        text: readMessage(entry.message, `${field}.message`),
      };
      if (entry.links)
        throw new Refusal('bad-links', `${field}.links: short links are not offered by this service`);
      const lists = entry.destinations?.cl_id;
      if (lists && lists.length > 0) await refuseLists(lists, `${field}.destinations.cl_id`, call);
      items.push(...readDestinations(entry.destinations, `${field}.destinations`, call, international, own));
    }
    const request = { ...common, lane: lanes.bulk, source, text: null, items };
    return send(request, call);
  },
});
