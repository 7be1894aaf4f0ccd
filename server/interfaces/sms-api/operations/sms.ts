import { Refusal } from '../../../errors.ts';
import { lanes } from '../../../messages/lanes.ts';
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
  withTag,
} from '../sending.ts';
import { element, optionalText } from '../wire/fields.ts';
import { given } from '../wire/presence.ts';

/** Sends one text to one or many phones (interface, B1). */
export const sms = operation({
  roots: ['sms'],
  schema: element({
    user,
    ...message,
    message: given.orSeveral,
    destinations,
    tag: optionalText,
    add_dynamic: optionalText,
    links: given.anything,
    tts: given.anything,
    ...shared,
  }),
  async run(input, call) {
    if (input.tts) throw new Refusal('not-allowed', 'tts: voice is not offered by this service');
    if (input.message === 'several') {
      throw new Refusal('several-messages', 'message: given more than once, use bulk for several messages');
    }
    const source = await readSource(input.source, 'source', call);
    const common = readShared(input, call);
    const international = input.includes_international === 1;
    await refuseLists(input.destinations?.cl_id ?? [], 'destinations.cl_id', call);
    const items = readDestinations(input.destinations, 'destinations', call, international, {
      source: null,
      text: null,
    });
    const text = withTag(input.tag, readMessage(input.message, 'message'));
    if (input.add_dynamic === '1') {
      throw new Refusal('bad-dynamic-fields', 'add_dynamic: takes one contact list and no single phones');
    }
    if (input.links) throw new Refusal('bad-links', 'links: short links are not offered by this service');
    const request = {
      ...common,
      lane: items.length === 1 ? lanes.single : lanes.bulk,
      source,
      text,
      items,
    };
    return send(request, call);
  },
});
