import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/*
 * The callers of the gate, read from the sources, and the attempts that go through each. Two walks use them: gate.test.ts with a
 * suspended account, gate-policies.test.ts with every other rule. A new caller fails the first until it has an attempt, and a new
 * attempt fails the second until it has an expected outcome under each rule.
 */

const SERVER = join(import.meta.dirname, '../../server');

export const sources = globSync('**/*.ts', { cwd: SERVER }).map((path) => ({
  path,
  text: readFileSync(join(SERVER, path), 'utf8'),
}));

const CALL =
  /\b(?:gate|phoneGate|mailGate|acceptor)\.(admit|open|single|campaign|again|service|check|accept)\(/g;

/** Calls that ask for a pass, and calls of the acceptor, as `file method`. */
export const callers = sources.flatMap(({ path, text }) =>
  [...text.matchAll(CALL)].map(([, method]) => `${path} ${method}`),
);

/** The attempts that go through each caller. */
export const covered = {
  'engine/gate/phones.ts admit': 'sms',
  'engine/messages/group-planner.ts admit': 'sms',
  'engine/messages/phone-verifier.ts accept': 'verification',
  'engine/messages/phone-verifier.ts check': 'verification',
  'api/smpp/submitter.ts accept': 'SMPP message',
  'api/sms/sending.ts accept': 'sms',
  'api/sms/sending.ts check': 'sms',
  'channels/sms/v1.ts accept': 'sms',
  'channels/phone-fallbacks.ts accept': 'fallback',
  'api/http-interfaces/interface-api.ts accept': 'sms of another gateway',
  'channels/sms/replies.ts accept': 'reply in a conversation',
  'engine/test-messages/test-messages.ts accept': 'test message',
  'modules/otp/one-time-codes.ts accept': 'code',
  'modules/otp/one-time-codes.ts check': 'code',
  'modules/alerts/means/sms.ts accept': 'alert test',
  'modules/alerts/means/mail.ts service': 'alert test',
  'modules/invitations/invitations.ts service': 'password link',
  'channels/chat/sender.ts single': 'chat message',
  'channels/chat/campaigns.ts campaign': 'chat campaign',
  'channels/mail/mail-gate.ts campaign': 'mail campaign',
  'channels/mail/mail-gate.ts open': 'mail test',
  'channels/mail/campaigns.ts campaign': 'mail campaign',
  'channels/mail/campaigns.ts check': 'mail campaign',
  'channels/mail/campaigns.ts open': 'mail test',
  'channels/mail/replies.ts open': 'reply in a conversation',
  'channels/mail/confirmation.ts open': 'mail confirmation',
  'engine/campaigns/expander.ts again': 'next step of a campaign',
  'modules/media/v1.ts check': 'file',
  'modules/pictures/v1.ts check': 'picture',
  'channels/voice/v1.ts check': 'speech',
} as const satisfies Readonly<Record<string, string>>;

export type AttemptName = (typeof covered)[keyof typeof covered];
