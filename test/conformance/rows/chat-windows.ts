import { chapter, row } from '../row.ts';

/** The interface, "Conversation windows", billing facts and the messaging limit; decisions, section 2. */
export const chatWindows = chapter({
  key: 'windows',
  title: 'Conversations, the 24-hour window, the messaging limit',
  bothForms: false,
  rows: [
    row('all', 'every rule of this chapter, against a model of them'),
    row('conversation', '24 hours from the message that opens it; its price is charged once'),
    row('conversation.price', 'by the price list'),
    row('conversation.at once', 'many at once to one client: one opens and pays'),
    row('free-form', 'buttons and carousels within 24 hours of the client’s last message only'),
    row('answered by a template', 'after a template without an answer another must be a template'),
    row('two unanswered', 'two templates without an answer, and no third; an answer lets two more go'),
    row('two unanswered.at once', 'exact under concurrency'),
    row('number and client', 'kept for each business number and client'),
    row('late messages', 'what becomes known late, or in any order, never closes a window'),
    row('templateTimeLeft, conversationTimeLeft', 'whole minutes, 0 when none is left'),
    row('the thousand', '1,000 button and carousel messages of a calendar month free, then 0.5 credits each'),
    row('the thousand.month', 'the month is the calendar’s, in the account’s time zone'),
    row(
      'tier',
      'new recipients outside a window, in a moving 24 hours, of the whole portfolio; from 250 in steps to 1,000,000',
    ),
    row('tier.at once', 'exact under concurrency'),
    row('refused', 'what is refused or rolled back leaves nothing behind; what was never sent is undone'),
  ],
});
