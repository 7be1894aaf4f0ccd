import { type Chapter, inBothForms, row } from '../row.ts';

const bulkSend = inBothForms('sms-api/bulk');
const lists = inBothForms('sms-api/lists');
const links = inBothForms('sms-api/links');
const signIn = inBothForms('sms-api/sign-in');
const isolation = inBothForms('sms-api/isolation');

/** The interface, B2. */
export const bulk: Chapter = {
  title: 'B2: `bulk`',
  bothForms: true,
  rows: [
    row(
      'answer',
      '`status`, `message`, `shipment_id`; each message goes out with its own source, text and ids, charged by its parts',
      bulkSend('each message goes out with its own source, text and id, and is charged by its parts'),
    ),
    row(
      'messages',
      '`messages.sms`: 1 to 2500; none, or 2501: 2',
      bulkSend('2500 messages are taken, 2501 are not, none is not'),
    ),
    row('messages.bare', 'a single message may stand bare', bulkSend('a single message may stand bare')),
    row(
      'messages.refused',
      'one message that is refused (source, message, destinations, list, links): all are, and it is named',
      bulkSend('one bad message refuses the request and is named'),
    ),
    row(
      'source',
      'a source that is not the account’s: 515',
      isolation("every operation leaves what is another's alone"),
    ),
    row(
      'duplicates',
      'a number once within a message, and again across messages',
      bulkSend('a number repeats across messages and not within one'),
    ),
    row(
      'links',
      '`links` of each message; `add_unsubscribe` of all',
      links('bulk: each message has its own links, and all have their removal link'),
    ),
    row(
      'cl_id',
      '`cl_id` of each message, and of all; each text once a number; unknown: 988',
      lists('bulk goes to lists of each message and to those beside them; each text once a number'),
      bulkSend('fields of the whole bulk'),
    ),
    row(
      'shared',
      '`timing`, `includes_international`, `campaign_name`, `temp_bl` of all; unusable: 2, 9, 989, 714',
      bulkSend('fields of the whole bulk'),
    ),
    row(
      'skipped',
      'blacklist and `temp_bl`: skipped and not charged; all of them: 8, 715',
      bulkSend('blacklist and temp_bl hold for a bulk'),
    ),
    row(
      'credit',
      'costs more than there is: 4, and nothing of it is stored',
      bulkSend('without credit for all of it nothing of it is stored, also in a dry run'),
    ),
    row('suspended', 'a suspended account: 5', signIn('a suspended account may look and not send')),
    row(
      'dry run',
      'answers alike; stores, sends and charges nothing',
      bulkSend('a dry run leaves nothing behind'),
    ),
  ],
};
