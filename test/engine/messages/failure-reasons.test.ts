import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failureReasonOf, failureReasons } from '../../../server/channels/failure-reasons.ts';
import { mailChannel } from '../../../server/channels/mail/channel.ts';
import type { ChatProblem } from '../../../server/kit/errors.ts';
import { CANCELLED, knownStatuses, status } from '../../../server/kit/statuses.ts';
import { platformErrors } from '../../../server/protocols/chat-platform/errors.ts';

const keyOf = (ended: number, code: string | null, submitted: boolean, channel = 0) =>
  failureReasonOf({ channel, status: ended, code, submitted }).key;

test('every reason says why and what to do, in whole sentences', () => {
  for (const { key, why, todo } of failureReasons.values()) {
    for (const text of [why, todo]) assert.match(text, /^[A-Z].*\.$/, key);
  }
});

test('an unambiguous status determines the reason alone', () => {
  assert.equal(keyOf(status.noCredit, null, false), 'no-credit');
  assert.equal(keyOf(15, 'UNDELIV/015', true), 'kosher');
  assert.equal(keyOf(status.blockedOnRequest, null, false), 'blacklisted');
  assert.equal(keyOf(status.deleted, CANCELLED, false), 'cancelled');
  assert.equal(keyOf(status.outOfCoverage, null, true), 'out-of-coverage');
});

test('what expired at the network is not what expired here', () => {
  assert.equal(keyOf(status.expired, 'EXPIRED', true), 'unreachable');
  assert.equal(keyOf(status.expired, 'EXPIRED', false), 'waited-too-long');
  assert.equal(keyOf(status.expired, 'VALIDITY_OVER', false), 'waited-too-long');
});

test('of what no carrier took, its answer tells whose fault it is', () => {
  assert.equal(keyOf(status.undelivered, 'ESME_RINVDSTADR', false), 'bad-number');
  assert.equal(keyOf(status.rejected, 'ESME_RINVSRCADR', false), 'bad-source');
  assert.equal(keyOf(status.undelivered, 'TOO_LONG', false), 'text-too-long');
  assert.equal(keyOf(status.undelivered, '0x00000417', false), 'carrier-refused');
  assert.equal(keyOf(status.noPermission, null, false), 'abroad');
  assert.equal(keyOf(status.noPermission, 'REJECTD/011', true), 'no-permission');
  assert.equal(keyOf(status.notLegal, null, false), 'composed');
});

test('of a mail, a status means what it means of an address', () => {
  const of = (ended: number, code: string, submitted: boolean) =>
    keyOf(ended, code, submitted, mailChannel.id);
  assert.equal(of(status.undelivered, '550 5.1.1', false), 'bad-mailbox');
  assert.equal(of(status.undelivered, 'bounce 5.1.1', true), 'bad-mailbox');
  assert.equal(of(status.rejected, '554 5.7.1', false), 'content');
  assert.equal(of(status.blockedOnRequest, 'removed', false), 'no-more-mails');
  assert.equal(of(status.blockedOnRequest, 'bounced', false), 'bad-mailbox');
  assert.equal(of(status.expired, 'EXPIRED', false), 'waited-too-long');
});

test('no status and no reason of chat is without an explanation', () => {
  const unexplained = [1, 3, 5, 6, status.unknownError];
  for (const [ended] of knownStatuses) {
    const isSuccess = [status.sent, 0, status.delivered].some((one) => one === ended);
    // Statuses that say no more than that it failed, or was not delivered.
    const saysNothing =
      unexplained.includes(ended) || (ended > 105 && ended < 133 && ended !== status.rejected);
    if (isSuccess || saysNothing) continue;
    assert.notEqual(keyOf(ended, null, true), 'unknown', String(ended));
  }
  const problems: Record<ChatProblem, true> = {
    'unknown-source': true,
    'bad-destination': true,
    'unknown-template': true,
    'template-not-usable': true,
    'two-unanswered': true,
    'tier-reached': true,
    'window-closed': true,
    'never-written': true,
    blacklisted: true,
    'bad-variables': true,
    'bad-variable-text': true,
    'bad-header': true,
    'bad-header-type': true,
    'bad-website-variable': true,
    'too-long': true,
    'bad-coupon': true,
    'bad-otp': true,
    'bad-reply': true,
    'no-credit': true,
    suspended: true,
  };
  const reasons = [...platformErrors.values()].map(({ reason }) => reason);
  for (const reason of [...Object.keys(problems), ...reasons, 'blacklisted']) {
    assert.notEqual(keyOf(status.undelivered, reason, true, 1), 'undelivered', reason);
    assert.notEqual(keyOf(status.failed, reason, false, 1), 'unknown', reason);
  }
});
