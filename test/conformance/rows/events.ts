import { type Chapter, inBothForms, inFile, row } from '../row.ts';

const pushes = inFile('events/push');
const retries = inFile('events/retries');
const fence = inFile('events/ssrf-guard');
const pushUrl = inBothForms('sms-api/push-url');

/** Decisions, section 4. */
export const events: Chapter = {
  title: 'Events and pushes',
  bothForms: false,
  rows: [
    row(
      'dlr',
      '`dlr`: a form with the fields of the report and `phone`',
      pushes('a dlr push has the fields of the report and the phone, in the account’s time zone'),
      pushUrl('each type of push comes to the address that was registered for it'),
      pushUrl('what was never submitted is pushed too: a blocked phone, and a blocked contact of a list'),
    ),
    row(
      'incoming, blacklist',
      '`incoming` and `blacklist`: forms with the fields of their reports',
      pushes('incoming and blacklist pushes have their fields, whatever the text is'),
      pushUrl('each type of push comes to the address that was registered for it'),
    ),
    row(
      'webhooks',
      'JSON webhooks by the Standard Webhooks specification, of the types asked for',
      pushes('a webhook is JSON that the Standard Webhooks library verifies, and only of the types it wants'),
    ),
    row(
      'once',
      'one event a request, each pushed once',
      pushes('each event of many batches is pushed once, leaves no row behind, and is counted'),
    ),
    row(
      'registered',
      'registered by `push_url` and by the command line',
      pushUrl('each type of push comes to the address that was registered for it'),
      inFile('commands/commands')('webhooks'),
    ),
    row(
      'retried',
      'tried again with growing pauses for 24 hours, then kept as failed, and replayable',
      retries('what was answered 500 is tried again, with the same id, and then is done'),
      retries('after 24 hours an event is failed, and a replay sends it again'),
      retries('a connection that is cut before the answer, or an answer that never ends, is a failure'),
    ),
    row(
      'switched off',
      'an endpoint that fails for 5 days is switched off',
      retries('after five days of failures an endpoint is off, gets no events, and can be enabled'),
    ),
    row(
      'public addresses',
      'only public addresses are called, unless the operator allows others',
      pushUrl('private addresses are refused outside of the sandbox, however they are spelled'),
      retries('a name that leads to a private address is not called'),
      fence('closed IPv4 addresses are refused in every spelling'),
      fence('closed IPv6 addresses are refused, and what is no address is not public'),
    ),
    row(
      'lost',
      'nothing is lost when a process dies',
      retries('a process that is killed in the middle loses nothing'),
    ),
  ],
};
