import { type Chapter, inBothForms, inFile, row } from '../row.ts';

const sms = inBothForms('sms-api/sms');
const lists = inBothForms('sms-api/lists');
const links = inBothForms('sms-api/links');
const killed = inFile('faults/list-sends');

/** The interface, B1. */
export const send: Chapter = {
  title: 'B1: `sms`',
  bothForms: true,
  rows: [
    row(
      'answer',
      '`status`, `message`, `shipment_id`; the message arrives, and reports tell of it',
      sms('a message reaches the phone, is charged, and dlr reports it delivered'),
    ),
    row(
      'source',
      '`source`: 1 to 11 digits and English letters; empty, 12 characters or others: 992; missing: 2',
      sms('source: 1 to 11 digits and English letters'),
    ),
    row(
      'destinations',
      '`destinations`: missing or empty: 2; an entry that is no number, too short or too long: 9',
      sms('destinations: missing, empty, not a number, too short, too long'),
    ),
    row(
      'phone',
      '`phone`: `5xxxxxxxx`, `05xxxxxxxx` and other spellings, as text, number or with attributes; each number once, with its first `id`',
      sms('every spelling of a number is the same number, sent to once, with the first id'),
    ),
    row(
      'phone.id',
      '`id` of a phone: kept for reports; may be empty or absent; 255 characters at most, else 2',
      sms('an external id may be 255 characters long, and is refused beyond'),
      sms('every spelling of a number is the same number, sent to once, with the first id'),
    ),
    row(
      'cl_id',
      '`cl_id`: one or several lists, with phones or without; each number once; costs what its contacts cost',
      lists('a send to a list arrives at each of its phones, and costs what they cost'),
      lists('phones and several lists that share numbers: each number once, singles with their ids'),
    ),
    row(
      'cl_id.unknown',
      '`cl_id` of no list, or of another account: 988; lists without anybody: 2',
      lists("unknown lists, another account's and empty ones are refused"),
    ),
    row(
      'cl_id.skipped',
      'contacts that are blocked (201), abroad (998) or had a message lately: not sent to, not charged',
      lists('who is blocked, abroad, or got a message lately'),
      lists('a blocked contact of a list is in the report'),
    ),
    row(
      'cl_id.credit',
      'lists that cost more than there is: 4; credit that runs out on the way: the rest is 7 and free',
      lists('not enough credit for the lists is refused whole'),
      lists('when the credit runs out on the way, the rest fails with status 7 and costs nothing'),
    ),
    row(
      'cl_id.later',
      'a scheduled send goes to who is in the list then; a removed list is not sent to',
      lists('a scheduled send to a list goes out when it is due, to who is in the list then'),
      lists('a list that is removed is not sent to any more'),
    ),
    row(
      'cl_id.restart',
      'a send to lists goes on after a restart, and nobody is sent to twice',
      lists('a send to a list arrives at each of its phones, and costs what they cost'),
      killed('killed in mid-list, again and again: nobody is left out, and nobody has two messages'),
    ),
    row(
      'message',
      '`message`: 1 to 1005 characters; empty or 1006: 989; missing: 2; several: 7',
      sms('message: empty, missing, 1005 and 1006 characters'),
    ),
    row('tag', '`tag`: `#` makes `<#>` in front; over 20 characters: 2', sms('tag')),
    row(
      'add_dynamic',
      '`add_dynamic` 1: `[DYNAMIC_FIELD1]` to 6 take the fields of the contact; a missing one is empty; parts are of the text made',
      lists('dynamic fields are filled in for each contact, a missing one with nothing'),
      lists('a text that becomes too long is sent to nobody, costs nothing and says so'),
    ),
    row(
      'add_dynamic.other',
      '`add_dynamic` other than 1: placeholders are text',
      lists('without add_dynamic 1 the placeholders are text'),
    ),
    row(
      'add_dynamic.refused',
      '`add_dynamic` with phones, or with two lists: 987',
      lists('dynamic fields take one list and no phones'),
      sms('what this service does not offer is refused and not passed over'),
    ),
    row(
      'timing',
      '`timing`: absent or past is at once; future is held, and sent when it comes',
      sms('a time in the past is sent at once, one in the future is held and sent when it comes'),
    ),
    row('timing.refused', '`timing` that is no time: 2', sms('timing that is no time')),
    row(
      'add_unsubscribe.link',
      "`add_unsubscribe` 3: a removal link in the message's language; a press removes",
      links("add_unsubscribe 3 appends a removal link in the text's language, which removes at a press"),
    ),
    row(
      'add_unsubscribe.reply',
      "`add_unsubscribe` 2: what to reply, in the message's language; the reply removes",
      links('add_unsubscribe 2 says what to reply, and the reply removes'),
    ),
    row(
      'add_unsubscribe.other',
      '`add_unsubscribe` other than 2 and 3: nothing',
      links('other values append nothing'),
    ),
    row(
      'temp_bl',
      '`temp_bl` 1 to 14: who had a message in so many days is passed over and not charged; all of them: 715',
      sms('temp_bl passes over those who got a message lately, and does not charge for them'),
      sms('temp_bl looks back as many days as it says'),
    ),
    row(
      'temp_bl.refused',
      '`temp_bl` 0, 15, negative, broken or no number: 714',
      sms('temp_bl passes over those who got a message lately, and does not charge for them'),
    ),
    row(
      'includes_international',
      '`includes_international`: destinations abroad with 1 only, else 9',
      sms('international destinations only with includes_international'),
    ),
    row(
      'campaign_name',
      '`campaign_name`: up to 50 characters, kept; 51: 989',
      sms('campaign_name up to 50 characters'),
    ),
    row(
      'links',
      '`links` with `[link-<id>]`: each recipient has short links of their own, which lead there and are counted',
      links('every recipient gets short links of their own, which lead where they should and are counted'),
      links('a blocked recipient takes no code'),
    ),
    row(
      'links.price',
      'parts and price are those of the text with its short links',
      links('parts and price are those of the text with its short links'),
      links('so many links that the text would be too long'),
    ),
    row(
      'links.refused',
      'links that do not match the message, without `id`, or that are no addresses: 980',
      links('links that do not match their text, or are no addresses, are refused'),
    ),
    row(
      'together',
      'lists, dynamic fields, links and removal in one send',
      links('lists, fields, links and removal together'),
    ),
    row(
      'blacklist',
      'a blacklisted destination: skipped, not charged, reported as 201; all of them: 8',
      sms('blacklisted destinations are skipped, not charged, and 201 in dlr'),
    ),
    row(
      'charge',
      'costs its parts; more than there is: 4, and nothing stored',
      sms('parts and price by alphabet and length'),
      sms('without enough credit nothing is stored, also in a dry run'),
    ),
    row(
      'tts',
      '`tts` (B3): in a chapter of its own',
      inBothForms('voice/calls')('tts that cannot be used is refused, and nothing is stored'),
    ),
    row(
      'dry run',
      'answers alike; stores, sends and charges nothing',
      sms('a dry run answers as a send and leaves nothing behind'),
      lists('a dry run of a send to lists stores and charges nothing'),
    ),
  ],
};
