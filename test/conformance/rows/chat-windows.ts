import { type Chapter, inFile, row } from '../row.ts';

const windows = inFile('chat/windows');
const billing = inFile('chat/billing');
const reach = inFile('chat/messaging-limit');
const sender = inFile('chat/sender');
const takenBack = inFile('chat/reversal');
const message = inFile('chat-api/template-message');
const model = inFile('chat/admit')(
  'steps of sends, messages of clients and time, in any order, come to what the rules say',
);

/** The interface, "Conversation windows", billing facts and the messaging limit; decisions, section 2. */
export const chatWindows: Chapter = {
  title: 'Conversations, the 24-hour window, the messaging limit',
  bothForms: false,
  rows: [
    row('all', 'every rule of this chapter, against a model of them', model),
    row(
      'conversation',
      '24 hours from the message that opens it; its price is charged once',
      billing('a conversation is paid for once, and lasts 24 hours from the message that opened it'),
      billing('a message within a conversation does not make it longer'),
      billing("the client's messages open no conversation, the answer to the first does"),
      billing('each business number has its own conversations'),
    ),
    row(
      'conversation.price',
      'by the price list',
      billing("the price is the price list's, by account and prefix"),
    ),
    row(
      'conversation.at once',
      'many at once to one client: one opens and pays',
      billing('many buttons at once to one client: one opens the conversation and pays for it'),
      windows('many templates at once to one client: two go, and one of them opens the conversation'),
    ),
    row(
      'free-form',
      'buttons and carousels within 24 hours of the client’s last message only',
      windows("buttons: from the client's message until 24 hours after it"),
      windows("carousel: from the client's message until 24 hours after it"),
      windows('buttons: not to a client who has never written, templates before or not'),
      sender('a window that closes while the fields are read is closed'),
    ),
    row(
      'answered by a template',
      'after a template without an answer another must be a template',
      windows('buttons: not while a template waits for its answer'),
      windows('carousel: not while a template waits for its answer'),
      windows('templates and buttons at once: no button goes once a template waits'),
    ),
    row(
      'two unanswered',
      'two templates without an answer, and no third; an answer lets two more go',
      windows('two templates without an answer, and no third however long it waits'),
      windows('an answer lets two more templates go'),
      windows('button messages of an open window do not count as unanswered'),
      windows(
        'with a setting, unanswered templates are forgotten so long after the last, to the millisecond',
      ),
      message('23: two templates without an answer are the most, until the client writes'),
    ),
    row(
      'two unanswered.at once',
      'exact under concurrency',
      windows('many templates at once to one client: two go, and one of them opens the conversation'),
      windows('steps, singles and messages of clients at once, in any order, do not stop each other'),
      sender('many sends at once to one client: two are accepted, and one is paid for'),
    ),
    row(
      'number and client',
      'kept for each business number and client',
      windows('each business number has its own window with a client'),
    ),
    row(
      'late messages',
      'what becomes known late, or in any order, never closes a window',
      windows(
        'a message of the client that becomes known late never closes their window or asks for a new answer',
      ),
      windows('what a client wrote before a template is no answer to it, but in the same second'),
    ),
    row(
      'templateTimeLeft, conversationTimeLeft',
      'whole minutes, 0 when none is left',
      windows('the time left is in whole minutes, as after the message, and never below nothing'),
      message('after the client has written there is time left in both windows'),
    ),
    row(
      'the thousand',
      '1,000 button and carousel messages of a calendar month free, then 0.5 credits each',
      billing(
        'the first 1,000 button and carousel messages of a month are free, the next cost half a credit',
      ),
      billing('one beyond the thousandth that opens a conversation costs both'),
      billing('templates and what is refused are not counted'),
      billing('all numbers of an account share the thousand, other accounts have their own'),
      billing('many at once: one is the free thousandth'),
    ),
    row(
      'the thousand.month',
      'the month is the calendar’s, in the account’s time zone',
      billing("the month is the calendar's in the account's time zone"),
      sender('the month is counted in the time zone of the account'),
    ),
    row(
      'tier',
      'new recipients outside a window, in a moving 24 hours, of the whole portfolio; from 250 in steps to 1,000,000',
      reach('as many new clients as the tier has, and not one more'),
      reach('a client takes one place, however often they are written to, and may be when all are taken'),
      reach('one who wrote within 24 hours takes no place, and one whose window is over does'),
      reach('numbers of a portfolio share its places, other portfolios have their own'),
      reach('a place is free again 1,440 minutes after the minute it was taken in'),
      reach('a tier that is raised counts at once'),
      inFile('chat/numbers')('what is known already, or is not there, is refused'),
    ),
    row(
      'tier.at once',
      'exact under concurrency',
      reach('many at once for the last place: one has it'),
      reach('steps and singles at once never have more than the tier between them'),
    ),
    row(
      'refused',
      'what is refused or rolled back leaves nothing behind; what was never sent is undone',
      billing('what is rolled back was never there'),
      windows('buttons: a refused one leaves nothing behind'),
      sender('many sends at once with credit for three: three are accepted, and the others leave no trace'),
      takenBack(
        'a campaign that is cancelled before it goes out: no template unanswered, no conversation open',
      ),
      takenBack('refused by the platform: the price comes back, and the next message opens the conversation'),
    ),
  ],
};
