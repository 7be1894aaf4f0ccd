import { readListId } from '../../../audience/contact-lists.ts';
import { Refusal } from '../../../errors.ts';
import { displayNumber } from '../../../numbers/numbers.ts';
import { user } from '../fields.ts';
import { operation } from '../operation.ts';
import { done } from '../status-codes.ts';
import { element, text } from '../wire/fields.ts';
import { mapPages } from './dlr.ts';

/** Every number of every contact list (interface, B6), as a stream; an empty list comes once, with an empty phone. */
export const getCL = operation({
  roots: ['getCL'],
  schema: element({ user }),
  async run(_input, call) {
    const pages = call.services.contactLists.everything(call.account.id);
    return {
      status: done.accepted,
      message: 'OK',
      contact_lists: mapPages(pages, ({ list, phone }) => ({
        cl_id: String(list.id),
        phone: displayNumber(phone),
        name: list.name,
      })),
    };
  },
});

/** The numbers of one contact list (interface, B6), as a stream. */
export const getCLbyID = operation({
  roots: ['getCLbyID'],
  schema: element({ user, cl: element({ id: text }) }),
  async run(input, call) {
    const { contactLists } = call.services;
    const id = readListId(input.cl.id);
    const list = id === null ? undefined : (await contactLists.find(call.account.id, [id])).get(id);
    if (!list) throw new Refusal('unknown-list', 'cl.id: no such contact list');
    return {
      status: done.accepted,
      message: 'OK',
      contact_lists: mapPages(contactLists.pages(call.account.id, list.id), (contact) => ({
        cl_id: String(list.id),
        phone: displayNumber(contact.phone),
        name: list.name,
      })),
    };
  },
});
