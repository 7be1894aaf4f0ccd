import { type Chapter, inBothForms, inFile, row } from '../row.ts';

const calls = inBothForms('voice/calls');
const lists = inFile('voice/calls');
const spoken = inFile('voice/read-aloud');
const prompts = inFile('voice/prompts');
const without = inFile('voice/without-speech');
const told = inFile('voice/told');
const refused = calls('tts that cannot be used is refused, and nothing is stored');

/** The interface, B3. */
export const voice: Chapter = {
  title: 'B3: `sms` with `tts`',
  bothForms: false,
  rows: [
    row(
      'type.2',
      'type 2: an SMS to regular phones, a call to kosher ones',
      calls('type 2 calls kosher phones, and sends an SMS to all others'),
    ),
    row(
      'type.3',
      'type 3: both to all, each its own message with its own price and status',
      calls(
        'type 3 is an SMS and a call, each with its own price and status; dlr has the SMS, ttsDlr the call',
      ),
    ),
    row(
      'type.4',
      'type 4: a call to all',
      calls('a call says the code, and it can be read back from what was heard'),
    ),
    row('type.refused', '`type` missing, or another: 2', refused),
    row(
      'rate',
      '`rate` -10 to 10, else 2; faster and slower',
      refused,
      inFile('voice/espeak')(
        'espeak-ng of npm speaks each language, at 8 kHz, the voices and rates differently',
      ),
    ),
    row(
      'repeat',
      '`repeat`: 2 without, at most 5, else 2',
      calls('it is said as often as asked for, twice without'),
      refused,
    ),
    row(
      'voice',
      '`voice`: `ymMale` without, `ymFemale`; another: 2',
      refused,
      inFile('voice/espeak')(
        'espeak-ng of npm speaks each language, at 8 kHz, the voices and rates differently',
      ),
    ),
    row(
      'source',
      'the calling source is a system number',
      calls('a call says the code, and it can be read back from what was heard'),
    ),
    row(
      'fields',
      'links, the tag and how to be removed are in the SMS and are not read aloud',
      lists('what only eyes can use is in the SMS and not in the call'),
    ),
    row(
      'lists',
      'contact lists with dynamic fields: held, said to each contact, paid',
      lists('calls to a contact list: estimated, held, written for each contact, and paid'),
    ),
    row(
      'lists.silent',
      'a contact for whom nothing is left to say: 18, and no charge',
      lists('a contact for whom nothing is left to say is not called, and costs nothing'),
    ),
    row('temp_bl', '`temp_bl` counts calls', lists('temp_bl leaves out who was called lately')),
    row(
      'blacklist',
      'a blacklisted phone is neither called nor charged: 201 in each leg',
      calls('a blacklisted phone is neither called nor charged, in each leg'),
    ),
    row('timing', 'scheduled, held, cancelled', calls('a scheduled call is held, and can be cancelled')),
    row(
      'price',
      'a price a call, by prefix and account',
      lists('what a price list says of calls is charged, by prefix and account'),
    ),
    row(
      'digits',
      'codes, phone numbers and dates are said digit by digit',
      spoken('codes, phone numbers and dates are said digit by digit, with pauses between groups'),
      spoken('whoever listens can write down every digit of a code, in its order'),
      spoken('phone numbers in any spelling keep their digits'),
    ),
    row(
      'once',
      'a text is rendered once, however many numbers are called',
      prompts('a text is rendered once, however many calls want it at a time or later, or after a restart'),
    ),
    row(
      'engines',
      'espeak-ng, or a server with `/v1/audio/speech`',
      inFile('voice/espeak')(
        'a text is data for espeak-ng of npm: it is never an option, a phoneme or a command',
      ),
      inFile('voice/speech-server')('a server is asked as OpenAI documents it, and its WAV becomes 8 kHz'),
    ),
    row(
      'no speech',
      'without speech or a trunk: 511, and nothing else changes',
      without(
        'without espeak-ng a call is refused at once and an SMS is sent; installed, calls are made without a restart',
      ),
      without('where it is switched off, or there is no trunk, tts is refused with why'),
      without('an engine that stops working after acceptance makes the call wait, visibly, and not fail'),
    ),
    row(
      'outcomes',
      'declined 108, no such number 101, hung up early 101; not answered costs nothing',
      lists('phones that do not take the call: its outcome, and that it costs nothing'),
    ),
    row(
      'retries',
      'busy and not answered: some times, within the hours of the account',
      lists('a busy phone is called again some times and no more, and the price comes back'),
      lists('a call that finds the exchange overloaded is made again'),
      told('what was busy at night rings again in the morning of the account’s time zone'),
    ),
    row('events', '`message.status` of calls', told('each leg has its event; those of calls say so')),
    row(
      'killed',
      'killed in mid-send: everybody is called',
      inFile('voice/killed')(
        'killed in mid-send: everybody is called, and at most the calls that were under way are made twice',
      ),
    ),
  ],
};
