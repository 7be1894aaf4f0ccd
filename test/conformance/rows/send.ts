import { chapter, row } from '../row.ts';

/** The interface, B1. */
export const send = chapter({
  key: 'B1',
  title: 'B1: `sms`',
  bothForms: true,
  rows: [
    row('answer', '`status`, `message`, `shipment_id`; the message arrives, and reports tell of it'),
    row(
      'source',
      '`source`: 1 to 11 digits and English letters; empty, 12 characters or others: 992; missing: 2',
    ),
    row(
      'destinations',
      '`destinations`: missing or empty: 2; an entry that is no number, too short or too long: 9',
    ),
    row(
      'phone',
      '`phone`: `5xxxxxxxx`, `05xxxxxxxx` and other spellings, as text, number or with attributes; each number once, with its first `id`',
    ),
    row(
      'phone.id',
      '`id` of a phone: kept for reports; may be empty or absent; 255 characters at most, else 2',
    ),
    row(
      'cl_id',
      '`cl_id`: one or several lists, with phones or without; each number once; costs what its contacts cost',
    ),
    row('cl_id.unknown', '`cl_id` of no list, or of another account: 988; lists without anybody: 2'),
    row(
      'cl_id.skipped',
      'contacts that are blocked (201), abroad (998) or had a message lately: not sent to, not charged',
    ),
    row(
      'cl_id.credit',
      'lists that cost more than there is: 4; credit that runs out on the way: the rest is 7 and free',
    ),
    row('cl_id.later', 'a scheduled send goes to who is in the list then; a removed list is not sent to'),
    row('cl_id.restart', 'a send to lists goes on after a restart, and nobody is sent to twice'),
    row('message', '`message`: 1 to 1005 characters; empty or 1006: 989; missing: 2; several: 7'),
    row('tag', '`tag`: `#` makes `<#>` in front; over 20 characters: 2'),
    row(
      'add_dynamic',
      '`add_dynamic` 1: `[DYNAMIC_FIELD1]` to 6 take the fields of the contact; a missing one is empty; parts are of the text made',
    ),
    row('add_dynamic.other', '`add_dynamic` other than 1: placeholders are text'),
    row('add_dynamic.refused', '`add_dynamic` with phones, or with two lists: 987'),
    row('timing', '`timing`: absent or past is at once; future is held, and sent when it comes'),
    row('timing.refused', '`timing` that is no time: 2'),
    row(
      'add_unsubscribe.link',
      "`add_unsubscribe` 3: a removal link in the message's language; a press removes",
    ),
    row(
      'add_unsubscribe.reply',
      "`add_unsubscribe` 2: what to reply, in the message's language; the reply removes",
    ),
    row('add_unsubscribe.other', '`add_unsubscribe` other than 2 and 3: nothing'),
    row(
      'temp_bl',
      '`temp_bl` 1 to 14: who had a message in so many days is passed over and not charged; all of them: 715',
    ),
    row('temp_bl.refused', '`temp_bl` 0, 15, negative, broken or no number: 714'),
    row('includes_international', '`includes_international`: destinations abroad with 1 only, else 9'),
    row('campaign_name', '`campaign_name`: up to 50 characters, kept; 51: 989'),
    row(
      'links',
      '`links` with `[link-<id>]`: each recipient has short links of their own, which lead there and are counted',
    ),
    row('links.price', 'parts and price are those of the text with its short links'),
    row('links.refused', 'links that do not match the message, without `id`, or that are no addresses: 980'),
    row('together', 'lists, dynamic fields, links and removal in one send'),
    row('blacklist', 'a blacklisted destination: skipped, not charged, reported as 201; all of them: 8'),
    row('charge', 'costs its parts; more than there is: 4, and nothing stored'),
    row('tts', '`tts` (B3): in a chapter of its own'),
    row('dry run', 'answers alike; stores, sends and charges nothing'),
  ],
});
