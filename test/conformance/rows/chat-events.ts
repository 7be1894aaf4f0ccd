import { chapter, row } from '../row.ts';

/** The interface, "Events"; decisions, section 4, as far as they are of chat. */
export const chatEvents = chapter({
  key: 'chatEvents',
  title: 'Events of chat',
  bothForms: false,
  rows: [
    row('chat.message', 'what a client writes, once, with what they quote'),
    row(
      'chat.button',
      '`type` `button`, `body` the clicked text, `button_id` of carousels, by default 1 and 2',
    ),
    row('chat.status', 'sent, delivered, read, failed with the reason; each once, never backwards'),
    row('template.status', 'each change of a template’s status'),
    row('campaign.finished', 'once, with its counts'),
    row('docs', 'each has an example in docs/'),
  ],
});
