import { chapter, row } from '../row.ts';

/** The chat platform: what goes there, what comes from there, and its faults. */
export const chatPlatform = chapter({
  key: 'chatPlatform',
  title: 'The chat platform',
  bothForms: false,
  rows: [
    row('numbers', 'portfolios with a tier, and business numbers'),
    row('messages', 'templates with their values, text, buttons, carousels in its format'),
    row('errors', 'one table from its codes to reasons and treatments'),
    row('throttling', 'slower on 429 and its throttling codes'),
    row('away', 'what was accepted waits, and goes out once when it is back'),
    row('slow, 500, 429', 'everything goes out in the end'),
    row('cut off', 'a lost answer is settled by the webhook: not sent again'),
    row('refused', 'failed with its reason, and the price comes back'),
    row('killed', 'in mid-campaign: nobody is left out, and nobody has it twice'),
    row('two processes', 'each message goes out once; a killed one is taken over'),
    row(
      'signature',
      'webhooks unsigned or wrongly signed are not believed; the address is verified by its token',
    ),
    row('twice, in any order', 'statuses never go backwards, messages are taken once'),
    row('large, unreadable', 'a megabyte is read, over 3 MiB is refused, garbage too'),
    row('stored before 200', 'what the sandbox’s platform was not answered for comes again'),
  ],
});
