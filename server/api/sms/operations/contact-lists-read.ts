import { z } from 'zod';
import { Refusal } from '../../../kit/errors.ts';
import { displayNumber } from '../../../kit/numbers/phone-numbers.ts';
import { readListId } from '../../../modules/audience/contact-lists.ts';
import { programs } from '../../access/rules.ts';
import { out } from '../../openapi/out.ts';
import { accepted, answerOf } from '../about.ts';
import { user } from '../fields.ts';
import { operation } from '../operation.ts';
import { element, text } from '../wire/fields.ts';
import { mapPages } from './dlr.ts';

const answer = answerOf({
  contact_lists: z.array(
    z.object({
      cl_id: out.text('Id of the list.', '1774337460000002'),
      phone: out.text('Number; empty for an empty list.', '0501234567'),
      name: out.text('Name of the list.', 'Customers'),
    }),
  ),
});

/** Streams every number of every contact list (interface, B6). An empty list appears once, with an empty phone. */
export const getCL = operation({
  roots: ['getCL'],
  access: programs('contacts'),
  chapter: 'contacts',
  title: 'List all contact lists',
  description: 'Streams a row for each number of each list; an empty list has one row with an empty phone.',
  example: {},
  answer,
  schema: element({ user }),
  async run(_input, call) {
    const pages = call.services.contactLists.everything(call.account.id);
    return accepted({
      contact_lists: mapPages(pages, ({ list, phone }) => ({
        cl_id: String(list.id),
        phone: displayNumber(phone),
        name: list.name,
      })),
    });
  },
});

/** Streams the numbers of a contact list (interface, B6). */
export const getCLbyID = operation({
  roots: ['getCLbyID'],
  access: programs('contacts'),
  chapter: 'contacts',
  title: 'Get one contact list',
  description: 'Streams a row for each number of the list.',
  example: { cl: { id: '1774337460000002' } },
  answer,
  refusals: ['unknown-list'],
  schema: element({ user, cl: element({ id: text.describe('`cl_id` of the list.') }) }),
  async run(input, call) {
    const { contactLists } = call.services;
    const id = readListId(input.cl.id);
    const list = id === null ? undefined : (await contactLists.find(call.account.id, [id])).get(id);
    if (!list) throw new Refusal('unknown-list', 'no such contact list', 'cl.id');
    return accepted({
      contact_lists: mapPages(contactLists.pages(call.account.id, list.id), (contact) => ({
        cl_id: String(list.id),
        phone: displayNumber(contact.phone),
        name: list.name,
      })),
    });
  },
});
