import { type Chapter, inFile, row } from '../row.ts';

const door = inFile('sandbox/door');
const phones = inFile('smpp/door');

/** Decisions, section 5. */
export const sandbox: Chapter = {
  title: 'The sandbox and its door',
  bothForms: false,
  rows: [
    row(
      'demo',
      'a fresh sandbox holds `demo` with 100,000 credits',
      door('a fresh sandbox has the account demo with 100,000 credits'),
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
      door('a phone shows what arrived, in any spelling of its number, and sends'),
      phones('what arrived at a phone, oldest first, in any spelling of its number'),
    ),
    row(
      'sms',
      '`POST /v1/sandbox/phones/{number}/sms`: the phone sends an SMS',
      door('a phone shows what arrived, in any spelling of its number, and sends'),
      phones('a phone sends an SMS'),
      phones('bad input is refused with the name of the field'),
    ),
    row(
      'clock',
      '`POST /v1/sandbox/clock`: moves the clock on',
      door('the clock is moved on by seconds, and never back'),
    ),
    row(
      'token',
      "the demo account's token opens it, and no other",
      door('nobody but the demo account passes the door'),
    ),
    row(
      'only there',
      'the door exists in the sandbox only',
      inFile('sms-api/rate-limit')(
        'without the sandbox a source must be verified, and there is no door to phones',
      ),
    ),
  ],
};
