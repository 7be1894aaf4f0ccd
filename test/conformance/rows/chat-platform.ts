import { type Chapter, inFile, row } from '../row.ts';

const faults = inFile('chat/platform-faults');
const webhooks = inFile('chat/webhooks');
const notifications = inFile('chat-platform/webhooks');
const hostile = inFile('chat-platform/hostile');
const link = inFile('chat-platform/connector');
const deliveries = inFile('chat-platform/deliveries');
const messages = inFile('chat-platform/messages');
const numbers = inFile('chat/numbers');

/** The chat platform: what goes there, what comes from there, and its faults. */
export const chatPlatform: Chapter = {
  title: 'The chat platform',
  bothForms: false,
  rows: [
    row(
      'numbers',
      'portfolios with a tier, and business numbers',
      numbers('a number is found with what its portfolio gives it'),
      numbers('portfolios and numbers by the command line'),
      inFile('v1/chat-templates')('business numbers with their tier and whom they reached'),
    ),
    row(
      'messages',
      'templates with their values, text, buttons, carousels in its format',
      inFile('chat-platform/templates')('the demo account’s templates, sent with their values'),
      messages('text, quoting what the client wrote'),
      messages('reply buttons with a header, a footer and three replies'),
      messages('carousels: quick replies whose ids repeat from card to card, and links'),
    ),
    row(
      'errors',
      'one table from its codes to reasons and treatments',
      inFile('chat-platform/errors')('the errors of the docs are those of the code'),
      inFile('chat-platform/errors')('a code in no table goes by the HTTP status, and is final without one'),
      messages('what the platform refuses is refused with its code'),
    ),
    row(
      'throttling',
      'slower on 429 and its throttling codes',
      link('throttled: the message comes back, nothing more is taken, and then it goes on'),
      deliveries('limits: messages a second of a number, and one recipient after a burst'),
    ),
    row(
      'away',
      'what was accepted waits, and goes out once when it is back',
      faults('the platform is away: what was accepted waits, and goes out once when it is back'),
      link('the platform is away: the message comes back'),
      hostile('nobody listens'),
    ),
    row(
      'slow, 500, 429',
      'everything goes out in the end',
      faults('the platform is slow, full, or at fault for a while: everything goes out in the end'),
      hostile('no answer in time'),
      hostile('an answer that comes drop by drop'),
    ),
    row(
      'cut off',
      'a lost answer is settled by the webhook: not sent again',
      faults('the answer is lost: the webhook tells that the message was taken, and it is not sent again'),
      deliveries('the answer is cut off: unknown, and the status tells by our reference that it was taken'),
      hostile('a connection that is taken and then cut, before a byte of the request was read'),
      link('stopped while a lost answer waits for its webhook, and while a client has their pause'),
    ),
    row(
      'refused',
      'failed with its reason, and the price comes back',
      faults('refused by the platform: failed with its reason, and the price comes back'),
    ),
    row(
      'killed',
      'in mid-campaign: nobody is left out, and nobody has it twice',
      faults('killed in mid-campaign: nobody is left out, and nobody has it twice'),
    ),
    row(
      'two processes',
      'each message goes out once; a killed one is taken over',
      faults('two processes on one database: each message goes out once, and a killed one is taken over'),
    ),
    row(
      'signature',
      'webhooks unsigned or wrongly signed are not believed; the address is verified by its token',
      webhooks('what is not signed, or wrongly, is not believed'),
      webhooks('the address is verified by its token alone'),
      notifications('signatures: of these very bytes, with this secret'),
      notifications('the challenge'),
    ),
    row(
      'twice, in any order',
      'statuses never go backwards, messages are taken once',
      webhooks('out of order and twice: a status never goes backwards, and is told once'),
      webhooks('what a client writes is taken once, opens their window, and is told'),
      webhooks('statuses of messages that are not ours are passed over'),
    ),
    row(
      'large, unreadable',
      'a megabyte is read, over 3 MiB is refused, garbage too',
      webhooks('bodies that are no notification are refused, large ones too'),
      notifications('a megabyte, rightly and wrongly signed'),
      notifications('what is no notification is refused, and nothing throws'),
      notifications('the parser never throws, whatever stands where'),
    ),
    row(
      'stored before 200',
      'what the sandbox’s platform was not answered for comes again',
      deliveries('webhooks that are not taken come again, and none is lost'),
      inFile('chat/sender')(
        'a database that gives up in mid-transaction: nothing is stored, and one may try again',
      ),
    ),
  ],
};
