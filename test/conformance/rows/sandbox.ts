import { chapter, row } from '../row.ts';

/** Decisions, section 5. */
export const sandbox = chapter({
  key: 'sandbox',
  title: 'The sandbox and its API',
  bothForms: false,
  rows: [
    row('demo', 'a fresh sandbox holds `demo` with 100,000 credits'),
    row('secrets', 'its token and password are printed at the first start, and not again'),
    row(
      'phones',
      '`GET /v1/sandbox/phones/{number}`: what arrived, oldest first, put together, in any spelling of the number',
    ),
    row('sms', '`POST /v1/sandbox/phones/{number}/sms`: the phone sends an SMS'),
    row('demo.chat', 'the business number `972550000001` in a portfolio of tier 250'),
    row(
      'demo.templates',
      '`plain`, `two`, `image`, `website`, `coupon`, `otp`, `replies`; `pending`, `rejected`, `banned` cannot be sent',
    ),
    row(
      'chat',
      '`chat` of a phone: `id`, `from`, `type`, `body`, `header`, `footer`, `buttons`, `cards`, `at`',
    ),
    row(
      'chat.write',
      '`POST /v1/sandbox/phones/{number}/chat` with `to`, `body`, `replyTo`: the phone writes',
    ),
    row('chat.press', 'with `to`, `message`, `button`: the phone presses a button, by its text or its id'),
    row('chat.endings', 'numbers that fail, by their ending'),
    row('chat.reviews', 'templates are reviewed within seconds, by the ending of their name'),
    row('clock', '`POST /v1/sandbox/clock`: moves the clock on'),
    row('token', "the demo account's token opens it, and no other"),
    row('only there', 'the API exists in the sandbox only'),
  ],
});
