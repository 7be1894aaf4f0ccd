import { type Chapter, inFile, row } from '../row.ts';

const events = inFile('chat/events');
const webhooks = inFile('chat/webhooks');
const templates = inFile('chat/templates');

/** The interface, "Events"; decisions, section 4, as far as they are of chat. */
export const chatEvents: Chapter = {
  title: 'Events of chat',
  bothForms: false,
  rows: [
    row(
      'chat.message',
      'what a client writes, once, with what they quote',
      events('chat.message: what a client writes, and what they quote'),
      webhooks('what a client writes is taken once, opens their window, and is told'),
    ),
    row(
      'chat.button',
      '`type` `button`, `body` the clicked text, `button_id` of carousels, by default 1 and 2',
      events('chat.button: of a message with buttons, of a template, and of carousels with ids and without'),
      webhooks('a button that is pressed on a phone comes with our id of its message'),
    ),
    row(
      'chat.status',
      'sent, delivered, read, failed with the reason; each once, never backwards',
      events('chat.status: sent, delivered and read; or failed, with the reason'),
      webhooks('statuses are stored in their order, and told'),
      webhooks('out of order and twice: a status never goes backwards, and is told once'),
      webhooks('a failure is stored with its reason'),
    ),
    row(
      'template.status',
      'each change of a template’s status',
      events('template.status: each change, with the reason'),
      templates('what a review comes to is told by its events'),
      templates('a review of two processes at once is taken once'),
    ),
    row(
      'campaign.finished',
      'once, with its counts',
      events('campaign.finished: once, with its counts'),
      inFile('chat/campaigns')('it ends once, when everything is made and nothing waits, whoever looks'),
    ),
    row('docs', 'each has an example in docs/', events('every event of chat has an example in the docs')),
  ],
};
