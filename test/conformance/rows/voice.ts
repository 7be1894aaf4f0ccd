import { chapter, row } from '../row.ts';

/** The interface, B3. */
export const voice = chapter({
  key: 'B3',
  title: 'B3: `sms` with `tts`',
  bothForms: false,
  rows: [
    row('type.2', 'type 2: an SMS to regular phones, a call to kosher ones'),
    row('type.3', 'type 3: both to all, each its own message with its own price and status'),
    row('type.4', 'type 4: a call to all'),
    row('type.refused', '`type` missing, or another: 2'),
    row('rate', '`rate` -10 to 10, else 2; faster and slower'),
    row('repeat', '`repeat`: 2 without, at most 5, else 2'),
    row('voice', '`voice`: `ymMale` without, `ymFemale`; another: 2'),
    row('source', 'the calling source is a system number'),
    row('fields', 'links, the tag and how to be removed are in the SMS and are not read aloud'),
    row('lists', 'contact lists with dynamic fields: held, said to each contact, paid'),
    row('lists.silent', 'a contact for whom nothing is left to say: 18, and no charge'),
    row('temp_bl', '`temp_bl` counts calls'),
    row('blacklist', 'a blacklisted phone is neither called nor charged: 201 in each leg'),
    row('timing', 'scheduled, held, cancelled'),
    row('price', 'a price a call, by prefix and account'),
    row('digits', 'codes, phone numbers and dates are said digit by digit'),
    row('once', 'a text is rendered once, however many numbers are called'),
    row('engines', 'espeak-ng, or a server with `/v1/audio/speech`'),
    row('no speech', 'without speech or a trunk: 511, and nothing else changes'),
    row('outcomes', 'declined 108, no such number 101, hung up early 101; not answered costs nothing'),
    row('retries', 'busy and not answered: some times, within the hours of the account'),
    row('events', '`message.status` of calls'),
    row('killed', 'killed in mid-send: everybody is called'),
  ],
});
