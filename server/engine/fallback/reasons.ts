/**
 * Reasons of failures (channels/failure-reasons.ts) that another channel may avoid: the phone, its network, or the carrier of
 * the first channel. Other reasons hold on every channel: a wish of the recipient, a rule or the credit of the account, a
 * cancellation, or a number that does not exist.
 */
export const helpedByAnotherChannel: ReadonlySet<string> = new Set([
  // The phone or its network.
  'unreachable',
  'out-of-coverage',
  'undelivered',
  'network-fault',
  'network-unknown',
  'kosher',
  'bad-number',
  // The carrier: other carriers have other rules for senders and texts.
  'bad-source',
  'content',
  'text-too-long',
  'carrier-refused',
  'waited-too-long',
  'unknown',
  // Calls.
  'busy',
  'no-answer',
  'hung-up',
  'call-declined',
  'no-trunk',
  'trunk-refused',
  'no-speech',
]);
