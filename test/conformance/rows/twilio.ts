import { chapter, row } from '../row.ts';

/** Twilio's resources Messages and IncomingPhoneNumbers, and Verify (docs/migrating.md). */
export const twilio = chapter({
  key: 'twilio',
  title: 'Interfaces of other gateways: Twilio',
  bothForms: false,
  rows: [
    row('create', 'the library of Twilio creates a message, with only the address changed'),
    row('fetch', 'a message is fetched with its status and error code'),
    row('list', 'messages are listed by pages, recipient and day'),
    row('callback', '`StatusCallback` gets forms with `X-Twilio-Signature`'),
    row('sealed', 'the key of signatures is stored sealed'),
    row('times', '`SendAt` and `ValidityPeriod`'),
    row('verify', 'Verify’s `Verifications` and `VerificationCheck` on our one-time codes'),
    row('verify.update', 'a verification is fetched, cancelled and approved by its sid'),
    row('verify.errors', 'refusals of Verify have Twilio’s error codes'),
    row('numbers', 'incoming numbers are listed, fetched and updated by their account'),
    row('numbers.errors', 'refusals of incoming numbers have Twilio’s error codes'),
    row('incoming', 'an incoming message calls the `SmsUrl` of its number, by POST and GET, signed'),
    row('twiml', '`Message`, `Redirect` and `action`, and plain texts, with their limits'),
    row('once', 'a repeated request sends no message twice'),
    row('fallback', '`SmsFallbackUrl` gets what `SmsUrl` does not answer with TwiML'),
    row('refused', 'refused replies are shown with their delivery'),
    row('ssrf', 'private addresses are not called'),
    row('errors', 'refusals have Twilio’s error codes'),
  ],
});
