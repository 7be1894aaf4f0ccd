import { chapter, row } from '../row.ts';

/** Decisions, section 4. */
export const events = chapter({
  key: 'events',
  title: 'Events and pushes',
  bothForms: false,
  rows: [
    row('dlr', '`dlr`: a form with the fields of the report and `phone`'),
    row('incoming, blacklist', '`incoming` and `blacklist`: forms with the fields of their reports'),
    row('webhooks', 'JSON webhooks by the Standard Webhooks specification, of the types asked for'),
    row('once', 'one event a request, each pushed once'),
    row('registered', 'registered by `push_url` and by the command line'),
    row('retried', 'tried again with growing pauses for 24 hours, then kept as failed, and replayable'),
    row('switched off', 'an endpoint that fails for 5 days is switched off'),
    row('public addresses', 'only public addresses are called, unless the operator allows others'),
    row('lost', 'nothing is lost when a process dies'),
  ],
});
