import { type Chapter, inFile, row } from '../row.ts';

const api = inFile('sandbox/api');
const phones = inFile('smpp/api');
const chat = inFile('sandbox/chat');
const numbers = inFile('chat/numbers');

/** Decisions, section 5. */
export const sandbox: Chapter = {
  title: 'The sandbox and its API',
  bothForms: false,
  rows: [
    row(
      'demo',
      'a fresh sandbox holds `demo` with 100,000 credits',
      api('a fresh sandbox has the account demo with 100,000 credits'),
    ),
    row(
      'secrets',
      'its token and password are printed at the first start, and not again',
      inFile('commands/commands')(
        'the greeting of the first start has a line that sends, and nothing secret is repeated at the next',
      ),
    ),
    row(
      'phones',
      '`GET /v1/sandbox/phones/{number}`: what arrived, oldest first, put together, in any spelling of the number',
      api('a phone shows what arrived, in any spelling of its number, and sends'),
      phones('what arrived at a phone, oldest first, in any spelling of its number'),
    ),
    row(
      'sms',
      '`POST /v1/sandbox/phones/{number}/sms`: the phone sends an SMS',
      api('a phone shows what arrived, in any spelling of its number, and sends'),
      phones('a phone sends an SMS'),
      phones('bad input is refused with the name of the field'),
    ),
    row(
      'demo.chat',
      'the business number `972550000001` in a portfolio of tier 250',
      numbers("the demo account's chat is made at the first start and found at the others"),
      inFile('v1/chat-templates')('business numbers with their tier and whom they reached'),
    ),
    row(
      'demo.templates',
      '`plain`, `two`, `image`, `website`, `coupon`, `otp`, `replies`; `pending`, `rejected`, `banned` cannot be sent',
      chat('each of the approved templates of the demo account goes out, and looks as it should'),
      inFile('chat-api/templates')('all templates of a number, with every field'),
      inFile('chat-api/template-message')(
        '6: a template that is not approved, in every status; and paused ones after six hours',
      ),
    ),
    row(
      'chat',
      '`chat` of a phone: `id`, `from`, `type`, `body`, `header`, `footer`, `buttons`, `cards`, `at`',
      chat('each of the approved templates of the demo account goes out, and looks as it should'),
      inFile('chat-api/carousel')('1: accepted, answered with every field and the cards, and it arrives'),
    ),
    row(
      'chat.write',
      '`POST /v1/sandbox/phones/{number}/chat` with `to`, `body`, `replyTo`: the phone writes',
      chat('a phone writes, quotes what arrived there, and is heard'),
      chat('what a phone cannot do is refused with its reason, and only with the token of the demo account'),
    ),
    row(
      'chat.press',
      'with `to`, `message`, `button`: the phone presses a button, by its text or its id',
      chat('a phone presses buttons, by their text or their id'),
      inFile('chat-platform/api')('a phone presses buttons: of a template, of a message, of a card'),
    ),
    row('chat.endings', 'numbers that fail, by their ending', chat('numbers that fail, by their ending')),
    row(
      'chat.reviews',
      'templates are reviewed within seconds, by the ending of their name',
      chat('templates are reviewed by the ending of their name, and the list of the chat API follows'),
    ),
    row(
      'clock',
      '`POST /v1/sandbox/clock`: moves the clock on',
      api('the clock is moved on by seconds, and never back'),
    ),
    row(
      'token',
      "the demo account's token opens it, and no other",
      api('nobody but the demo account may use its API'),
    ),
    row(
      'only there',
      'the API exists in the sandbox only',
      inFile('sms-api/rate-limit')(
        'without the sandbox a source must be verified, and there is no API for phones',
      ),
    ),
  ],
};
