import { chapter, row } from '../row.ts';

/** The interface, B2. */
export const bulk = chapter({
  key: 'B2',
  title: 'B2: `bulk`',
  bothForms: true,
  rows: [
    row(
      'answer',
      '`status`, `message`, `shipment_id`; each message goes out with its own source, text and ids, charged by its parts',
    ),
    row('messages', '`messages.sms`: 1 to 2500; none, or 2501: 2'),
    row('messages.bare', 'a single message may stand bare'),
    row(
      'messages.refused',
      'one message that is refused (source, message, destinations, list, links): all are, and it is named',
    ),
    row('source', 'a source that is not the account’s: 515'),
    row('duplicates', 'a number once within a message, and again across messages'),
    row('links', '`links` of each message; `add_unsubscribe` of all'),
    row('cl_id', '`cl_id` of each message, and of all; each text once a number; unknown: 988'),
    row(
      'shared',
      '`timing`, `includes_international`, `campaign_name`, `temp_bl` of all; unusable: 2, 9, 989, 714',
    ),
    row('skipped', 'blacklist and `temp_bl`: skipped and not charged; all of them: 8, 715'),
    row('credit', 'costs more than there is: 4, and nothing of it is stored'),
    row('suspended', 'a suspended account: 5'),
    row('dry run', 'answers alike; stores, sends and charges nothing'),
  ],
});
